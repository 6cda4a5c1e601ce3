"""Whether the quantities a claim states stand in the passage, and which other one stands there instead."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from showable.judges.lexical.words import Words
from showable.read.quantities import Quantity, find_quantities, same_quantity

_READ_WHOLE = 20_000
"""Characters of passage up to which all its quantities are read; of a longer one only the window's are."""
_SMALL = 2


@dataclass(frozen=True, slots=True)
class Numbers:
    """A claim's quantities that the passage lacks, and for some of them the one of the same kind that it has instead."""

    stated: int
    missing: list[Quantity]
    replaced: list[tuple[Quantity, Quantity]]


_read = lru_cache(maxsize=64)(find_quantities)


def check_numbers(claim: str, passage: str, window: tuple[int, int]) -> Numbers:
    """Compare the quantities of a claim with those of a passage; `window` is a span of the passage."""
    ours = [q for q in find_quantities(claim) if not _is_idiom(q)]
    if not ours:
        return Numbers(0, [], [])
    if len(passage) <= _READ_WHOLE:
        theirs: Sequence[Quantity] = _read(passage)
    else:
        theirs = _moved(find_quantities(passage[window[0] : window[1]]), window[0])
    missing = [q for q in ours if not any(same_quantity(q, other) for other in theirs) and not _verbatim(q, passage)]
    near = [q for q in theirs if window[0] <= q.span[0] < window[1] and not any(same_quantity(q, o) for o in ours)]
    pairs = ((q, [other for other in near if _same_kind(q, other)]) for q in missing)
    return Numbers(len(ours), missing, [(q, others[0]) for q, others in pairs if len(others) == 1])


def equal_places(claim: Words, text: str, passage: Words, passage_text: str) -> dict[str, list[int]]:
    """Give the words of a claim's quantities that a passage states otherwise: "$1.58 million" for "1,577 thousand dollars".

    Maps each such term to the positions of the words that state the same in the passage.
    """
    if len(passage_text) > _READ_WHOLE or not any(character.isdigit() for character in text):
        return {}
    places: dict[str, list[int]] = {}
    for ours in find_quantities(text):
        for theirs in _read(passage_text):
            if same_quantity(ours, theirs):
                inside = _positions(passage, theirs.span)
                for at in _positions(claim, ours.span):
                    places.setdefault(claim.terms[at], []).extend(inside)
    return {term: sorted(set(inside)) for term, inside in places.items() if inside}


def _positions(words: Words, span: tuple[int, int]) -> range:
    return range(bisect_left(words.starts, span[0]), bisect_left(words.starts, span[1]))


def _verbatim(quantity: Quantity, passage: str) -> bool:
    """Say whether the words of a quantity stand in the passage, whatever they are part of there."""
    return re.search(rf"(?<![\w.,]){re.escape(quantity.text)}(?!\w|[.,]\d)", passage) is not None


def _is_idiom(quantity: Quantity) -> bool:
    """Leave out "one", "the first", "two": in words they are often no count at all."""
    in_words = not any(character.isdigit() for character in quantity.text)
    return in_words and (quantity.kind == "ordinal" or (quantity.kind == "number" and quantity.value <= _SMALL))


def _same_kind(one: Quantity, other: Quantity) -> bool:
    return one.kind == other.kind and one.unit == other.unit


def _moved(quantities: Sequence[Quantity], by: int) -> list[Quantity]:
    return [replace(q, span=(q.span[0] + by, q.span[1] + by)) for q in quantities]
