"""Ids of the log among words that only say where in them: ``kb-91 § 2``, ``see kb-91``, ``kb-91 | 00:12:31``, ``kb-91, emphasis added``."""

from __future__ import annotations

from showable.read.cited_items import Item
from showable.read.pinpoints import read_place
from showable.read.source_names import Named, is_bare_word, named_source
from showable.records.regex import regex

_WORD = regex(r"[^\s,;|()\[\]\"“”]+")
_AROUND = ".:'’‘`*_-–— "
_PIECES = regex(r"[,;|()\[\]]|\s[-–—/]\s|\s(?=§|¶)")
_SIGNALS = regex(
    r"(?i)(?:(?:but )?see(?:,? also|,? e\.g\.?|,? generally)?|cf\.?|compare|accord|also|and|e\.g\.?|citing|quoting)"
)
_REMARKS = regex(
    r"(?i)(?:emphasis|italics|footnotes?|citations?|brackets|translation) (?:added|omitted|supplied|removed|mine|ours)"
)
_HEADING = regex(
    r"(?i)(?:(?:under|heading|sec(?:t(?:ion)?)?\.?|chapter|ch\.|part|tab|sheet)\s+)?[\"“'‘][^\"”'’]{1,80}[\"”'’]?"
)
_CLOCK = regex(r"\d{1,2}:\d\d(?::\d\d)?(?:\s?[-–]\s?\d{1,2}:\d\d(?::\d\d)?)?")
_LONGEST = 300


def read_among(body: str, known: frozenset[str]) -> list[Item]:
    """Return the ids of the log in a bracket whose other words are places, signals or remarks.

    None are given where any other word stands beside them, for it may assert something, nor for a lone word of the
    language (``see lease``), which an editor may have put in, unless a place follows it.
    """
    items: list[Item] = []
    others: list[str] = []
    at = 0
    for match in _WORD.finditer(body) if len(body) <= _LONGEST else ():
        word = match[0].strip(_AROUND)
        named = Named(word) if word in known else named_source(word, known)
        if named is not None and not word.isdecimal() and (word in known or not is_bare_word(word)):
            items.append(Item(named.source, named.page))
            others.append(body[at : match.start()])
            at = match.end()
    pieces = [piece.strip(_AROUND) for words in (*others, body[at:]) for piece in _PIECES.split(words)]
    places = [_place(piece) for piece in pieces if piece]
    if None in places or (not places and any(is_bare_word(item.token) for item in items)):
        return []
    page = next(filter(None, places), None)
    return [Item(item.token, item.page or page) for item in items]


def _place(piece: str) -> str | None:
    """Return the page that words name, "" for another place, a signal or a remark, None for any other words."""
    if any(pattern.fullmatch(piece) for pattern in (_SIGNALS, _REMARKS, _CLOCK, _HEADING)):
        return ""
    place, _, heading = piece.partition(":")
    return read_place(place.strip()) if not heading or heading[0].isspace() else None
