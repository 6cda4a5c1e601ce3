"""The Retraction Watch database as Crossref publishes it: one notice a row, the paper that it concerns as the entry."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date

from showable.read.references.identifier_checks import doi_fault, pmid_fault
from showable.records import Entry, Notice, Person
from showable.records.lookups import NoticeKind
from showable.registries.local_sets.entry_keys import id_key
from showable.registries.local_sets.field_rows import RowError
from showable.registries.local_sets.store import Kept
from showable.registries.scholarly import given_first
from showable.registries.shapes import years_in

HEADER = frozenset({"OriginalPaperDOI", "RetractionNature"})
"""Columns by which the file is recognised."""

_NATURES: Mapping[str, NoticeKind] = {
    "retraction": "retracted",
    "expression of concern": "concern",
    "correction": "corrected",
    "reinstatement": "corrected",
}
_GONE, _BACK = "Retraction (Retraction Watch", "Reinstatement (Retraction Watch"
_NOTHING = frozenset({"", "0", "unavailable", "none", "no doi", "n/a"})
_DATE = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})(?![0-9])")


def entry_of_retraction(row: Mapping[str, str], number: int) -> Kept:
    """Read one row. Raises RowError where it names no paper, or a nature of notice that is not known."""
    nature = row.get("RetractionNature", "").strip()
    kind = _NATURES.get(nature.casefold())
    if kind is None:
        raise RowError(f"RetractionNature: expected one of {', '.join(sorted(_NATURES))}, got {nature[:40]!r}")
    doi, pmid = _told(row, "OriginalPaperDOI"), _told(row, "OriginalPaperPubMedID")
    title = _told(row, "Title")
    ids = {}
    if doi and doi_fault(id_key("doi", doi)) is None:
        ids["doi"] = id_key("doi", doi)
    if pmid and pmid_fault(pmid) is None:
        ids["pmid"] = pmid
    if not ids and not title:
        raise RowError("OriginalPaperDOI: neither a DOI, a PMID nor a title names the paper")
    entry = Entry(
        title=title,
        authors=tuple(_people(row.get("Author", ""))),
        years=years_in(_told(row, "OriginalPaperDate")),
        date=_day(_told(row, "OriginalPaperDate")),
        containers=tuple(one for one in [_told(row, "Journal")] if one),
        publisher=_told(row, "Publisher"),
        ids=ids,
        notices=(_notice(row, kind, nature),),
    )
    return Kept("doi" if "doi" in ids else "pmid" if ids else "bibliographic", entry, tuple(ids.items()), number)


def still_standing(notices: Iterable[Notice]) -> tuple[Notice, ...]:
    """Take back what a later row of the database took back: a paper that was reinstated is retracted no more."""
    held = tuple(notices)
    back = [notice.date or "" for notice in held if notice.reason.startswith(_BACK)]
    return tuple(_lifted(notice) if back and _is_lifted(notice, max(back)) else notice for notice in held)


def _is_lifted(notice: Notice, day: str) -> bool:
    return notice.kind == "retracted" and notice.reason.startswith(_GONE) and (notice.date or "") <= day


def _lifted(notice: Notice) -> Notice:
    return notice.model_copy(update={"kind": "corrected", "reason": f"{notice.reason}, reinstated since"})


def _notice(row: Mapping[str, str], kind: NoticeKind, nature: str) -> Notice:
    why = "; ".join(part.strip().lstrip("+").strip() for part in row.get("Reason", "").split(";") if part.strip())
    reason = f"{nature} (Retraction Watch{f': {why[:200]}' if why else ''})"
    by = _told(row, "RetractionDOI")
    return Notice(
        kind=kind, reason=reason, date=_day(_told(row, "RetractionDate")), by=id_key("doi", by) if by else None
    )


def _people(names: str) -> list[Person]:
    return [given_first(name) for name in names.split(";") if name.strip()]


def _told(row: Mapping[str, str], column: str) -> str | None:
    value = " ".join((row.get(column) or "").split())
    return None if value.casefold() in _NOTHING else value


def _day(text: str | None) -> str | None:
    """Write a date of the file (month first, the hour after it) as ISO 8601; what is no day of the calendar as it is."""
    found = _DATE.match(text or "")
    if found is None:
        return text
    try:
        return date(int(found[3]), int(found[1]), int(found[2])).isoformat()
    except ValueError:
        return text
