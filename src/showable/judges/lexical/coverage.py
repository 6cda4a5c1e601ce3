"""Which words of a claim a passage has, and in which run of sentences it has the most of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from showable.judges.lexical.passage import Passage
from showable.judges.lexical.words import NEAR, Words, is_content, weight

_WINDOW = 3
"""Sentences that the best window may span."""
_SYNONYM = 0.75
_STEM, _ALIKE = 4, 0.5
"""Letters two terms must share at the start, and the share of the longer one, to be of one family (nation, national)."""
_TIE = 1e-9


@dataclass(frozen=True, slots=True)
class Coverage:
    """How far a passage has the content words of a claim, each term counted once by its weight.

    `found` gives for a term its credit (1 the same word, less for a synonym or a word of the same family) and its places
    in the whole passage; `credit` what the best window has. `window` is the window's first token and one past its last.
    """

    weights: dict[str, float]
    found: dict[str, tuple[float, list[int]]]
    whole: float
    credit: dict[str, float]
    share: float
    window: tuple[int, int]


def cover(claim: Words, passage: Passage, equal: dict[str, list[int]]) -> Coverage:
    """Look every content word of a claim up in a passage.

    `equal` gives the places of words that state the same quantity otherwise; they count as the words themselves.
    """
    weights = {term: weight(term) for term in claim.terms if is_content(term)}
    if not weights:
        weights = {term: weight(term) for term in claim.terms}
    found = {term: hit for term in weights if (hit := _look_up(term, passage, equal)) is not None}
    total = sum(weights.values())
    whole = sum(weights[term] * credit for term, (credit, _) in found.items()) / total
    first, last, credit, score = _best_window(weights, found, passage)
    return Coverage(weights, found, whole, credit, score / total, (passage.first[first], passage.first[last + 1]))


def _look_up(term: str, passage: Passage, equal: dict[str, list[int]]) -> tuple[float, list[int]] | None:
    places = passage.places.get(term) or equal.get(term)
    if places:
        return 1.0, places
    together = sorted(at for near in NEAR.get(term, ()) for at in passage.places.get(near, ()))
    if together:
        return _SYNONYM, together
    return _family(term, passage) if len(term) > _STEM and term.isalpha() else None


def _family(term: str, passage: Passage) -> tuple[float, list[int]] | None:
    best, chosen = 0.0, ""
    for other in passage.alike.get(term[:_STEM], ()):
        likeness = _shared_start(term, other) / max(len(term), len(other))
        if likeness > best:
            best, chosen = likeness, other
    return (0.4 + 0.5 * best, passage.places[chosen]) if best >= _ALIKE else None


def _shared_start(one: str, other: str) -> int:
    shared = _STEM
    for a, b in zip(one[_STEM:], other[_STEM:], strict=False):
        if a != b:
            break
        shared += 1
    return shared


def _best_window(
    weights: dict[str, float], found: dict[str, tuple[float, list[int]]], passage: Passage
) -> tuple[int, int, dict[str, float], float]:
    """Return the edges, credit and weight of the shortest, earliest window with most weight."""
    by_sentence: dict[
        int, list[int]
    ] = {}  # the terms of a sentence by their numbers, so that a window is scored once for all like it
    for number, (_, places) in enumerate(found.values()):
        for sentence in {passage.sentence_of[at] for at in places}:
            by_sentence.setdefault(sentence, []).append(number)
    held = [(term, credit) for term, (credit, _) in found.items()]
    worth = [weights[term] * credit for term, credit in held]

    @cache
    def score(inside: frozenset[int]) -> float:
        return sum(worth[number] for number in sorted(inside))

    best, most = (0, 0, frozenset[int]()), score(frozenset(range(len(held))))
    for span in range(_WINDOW):
        for start in sorted(by_sentence):
            if score(best[2]) >= most - _TIE:  # no other window has more
                break
            if span and start + span not in by_sentence:
                continue
            inside = frozenset().union(*(by_sentence.get(at, ()) for at in range(start, start + span + 1)))
            if score(inside) > score(best[2]) + _TIE:
                best = (start, start + span, inside)
    return best[0], best[1], dict(held[number] for number in sorted(best[2])), score(best[2])
