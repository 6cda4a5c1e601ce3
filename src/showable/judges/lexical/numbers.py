"""Whether the quantities a claim states stand in the passage, and which other one stands there instead."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from showable.judges.lexical.passage import Passage
from showable.judges.lexical.words import Words
from showable.read.quantities import Quantity, QuantityIndex, QuantityKind, find_quantities

_READ_WHOLE = 20_000
"""Characters of passage up to which all its quantities are read; of a longer one only the window's are."""
_SMALL = 2


@dataclass(frozen=True, slots=True)
class Numbers:
    """A claim's quantities that the passage lacks, and for some of them the one of the same kind that it has instead."""

    stated: int
    missing: list[Quantity]
    replaced: list[tuple[Quantity, Quantity]]


@lru_cache(maxsize=64)
def _read(passage: str) -> QuantityIndex:
    """Read a passage once for all the claims judged against it."""
    return QuantityIndex(find_quantities(passage))


def check_numbers(claim: str, passage: str, window: tuple[int, int]) -> Numbers:
    """Compare the quantities of a claim with those of a passage; `window` is a span of the passage."""
    ours = [q for q in find_quantities(claim) if not _is_idiom(q)]
    if not ours:
        return Numbers(0, [], [])
    if len(passage) <= _READ_WHOLE:
        theirs = _read(passage)
    else:
        theirs = QuantityIndex(_moved(find_quantities(passage[window[0] : window[1]]), window[0]))
    missing = [q for q in ours if not theirs.has(q) and not _verbatim(q, passage)]
    return Numbers(len(ours), missing, _replaced(ours, missing, theirs.quantities, window) if missing else [])


def _replaced(
    ours: Sequence[Quantity], missing: Sequence[Quantity], theirs: Sequence[Quantity], window: tuple[int, int]
) -> list[tuple[Quantity, Quantity]]:
    """Return each missing quantity with the one of its kind in the window, where there is one alone."""
    first, last = (bisect_left(theirs, place, key=lambda q: q.span[0]) for place in window)
    stated = QuantityIndex(ours)
    near: dict[tuple[QuantityKind, str | None], list[Quantity]] = {}
    for quantity in theirs[first:last]:
        if not stated.has(quantity):
            near.setdefault((quantity.kind, quantity.unit), []).append(quantity)
    pairs = ((quantity, near.get((quantity.kind, quantity.unit), ())) for quantity in missing)
    return [(quantity, others[0]) for quantity, others in pairs if len(others) == 1]


def equal_places(claim: Words, text: str, passage: Passage) -> dict[str, list[int]]:
    """Return where a passage states a claim's quantities otherwise: "$1.58 million".

    Maps each such term that the passage lacks to the positions of the words that state the same there.
    """
    if len(passage.text) > _READ_WHOLE or not any(character.isdigit() for character in text):
        return {}
    places: dict[str, set[int]] = {}
    read: set[tuple[str, float, str]] = set()
    for ours in find_quantities(text):
        lacking = {claim.terms[at] for at in _positions(claim, ours.span)} - passage.places.keys()
        if not lacking or (ours.kind, ours.value, ours.text) in read:
            continue
        read.add((ours.kind, ours.value, ours.text))
        inside = {at for theirs in _read(passage.text).same(ours) for at in _positions(passage.words, theirs.span)}
        for term in lacking:
            places.setdefault(term, set()).update(inside)
    return {term: sorted(inside) for term, inside in places.items() if inside}


def _positions(words: Words, span: tuple[int, int]) -> range:
    return range(bisect_left(words.starts, span[0]), bisect_left(words.starts, span[1]))


def _verbatim(quantity: Quantity, passage: str) -> bool:
    """Check whether the words of a quantity stand in the passage, whatever they are part of there."""
    return (
        quantity.text in passage
        and re.search(rf"(?<![\w.,]){re.escape(quantity.text)}(?!\w|[.,]\d)", passage) is not None
    )


def _is_idiom(quantity: Quantity) -> bool:
    """Leave out "one", "the first", "two": in words they are often no count at all."""
    in_words = not any(character.isdigit() for character in quantity.text)
    return in_words and (quantity.kind == "ordinal" or (quantity.kind == "number" and quantity.value <= _SMALL))


def _moved(quantities: Sequence[Quantity], by: int) -> list[Quantity]:
    return [replace(q, span=(q.span[0] + by, q.span[1] + by)) for q in quantities]
