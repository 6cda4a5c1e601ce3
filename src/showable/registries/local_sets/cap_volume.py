"""A volume of the Caselaw Access Project: `CasesMetadata.json`, a list of all its cases with first and last pages."""

from __future__ import annotations

from typing import Any

from showable.records import Entry
from showable.registries.local_sets.entry_keys import cite_keys
from showable.registries.local_sets.field_rows import RowError
from showable.registries.local_sets.store import Kept
from showable.registries.shapes import table_of, text_of, texts_of, told, years_in
from showable.rubrics.metadata.reporter_cites import ReporterCite, page_number, read_cite

_KEYS = frozenset({"first_page", "citations"})


def is_cap(said: Any) -> bool:
    """Check whether JSON is a volume's list of cases."""
    return isinstance(said, list) and bool(said) and isinstance(said[0], dict) and said[0].keys() >= _KEYS


def entry_of_case(row: Any, number: int) -> Kept:
    """Read one case. Raises RowError where it has no name, no page, or no cite that begins at its page."""
    if not isinstance(row, dict):
        raise RowError("expected an object")
    names = texts_of([row.get("name_abbreviation"), row.get("name")])
    first, last = text_of(row.get("first_page")), text_of(row.get("last_page"))
    if not names:
        raise RowError("name: this field is missing")
    if first is None or page_number(first) is None:
        raise RowError(f"first_page: expected a page, got {row.get('first_page')!r:.40}")
    cites = texts_of(row.get("citations"), "cite")
    own = _own(cites, first)
    if own is None:
        raise RowError(f"citations: expected one that begins at page {first}")
    decided = text_of(row.get("decision_date"))
    court = table_of(row, "court")
    entry = Entry(
        case_names=names,
        court=text_of(court.get("name")) or text_of(court.get("name_abbreviation")),
        date=decided,
        years=years_in(decided),
        citations=(str(own), *(cite for cite in cites if cite != str(own))),
        containers=(own.reporter,),
        volume=own.volume,
        first_page=first,
        last_page=last,
        facts=told(docket=text_of(row.get("docket_number"))),
    )
    return Kept("case", entry, (), number)


def volumes_of(kept: list[Kept]) -> set[tuple[str, str]]:
    """Return the volumes that a file of whole volumes holds: those of the cases' own cites."""
    return {cite_keys(one.entry)[0][:2] for one in kept}


def _own(cites: tuple[str, ...], first: str) -> ReporterCite | None:
    """Return the cite of the volume itself: the one whose page is the case's first, the official one before others."""
    read = [cite for cite in map(read_cite, cites) if cite is not None]
    wanted = page_number(first)
    return next((cite for cite in read if page_number(cite.page) == wanted), None)
