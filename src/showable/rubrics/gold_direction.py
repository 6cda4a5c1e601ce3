"""Which way a number points: its sign, in digits or in words, and whether the answer's goes the way of gold's."""

from __future__ import annotations

import re

from showable.read.quantities import Quantity
from showable.records.regex import regex

_FALLS = (
    r"decreas\w*|declin\w*|drop\w*|fell|fall\w*|reduc\w*|lower\w*|shr[aiu]nk\w*|contract(?:ed|ing|ion|s)|negative|worsen\w*|loss|losses|lost|lose|deficit|"
    r"shortfall|down|outflow|slid|slump\w*|minus|deteriorat\w*|used in (?:operat|invest|financ)\w*"
)
_RISES = r"increas\w*|rose|rise\w*|rising|grew|grow\w*|improv\w*|gain\w*|higher|expan\w*|positive|profits?|up"
_WAY = regex(rf"\b(?:(?P<falls>{_FALLS})|(?P<rises>{_RISES}))\b", re.IGNORECASE)
_FALL_ASKED = regex(rf"\b(?:{_FALLS})\b", re.IGNORECASE)
_OPEN_ASKED = regex(rf"\b(?:change|difference|{_RISES})\b", re.IGNORECASE)
_CHANGE_ASKED = regex(r"\b(?:change|difference|growth|increase|decrease)\b", re.IGNORECASE)
_OUTFLOW_ASKED = regex(
    r"\b(?:expend|expens|cost|outflow|capex|payment|paid|pay|spen[dt]|dividend|repurchas|buyback|purchas|tax|debt|liabilit|charge|impairment|provision|"
    r"depreciat|amorti[sz]|interest|investing|financing)",
    re.IGNORECASE,
)
_MINUS = regex(r"(?:^|[\s(])[-\u2212\u2013][$€£]?$|\b(?:minus|negative)\s[$€£]?$", re.IGNORECASE)
_BRACKET = regex(r"(?:^|\b(?:is|are|was|were|of|at)|[=:])\s*\($", re.IGNORECASE)
_LEVEL = regex(r"\bto\b", re.IGNORECASE)
_FOLLOWS = 20


def is_negative(text: str, q: Quantity) -> bool:
    """Check whether a quantity of a text carries a minus, in a sign, in accounting brackets or as a word."""
    start, end = q.span
    return (
        q.value < 0
        or _MINUS.search(text, max(0, start - 14), start) is not None
        or (text[end : end + 1] == ")" and _BRACKET.search(text, max(0, start - 10), start) is not None)
    )


def direction(text: str, q: Quantity) -> int:
    """Return which way a quantity points, 1 or -1: by its sign, else by the nearest word of rise or fall; 0 where none is.

    A word right after it ("a 5 % decline") comes first, then the last one before it. "Fell to 5 %" says nothing of the
    sign of the 5 %.
    """
    if is_negative(text, q):
        return -1
    start, end = q.span
    after = _WAY.search(text, end, end + _FOLLOWS)
    if after and not re.search(r"[,;.]|\band\b|\bfrom\b", text[end : after.start()]):
        return -1 if after["falls"] else 1
    before = [*_WAY.finditer(text, 0, start)]
    if before:
        nearest = before[-1]
        return 0 if _LEVEL.search(text, nearest.end(), start) else (-1 if nearest["falls"] else 1)
    ways = {m.lastgroup for m in _WAY.finditer(text, end)}
    return 0 if len(ways) != 1 else (-1 if ways == {"falls"} else 1)


def goes_with(gold: int, *, negative: bool, question: str, text: str, q: Quantity) -> bool:
    """Check whether the answer's quantity `q` points where gold's does.

    `gold`: the direction that gold states, in its sign or its words (0: none); `negative`: it carries a minus. Whether
    an outflow (expenditure, debt) carries one is a matter of style; a fall that was asked for needs none.
    """
    falls, changes = _FALL_ASKED.search(question) is not None, _CHANGE_ASKED.search(question) is not None
    way = direction(text, q)
    if falls and not _OPEN_ASKED.search(question):
        return way in {0, -1}
    if negative:
        return way == -1 or (falls and way == 0) or (not changes and _OUTFLOW_ASKED.search(question) is not None)
    if changes or gold:
        return way in {0, gold or 1}
    unlike = q.kind in {"percent", "percentage_points"} and is_negative(text, q) and not q.in_brackets
    return not unlike or falls or _OUTFLOW_ASKED.search(question) is not None
