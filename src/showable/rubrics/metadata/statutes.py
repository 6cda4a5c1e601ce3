"""Sections of codes and pages of the Federal Register: what their headings say has become of them, and what is claimed of them."""

from __future__ import annotations

import re
from typing import Literal

from showable.records.lookups import Entry, FieldCheck, Notice
from showable.records.record import Reference
from showable.records.regex import regex
from showable.rubrics.metadata.reporter_cites import pages_within

_DASHES = str.maketrans("‐‑‒–—−", "------")
_GONE = regex(
    r"\b(?P<what>repealed|omitted|transferred|renumbered|reserved|vacant|eliminated|terminated|redesignated)\b"
    r"(?P<rest>[^\]]{0,300})",
    re.IGNORECASE,
)
_REPLACED = frozenset({"transferred", "renumbered", "redesignated"})
_TARGET = regex(r"(?:§+|section )\s?(?P<section>\w[\w.\-]{0,30}\w|\w)(?P<title> of Title \d{1,2})?", re.IGNORECASE)
_DAY = regex(r"\d{4}-\d{2}-\d{2}")
_YEAR = regex(r"(?<!\d)(1[789]\d\d|20\d\d)(?!\d)")
_LONGEST = 2_000


def plain_section(section: str) -> str:
    """Return a section number with plain hyphens, without marks and spaces: ``§ 2000e–5`` is ``2000e-5``.

    Its letters stay as they are written, for § 6662A may be known by no other writing.
    """
    return re.sub(r"[§\s]", "", section.translate(_DASHES)).rstrip(".")


def in_other_case(section: str) -> tuple[str, ...]:
    """Return the writings of a section number in small and in capital letters, but for its own."""
    return tuple(one for one in dict.fromkeys((section.lower(), section.upper())) if one != section)


def end_of_range(reference: Reference) -> Reference | None:
    """Return the last section of a range as a reference of its own; None where no range is cited."""
    fields = {name: value for name, value in reference.fields.items() if name not in {"section_to", "subsection"}}
    end = reference.fields.get("section_to", "").strip()
    if not end:
        return None
    part = {"part": end.partition(".")[0]} if reference.kind == "cfr" and "." in end else {}
    return reference.model_copy(update={"fields": fields | part | {"section": end}})


def section_of_heading(heading: str) -> tuple[str, str] | None:
    """Read ``§1331. Federal question`` as number and name; None where the heading is not one section's."""
    text = " ".join(heading[:_LONGEST].split()).lstrip("[ ")
    found = re.match(r"§\s?(?P<number>[0-9][\w.\-‐‑‒–—]*?)\.(?:\s|$)(?P<name>.*)", text)
    return (plain_section(found["number"]), found["name"].rstrip("] ")) if found else None


def notice_of_heading(name: str) -> Notice | None:
    """Return what has become of a section by its name: repealed and omitted ones are withdrawn, moved ones superseded.

    The Code prints such a name in place of the text: ``Repealed. Pub. L. 98–473, …`` or ``Transferred``. A word of
    that sort within another name (``Effect of repealed acts``) says nothing.
    """
    text = " ".join(name[:_LONGEST].split()).lstrip("[ ")
    found = _GONE.match(text)
    if found is None:
        return None
    what = found["what"].lower()
    kind: Literal["superseded_version", "withdrawn"] = "superseded_version" if what in _REPLACED else "withdrawn"
    target = _TARGET.search(found["rest"]) if what in _REPLACED else None
    by = f"§ {target['section']}{target['title'] or ''}" if target else None
    return Notice(kind=kind, reason=text.rstrip("] ")[:200], by=by)


def compare_statute(reference: Reference, entry: Entry) -> tuple[FieldCheck, ...]:
    """Hold what is claimed of a page of the Federal Register against the document that stands there: its day, its year, its page.

    A section of a code, a public law or a rule claims no more than its number, by which it was looked up; the year of a
    code is that of the edition, and is not compared.
    """
    if reference.kind != "fed_reg":
        return ()
    fields = reference.fields
    checks = []
    day, published = _DAY.search(fields.get("date", "")), entry.date
    if day and published:
        checks.append(_check("date", day[0], published, agrees=day[0] == published[:10]))
    elif (year := _YEAR.search(fields.get("year", ""))) and (published or entry.years):
        years = {str(one) for one in entry.years} | ({published[:4]} if published else set())
        checks.append(_check("year", year[0], published or ", ".join(sorted(years)), agrees=year[0] in years))
    page = fields.get("page", "")
    if page and entry.first_page:
        within = pages_within(page, entry.first_page, entry.last_page)
        if within is not None:
            shown = f"pp. {entry.first_page}–{entry.last_page}" if entry.last_page else entry.first_page
            checks.append(_check("page", page, shown, agrees=within))
    return tuple(checks)


def _check(field: str, claimed: str, found: str, *, agrees: bool) -> FieldCheck:
    return FieldCheck(field=field, claimed=claimed, found=found, outcome="agrees" if agrees else "differs")
