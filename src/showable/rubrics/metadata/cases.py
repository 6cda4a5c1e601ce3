"""A claimed case beside the case that a registry has: the cite, the names, the court, the year, the pin."""

from __future__ import annotations

import re
from typing import Literal

from showable.records.lookups import Entry, FieldCheck
from showable.records.record import Reference
from showable.records.regex import regex
from showable.rubrics.metadata.case_names import likeness, same_as_any
from showable.rubrics.metadata.courts import court_label, reporter_court, same_court
from showable.rubrics.metadata.reporter_cites import (
    ReporterCite,
    first_of,
    page_number,
    pages_within,
    plain_reporter,
    read_cite,
    same_place,
)

_YEAR = regex(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_DAY = regex(r"\d{4}-\d{2}-\d{2}")
_DOCKET = regex(r"(?:(?P<office>\d{1,2}):)?(?P<year>\d{2,4})-(?:(?P<type>[a-z]{1,4})-?)?(?P<number>\d{1,6})(?!\d)")
DAYS_FROM = 1925
"""Decisions from this year on have a day; before it reporters often gave the term alone, and a registry's day is made up."""

DALLAS = 4
"""The last volume of the U.S. Reports in which Dallas printed courts of Pennsylvania beside the Supreme Court."""


def compare_case(reference: Reference, entry: Entry) -> tuple[FieldCheck, ...]:
    """Hold a claimed case against the case that a registry gave for it.

    What decides: a registry may answer with the case that merely *contains* the page (CourtListener does, with
    status 200), so two things are needed, and each alone is a mismatch: the claimed volume, reporter and page is
    the very cite of the case, and both parties agree (see `same_case`). With both agreeing, a wrong court, a wrong
    year, a parallel cite of another place or a pin beyond the case is a mismatch in that field.

    The year is that of the decision. One year off agrees where the registry's date is loose: no day in it, or
    before 1925, when terms were printed. A court that is not claimed is implied by a reporter that prints one
    court. A docket number agrees or is unknown, for consolidated cases have several. Fields not claimed are left
    out; what the registry does not say is ``unknown``. For a short form (`at 675`) the page is a pin, which agrees
    anywhere within the case.
    """
    checks = (
        _citation(reference, entry),
        _case_name(reference, entry),
        _court(reference, entry),
        _year(reference, entry),
        _pin(reference, entry),
        *_parallels(reference, entry),
        _docket(reference, entry),
    )
    return tuple(check for check in checks if check is not None)


def claimed_cite(reference: Reference) -> ReporterCite | None:
    """Return the volume, reporter and page that a reference claims; None where one of them is missing."""
    fields = reference.fields
    volume, reporter, page = (fields.get(name, "").strip() for name in ("volume", "reporter", "page"))
    return ReporterCite(volume, reporter, page) if volume and reporter and page else None


def claimed_name(reference: Reference) -> str:
    """Return the caption that a reference claims, put together from its parties where it has no other; may be empty."""
    fields = reference.fields
    name = fields.get("case_name", "").strip()
    if name:
        return name
    return " v. ".join(fields[side].strip() for side in ("plaintiff", "defendant") if fields.get(side, "").strip())


def caption(entry: Entry) -> str:
    """Return which case an entry is, as one cites it: ``J.D. v. Azar, 925 F.3d 1291 (D.C. Cir. 2019)``."""
    name = entry.case_names[0] if entry.case_names else entry.title or "a case without a name"
    cite = entry.citations[0] if entry.citations else ""
    court = court_label(entry.court) if entry.court and entry.court not in {"scotus", "us"} else ""
    year = (entry.date or "")[:4] or (str(entry.years[0]) if entry.years else "")
    paren = " ".join(part for part in (court if court != "SCOTUS" else "", year) if part)
    return ", ".join(part for part in (name, cite) if part) + (f" ({paren})" if paren else "")


def _citation(reference: Reference, entry: Entry) -> FieldCheck | None:
    neutral = _neutral(reference)
    if neutral:
        same = any(_plain(neutral) == _plain(cite) for cite in entry.citations)
        return _check("citation", neutral, "; ".join(entry.citations) or None, same if entry.citations else None)
    cite = claimed_cite(reference)
    if cite is None:
        return _short_form(reference, entry)
    if same_place(cite, entry.citations) or _starts_at(entry, cite):
        return _check("citation", str(cite), str(cite), agrees=True)
    where = _inside(entry, cite)
    known = entry.citations or entry.first_page
    pin = reference.kind == "case_short" and where is not None
    return _check("citation", str(cite), where or "; ".join(entry.citations) or None, pin if known else None)


def _short_form(reference: Reference, entry: Entry) -> FieldCheck | None:
    volume, reporter = reference.fields.get("volume"), reference.fields.get("reporter")
    if not volume or not reporter:
        return None
    own = _own(entry, volume, reporter)
    listed = "; ".join(str(cite) for cite in _cites(entry))
    return _check("citation", f"{volume} {reporter}", listed or None, bool(own) if listed else None)


def _starts_at(entry: Entry, cite: ReporterCite) -> bool:
    return bool(entry.first_page) and any(
        ReporterCite(entry.volume or "", name, entry.first_page or "").key == cite.key for name in entry.containers
    )


def _inside(entry: Entry, cite: ReporterCite) -> str | None:
    """Return in which case a page lies; None where it does not, as far as can be told."""
    own = _own(entry, cite.volume, cite.reporter)
    first = own.page if own else None
    if own is None or pages_within(cite.page, first, entry.last_page if entry.first_page == first else None) is False:
        return None
    pages = f"pp. {first}–{entry.last_page}" if entry.last_page else f"which begins at {first}"
    return f"inside {caption(entry)}, {pages}"


def _own(entry: Entry, volume: str, reporter: str) -> ReporterCite | None:
    """Return the entry's own cite in one volume of one reporter, the last that begins in it."""
    key = volume.lstrip("0"), plain_reporter(reporter)
    return next((cite for cite in reversed(_cites(entry)) if cite.key[:2] == key), None)


def _cites(entry: Entry) -> list[ReporterCite]:
    cites = [cite for cite in map(read_cite, entry.citations) if cite]
    if entry.volume and entry.first_page:
        cites += [ReporterCite(entry.volume, name, entry.first_page) for name in entry.containers]
    return cites


def _case_name(reference: Reference, entry: Entry) -> FieldCheck | None:
    claimed = claimed_name(reference)
    names = [name for name in (*entry.case_names, entry.title or "") if name]
    if not claimed:
        return None
    if not names:
        return _check("case_name", claimed, None, agrees=None)
    agrees = same_as_any(claimed, names)
    score = max(likeness(claimed, name) for name in names)
    return _check("case_name", claimed, names[0] if agrees else caption(entry), agrees, score)


def _court(reference: Reference, entry: Entry) -> FieldCheck | None:
    fields = reference.fields
    implied = court_of_place(fields.get("volume", ""), fields.get("reporter", ""))
    written = fields.get("court_text") or (fields.get("court") if fields.get("court") != "scotus" or implied else "")
    claimed = fields.get("court") if written else implied
    if not (claimed or written) or reference.kind == "neutral_uk":
        return None
    places = (court_of_place(cite.volume, cite.reporter) for cite in _cites(entry))
    found = entry.court or next((court for court in places if court), None)
    agrees = same_court(claimed or written or "", found) if found else None
    if agrees is None and found and fields.get("court_text"):
        agrees = same_court(fields["court_text"], found)
    return _check("court", court_label(claimed or written or ""), court_label(found) if found else None, agrees)


def court_of_place(volume: str, reporter: str) -> str | None:
    """Return the one court that a volume prints; None where it prints several, as Dallas does (1 to 4 U.S.)."""
    court = reporter_court(reporter)
    return None if court == "scotus" and volume.isdecimal() and int(volume[:6]) <= DALLAS else court


def _year(reference: Reference, entry: Entry) -> FieldCheck | None:
    found = _YEAR.search(reference.fields.get("year") or reference.fields.get("date", ""))
    if not found:
        return None
    claimed, dated = int(found[1]), _YEAR.match(entry.date or "")
    years = sorted({*entry.years, *([int(dated[1])] if dated else [])})
    loose = entry.facts.get("date") == "loose" or not _DAY.match(entry.date or "") or claimed <= DAYS_FROM
    near = any(abs(claimed - year) <= (1 if loose else 0) for year in years)
    shown = entry.date or ", ".join(map(str, years)) or None
    return _check("year", str(claimed), shown, near if years else None)


def _pin(reference: Reference, entry: Entry) -> FieldCheck | None:
    fields = reference.fields
    pin = fields.get("pin", "").strip()
    own = _own(entry, fields.get("volume", ""), fields.get("reporter", "")) if pin else None
    if own is None or pin.startswith("*") or page_number(first_of(pin)) is None:
        return None
    if reference.kind == "case" and fields.get("page") != own.page:
        return None
    last = entry.last_page if entry.first_page == own.page else None
    shown = f"pp. {own.page}–{last}" if last else f"from p. {own.page} on"
    return _check("pin", pin, shown, pages_within(pin, own.page, last))


def _parallels(reference: Reference, entry: Entry) -> list[FieldCheck]:
    checks = []
    for text in reference.fields.get("parallel", "").split(";")[:20]:
        cite = read_cite(text)
        if cite is None:
            continue
        same_reporter = [str(own) for own in _cites(entry) if own.key[1] == cite.key[1]]
        if same_place(cite, same_reporter):
            checks.append(_check("parallel", str(cite), str(cite), agrees=True))
        else:
            shown = "; ".join(dict.fromkeys(same_reporter)) or None
            checks.append(_check("parallel", str(cite), shown, False if shown else None))
    return checks


def _docket(reference: Reference, entry: Entry) -> FieldCheck | None:
    claimed, found = reference.fields.get("docket", "").strip(), entry.facts.get("docket", "")
    if not claimed:
        return None
    return _check("docket", claimed, found or None, True if found and same_docket(claimed, found) else None)


def same_docket(claimed: str, found: str) -> bool:
    """Check whether two writings hold the same docket number: ``No. 2:24-cv-01776-JHC`` is ``24-cv-1776``."""
    ours, theirs = docket_numbers(claimed), docket_numbers(found)
    return any(_agree_dockets(mine, other) for mine in ours for other in theirs)


def docket_numbers(text: str) -> list[tuple[str, str, str, str]]:
    """Read docket numbers as (office, year of two digits, type, number); what is not written is empty."""
    plain = re.sub(r"\bc[ \-]?(?=\d\d-)", "", text[:200].casefold())
    found = _DOCKET.finditer(plain)
    return [(m["office"] or "", m["year"][-2:], m["type"] or "", m["number"].lstrip("0")) for m in found]


def _agree_dockets(ours: tuple[str, str, str, str], theirs: tuple[str, str, str, str]) -> bool:
    known = [(mine, other) for mine, other in zip(ours, theirs, strict=True) if mine and other]
    return ours[1] == theirs[1] and ours[3] == theirs[3] and all(mine == other for mine, other in known)


def _neutral(reference: Reference) -> str:
    fields = reference.fields
    if reference.kind != "neutral_uk":
        return ""
    parts = [f"[{fields.get('year', '')}]", fields.get("court", ""), fields.get("number", "")]
    division = fields.get("division", "")
    return " ".join([*parts, f"({division})"] if division else parts)


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.casefold())


def _check(field: str, claimed: str, found: str | None, agrees: bool | None, score: float | None = None) -> FieldCheck:  # noqa: FBT001 - named wherever it is written out
    outcome: Literal["agrees", "differs", "unknown"] = "unknown"
    if agrees is not None:
        outcome = "agrees" if agrees else "differs"
    return FieldCheck(field=field, claimed=claimed, found=found, outcome=outcome, score=score)
