"""Mixed numbers: "two and a half years", "a day and a half", "half an hour", "5 7/8", "2½"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from showable.read.number_context import Tail, read_tail
from showable.read.number_words import CARDINALS, FRACTIONS
from showable.read.quantity import Quantity
from showable.records.regex import regex

_PARTS = {"half": 1 / 2, "quarter": 1 / 4, "three quarters": 3 / 4, "two thirds": 2 / 3}
_PART = r"(?:an? |one[- ])?(?P<{0}>half|quarter|three[- ]quarters|two[- ]thirds)(?![\w-]| (?:of|the|its|their)\b)"
_ONE_OF = "|".join(name for name, parts in FRACTIONS.items() if parts > 2)  # noqa: PLR2004 - a half is read as "half"
_WHOLE = "|".join(sorted(CARDINALS, key=len, reverse=True))
_MIXED = regex(
    rf"(?<![\w.-])(?:(?P<whole>{_WHOLE}|[0-9]{{1,3}}) and {_PART.format('more')}"
    rf"|(?:an?|one) (?P<unit>[a-z]+) and {_PART.format('over')}"
    rf"|a (?P<share>{_ONE_OF})(?= of (?:the|its|their|his|her|our|your|my|all|an?|them|it|this|that|those|these|[a-z]+s)\b)"
    r"|(?P<only>half|three[- ]quarters of) an? (?=[a-z]))"
)
_WORDS = frozenset({*FRACTIONS, "quarters", "thirds"})
_SIGNS = {"½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4, "⅕": 1 / 5, "⅖": 2 / 5, "⅗": 3 / 5, "⅘": 4 / 5, "⅙": 1 / 6, "⅚": 5 / 6, "⅛": 1 / 8, "⅜": 3 / 8, "⅝": 5 / 8, "⅞": 7 / 8}  # fmt: skip
_AFTER_DIGITS = regex(
    rf" ?(?P<sign>[{''.join(_SIGNS)}])|[ -](?P<over>[0-9]{{1,2}})[/⁄](?P<under>2|3|4|5|6|8|16|32|64)(?![0-9/⁄])"
)


def find_mixed(text: str, lowered: str, words: set[str]) -> Iterator[Quantity]:
    """Read numbers with a fraction in words, and what they count where it is a unit."""
    if words.isdisjoint(_WORDS):
        return
    for match in _MIXED.finditer(lowered):
        if match["share"]:
            share = 100 / FRACTIONS[match["share"]]
            yield Quantity(share, "percent", "%", share, 0.5, match.span(), text[slice(*match.span())])
            continue
        value, tail = _mixed(text, match)
        if tail is not None:
            span = (match.start(), max(tail.end, match.end()) if match["unit"] else tail.end)
            yield Quantity(value * tail.scale, tail.kind, tail.unit, value, 0.0, span, text[slice(*span)])


def _mixed(text: str, match: re.Match[str]) -> tuple[float, Tail | None]:
    """Return the number and what follows it: no more than its end where a bare number may stand, else a unit or scale."""
    if match["whole"]:
        whole = CARDINALS.get(match["whole"])
        value = (int(match["whole"]) if whole is None else whole) + _part(match["more"])
        return value, read_tail(text, match.end(), "00", None)
    if match["unit"]:
        tail = read_tail(text, match.start("unit") - 1, "00", None)
        return 1 + _part(match["over"]), tail if tail and tail.unit and tail.end == match.end("unit") else None
    tail = read_tail(text, match.end() - 1, "00", None)
    return _part(match["only"].removesuffix(" of")), tail if tail and (tail.unit or tail.scale > 1) else None


def fraction_after(text: str, end: int) -> tuple[float, int] | None:
    """Read the fraction that goes with the whole number before `end`, and where it ends: "5 7/8", "2½"."""
    match = _AFTER_DIGITS.match(text, end)
    if match is None:
        return None
    if match["sign"]:
        return _SIGNS[match["sign"]], match.end()
    share = int(match["over"]) / int(match["under"])
    return (share, match.end()) if 0 < share < 1 else None


def _part(written: str) -> float:
    return _PARTS[written.replace("-", " ")]
