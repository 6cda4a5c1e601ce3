"""Signs that keep a well covered claim from support without making a contradiction sure.

Each speaks against support more strongly the better the rest is covered, which no sum of features says.
"""

from __future__ import annotations

from itertools import pairwise

from showable.judges.lexical.conflict import rest_covered
from showable.judges.lexical.signs import Signs
from showable.judges.lexical.words import Words, is_content, term, terms_of

_REST = 0.8
_ALIKE = 3
"""Letters at the start by which two words may be one: skis and ski, Romania and Romanian."""
_STRONGER = {
    term(strong): terms_of(weaker)
    for strong, weaker in {
        "all": "some most many several few certain various half part",
        "every": "some most many several few certain",
        "each": "some most many several few certain",
        "always": "sometimes often usually generally typically frequently occasionally rarely",
        "must": "may can could might should",
    }.items()
}
"""A word of the claim, and the weaker words of a passage in its place that do not entail it."""


def find_objection(signs: Signs, passage: Words) -> str | None:
    """Say what keeps the passage from supporting the claim, or None."""
    return (
        _reversed(signs)
        or _number(signs)
        or _opposite(signs, passage)
        or _overstated(signs, passage)
        or _slot(signs, passage)
    )


def _reversed(signs: Signs) -> str | None:
    return None if signs.reversed is None else "in the passage {1} and {0} change places".format(*signs.reversed)


def _number(signs: Signs) -> str | None:
    missing = signs.numbers.missing
    return f"not in the passage: {', '.join(quantity.text for quantity in missing)}" if missing else None


def _opposite(signs: Signs, passage: Words) -> str | None:
    if not signs.opposite:
        return None
    here, there = signs.opposite[0]
    return f"the claim says “{signs.claim.surface[here]}”, the passage only “{passage.surface[there]}”"


def _overstated(signs: Signs, passage: Words) -> str | None:
    """The claim says "all", "always", "must" before the word that has "some", "often", "may" in the passage."""
    low, high = signs.coverage.window
    there = passage.terms[low:high]
    for at, word in enumerate(signs.claim.terms[:-1]):
        weaker = _STRONGER.get(word)
        following = signs.claim.terms[at + 1]
        if weaker and word not in there and any(a in weaker and b == following for a, b in pairwise(there)):
            return f"the passage does not say “{signs.claim.surface[at]}”, only something weaker"
    return None


def _slot(signs: Signs, passage: Words) -> str | None:
    """The same sentence stands there with another beginning or another end."""
    if len(signs.slots) != 1:
        return None
    slot = signs.slots[0]
    opens, closes = slot.start == 0, slot.end == len(signs.claim.terms)
    if not (opens or closes) or rest_covered(signs, set(signs.claim.terms[slot.start : slot.end])) < _REST:
        return None
    theirs = [passage.surface[at] for at in range(*slot.there) if is_content(passage.terms[at])]
    ours = signs.claim.surface[slot.start : slot.end]
    if (opens and not theirs[-1][0].isupper()) or theirs[0][:_ALIKE].lower() == ours[0][:_ALIKE].lower():
        return None
    return f"the passage has {' '.join(theirs)}, the claim says {' '.join(ours)}"
