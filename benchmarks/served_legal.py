"""Local law reports built from labelled citations: the real cases at their pages, and what stands at the page of each fake.

What the data says stands there (`at_location`, `truth`, `collision`, a court's finding) is served so. Where it says
nothing, a page is served in one of three ways, and all three are measured: an unrelated case stands around the page
(`inside`, as it is for nearly every page of a printed volume), one begins on it (`occupied`), or none is listed there (`empty`).
Captions are served as registries have them: spelt out, and in full with capitals, first names and roles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from registry_doubles.find_case_law import Judgment
from registry_doubles.law_reports import Library, ReportedCase

from showable.read.references.legal import find_legal
from showable.records import Reference

SPELT_OUT = {
    "Cnty.": "County", "Mkt.": "Market", "Grp.": "Group", "Ins.": "Insurance", "Co.": "Company", "Corp.": "Corporation",
    "Ltd.": "Limited", "Bd.": "Board", "Govs.": "Governors", "Fed.": "Federal", "Sys.": "System", "Dep't": "Department",
    "Ass'n": "Association", "Atl.": "Atlantic", "N.": "North", "Cent.": "Central", "Am.": "America", "Ctr.": "Center",
}  # fmt: skip
"""How the local registries spell what a brief abbreviates. It shares no table with what is measured."""
LAST_SCANNED = {"U.S.": 572, "F.3d": 935, "F. Supp. 2d": 999, "F.4th": 0}
"""The last volume of which the Caselaw Access Project has scans, where that is known; else those of before `SCANNED_UNTIL`."""
SCANNED_UNTIL = 2018
FILLERS = (
    "Adams v. Baker Tool Works",
    "Carver v. Dunmore",
    "In re Eastfield Mills",
    "Fuller v. Grange",
    "State v. Hollis",
)
_PAGES = re.compile(r"(\d{1,4}) ([A-Z][\w. ]{0,14}?) (\d{1,5})-(\d{1,5})")
_DAY = re.compile(
    r"\b(?:Jan|Feb|Mar|Apr|May|June|July|Aug|Sept|Oct|Nov|Dec)[a-z]*\.? \d{1,2}, (\d{4})|(\d{4}-\d{2}-\d{2})"
)
_CAPTIONED = re.compile(
    r"the case at [^\"]{1,80}? captioned ([A-Z][^\"]{2,80}?\])|corresponds to ([A-Z].{2,80}?) rather"
)
_REALLY_AT = re.compile(r"actual case citation is at (\d{1,4} [A-Z][\w. ]{1,12} \d{1,5})")


@dataclass
class Shelf:
    """What the local registries hold, and how each fake's page came to be what it is."""

    library: Library = field(default_factory=Library)
    judgments: list[Judgment] = field(default_factory=list)
    sections: list[Reference] = field(default_factory=list)
    how: dict[str, str] = field(default_factory=dict)


def shelf_of(rows: Iterable[dict[str, Any]], unknown: str) -> Shelf:
    """Serve rows; `unknown` is how a page is served of which the data does not say what stands there."""
    shelf = Shelf()
    rows = list(rows)
    for row in rows:
        for told in (
            row["citation"] if row["exists"] and row.get("status") != "mismatch" else "",
            row.get("near_name", ""),
        ):
            for reference in read(told):
                _add_real(shelf, reference, row.get("truth", ""))
    for number, row in enumerate(row for row in rows if row["exists"] is False):
        for reference in read(row["citation"]):
            if reference.kind == "case" and reference.fields.get("neutral") != "yes":
                shelf.how[row["citation"]] = _add_occupant(
                    shelf, row, reference, FILLERS[number % len(FILLERS)], unknown
                )
    _add_neighbours(shelf.library)
    return shelf


def read(text: str) -> list[Reference]:
    """Read the legal references of a text."""
    return [found.reference for found in find_legal(text)]


def _add_real(shelf: Shelf, reference: Reference, truth: str) -> None:
    fields = reference.fields
    if reference.kind == "neutral_uk":
        parts = [fields["court"].lower(), fields.get("division", "").lower(), fields["year"], fields["number"]]
        cite = f"[{fields['year']}] {fields['court']} {fields['number']} ({fields.get('division', '')})"
        shelf.judgments.append(
            Judgment("/".join(filter(None, parts)), _listed(fields["case_name"]), cite, f"{fields['year']}-06-06")
        )
    elif reference.kind in {"usc", "cfr", "public_law"}:
        shelf.sections.append(reference)
    elif reference.kind == "case":
        _add(shelf.library, _reported(reference, truth))


