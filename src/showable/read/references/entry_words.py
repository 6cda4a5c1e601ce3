"""The words at the head of an entry: which can be a name, initials, a particle, a joint."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from showable.records.regex import regex


class Token(NamedTuple):
    """A word of the line: what it is, its letters, the marks after it, and where it begins and ends."""

    kind: str
    core: str
    tail: str
    start: int
    end: int


_WORD = regex(r"\S+")
_PARTS = regex(r"(.*?)([.,;:]*)$", re.DOTALL)
_DOTTED = regex(r"(?:[^\W\d_][.·](?:\s?[-‐–])?)*[^\W\d_]")
_CAPITALS = regex(r"[^\W\d_]{1,4}|[^\W\d_]{1,2}[-‐–][^\W\d_]{1,2}")
_NAME = regex(r"(?:[dlDL]['’`´]|[Oo]['’]|al-|el-|['’]t|ʻ|ʿ|‘)?[^\W\d_][\w'’`´ʼʻʿ·‐–.*†‡§-]*")
_PREFIXED = regex(r"(?:[a-z]{1,2}['’`´-]|[a-z]{1,2}(?=[A-Z]))[A-Z]?")
"""``d'Amore``, ``al-Hassan``, ``deGrasse``."""
_PARTICLES = frozenset(
    "van von der den de la le du di da das do dos del della delle degli al el bin ibn ben bint ter ten te zu zur zum af av e y st 't 's op ’t ’s lo los las".split()  # noqa: SIM905
)
_SUFFIXES = frozenset("jr sr ii iii iv 2nd 3rd phd md msc mph rn do dphil".split())  # noqa: SIM905
_NOT_NAMES = frozenset(
    """
    the of for with from is are was were how why what when where who which all we our not into via using toward towards beyond
    learning model models language large deep neural network networks analysis study studies effect effects introduction review
    systematic clinical randomized randomised trial trials guideline guidelines report handbook journal proceedings conference
    attention evaluation understanding efficient robust survey data available retrieved accessed
    """.split()  # noqa: SIM905 - a list of words reads best as words
)
_WORDS = {
    "and": "and",
    "&": "and",
    "und": "and",
    "et": "et",
    "al": "al",
    "et.al": "al",
    "others": "others",
    "colleagues": "colleagues",
}
_MOST_TOKENS = 1500
_LONGEST_KEPT = 32


def tokens_of(line: str) -> list[Token]:
    """Split a line at white space and say of each word what part of a name it can be."""
    found = []
    for count, match in enumerate(_WORD.finditer(line)):
        if count >= _MOST_TOKENS:
            break
        found.append(_token(match[0], *match.span()))
    return found


def _token(word: str, start: int, end: int) -> Token:
    kind, core, tail = (_parts_again if len(word) <= _LONGEST_KEPT else _parts)(word)
    return Token(kind, core, tail, start, end)


def _parts(word: str) -> tuple[str, str, str]:
    parts = _PARTS.match(word)
    core, tail = (parts[1], parts[2]) if parts else (word, "")
    if tail.startswith(".") and _DOTTED.fullmatch(core) and core[:1].isupper():
        return "initial", core, tail[1:]
    kind = _kind(core)
    return kind, core, tail[1:] if kind == "suffix" and tail.startswith(".") else tail


_parts_again = lru_cache(maxsize=8192)(_parts)
"""Most words come again and again; a very long one does not, and is not held in memory."""


def _kind(core: str) -> str:
    lowered = core.lower()
    if lowered in _WORDS:
        return _WORDS[lowered]
    if lowered in _SUFFIXES and core[0] != "D":
        return "suffix"
    if _CAPITALS.fullmatch(core) and core.isupper():
        return "capitals"
    if core in _PARTICLES:
        return "particle"
    is_name = _NAME.fullmatch(core) and (not core[0].islower() or _PREFIXED.match(core)) and lowered not in _NOT_NAMES
    return "name" if is_name else "other"
