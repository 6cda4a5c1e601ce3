"""Docket numbers as courts and writers spell them: which are one number, whatever zeros, initials and offices stand there."""

from __future__ import annotations

import re
from dataclasses import dataclass

_DASH = re.compile(r"[\u2010-\u2015\u2212]")
_LABEL = re.compile(r"^(?:(?:[a-z]+ )*(?:nos?|numbers?)[: ] ?|#)")
_FEDERAL = re.compile(
    r"(?:(?P<office>\d{1,2}):)?(?:(?P<lead>cv|cr|civ|crim|c)[ -]?)?(?P<year>(?:19|20)?\d\d)"
    r"(?:[ -]?(?P<sort>[a-z]{1,4})[ -]?|-)(?P<serial>\d{1,6})(?P<defendant>-\d{1,3})?(?:(?:[ -]|(?=\())[a-z(][a-z0-9() -]*)?",
    re.ASCII,
)
"""``1:22-cv-01461-PKC``, ``22 Civ. 1461 (PKC)``, ``CV-22-01461-PHX-DLR``, ``18-5093``; a judge's initials are no part of it."""
_SORTS = {"c": "cv", "civ": "cv", "crim": "cr", "misc": "mc"}
_RUNS = re.compile(r"[0-9]+|[^\W\d_]+")
_APART = re.compile(r"[;,]")
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class DocketNumber:
    """One number: `key` is the same for all its spellings; office and sort (``cv``, ``cr``) are empty where not written."""

    written: str
    key: str
    office: str = ""
    sort: str = ""

    def agrees(self, other: DocketNumber) -> bool:
        """Check whether two are one number. An office or a sort counts only where both have one."""
        pairs = ((self.office, other.office), (self.sort, other.sort))
        return self.key == other.key and all(one == two for one, two in pairs if one and two)


def docket_numbers(text: str) -> list[DocketNumber]:
    """Read the numbers that stand in a field, several with semicolons or commas between them."""
    parts = (" ".join(part.split()) for part in _APART.split(text[:_LONGEST]))
    return [number for part in parts if (number := _number(part)) is not None]


def _number(written: str) -> DocketNumber | None:
    """Read year and serial number where the whole is of the federal form, else the runs of letters and digits."""
    plain = _LABEL.sub("", _DASH.sub("-", written).casefold().replace(".", ""))
    federal = _FEDERAL.fullmatch(plain)
    sort = (federal["sort"] or federal["lead"] or "") if federal else ""
    if federal is None or (federal["defendant"] and not sort):
        key = "-".join(run.lstrip("0") or "0" for run in _RUNS.findall(plain))
        return DocketNumber(written, key) if key else None
    office = (federal["office"] or "").lstrip("0")
    return DocketNumber(written, f"{federal['year'][-2:]}-{int(federal['serial'])}", office, _SORTS.get(sort, sort))
