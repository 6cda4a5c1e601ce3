"""One volume of a reporter: which case begins at a page, which one the page lies in, and where a name stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from showable.records import Entry
from showable.registries.shapes import rows_of, table_of, text_of, texts_of, told, years_in
from showable.rubrics.metadata.case_names import read_caption, same_as_any
from showable.rubrics.metadata.reporter_cites import page_number

CROWDED = 5
"""Cases that begin on one page from which on it is one of a table of orders, which need not list every one."""
_MOST_BY_NAME = 3
_TELLING = 4


@dataclass(frozen=True, slots=True)
class Slot:
    """A case with the pages it stands on: a series of page numbers, the first and the last of them."""

    series: str
    first: int
    last: int
    row: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Volume:
    """All cases of one volume, in order of place. `whole` is False where the pages of some could not be read."""

    slots: tuple[Slot, ...]
    whole: bool = True

    def beginning_at(self, series: str, page: int) -> list[Slot]:
        """Return the cases whose first page it is; short ones share a page."""
        return [slot for slot in self.slots if slot.series == series and slot.first == page]

    def around(self, series: str, page: int) -> list[Slot]:
        """Return the cases that begin before the page and end on it or after it, the last of them first."""
        return [slot for slot in reversed(self.slots) if slot.series == series and slot.first < page <= slot.last]

    def last_page(self, series: str) -> int | None:
        """Return the last page of a series; None where the volume has no such pages."""
        return max((slot.last for slot in self.slots if slot.series == series), default=None)

    def is_crowded_near(self, series: str, page: int) -> bool:
        """Check whether the page lies within a table of orders: many cases begin on the pages beside it."""
        before = max((slot.first for slot in self.slots if slot.series == series and slot.first <= page), default=None)
        return before is not None and len(self.beginning_at(series, before)) >= CROWDED

    def named(self, caption: str) -> list[Slot]:
        """Return the cases of a name, wherever they stand in the volume."""
        words = {
            word.rstrip(".")[:_TELLING]
            for side in read_caption(caption).sides
            for party in side
            for word in party.telling
            if len(word) >= _TELLING
        }
        likely = (slot for slot in self.slots if not words or any(word in _spoken(slot.row) for word in words))
        return [slot for slot in likely if same_as_any(caption, names_of(slot.row))][:_MOST_BY_NAME]


def read_volume(said: Any) -> Volume:
    """Read a volume's list of cases. A case without a first page that can be read is left out, and the volume is not whole."""
    slots = []
    rows = rows_of(said)
    for row in rows:
        first = page_number(text_of(row.get("first_page")) or "")
        if first is None:
            continue
        last = page_number(text_of(row.get("last_page")) or "")
        end = last[1] if last and last[0] == first[0] and last[1] >= first[1] else first[1]
        slots.append(Slot(first[0], first[1], end, _kept(row)))
    return Volume(tuple(sorted(slots, key=lambda slot: (slot.series, slot.first))), whole=len(slots) == len(said))


def names_of(row: dict[str, Any]) -> tuple[str, ...]:
    """Return a case's names, the short one first."""
    return texts_of([row.get("name_abbreviation"), row.get("name")])


def entry_of(slot: Slot, reporter: str, volume: str, url: str) -> Entry:
    """Return a case as an entry; `reporter` and `volume` are those that were asked about."""
    row = slot.row
    decided = text_of(row.get("decision_date"))
    first, last = text_of(row.get("first_page")), text_of(row.get("last_page"))
    court = table_of(row, "court")
    return Entry(
        case_names=names_of(row),
        court=text_of(court.get("name")) or text_of(court.get("name_abbreviation")),
        date=decided,
        years=years_in(decided),
        citations=_own_first(texts_of(row.get("citations"), "cite"), f"{volume} {reporter} "),
        containers=(reporter,),
        volume=volume,
        first_page=first,
        last_page=last,
        url=url,
        facts=told(docket=text_of(row.get("docket_number"))),
    )


def _own_first(cites: Iterable[str], prefix: str) -> tuple[str, ...]:
    return tuple(sorted(cites, key=lambda cite: not cite.startswith(prefix)))


def _kept(row: dict[str, Any]) -> dict[str, Any]:
    wanted = (
        "name",
        "name_abbreviation",
        "decision_date",
        "docket_number",
        "first_page",
        "last_page",
        "citations",
        "court",
    )
    return {name: row.get(name) for name in (*wanted, "file_name")}


def _spoken(row: dict[str, Any]) -> str:
    return f"{row.get('name_abbreviation')} {row.get('name')}".casefold()
