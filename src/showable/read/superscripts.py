"""Superscript markers: ``days.¹``, ``days¹⁻³``, ``<sup>1,2</sup>``, ``days^1^``; not ``m²``, ``10³`` or ``x²+y²``."""

from __future__ import annotations

import re

from showable.read.cited_items import Malformed, read_items
from showable.read.marker import Found, Marker
from showable.records.regex import regex

_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_UNICODE = regex(rf"[{_RAISED}]+(?:[ ]?[,˒'⸴][ ]?[{_RAISED}]+|[ ][{_RAISED}]+|[⁻–-][{_RAISED}]+)*")
_HTML = regex(r"(?i)<sup[^<>]{0,80}>\s*\[?([\d\s,;–—-]{1,60})\]?\s*</sup>")
_CARET = regex(r"\^(\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,20})\^")
_PLAIN = str.maketrans(
    {**{char: str(value) for value, char in enumerate(_RAISED)}, "⁻": "-", "˒": ",", "'": ",", "⸴": ","}
)
_GAPS = regex(r",? ,?")

_WORD_BEFORE = regex(r"[^\W_]+$")
_SINGLE_IN_PARENS = regex(r"\([^()]*[^\W\d_]{3,}[^()]*\)$")
_YEAR = regex(r"(?:1[89]|20)\d\d")
_LENGTHS = frozenset(
    """
    inch inches feet foot yard yards mile miles metre metres meter meters day days week weeks month months year years hour hours
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
_NOT_WORDS = _LENGTHS | frozenset(
    """
    mm cm dm km nm µm μm pm ft in yd mi px ha kg mg ms hz db sq mol chi log sin cos tan sec exp det min max cot csc ln lim
    """.split()  # noqa: SIM905 - as above
)
_CLOSES_A_CLAUSE = ".,;:!?\"'”’»]%…*_"
_LOOK_BACK = 60


def find_superscripts(text: str, known: frozenset[str]) -> Found:
    """Find raised numbers that stand after a word or a stop, as notes do, and not after a unit or a variable."""
    found = Found()
    if not text.isascii():
        for match in _UNICODE.finditer(text):
            _add(text, match, _GAPS.sub(",", match[0].translate(_PLAIN)), known, found)
    if "<sup" in text or "<SUP" in text:
        for match in _HTML.finditer(text):
            _add(text, match, match[1], known, found)
    if "^" in text:
        for match in _CARET.finditer(text):
            _add(text, match, match[1], known, found)
    return found


def _add(text: str, match: re.Match[str], body: str, known: frozenset[str], found: Found) -> None:
    start, end = match.span()
    if (
        not _follows_a_word(text, start, body.strip())
        or text[end : end + 1].isalnum()
        or text[end : end + 1] in {"⁺", "⁻", "/", "·"}
    ):
        return
    items = read_items(body, known)
    if isinstance(items, Malformed):
        found.malformed(text, start, end, items.reason)
        return
    for item in items or ():
        found.markers.append(Marker(text[start:end], start, end, item.token, "superscript"))


def _follows_a_word(text: str, start: int, body: str) -> bool:
    before = text[max(0, start - _LOOK_BACK) : start]
    spaced = before[-1:] in {" ", "\u00a0"}
    before = before.rstrip(" \u00a0") if spaced else before
    if not before:
        return False
    last = before[-1]
    if last in _CLOSES_A_CLAUSE:
        return True
    if last == ")":
        return _SINGLE_IN_PARENS.search(before) is not None
    word = _WORD_BEFORE.search(before)
    return word is not None and _takes_note(word[0], power=body in {"2", "3"}, spaced=spaced)


def _takes_note(word: str, *, power: bool, spaced: bool) -> bool:
    """Check whether a raised number after this word is a note; after a unit, a variable or a number it is a power."""
    if not word.isalpha():
        return _YEAR.fullmatch(word) is not None
    folded = word.casefold()
    if folded in _NOT_WORDS and (power or folded not in _LENGTHS):
        return False
    return len(word) > 2 or (len(word) == 2 and (spaced or not power))  # noqa: PLR2004 - "mc²" is a power
