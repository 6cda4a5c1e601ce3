"""From signs to a decision: a fixed logistic function for the probability, rules for the label, words for the reason."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain

from showable.judges.lexical.conflict import find_conflict
from showable.judges.lexical.objection import find_objection
from showable.judges.lexical.signs import FEATURES, Signs
from showable.judges.lexical.words import Words
from showable.records.evidence import Label

# Fitted by benchmarks/fit_lexical.py (logistic regression with signs held, every training file counting the same, support
# and no support equally frequent); no row of entail/dev was fitted on. Which features, rules and training files are used was
# chosen by looking at entail/dev, so figures on those files flatter the judge somewhat.
INTERCEPT = -2.278
COEFFICIENTS = {
    "coverage": 1.151,
    "window": 0.863,
    "weakest_part": 0.964,
    "length": 0.303,
    "missing_number": -0.924,
    "replaced_number": -1.074,
    "missing_names": -0.121,
    "opposite": -0.576,
    "flipped": -1.411,
    "replaced_slot": -0.279,
}
_VECTOR = tuple(COEFFICIENTS[name] for name in FEATURES)

SUPPORT = 0.5
_CONFLICT = 0.05
"""Probability of support at most where a contradiction is called: on the training files 3.4 % of such rows were supported."""
_OBJECTED = 0.35
"""Probability of support where an objection overrules the logistic function: about the share of such training rows."""
_PART_FOUND, _PART_MISSING = 0.75, 0.35
_NAMED = 5
"""Missing words that a reason names at most."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A label with its probability of support and, unless supported, the reason in words."""

    label: Label
    p: float
    reason: str | None


def decide(signs: Signs, passage: Words) -> Decision:
    """Decide on a claim from its signs."""
    p = probability(signs)
    conflict = find_conflict(signs, passage)
    if conflict is not None:
        return Decision("contradicted", min(p, _CONFLICT), conflict)
    objection = find_objection(signs, passage) if p >= SUPPORT else None
    if objection is not None:
        return Decision("unsupported", _OBJECTED, objection)
    if signs.missing_item is not None and p >= SUPPORT:
        return Decision("partial", _OBJECTED, f"not in the passage: {signs.missing_item}")
    if p >= SUPPORT:
        return Decision("supported", p, None)
    return Decision("partial" if _is_partial(signs) else "unsupported", p, _missing(signs))


def probability(signs: Signs) -> float:
    """Give the probability that the passage supports the claim, by the logistic function alone."""
    z = INTERCEPT + sum(c * f for c, f in zip(_VECTOR, signs.features(), strict=True))
    return 1.0 / (1.0 + math.exp(-z))


def _is_partial(signs: Signs) -> bool:
    """Say whether of several coordinate parts at least one is there and at least one is not."""
    return len(signs.items) > 1 and max(signs.items) >= _PART_FOUND and min(signs.items) <= _PART_MISSING


def _missing(signs: Signs) -> str:
    """Say what the passage lacks: numbers, then names, then other words, as the claim has them."""
    words: list[str] = []
    for word in chain((q.text for q in signs.numbers.missing), signs.missing_names, _surfaces(signs)):
        if len(words) == _NAMED:
            break
        if not any(word in other for other in words):
            words.append(word)
    if words:
        return "not in the passage: " + ", ".join(words)
    if signs.opposite:
        here, _ = signs.opposite[0]
        return f"the claim says “{signs.claim.surface[here]}”, the passage the opposite"
    if signs.flipped:
        return f"“{signs.claim.surface[signs.flipped[0][0]]}” is negated on one side only"
    return "the words of the claim stand far apart in the passage"


def _surfaces(signs: Signs) -> list[str]:
    held = signs.coverage
    absent = {term for term in held.weights if term not in held.found} or {
        t for t in held.weights if t not in held.credit
    }
    pairs = zip(signs.claim.terms, signs.claim.surface, strict=True)
    return list(dict.fromkeys(surface for term, surface in pairs if term in absent))