def _listed(name: str) -> str:
    """Write a judicial review as Find Case Law lists it: the applicant first."""
    applicant, _, rest = name.removeprefix("R (on the application of ").partition(")")
    return f"{applicant}, R (On the Application Of){rest.replace(' v ', ' v The ')}" if rest else name


def _reported(reference: Reference, truth: str, last_page: int | None = None) -> ReportedCase:
    fields = reference.fields
    place = fields["volume"], fields["reporter"], fields["page"]
    pages = next((found for found in _PAGES.finditer(truth) if found.groups()[:3] == place), None)
    last = pages[4] if pages else str(max(int(fields["page"]) + 14, last_page or 0))
    day = re.search(r"\d{4}-\d{2}-\d{2}", truth)
    date = day[0] if day and day[0].startswith(fields.get("year", "")) else f"{fields.get('year', '1990')}-06-15"
    name = _spelt_out(fields["case_name"])
    return ReportedCase(name, (place,), last, date, fields.get("court", ""), _in_full(name))


def _spelt_out(name: str) -> str:
    return " ".join(SPELT_OUT.get(word, SPELT_OUT.get(word.rstrip(","), word)) for word in name.split())


def _in_full(name: str) -> str:
    sides = name.split(" v. ")
    if len(sides) == 1:
        return name.upper()
    return f"{sides[0].upper()}, Plaintiff-Appellant, v. {sides[1].upper()}, et al., Defendants-Appellees"


def _add_occupant(shelf: Shelf, row: dict[str, Any], fake: Reference, filler: str, unknown: str) -> str:
    fields = fake.fields
    page = int(fields["page"])
    told = _told_occupant(row, fake)
    if told is not None:
        _add(
            shelf.library,
            _reported(told, row.get("truth", ""), page + 20 if told.fields["page"] != fields["page"] else None),
        )
        if row.get("collision") == "same_first_page_multiple":
            _add(shelf.library, _filler(fake, filler, page, page))
        return "as the data says"
    for found in _REALLY_AT.finditer(row.get("finding", "")):
        for real in read(f"{fields['case_name']}, {found[1]} ({fields['year']})"):
            _add(shelf.library, _reported(real, ""))
    if any(case.covers(fields["volume"], fields["reporter"], fields["page"]) for case in shelf.library.cases):
        return "as the data says"
    first = {"inside": max(1, page - 5), "occupied": page, "empty": page + 40}[unknown]
    _add(shelf.library, _filler(fake, filler, first, first + 25))
    return f"a filler: {unknown}"


def _told_occupant(row: dict[str, Any], fake: Reference) -> Reference | None:
    """Read what stands at the page out of what the data tells of it; None where it tells nothing."""
    for reference in read(row.get("at_location", "")):
        if reference.kind == "case":
            year = reference.fields.get("year") or fake.fields.get("year", "1990")
            return reference.model_copy(update={"fields": {"court": "", **reference.fields, "year": year}})
    named = _CAPTIONED.search(row.get("finding", ""))
    if named is None:
        return None
    name = (named[1] or named[2]).replace("[", "").replace("]", "").strip(" '")
    return fake.model_copy(update={"fields": {**fake.fields, "case_name": name}})


def _filler(fake: Reference, name: str, first: int, last: int) -> ReportedCase:
    fields = fake.fields
    place = fields["volume"], fields["reporter"], str(first)
    return ReportedCase(name, (place,), str(last), f"{fields.get('year', '1990')}-03-03", fields.get("court", ""))


def _add(library: Library, case: ReportedCase) -> None:
    known = [one for one in library.cases if one.cites[0] == case.cites[0] and one.name == case.name]
    for one in known:
        library.cases.remove(one)
        case = replace(case, last_page=str(max(int(one.last_page), int(case.last_page))))
    library.cases.append(case)
    volume, reporter, _ = case.cites[0]
    year = int(case.date[:4])
    if int(volume) <= LAST_SCANNED.get(reporter, 10_000 if year < SCANNED_UNTIL else 0):
        library.scanned.add((reporter, volume))


def _add_neighbours(library: Library) -> None:
    """Put a case at both ends of every volume, as no volume ends where the case that matters does."""
    for volume, reporter, year, court in sorted(set(_volumes(library))):
        for first, last, name in ((1, 3, "Ingram v. Joyner"), (1_900, 1_910, "Keller v. Lomax")):
            library.cases.append(
                ReportedCase(name, ((volume, reporter, str(first)),), str(last), f"{year}-02-02", court)
            )


def _volumes(library: Library) -> Iterator[tuple[str, str, str, str]]:
    seen = set()
    for case in library.cases:
        volume, reporter, _ = case.cites[0]
        if (volume, reporter) not in seen:
            seen.add((volume, reporter))
            yield volume, reporter, case.date[:4], case.court
