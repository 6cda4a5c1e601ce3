"""A row of parsed fields as an entry: the fields are those of references, whatever the columns of a file are called."""

from __future__ import annotations

import re
from collections.abc import Mapping

from showable.read.references.identifier_checks import (
    accession_fault,
    arxiv_fault,
    doi_fault,
    isbn_fault,
    issn_fault,
    nct_fault,
    pmcid_fault,
    pmid_fault,
)
from showable.records import Entry, Notice, Person
from showable.registries.local_sets.entry_keys import ID_KINDS, MAY_LACK, PARTS, id_key, reference_keys
from showable.registries.local_sets.store import Kept
from showable.registries.scholarly import given_first, initials_last
from showable.registries.shapes import years_in

FIELDS = frozenset(
    {
        *ID_KINDS,
        *(part for parts in PARTS.values() for part in parts),
        *("kind", "citation", "case_name", "plaintiff", "defendant", "reporter", "last_page", "date", "parallel"),
        *("docket", "authors", "author", "container", "issue", "pages", "publisher", "edition", "url", "outlet"),
        *("accession", "cik", "type", "subsection", "version", "notice", "notice_date", "notice_by", "year", "page"),
    }
)
"""Fields that a column may hold."""
KINDS = frozenset({"case", "bibliographic", "news", "url", *ID_KINDS, *PARTS})
"""Kinds that can be imported."""

_NOTICES = frozenset({"retracted", "withdrawn", "superseded_version", "concern", "corrected"})
_NO_NOTICE = frozenset({"", "none", "current", "good", "valid", "active", "ok"})
_FAULTS = {
    "doi": doi_fault,
    "pmid": pmid_fault,
    "pmcid": pmcid_fault,
    "arxiv": arxiv_fault,
    "isbn": isbn_fault,
    "issn": issn_fault,
    "nct": nct_fault,
    "sec_accession": accession_fault,
}
_RANGE = re.compile(r"\s*([A-Za-z]{0,4}\d+[A-Za-z]{0,2})\s*(?:[-–—]+\s*([A-Za-z]{0,4}\d+[A-Za-z]{0,2}))?\s*")
_INITIALS_LAST = re.compile(r"[^,]+\s[A-Z]{1,4}")
_LONGEST_SHOWN = 60


class RowError(ValueError):
    """A row that is no known citation; the message says what is wrong with which field."""


def entry_of_fields(fields: Mapping[str, str], kind: str | None, row: int) -> Kept:
    """Make an entry of a row's fields. Raises RowError where they name nothing that can be looked up."""
    fields = {name: " ".join(value.split()) for name, value in fields.items() if value and value.strip()}
    kind = kind or fields.get("kind") or _kind_of(fields)
    if kind == "docket" and "docket" in fields:
        fields.setdefault("number", fields["docket"])
    if kind not in KINDS:
        raise RowError(f"kind: {kind[:_LONGEST_SHOWN]!r} is none that can be imported; --kind says another")
    keys = reference_keys(kind, fields)
    _check_ids(fields)
    entry = _case(fields) if kind == "case" else _work(fields, kind)
    if kind in (*ID_KINDS, *PARTS) and not any(name == kind for name, _ in keys):
        lacks = (part for part in PARTS.get(kind, ()) if part not in MAY_LACK and part not in fields)
        raise RowError(f"{next(lacks, kind)}: this field is missing")
    if not (keys or entry.citations or entry.title or entry.case_names):
        raise RowError("nothing in it can be looked up: expected an id, a cite, a title or a URL")
    return Kept(kind, entry, tuple(keys), row)


def _kind_of(fields: Mapping[str, str]) -> str:
    if "case_name" in fields or "plaintiff" in fields or {"volume", "reporter", "page"} <= fields.keys():
        return "case"
    found = next((kind for kind in ID_KINDS if kind in fields), None)
    return found or ("bibliographic" if "title" in fields or "url" not in fields else "url")


def _check_ids(fields: Mapping[str, str]) -> None:
    for kind, fault_in in _FAULTS.items():
        if kind in fields:
            value = id_key(kind, fields[kind]) if kind in {"doi", "arxiv", "pmid"} else fields[kind]
            if fault := fault_in(value):
                raise RowError(f"{kind}: {fields[kind][:_LONGEST_SHOWN]!r}: {fault}")


