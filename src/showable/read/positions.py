"""From a number in a marker to a place in what the model was shown, where the answer and the log tell which count is meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from showable.read.cited_items import GLUED, LABEL
from showable.read.id_shapes import shape_of
from showable.read.marker import Marker
from showable.records.regex import regex

_WORD = regex(r"[^\W\d_]+")
_SEPARATORS = regex(r"[-_:./#]")
_SEARCH_AND_RESULT = regex(r"\d+:(\d{1,3})")
_LONGEST_NUMBER = 8
_OPEN = frozenset({"id", "ids", "idx", "index"})
"""Words that announce a number without saying what it counts, nor from where."""


class Unclear(NamedTuple):
    """What a marker may mean, and why that cannot be told."""

    among: tuple[str, ...]
    why: str


class Positions:
    """The count that the numbers of each family of markers follow, seen over the whole answer.

    Numbers count from 1, those of a label from 0 where one of them is 0. A template, and ``[ID:1]``, may count from
    either: they are decided only where the other count would leave the list. ``[0]`` among other plain numbers is open.
    """

    def __init__(self, markers: Iterable[Marker], order: Sequence[str], ids: Iterable[str]) -> None:
        self._order = order
        self._shapes = {shape_of(_SEPARATORS.sub("-", known.casefold())) for known in ids}
        self._stems = {word[0].casefold() for known in ids if (word := _WORD.match(known))}
        self._distinct = tuple(dict.fromkeys(order))
        self._ranges: dict[str, tuple[int, int]] = {}
        for marker in markers:
            if marker.style not in {"link", "url"} and (number := self._number(marker)) is not None:
                least, most = self._ranges.get(_family(marker), (number, number))
                self._ranges[_family(marker)] = min(least, number), max(most, number)

    def find(self, marker: Marker) -> str | Unclear | None:
        """Return the id at the place that a marker names, what it may be where that is unclear, or None."""
        if (found := _SEARCH_AND_RESULT.fullmatch(marker.token)) and _family(marker) == "id":
            return self._of_a_search(int(found[1]))
        number = self._number(marker)
        if number is None:
            return None
        counts = self._counts(_family(marker))
        ids = tuple(dict.fromkeys(id_ for count in counts if (id_ := self._at(number - count)) is not None))
        if len(ids) > 1:
            return Unclear(ids, "nothing says whether it counts from 0 or from 1")
        return ids[0] if ids else None

    def _at(self, index: int) -> str | None:
        return self._order[index] if 0 <= index < len(self._order) else None

    def _of_a_search(self, number: int) -> str | Unclear | None:
        """Return the only source, whatever search found it; of several, none can be told by a number within one search."""
        ids = self._distinct
        if number > len(self._order) or not ids:
            return None
        return (
            ids[0]
            if len(ids) == 1
            else Unclear(ids, "it counts the results of one search, which the log does not tell")
        )

    def _counts(self, family: str) -> list[int]:
        """Return the counts, 0 or 1 for the first, under which every number of a family is in the list."""
        least, most = self._ranges.get(family, (1, 0))  # where none was seen, any count fits
        from_0 = most < len(self._order)
        from_1 = least > 0 and most <= len(self._order)
        if family in _OPEN:
            return [count for count, fits in ((0, from_0), (1, from_1)) if fits] or [1]
        if family:
            return [0] if not least and from_0 else [1]
        return [0, 1] if not least and most and from_0 else [1]

    def _number(self, marker: Marker) -> int | None:
        """Return the number that a token is but for its label; None where it could be an id of the log's kind."""
        token = marker.token
        if (label := LABEL.match(token)) and label[2]:
            token = token[label.end() :]
        elif (glued := GLUED.fullmatch(token)) and not self._looks_like_an_id(token):
            token = glued[2]
        return int(token) if token.isdecimal() and len(token) <= _LONGEST_NUMBER else None

    def _looks_like_an_id(self, token: str) -> bool:
        """Return True where ids of the log begin alike, or where a letter or a sign makes the shape of one: ``S2``, ``doc-2``."""
        stem = _WORD.match(token)
        if stem is None or stem[0].casefold() in self._stems:
            return True
        as_written = len(stem[0]) == 1 or _SEPARATORS.search(token) is not None
        return as_written and shape_of(_SEPARATORS.sub("-", token.casefold())) in self._shapes


def _family(marker: Marker) -> str:
    """Return what a marker's number counts by: its label, ``id`` where that is left open, nothing for a plain number."""
    if marker.style == "template" or "†" in marker.raw:
        return "id"
    word = _WORD.search(marker.raw or marker.token)
    return word[0].casefold() if word else ""
