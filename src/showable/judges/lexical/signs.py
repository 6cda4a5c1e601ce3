"""Everything that word-level evidence says about one claim and one passage, gathered before anything is decided."""

from __future__ import annotations

import math
from dataclasses import dataclass

from showable.judges.lexical.coverage import Coverage, cover
from showable.judges.lexical.negation import Negations, find_flipped, read_negations
from showable.judges.lexical.numbers import Numbers, check_numbers, equal_places
from showable.judges.lexical.passage import Passage
from showable.judges.lexical.words import Words, is_content, term

FEATURES = ("coverage", "window", "length", "missing_number", "replaced_number", "missing_names", "opposite", "flipped")
"""Names of the features, in the order in which `features` gives them."""

_OPPOSITES = """
rise increase grow climb gain expand improve surge jump soar - fall decrease decline drop shrink reduce worsen plunge lower
more - less fewer; before - after; above over exceed - below under; earlier - later; early - late
higher high highest - lower low lowest; maximum - minimum; all every always - none never; some - none; many - few
win - lose; won - lost; accept approve - reject refuse deny; allow permit - forbid prohibit ban; include - exclude
succeed success successful - fail failure unsuccessful; open - close shut; buy acquire purchase - sell; true - false
north northern - south southern; east eastern - west western; left - right; start begin - end stop finish cease
first - last; older old - younger young new; larger large bigger big - smaller small; longer long - shorter short
male man boy - female woman girl; father - mother; son - daughter; brother - sister; husband - wife; alive - dead
hot warm - cold cool; fast quick - slow; strong - weak; rich - poor; public - private; legal - illegal; safe - dangerous
support - oppose; agree - disagree; confirm - deny; guilty - innocent acquitted; positive - negative; active - inactive
contraindicated - indicated recommended advised; present - absent; same identical - different; possible - impossible; able - unable; import - export; profit - loss
surplus - deficit; domestic - foreign; internal - external; major majority - minor minority; best - worst; better - worse
inside - outside; enter arrive - leave exit depart; mandatory required compulsory - optional voluntary
permanent - temporary; increase - unchanged; decrease - unchanged; up - down; hire - fire dismiss; upper - lower
natural - artificial; single - married; day - night; wet - dry; easy simple - difficult hard; cheap - expensive
love like - hate dislike; remember - forget; visible - invisible; victory - defeat; ally - enemy; full - empty
ancestor - descendant; employer - employee; buyer - seller; plaintiff - defendant; landlord - tenant; lender - borrower
agree - disagree; appear - disappear; connect - disconnect; complete - incomplete; correct - incorrect wrong
effective - ineffective; direct - indirect; dependent - independent; significant - insignificant; formal - informal
sufficient - insufficient; accurate - inaccurate; adequate - inadequate; regular - irregular; relevant - irrelevant
responsible - irresponsible; reversible - irreversible; mature - immature; perfect - imperfect; probable - improbable
logical - illogical; moral - immoral; formal - informal; honest - dishonest; approve - disapprove; advantage - disadvantage
indoor - outdoor; monday - tuesday wednesday thursday friday saturday sunday; morning - evening afternoon
"""

_NEGATING_PREFIXES = ("un", "non")
"""Only those that rarely begin another word: ``inform`` is not the opposite of ``form``."""


def _table() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for line in _OPPOSITES.replace("\n", ";").split(";"):
        left, _, right = line.partition(" - ")
        one, other = {term(w) for w in left.split()}, {term(w) for w in right.split()}
        for word in one:
            table.setdefault(word, set()).update(other - {word})
        for word in other:
            table.setdefault(word, set()).update(one - {word})
    return {word: frozenset(others) for word, others in table.items()}


_EXCLUDED = _table()
"""For a term, the terms that exclude it in the same place."""

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
        for at, word in enumerate(claim.terms)
        if word not in there
        for other in sorted(_opposites(word))
        if other in there
    ]


def _opposites(word: str) -> frozenset[str] | set[str]:
    """Return the terms that exclude this one, by the list or by a negating prefix (``able``, ``unable``)."""
    listed = _EXCLUDED.get(word, frozenset())
    if len(word) < 4:  # noqa: PLR2004 - too short for a prefix to be one
        return listed
    prefixed = {prefix + word for prefix in _NEGATING_PREFIXES}
    prefixed.update(word[len(p) :] for p in _NEGATING_PREFIXES if word.startswith(p) and len(word) > len(p) + 3)
    return prefixed | listed
