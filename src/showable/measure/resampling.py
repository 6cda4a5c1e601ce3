"""Bootstrap weights over clusters, and what interval may be read off the resampled values."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from math import hypot, isfinite

import numpy as np
from numpy.typing import NDArray

from showable.measure.agreement import Array
from showable.measure.rates import wilson_interval

RESAMPLES = 1_000
FEWEST = 10
"""Below so many clusters of a class a bootstrap interval is too narrow to be shown."""
TAIL = 0.025
_CELLS_A_BATCH = 2_000_000
_TINY = 1e-9

Interval = tuple[float, float]


def number_clusters(keys: Sequence[Hashable]) -> NDArray[np.int64]:
    """Number keys from 0 in the order of their first appearance, equal keys alike."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)


def resampled_weights(clusters: NDArray[np.int64], *, seed: int = 0) -> Iterator[Array]:
    """Yield 1,000 seeded resamples as weights of rows, in batches of shape (draws, n).

    Clusters are drawn with replacement, as many as there are; a row weighs as often as its cluster was drawn (Davison &
    Hinkley 1997, §3.8). The seed alone decides, so two judges on the same rows are resampled alike: paired.
    """
    count = int(clusters.max()) + 1
    rng = np.random.default_rng(seed)
    batch = max(1, min(RESAMPLES, _CELLS_A_BATCH // max(1, len(clusters))))
    left = RESAMPLES
    while left:
        size = min(batch, left)
        drawn = rng.multinomial(count, np.full(count, 1 / count), size=size)
        yield drawn[:, clusters].astype(np.float64)
        left -= size


def smoothed_weights(clusters: NDArray[np.int64], prior: Array, *, seed: int = 0) -> Iterator[Array]:
    """Yield 1,000 seeded weightings of rows, and of prior rows after them, in batches of shape (draws, n + prior rows).

    The Bayesian bootstrap over clusters (Rubin 1981, Ann. Stat. 9: 130): a cluster weighs as a draw of an exponential, a
    prior row as one of a gamma of its shape in `prior`, times the mean size of a cluster. With one row a cluster and half a
    row a cell these are draws of the posterior under Jeffreys' prior, whose intervals hold their level near 0 and 1
    (Brown, Cai & DasGupta 2001, Stat. Sci. 16: 101), where the plain bootstrap has no width.
    """
    count = int(clusters.max()) + 1
    rng = np.random.default_rng(seed)
    batch = max(1, min(RESAMPLES, _CELLS_A_BATCH // max(1, len(clusters))))
    left = RESAMPLES
    while left:
        size = min(batch, left)
        drawn = rng.standard_exponential((size, count))
        beside = rng.standard_gamma(prior, (size, len(prior))) * (len(clusters) / count)
        yield np.concatenate([drawn[:, clusters], beside], axis=1)
        left -= size


def percentile_interval(draws: Array, tail: float = TAIL) -> Interval | None:
    """Return the 95 % percentile interval of resampled values; None where they do not vary or were not measurable.

    `tail` is the share of draws that is cut off at either end.
    """
    known = draws[np.isfinite(draws)]
    if len(known) < len(draws) / 2 or np.ptp(known) < _TINY:
        return None
    low, high = np.quantile(known, [tail, 1 - tail])
    return float(low), float(high)


def reaching(interval: Interval | None, value: float) -> Interval | None:
    """Stretch an interval as far as a value, where that is a number."""
    if interval is None or not isfinite(value):
        return interval
    return min(interval[0], value), max(interval[1], value)


def rate_interval(value: float, draws: Array, clusters: int) -> Interval:
    """Return the interval of a rate over so many clusters.

    Wilson's on the clusters, as if each were one row, where they are fewer than ten or all alike: there
    the bootstrap has no width to show.
    """
    found = percentile_interval(draws) if clusters >= FEWEST else None
    return found or wilson_interval(value, clusters)


def mean_of_two(first: float, second: float, of_first: Interval, of_second: Interval) -> Interval:
    """Return the interval of the mean of two independent rates from theirs, by square-and-add.

    Newcombe (1998), Stat. Med. 17: 873, for the sum in place of the difference.
    """
    low = (first + second) / 2 - hypot(first - of_first[0], second - of_second[0]) / 2
    high = (first + second) / 2 + hypot(of_first[1] - first, of_second[1] - second) / 2
    return max(0.0, low), min(1.0, high)
