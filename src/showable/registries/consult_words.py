"""Words for what a registry has: the fields to set beside a claim, and the one line that says how the two differ. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from showable.records import Entry, FieldCheck, Reference
from showable.registries.answers import one_line

_MOST_AUTHORS = 6
_LONGEST_VALUE = 110


def shown(entry: Entry) -> dict[str, str]:
    """Return what a registry has as fields of text, by the names that a claim's fields have."""
    told = {
        "title": entry.title,
        "case_name": entry.case_names[0] if entry.case_names else None,
        "authors": _authors(entry),
        "year": ", ".join(map(str, dict.fromkeys(entry.years))),
        "date": entry.date,
        "container": entry.containers[0] if entry.containers else None,
        "volume": entry.volume,
        "issue": entry.issue,
        "pages": _pages(entry),
        "publisher": entry.publisher,
        "court": entry.court,
        "citations": "; ".join(entry.citations),
        "url": entry.url,
        **entry.ids,
    }
    facts = {name: value for name, value in entry.facts.items() if not told.get(name)}
    return {name: value for name, value in (told | facts).items() if value}


def named(entry: Entry) -> str:
    """Name a work in one line: `J.D. v. Azar, 925 F.3d 1291 (D.C. Cir. 2019)`, or an article's title and year."""
    if entry.case_names:
        from showable.rubrics.metadata.cases import caption  # noqa: PLC0415 - takes the tables of courts with it

        return one_line(caption(entry))
    name = entry.title or next(iter(entry.ids.values()), "something else")
    year = str(entry.years[0]) if entry.years else (entry.date or "")[:4]
    return f"“{_short(name)}”{f' ({year})' if year else ''}"


def difference(reference: Reference, entry: Entry, checks: Iterable[FieldCheck]) -> str:
    """Return in one line what was claimed and what stands there."""
    differ = {check.field: check for check in checks if check.outcome == "differs"}
    cite = _cite(reference.fields)
    if cite and entry.case_names and not differ.keys().isdisjoint({"case_name", "citation"}):
        place = differ.get("citation")
        inside = place is not None and (place.found or "").startswith("inside ")
        verb = "stands inside" if inside else "is not" if place is not None and "case_name" not in differ else "is"
        return one_line(f"{cite} {verb} {named(entry)}{_not(differ.get('case_name'))}")
    if "title" in differ:
        subject = reference.fields.get(reference.kind) or "what stands there"
        return one_line(f"{subject} is {named(entry)}{_not(differ['title'])}")
    return one_line("; ".join(_one(check) for check in differ.values()))


def _one(check: FieldCheck) -> str:
    has = _short(check.found) if check.found else "nothing of the kind"
    return f"{check.field.replace('_', ' ')}: {_short(check.claimed)} is claimed, {has} stands there"


def _not(check: FieldCheck | None) -> str:
    return f", not {_short(check.claimed)}" if check else ""


def _cite(fields: Mapping[str, str]) -> str | None:
    parts = [fields.get(name) for name in ("volume", "reporter", "page")]
    return " ".join(part for part in parts if part) if all(parts) else None


def _authors(entry: Entry) -> str:
    names = [f"{person.given} {person.family}".strip() for person in entry.authors[:_MOST_AUTHORS]]
    return "; ".join([*names, "et al."] if len(entry.authors) > _MOST_AUTHORS else names)


def _pages(entry: Entry) -> str:
    ends = [page for page in (entry.first_page, entry.last_page) if page]
    return "–".join(dict.fromkeys(ends))


def _short(text: str) -> str:
    said = one_line(text)
    return said if len(said) <= _LONGEST_VALUE else f"{said[: _LONGEST_VALUE - 1]}…"
