"""The judge without a model: word-level evidence for or against a claim in one passage, weighed by a logistic function."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import chain

from showable.judges.lexical.addressed import rests_on_addressed
from showable.judges.lexical.conflict import find_conflict, find_missing_item, find_objection
from showable.judges.lexical.injection import without_unseen
from showable.judges.lexical.passage import Passage, read_passage
from showable.judges.lexical.signs import FEATURES, Signs, read_signs
from showable.judges.lexical.words import Words, split_words
from showable.records import Cost, Pair, Verdict
from showable.records.evidence import Label
from showable.records.regex import regex
from showable.rubrics.gold_verdicts import asks_yes_or_no

NAME = "lexical@2"
# Fitted by benchmarks/fit_lexical.py (logistic regression with signs held, every training file counting the same, support
# and no support equally frequent); no row of entail/dev was fitted on. Which features, rules and training files are used was
# chosen by looking at entail/dev, so figures on those files flatter the judge somewhat.
INTERCEPT = -2.151
COEFFICIENTS = {
    "coverage": 2.019,
    "window": 1.011,
    "length": 0.183,
    "missing_number": -0.928,
    "replaced_number": -1.091,
    "missing_names": -0.111,
    "opposite": -0.580,
    "flipped": -1.369,
}
_VECTOR = tuple(COEFFICIENTS[name] for name in FEATURES)
SUPPORT = 0.5
_CONFLICT = 0.05
"""Probability of support at most where a contradiction is called."""
_OBJECTED = 0.35
"""Probability of support of a claim that is covered but for a number, or has the opposite of a word of the passage."""
_NAMED = 5
"""Missing words that a reason names at most."""
_MARKER = regex(r"(?<!\s)\s*+(?:\[\^?\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\]|(?<![⁰¹²³⁴-⁹])[⁰¹²³⁴-⁹]++(?=[\s.,;:]|$))")
"""With the blanks before it, looked for where a run of blanks begins: from each of them it would cost the run's square."""
_ANSWERS = regex(r"^\W*+(?:yes|no)\s*+[,;:.–—-]++\s++(?=\w)", re.IGNORECASE)
"""A "No," at the head of a claim answers the question; it negates nothing in the claim itself."""


class LexicalJudge:
    """Judges by words alone, at no cost and with no key; deterministic, and the baseline for every other judge."""

    name = NAME
    prompt_hash: str | None = None

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Judge a batch: one verdict a pair, in the same order."""
        return [judge_pair(pair) for pair in pairs]

    def estimate(self, pairs: Sequence[Pair]) -> Cost:  # noqa: ARG002 - free whatever the pairs are
        """Return what judging would cost: nothing."""
        return Cost()


def judge_pair(pair: Pair) -> Verdict:
    """Judge one claim against one passage read alone.

    Citation markers in the claim are passed over. `p` is a probability where support and no support are equally
    frequent; support is p ≥ 0.5. `quote` is the best window, as it stands in the passage. An ``unknown`` has no words
    to compare on one side, or asks for a yes or no, which words alone do not tell apart.
    """
    text, claim = read_claim(pair.claim)
    passage = read_passage(pair.passage)
    if not claim.terms or not passage.words.terms:
        return unjudged(pair, NAME)
    if asks_yes_or_no(text):
        return unjudged(pair, NAME, "words alone do not tell a yes from a no")
    signs = read_signs(claim, text, passage)
    label, p, reason = _decide(signs, passage.words)
    span = quoted(signs, passage)
    return Verdict(
        label=label,
        judge=NAME,
        p=round(p, 4),
        quote=pair.passage[span[0] : span[1]] if span else None,
        quote_span=span,
        reason=reason,
        injection_suspected=passage.injection
        or (label == "supported" and rests_on_addressed(pair.passage, pair.claim, span)),
    )


def read_claim(claim: str) -> tuple[str, Words]:
    """Return a claim without markers and unseen characters, as text and as words."""
    text = _ANSWERS.sub("", _MARKER.sub("", without_unseen(claim)[0]))
    return text, split_words(text)


def unjudged(pair: Pair, judge: str, reason: str | None = None, *, failed: bool = False) -> Verdict:
    """Return the verdict on a pair that cannot be judged, by default for want of words."""
    side = "passage" if read_claim(pair.claim)[1].terms else "claim"
    return Verdict(
        label="unknown",
        judge=judge,
        reason=reason or f"the {side} has no words to judge by",
        failure="model failed" if failed else None,
        injection_suspected=read_passage(pair.passage).injection,
    )


def quoted(signs: Signs, passage: Passage) -> tuple[int, int] | None:
    """Return the span of the window's sentences, or None where nothing matched."""
    low, high = signs.coverage.window
    if not signs.coverage.credit:
        return None
    end = passage.words.ends[high - 1]
    while end < len(passage.text) and passage.text[end] in ".!?\"'”’)]%":
        end += 1
    return passage.original(passage.words.starts[low], end)


def _decide(signs: Signs, passage: Words) -> tuple[Label, float, str | None]:
    """Return the label, the probability of support and, unless supported, the reason in words."""
    z = INTERCEPT + sum(c * f for c, f in zip(_VECTOR, signs.features(), strict=True))
    p = 1.0 / (1.0 + math.exp(-z))
    conflict = find_conflict(signs, passage)
    if conflict is not None:
        return "contradicted", min(p, _CONFLICT), conflict
    if p < SUPPORT:
        return "unsupported", p, _missing(signs)
    if objection := find_objection(signs, passage):
        return "unsupported", _OBJECTED, objection
    if item := find_missing_item(signs):
        return "partial", _OBJECTED, f"not in the passage: {item}"
    return "supported", p, None


def _missing(signs: Signs) -> str:
    """Return what the passage lacks: numbers, then names, then other words, as the claim has them."""
    words: list[str] = []
    for word in chain((q.text for q in signs.numbers.missing), signs.missing_names, _surfaces(signs)):
        if len(words) == _NAMED:
            break
        if not any(word in other for other in words):
            words.append(word)
    if words:
        return "not in the passage: " + ", ".join(words)
    if signs.opposite:
        return f"the claim says “{signs.claim.surface[signs.opposite[0][0]]}”, the passage the opposite"
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
