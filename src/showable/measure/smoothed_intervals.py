"""95 % intervals of agreement that keep a width where everybody agrees, and are not given where they would be too narrow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from showable.measure.agreement import Array, Codes
from showable.measure.resampling import FEWEST, TAIL, Interval, percentile_interval, reaching, smoothed_weights

A_CELL = 0.5
"""What a cell of a yes-or-no table weighs beforehand: Jeffreys' prior."""


def prior_pairs(values: int) -> tuple[Codes, Codes, Array]:
    """Return the pairs of values that are added beforehand, and what each weighs in questions.

    Together they weigh one question on which both say the same and one on which they differ, however many values there
    are; with two values that is half a question a cell.
    """
    mine, theirs = (np.asarray(side.ravel(), dtype=np.int64) for side in np.indices((values, values)))
    weight = np.where(mine == theirs, 2 * A_CELL / values, 2 * A_CELL / max(1, values * (values - 1)))
    return mine, theirs, weight


def prior_differences(apart: Array) -> tuple[Array, Array]:
    """Return the differences of two numbers that are added beforehand, and what each weighs in questions.

    One question on which there is none, and one with one: half either way, as large as those in `apart` are (root mean
    square). Without them no weighting of differences of one sign would come to 0. Where there are none, none is added.
    """
    there = apart[apart != 0]
    if not len(there):
        return np.empty(0), np.empty(0)
    size = float(np.sqrt(np.mean(there**2)))
    return np.array([0.0, size, -size]), np.array([2 * A_CELL, A_CELL, A_CELL])


def smoothed_intervals(
    statistics: Callable[[Array], Mapping[str, Array]], clusters: NDArray[np.int64], prior: Array, *, seed: int = 0
) -> dict[str, Interval | None]:
    """Return the 95 % interval of each statistic of rows and prior rows; none at all below ten clusters.

    `statistics` takes weights (draws, n + prior rows) and gives one value a draw, by name. An interval reaches to the figure
    of the rows alone, which at full agreement no draw comes to (Brown, Cai & DasGupta 2001 end it there).
    """
    count = len(np.unique(clusters))
    if count < FEWEST:
        return {}
    tail = expanded_tail(count)
    batches = [statistics(weights) for weights in smoothed_weights(clusters, prior, seed=seed)]
    alone = statistics(np.concatenate([np.ones(len(clusters)), np.zeros(len(prior))])[np.newaxis])
    return {
        name: reaching(percentile_interval(np.concatenate([batch[name] for batch in batches]), tail), float(value[0]))
        for name, value in alone.items()
    }


def expanded_tail(clusters: int) -> float:
    """Return the share of draws to cut off at either end: less than 2.5 % where clusters are few.

    The expanded percentile interval (Hesterberg 2015, Am. Stat. 69: 371): draws spread less than the estimate itself by the
    root of (n - 1) / n, and a normal quantile stands where one of Student's belongs.
    """
    from scipy.special import ndtr, stdtrit  # noqa: PLC0415 - slow to import

    return float(ndtr(sqrt(clusters / (clusters - 1)) * stdtrit(clusters - 1, TAIL)))
