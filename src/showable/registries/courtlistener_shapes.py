"""CourtListener's clusters, dockets and answers about cites, read into entries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from showable.records import Entry
from showable.registries.shapes import rows_of, table_of, text_of, texts_of, told, years_in
from showable.rubrics.metadata.reporter_cites import ReporterCite, plain_reporter, read_cite

_SITE = "https://www.courtlistener.com"
OFF_BY = 3
"""Characters that a `start_index` was seen to be off by."""


@dataclass(frozen=True, slots=True)
class CiteAnswer:
    """What was said about one cite: its own status (200, 300, 400, 404, 429), in words, the cases, and its readings."""

    status: int
    message: str
    clusters: tuple[dict[str, Any], ...]
    readings: tuple[str, ...]


def read_answers(said: Any, cites: Iterable[str], starts: dict[str, int]) -> dict[str, CiteAnswer]:
    """Match the items of an answer with the cites that were asked, by their text, their readings, or their place.

    A body without items is ``{}`` or ``[]``, depending on which page of the documentation one reads.
    """
    rows = rows_of(said)
    answers: dict[str, CiteAnswer] = {}
    for cite in cites:
        row = next((row for row in rows if _is_about(row, cite)), None) or next(
            (row for row in rows if _near(row.get("start_index"), starts.get(cite))), None
        )
        if row is not None:
            answers[cite] = _answer(row)
    return answers


def _is_about(row: dict[str, Any], cite: str) -> bool:
    written = (text_of(row.get("citation")), *texts_of(row.get("normalized_citations")))
    return any(plain_reporter(one) == plain_reporter(cite) for one in written if one)


def _near(start: Any, asked: int | None) -> bool:
    return isinstance(start, int) and asked is not None and abs(start - asked) <= OFF_BY


def _answer(row: dict[str, Any]) -> CiteAnswer:
    status = row.get("status")
    return CiteAnswer(
        status=status if isinstance(status, int) else 0,
        message=text_of(row.get("error_message")) or "",
        clusters=tuple(rows_of(row.get("clusters"))),
        readings=texts_of(row.get("normalized_citations")),
    )


def entry_of(cluster: dict[str, Any], asked: ReporterCite, readings: Iterable[str] = ()) -> Entry:
    """Read a cluster.

    Its own place in the volume that was asked about is its `first_page`; where a reading of the cite that was
    asked is among its cites, so is the cite as asked.
    """
    cites = [_cite(row) for row in rows_of(cluster.get("citations"))]
    own = [cite for cite in cites if cite]
    read_as = {cite.key for reading in readings if (cite := read_cite(reading))}
    if read_as & {cite.key for cite in own} and asked.key not in {cite.key for cite in own}:
        own.insert(0, asked)
    here = [cite for cite in own if cite.key[:2] == asked.key[:2]]
    own.sort(key=lambda cite: cite not in here)
    filed, path = text_of(cluster.get("date_filed")), text_of(cluster.get("absolute_url"))
    return Entry(
        case_names=texts_of([cluster.get(name) for name in ("case_name", "case_name_full", "case_name_short")]),
        citations=tuple(str(cite) for cite in own),
        containers=(asked.reporter,) if here else (),
        volume=here[0].volume if here else None,
        first_page=here[0].page if len(here) == 1 else None,
        date=filed,
        years=years_in(filed),
        ids=told(cluster=text_of(cluster.get("id"))),
        url=f"{_SITE}{path}" if path and path.startswith("/") else None,
        facts=told(precedential=text_of(cluster.get("precedential_status")), judges=text_of(cluster.get("judges"))),
    )


def _cite(row: dict[str, Any]) -> ReporterCite | None:
    volume, reporter, page = (text_of(row.get(name)) for name in ("volume", "reporter", "page"))
    return ReporterCite(volume, reporter, page) if volume and reporter and page else None


def docket_id(cluster: dict[str, Any]) -> str | None:
    """Return the number of a cluster's docket, which alone knows the court."""
    given = text_of(cluster.get("docket_id")) or (text_of(cluster.get("docket")) or "").rstrip("/").rpartition("/")[2]
    return given if given and given.isdecimal() else None


def with_docket(entry: Entry, docket: dict[str, Any]) -> Entry:
    """Add what a docket says: the court's id and the docket's number."""
    facts = entry.facts | told(docket=text_of(docket.get("docket_number")))
    court = text_of(docket.get("court_id")) or _last_part(text_of(docket.get("court")))
    return entry.model_copy(update={"court": court, "facts": facts})


def docket_entry(docket: dict[str, Any]) -> Entry:
    """Read a docket of the RECAP archive. Its date is that of filing, which is no decision's."""
    path = text_of(docket.get("absolute_url"))
    number = text_of(docket.get("docket_number"))
    return Entry(
        case_names=texts_of([docket.get(name) for name in ("case_name", "case_name_full", "case_name_short")]),
        court=text_of(docket.get("court_id")) or _last_part(text_of(docket.get("court"))),
        ids=told(docket=number),
        url=f"{_SITE}{path}" if path and path.startswith("/") else None,
        facts=told(docket=number, filed=text_of(docket.get("date_filed"))),
    )


def dockets_in(said: Any) -> list[dict[str, Any]]:
    """Return the dockets of one page of a list."""
    return rows_of(table_of(said).get("results"))


def _last_part(address: str | None) -> str | None:
    return (address or "").rstrip("/").rpartition("/")[2] or None
