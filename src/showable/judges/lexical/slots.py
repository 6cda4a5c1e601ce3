"""What stands in the passage in the very place where the claim has something else, and who does what to whom."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from showable.judges.lexical.words import Words, is_content

_LONGEST = 4
"""Tokens that may stand in a slot."""
_ANCHOR = 2
_BESIDE = 4
"""Tokens between a verb and the name before or after it, at most."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A run of claim tokens [start, end) that the window lacks, and the passage's tokens [there) between the same neighbours."""

    start: int
    end: int
    there: tuple[int, int]


def replaced_slots(claim: Words, credit: dict[str, float], passage: Words, window: tuple[int, int]) -> list[Slot]:
    """Find the runs of a claim that the window replaces by other words between the same neighbours."""
    ours = set(claim.terms)
    neighbours = _Neighbours(passage, window)
    slots = []
    for start, end in _missing_runs(claim, credit):
        slot = _slot(claim, start, end, neighbours)
        if slot is None:
            continue
        inside = passage.terms[slot.there[0] : slot.there[1]]
        if any(is_content(term) for term in inside) and not any(is_content(t) and t in ours for t in inside):
            slots.append(slot)
    return slots


def _missing_runs(claim: Words, credit: dict[str, float]) -> Iterator[tuple[int, int]]:
    start, end = -1, -1
    for at, term in enumerate(claim.terms):
        if not is_content(term):
            continue
        if term in credit:
            if start >= 0:
                yield start, end
            start = -1
        else:
            start = at if start < 0 else start
            end = at + 1
    if start >= 0:
        yield start, end


class _Neighbours:
    """Where runs of terms stand in a window, indexed once for each length of a run."""

    def __init__(self, passage: Words, window: tuple[int, int]) -> None:
        self._terms, (self._first, self.end) = passage.terms, window
        self._behind: dict[int, dict[tuple[str, ...], list[int]]] = {}
        self._ahead: dict[int, dict[tuple[str, ...], list[int]]] = {}

    def after(self, anchor: list[str]) -> list[int]:
        """Return the places of the window right behind a run, in order."""
        return self._found(self._behind, anchor, len(anchor))

    def before(self, anchor: list[str]) -> list[int]:
        """Return the places of the window, but for its first, where a run begins, in order."""
        return self._found(self._ahead, anchor, 0)

    def _found(self, kept: dict[int, dict[tuple[str, ...], list[int]]], anchor: list[str], shift: int) -> list[int]:
        size = len(anchor)
        if not any(map(is_content, anchor)):
            return []
        if size not in kept:
            places = kept[size] = {}
            for at in range(self._first, self.end - size + 1):
                if self._first < at + shift < self.end:
                    places.setdefault(tuple(self._terms[at : at + size]), []).append(at + shift)
        return kept[size].get(tuple(anchor), [])


def _slot(claim: Words, start: int, end: int, neighbours: _Neighbours) -> Slot | None:
    if end - start > _LONGEST:
        return None
    before = _anchor(claim.terms[max(0, start - _LONGEST) : start][::-1])[::-1]
    after = _anchor(claim.terms[end : end + _LONGEST])
    opens, closes = neighbours.after(before), neighbours.before(after)
    if there := _between(opens, closes):
        return Slot(start, end, there)
    if closes and not before:
        return Slot(start, end, (closes[0] - 1, closes[0]))
    if opens and not after:
        return Slot(start, end, (opens[0], min(opens[0] + end - start, neighbours.end)))
    return None


def _between(opens: list[int], closes: list[int]) -> tuple[int, int] | None:
    """Return the first place to open at with the nearest behind it to close at; the fewer of the two are gone through."""
    if len(opens) <= len(closes):
        for low in opens:
            at = bisect_right(closes, low)
            if at < len(closes) and closes[at] <= low + _LONGEST:
                return low, closes[at]
        return None
    for high in closes:
        at = bisect_left(opens, high - _LONGEST)
        if at < len(opens) and opens[at] < high:
            return opens[at], high
    return None


def _anchor(terms: list[str]) -> list[str]:
    """Take two neighbours of a slot, or more until one of them is a content word."""
    content = next((at for at, term in enumerate(terms) if is_content(term)), len(terms))
    return terms[: max(_ANCHOR, content + 1)]


def roles_reversed(claim: Words, passage: Words, places: dict[str, list[int]]) -> tuple[str, str] | None:
    """Find two names that stand on opposite sides of the same verb in claim and passage; a "by" turns the sides around."""
    names = [
        at
        for at, word in enumerate(claim.surface)
        if word[0].isupper() and claim.terms[at] in places and is_content(claim.terms[at])
    ]
    for i, left in enumerate(names):
        for right in names[i + 1 : i + 1 + _BESIDE]:
            if (
                right <= left + _BESIDE
                and claim.terms[left] != claim.terms[right]
                and _swapped(claim, left, right, passage, places)
            ):
                return claim.surface[left], claim.surface[right]
    return None


def _swapped(claim: Words, left: int, right: int, passage: Words, places: dict[str, list[int]]) -> bool:
    for at in range(left + 1, right):
        verb = claim.terms[at]
        if not is_content(verb) or claim.surface[at][0].isupper() or verb not in places:
            continue
        passive = "by" in claim.terms[at:right]
        kept, turned = False, False
        for place in places[verb]:
            same = _frames(claim.terms[left], claim.terms[right], place, passage)
            other = _frames(claim.terms[right], claim.terms[left], place, passage)
            kept = kept or (same is not None and same == passive) or (other is not None and other != passive)
            turned = turned or (same is not None and same != passive) or (other is not None and other == passive)
        if turned and not kept:
            return True
    return False


def _frames(one: str, two: str, verb: int, passage: Words) -> bool | None:
    """Say whether `one` … verb … `two` stands there, as True in the passive, False in the active, None not at all."""
    if one not in passage.terms[max(0, verb - _BESIDE) : verb]:
        return None
    following = passage.terms[verb + 1 : verb + 1 + _BESIDE]
    return "by" in following[: following.index(two)] if two in following else None
