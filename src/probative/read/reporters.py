"""Case citations by reporter: `347 U.S. 483 (1954)`, `Brown v. Board of Education, 347 U.S. 483, 495`.

Volume, reporter and page are read, and kept as a reference of kind ``case`` for a registry of record to look up. An
abbreviation that is no reporter listed here is left alone. Bluebook, table 1; only the reporters cited most.
"""

from __future__ import annotations

import re

from probative.read.marker import Found, Marker

_REPORTERS = (
    r"U\.\s?S\.|S\.\s?Ct\.|L\.\s?Ed\.(?:\s?2d)?|F\.(?:\s?(?:2d|3d|4th))?|F\.\s?App'x|F\.\s?Supp\.(?:\s?[23]d)?|F\.R\.D\.|B\.R\.|Fed\.\s?Cl\."
    r"|A\.(?:\s?[23]d)?|N\.E\.(?:\s?[23]d)?|N\.W\.(?:\s?2d)?|P\.(?:\s?[23]d)?|S\.E\.(?:\s?2d)?|S\.W\.(?:\s?[23]d)?|So\.(?:\s?[23]d)?"
    r"|Cal\.(?:\s?(?:2d|3d|4th|5th))?|N\.Y\.(?:\s?[23]d)?|N\.Y\.S\.(?:\s?[23]d)?|Ill\.(?:\s?2d)?|Mass\.|Ohio\s?St\.(?:\s?[23]d)?"
)
_CASE = re.compile(
    rf"(?<![\w.])(?P<volume>\d{{1,4}})\s(?P<reporter>{_REPORTERS})\s(?P<page>\d{{1,5}})(?!\w)"
    r"(?:,\s\d{1,5}(?:[–-]\d{1,5})?)?(?:\s\((?:[^()\n]{0,40}\s)?(?P<year>1[789]\d\d|20\d\d)\))?"
)


def find_cases(text: str, _known: frozenset[str]) -> Found:
    """Find case citations by volume, reporter and page. Linear in the text."""
    found = Found()
    if "." not in text:
        return found
    for match in _CASE.finditer(text):
        token = f"{match['volume']} {' '.join(match['reporter'].split())} {match['page']}"
        marker = Marker(match[0], *match.span(), token, "case", year=match["year"])
        found.markers.append(marker)
    return found
