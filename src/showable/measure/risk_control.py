"""From which probability on may answers be shown, so that at most a given share of them is bad? Learn then test.

For every threshold of a fixed grid the hypothesis "more than `risk` of what it shows is bad" is tested on answers that people
labelled, by the exact binomial tail, which falls with every bad answer that is shown; of the grid's p-values those of Holm
(1979) hold together. The least threshold whose hypothesis falls is taken: with the confidence asked for, what it shows is bad
at most as often as asked (Angelopoulos et al. 2021, arXiv 2110.01052).

Questions are taken to be exchangeable with those to come: drawn alike, by the same pipeline. Answers to one question are
not independent, so of each question one answer counts, drawn by the seed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from showable.measure.calibration_report import RiskBound, RiskStep

GRID = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9)
"""The thresholds tried. They are fixed beforehand: the correction is for as many tests as there are."""
CONFIDENCE = 0.95
_MOST = 100_000
"""Answers beyond which it is not looked for how many would suffice."""


class LabelledAnswer(NamedTuple):
    """An answer that would be shown if its probability suffices, whether people find it good, and its question."""

    p: float
    good: bool
    question: str


def bound_risk(answers: Sequence[LabelledAnswer], risk: float, *, seed: int = 0) -> RiskBound:
    """Find the least threshold of the grid from which at most `risk` of what is shown is bad.

    An answer that no probability decides (a refusal without a claim) has p 1: it is shown whatever the threshold. Where no
    threshold holds, `threshold` is None, and `missing` says how many labelled answers more would do if the best one's share
    of bad ones stayed as it is; None there too where it is no lower than `risk`.
    """
    drawn = _one_a_question(answers, seed)
    steps = [_test(at, [answer for answer in drawn if answer.p >= at], risk) for at in GRID]
    held = _holm([step.p_value for step in steps])
    threshold = min((step.threshold for step, holds in zip(steps, held, strict=True) if holds), default=None)
    missing = None if threshold is not None else _missing(steps, len(drawn), risk)
    return RiskBound(
        risk=risk,
        confidence=CONFIDENCE,
        threshold=threshold,
        questions=len(drawn),
        answers=len(answers),
        tested=tuple(steps),
        missing=missing,
    )


def _one_a_question(answers: Sequence[LabelledAnswer], seed: int) -> list[LabelledAnswer]:
    by_question: dict[str, list[LabelledAnswer]] = {}
    for answer in answers:
        by_question.setdefault(answer.question, []).append(answer)
    rng = np.random.default_rng(seed)
    return [group[int(rng.integers(len(group)))] for _, group in sorted(by_question.items())]


def _test(threshold: float, shown: Sequence[LabelledAnswer], risk: float) -> RiskStep:
    bad = sum(not answer.good for answer in shown)
    return RiskStep(threshold=threshold, shown=len(shown), bad=bad, p_value=_tail(bad, len(shown), risk))


def _tail(bad: int, shown: int, risk: float) -> float:
    """Return the probability of so few bad ones among those shown if `risk` of them were bad; 1 where none is shown."""
    from scipy.stats import binom  # noqa: PLC0415 - over a second to import

    return float(binom.cdf(bad, shown, risk)) if shown else 1.0


def _holm(p_values: Sequence[float]) -> list[bool]:
    """Return which hypotheses fall, all together wrongly with probability 1 − `CONFIDENCE` at most (Holm 1979)."""
    order = sorted(range(len(p_values)), key=lambda at: p_values[at])
    fallen = [False] * len(p_values)
    for rank, at in enumerate(order):
        if p_values[at] > (1 - CONFIDENCE) / (len(p_values) - rank):
            break
        fallen[at] = True
    return fallen


def _missing(steps: Sequence[RiskStep], questions: int, risk: float) -> int | None:
    """Return how many more labelled answers it takes, at the shares of shown and of bad that were seen; the fewest of all steps."""
    needs = []
    for step in steps:
        if not step.shown or step.bad / step.shown >= risk:
            continue
        share = step.shown / questions
        low, high = step.shown, _MOST
        level = (1 - CONFIDENCE) / len(steps)
        if _tail(math.ceil(step.bad / step.shown * high), high, risk) > level:
            continue
        while low < high:
            middle = (low + high) // 2
            if _tail(math.ceil(step.bad / step.shown * middle), middle, risk) <= level:
                high = middle
            else:
                low = middle + 1
        needs.append(math.ceil(low / share) - questions)
    return max(1, min(needs)) if needs else None
