"""Intervals for counts that come several to an answer, where they are not independent of one another."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import numpy as np

from showable.measure.rates import Z_95, Rate, wilson_interval
from showable.records.findings import OutcomeCounts

RESAMPLES = 2_000
FEWEST_CLUSTERS = 10
MOST_DISTINCT = 1_000


class ClusterCounts:
    """Counts gathered answer by answer, and their rate with an interval clustered by answer.

    The claims of one answer stand or fall together, so answers are what is resampled. Kept in memory
    is a counter over the distinct (passed, failed) pairs of answers, not the answers: drawing answers
    with replacement is the same as drawing how often each distinct pair comes up, a multinomial.
    Answers in which nothing could be checked are in the counts but take no part in the resampling.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._totals = [0, 0, 0, 0]
        self._clusters = 0
        self._pairs: Counter[tuple[int, int]] | None = Counter()
        self._squares = [0, 0, 0]

    def add(self, counts: OutcomeCounts) -> None:
        """Add the counts of one answer."""
        passed, failed = counts.passed, counts.failed
        totals = self._totals
        totals[0] += passed
        totals[1] += failed
        totals[2] += counts.unknown
        totals[3] += counts.not_applicable
        size = passed + failed
        if not size:
            return
        self._clusters += 1
        squares = self._squares
        squares[0] += passed * passed
        squares[1] += passed * size
        squares[2] += size * size
        if self._pairs is not None:
            self._pairs[passed, failed] += 1
            if len(self._pairs) > MOST_DISTINCT:
                self._pairs = None

    @property
    def counts(self) -> OutcomeCounts:
        """Everything added so far, outcome by outcome."""
        passed, failed, unknown, not_applicable = self._totals
        return OutcomeCounts(passed=passed, failed=failed, unknown=unknown, not_applicable=not_applicable)

    def rate(self, name: str | None = None, *, seed: int = 0) -> Rate:
        """Return the rate with its 95 % interval."""
        return Rate.with_interval(self.counts, self.interval(seed=seed), n=self._clusters, name=name)

    def interval(self, *, seed: int = 0) -> tuple[float, float] | None:
        """Return the 95 % interval of passed / (passed + failed), or None where nothing was decided.

        A percentile bootstrap over answers (Efron & Tibshirani 1993, ch. 13; clusters: Davison & Hinkley
        1997, §3.8), 2,000 seeded resamples. Where every answer has the same rate there is nothing to
        resample, and below ten answers the bootstrap is too narrow: there it is Wilson's interval on the
        number of answers, as if each answer were one observation, which errs on the wide side. Beyond
        1,000 distinct pairs, so at least as many answers, it is the linearised (delta-method) interval of
        a ratio of cluster totals (Cochran 1977, §6.3), which the bootstrap has then converged to.
        """
        passed, failed = self._totals[:2]
        if not self._clusters:
            return None
        rate = passed / (passed + failed)
        if self._pairs is None:
            return self._linearised(rate)
        if self._clusters < FEWEST_CLUSTERS or self._all_alike(self._pairs):
            return wilson_interval(rate, self._clusters)
        return _percentile(self._pairs, self._clusters, seed)

    def _all_alike(self, pairs: Counter[tuple[int, int]]) -> bool:
        passed, failed = self._totals[:2]
        return all(p * (passed + failed) == passed * (p + f) for p, f in pairs)

    def _linearised(self, rate: float) -> tuple[float, float]:
        size = self._totals[0] + self._totals[1]
        squares, products, sizes = self._squares
        residual = max(0.0, squares - 2 * rate * products + rate * rate * sizes)
        half = Z_95 * sqrt(residual * self._clusters / (self._clusters - 1)) / size
        return max(0.0, rate - half), min(1.0, rate + half)


def _percentile(pairs: Counter[tuple[int, int]], clusters: int, seed: int) -> tuple[float, float]:
    distinct = sorted(pairs)
    table = np.array(distinct, dtype=np.float64)
    weights = np.array([pairs[pair] for pair in distinct], dtype=np.float64) / clusters
    draws = np.random.default_rng(seed).multinomial(clusters, weights, size=RESAMPLES)
    passed, failed = (draws @ table).T
    low, high = np.quantile(passed / (passed + failed), [0.025, 0.975])
    return float(low), float(high)