def _case(fields: Mapping[str, str]) -> Entry:
    parties = [fields[side] for side in ("plaintiff", "defendant") if side in fields]
    name = fields.get("case_name") or " v. ".join(parties)
    place = [fields.get(part, "") for part in ("volume", "reporter", "page")]
    cites = [" ".join(place)] if all(place) else []
    cites += [cite.strip() for cite in fields.get("parallel", "").split(";") if cite.strip()]
    return Entry(
        case_names=(name,) if name else (),
        court=fields.get("court"),
        years=_years(fields),
        date=fields.get("date"),
        citations=tuple(dict.fromkeys(cites)),
        containers=(place[1],) if place[1] else (),
        volume=place[0] or None,
        first_page=place[2] or None,
        last_page=fields.get("last_page"),
        notices=_notices(fields),
        url=fields.get("url"),
        facts={"docket": fields["docket"]} if "docket" in fields else {},
    )


def _work(fields: Mapping[str, str], kind: str) -> Entry:
    pages = _RANGE.fullmatch(fields.get("pages", "") or fields.get("page", ""))
    first, last = (pages[1], pages[2]) if pages else (fields.get("pages"), None)
    ids = {name: fields[name] for name in ID_KINDS if name in fields}
    if "arxiv" in ids:
        ids["arxiv"] = id_key("arxiv", ids["arxiv"])
    if "doi" in ids:
        ids["doi"] = id_key("doi", ids["doi"])
    named = fields.get("case_name")
    docket = fields.get("number" if kind == "docket" else "docket")
    title = fields.get("title") if kind not in {"usc", "cfr"} else None
    return Entry(
        title=title,
        case_names=(named,) if named else (),
        authors=_people(fields.get("authors") or fields.get("author") or ""),
        years=_years(fields),
        date=fields.get("date"),
        containers=tuple(fields[name] for name in ("container", "journal", "outlet") if name in fields),
        volume=fields.get("volume"),
        issue=fields.get("issue"),
        first_page=first,
        last_page=fields.get("last_page") or _whole(first, last),
        publisher=fields.get("publisher"),
        court=fields.get("court"),
        citations=_neutral(fields) if kind == "neutral_uk" else (),
        ids=ids,
        notices=_notices(fields),
        url=fields.get("url"),
        facts={"docket": docket} if docket else {},
    )


def _neutral(fields: Mapping[str, str]) -> tuple[str, ...]:
    """Write a neutral citation as courts do: ``[2020] EWHC 12 (Ch)``."""
    division = f" ({fields['division']})" if "division" in fields else ""
    return (f"[{fields.get('year', '')}] {fields.get('court', '')} {fields.get('number', '')}{division}",)


def _years(fields: Mapping[str, str]) -> tuple[int, ...]:
    return tuple(dict.fromkeys((*years_in(fields.get("year")), *years_in(fields.get("date")))))


def _people(names: str) -> tuple[Person, ...]:
    """Take a list of names apart at semicolons, or at commas where each part is a name with its initials last."""
    parts = [part.strip() for part in names.split(";") if part.strip()]
    if len(parts) == 1:
        listed = [part.strip() for part in names.split(",") if part.strip()]
        if len(listed) > 1 and all(_INITIALS_LAST.fullmatch(part) for part in listed):
            parts = listed
    return tuple(initials_last(part) if _INITIALS_LAST.fullmatch(part) else given_first(part) for part in parts)


def _whole(first: str | None, last: str | None) -> str | None:
    """Write the end of an abbreviated range in full: 637-41 ends at 641."""
    if not first or not last or not first.isdecimal() or not last.isdecimal() or len(last) >= len(first):
        return last
    return first[: len(first) - len(last)] + last


def _notices(fields: Mapping[str, str]) -> tuple[Notice, ...]:
    notice = fields.get("notice", "").casefold().replace(" ", "_")
    if notice in _NO_NOTICE:
        return ()
    if notice not in _NOTICES:
        raise RowError(
            f"notice: expected one of {', '.join(sorted(_NOTICES))}, got {fields['notice'][:_LONGEST_SHOWN]!r}"
        )
    said = {"kind": notice, "reason": f"{notice.replace('_', ' ')}, as imported"}
    more = {"date": fields.get("notice_date"), "by": fields.get("notice_by")}
    return (Notice.model_validate(said | {name: value for name, value in more.items() if value}),)
