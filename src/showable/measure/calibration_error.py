"""Whether a stated probability is one: the expected calibration error, and the bins of a reliability diagram."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from showable.measure.agreement import Array, Flags
from showable.measure.rates import wilson_interval
from showable.records.wire import Wire

BINS = 10


class ReliabilityBin(Wire):
    """Rows whose p lies in [low, high): their number, mean p, share of them that people call yes, its Wilson interval."""

    low: float
    high: float
    n: int
    mean_p: float
    observed: float
    observed_low: float
    observed_high: float


def calibration_errors(labels: Flags, p: Array, weights: Array) -> Array:
    """Return the expected calibration error over ten equal bins, one a draw: the mean |p - observed| over rows.

    Naeini, Cooper & Hauskrecht (2015), AAAI. `labels` and `p` have n entries, `weights` is (draws, n); fractions 0-1. With
    few rows a bin it lies above zero even for a calibrated judge.
    """
    inside = np.eye(BINS)[_bin_of(p)]
    gaps = np.abs((weights * (p - labels)) @ inside)
    total = weights.sum(axis=1)
    return np.asarray(gaps.sum(axis=1) / total, dtype=np.float64)


def reliability(labels: Flags, p: Array) -> tuple[ReliabilityBin, ...]:
    """Return the bins that hold a row, in order."""
    at = _bin_of(p)
    bins = []
    for number in np.unique(at):
        inside = at == number
        n, observed = int(inside.sum()), float(labels[inside].mean())
        low, high = wilson_interval(observed, n)
        bins.append(
            ReliabilityBin(
                low=float(number) / BINS,
                high=float(number + 1) / BINS,
                n=n,
                mean_p=float(p[inside].mean()),
                observed=observed,
                observed_low=low,
                observed_high=high,
            )
        )
    return tuple(bins)


def _bin_of(p: Array) -> NDArray[np.int64]:
    return np.minimum((p * BINS).astype(np.int64), BINS - 1)
