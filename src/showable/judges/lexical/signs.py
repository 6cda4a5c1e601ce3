"""Everything that word-level evidence says about one claim and one passage, gathered before anything is decided."""

from __future__ import annotations

import math
from dataclasses import dataclass

from showable.judges.lexical.coverage import Coverage, cover
from showable.judges.lexical.negation import Negations, find_flipped, read_negations
from showable.judges.lexical.numbers import Numbers, check_numbers, equal_places
from showable.judges.lexical.opposites import opposites
from showable.judges.lexical.passage import Passage
from showable.judges.lexical.words import Words, is_content

FEATURES = ("coverage", "window", "length", "missing_number", "replaced_number", "missing_names", "opposite", "flipped")
"""Names of the features, in the order in which `features` gives them."""

_MOST_NAMES, _MOST = 4, 2
_CAPITALISED = 0.7
"""Share of capitalised words above which a capital makes no name."""


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs for and against: what is covered, and each thing that does not agree.

    `opposite` and `flipped` hold (claim, passage) positions: a word whose opposite stands there, one negated on one side.
    """

    claim: Words
    coverage: Coverage
    numbers: Numbers
    missing_names: list[str]
    opposite: list[tuple[int, int]]
    flipped: list[tuple[int, int]]
    negations: tuple[Negations, Negations]

    def features(self) -> tuple[float, ...]:
        """Return the numbers that the probability is computed from, in the order of FEATURES."""
        held = self.coverage
        matched = sum(held.weights[term] for term in held.credit) or 1.0
        return (
            held.whole,
            held.share**2,
            math.log1p(len(held.weights)),
            float(bool(self.numbers.missing)),
            float(min(len(self.numbers.replaced), _MOST)),
            float(min(len(self.missing_names), _MOST_NAMES)),
            float(min(len(self.opposite), _MOST)),
            sum(held.weights[term] for term in {self.claim.terms[at] for at, _ in self.flipped}) / matched,
        )


def read_signs(claim: Words, text: str, passage: Passage) -> Signs:
    """Gather the signs of a claim, given as text and words, in a passage."""
    held = cover(claim, passage, equal_places(claim, text, passage))
    low, high = held.window
    places = {term: [at for at in held.found[term][1] if low <= at < high] for term in held.credit}
    ours = read_negations(claim, text, 0, len(claim.terms))
    theirs = read_negations(passage.words, passage.text, low, high)
    span = (passage.words.starts[low], passage.words.ends[high - 1])
    return Signs(
        claim=claim,
        coverage=held,
        numbers=check_numbers(text, passage.text, span),
        missing_names=_missing_names(claim, held),
        opposite=_opposite(claim, passage.words, held.window),
        flipped=find_flipped(claim, ours, places, theirs),
        negations=(ours, theirs),
    )


def _missing_names(claim: Words, held: Coverage) -> list[str]:
    """Return the capitalised words of a claim that the window lacks."""
    content = [at for at, term in enumerate(claim.terms) if is_content(term)]
    names = {
        claim.terms[at]: claim.surface[at]
        for at in content
        if claim.surface[at][0].isupper() and (at > 0 or claim.surface[at].isupper())
    }
    if len(names) > _CAPITALISED * len(content):
        return []
    return [surface for term, surface in names.items() if term not in held.credit]


def _opposite(claim: Words, passage: Words, window: tuple[int, int]) -> list[tuple[int, int]]:
    there = {term: at for at, term in enumerate(passage.terms[window[0] : window[1]], window[0])}
    return [
        (at, there[other])
        for at, term in enumerate(claim.terms)
        if term not in there
        for other in sorted(opposites(term))
        if other in there
    ]
