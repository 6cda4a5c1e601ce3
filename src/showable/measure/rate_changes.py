"""Rates over claims and citations, which come several to an answer, compared between two runs of the same questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

import numpy as np

from showable.measure.bootstrap import FEWEST_CLUSTERS, RESAMPLES
from showable.measure.measures import citation_precision, citation_recall
from showable.records.outline import Outline
from showable.records.scorecard import Scorecard
from showable.records.wire import Wire

Counted = tuple[tuple[int, int], ...]
COUNTED = (("citation_precision", "citations", citation_precision), ("citation_recall", "claims", citation_recall))
"""The rates that are compared: name, unit, and the measure that counts them."""
NONE_COUNTED: Counted = ((0, 0),) * len(COUNTED)
_BATCH = 250


class RateChange(Wire):
    """A rate on both sides as passed and decided counts, and its change with a 95 % interval clustered by question.

    Fractions, candidate minus baseline. `change` is None where nothing was decided on a side, `low` and `high` also
    where fewer than ten questions hold anything decided: the bootstrap is too narrow there.
    """

    name: str
    unit: Literal["claims", "citations"]
    baseline_passed: int
    baseline_decided: int
    candidate_passed: int
    candidate_decided: int
    questions: int
    change: float | None = None
    low: float | None = None
    high: float | None = None


def count(card: Scorecard | Outline) -> Counted:
    """Count what one answer adds to each rate: passed and failed."""
    if not card.claims and not card.loose:
        return NONE_COUNTED
    counts = (measure(card) for _, _, measure in COUNTED)
    return tuple((one.passed, one.failed) for one in counts)


def added(rows: Sequence[Counted]) -> Counted:
    """Add the counts of several runs of one question."""
    return tuple((sum(p for p, _ in column), sum(f for _, f in column)) for column in zip(*rows, strict=True))


def rate_changes(before: Sequence[Counted], after: Sequence[Counted], *, seed: int) -> list[RateChange]:
    """Compare every rate over the same questions in the same order."""
    made = []
    for place, (name, unit, _) in enumerate(COUNTED):
        pairs = Counter((*b[place], *a[place]) for b, a in zip(before, after, strict=True))
        pairs.pop((0, 0, 0, 0), None)
        totals = [sum(pair[i] * n for pair, n in pairs.items()) for i in range(4)]
        interval = _interval(pairs, seed)
        made.append(
            RateChange(
                name=name,
                unit="claims" if unit == "claims" else "citations",
                baseline_passed=totals[0],
                baseline_decided=totals[0] + totals[1],
                candidate_passed=totals[2],
                candidate_decided=totals[2] + totals[3],
                questions=pairs.total(),
                change=_change(*totals),
                low=interval and interval[0],
                high=interval and interval[1],
            )
        )
    return made


def _change(p: int, f: int, q: int, g: int) -> float | None:
    return q / (q + g) - p / (p + f) if p + f and q + g else None


def _interval(pairs: Counter[tuple[int, int, int, int]], seed: int) -> tuple[float, float] | None:
    """Return the percentile interval of the change over 2,000 seeded resamples of questions.

    Both sides of a question are drawn together, since they are about the same thing, and so are all its claims
    (clusters: Davison & Hinkley 1997, §3.8). A resample with nothing decided on a side says nothing, and is left out.
    """
    questions = pairs.total()
    if (
        questions < FEWEST_CLUSTERS
        or _change(*(sum(pair[i] * n for pair, n in pairs.items()) for i in range(4))) is None
    ):
        return None
    distinct = sorted(pairs)
    table = np.array(distinct, dtype=np.float64)
    weights = np.array([pairs[pair] for pair in distinct], dtype=np.float64) / questions
    generator = np.random.default_rng(seed)
    drawn = [generator.multinomial(questions, weights, size=_BATCH) @ table for _ in range(RESAMPLES // _BATCH)]
    p, f, q, g = np.concatenate(drawn).T
    decided = (p + f > 0) & (q + g > 0)
    p, f, q, g = p[decided], f[decided], q[decided], g[decided]
    low, high = np.quantile(q / (q + g) - p / (p + f), [0.025, 0.975])
    return float(low), float(high)
