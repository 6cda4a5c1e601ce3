"""A judge's probability made one: the share of such pairs that people call yes, as a map that never falls."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from showable.measure.agreement import Array, Flags
from showable.measure.calibration_error import calibration_errors
from showable.measure.calibration_report import Bought
from showable.measure.cross_fit import dealt_folds
from showable.measure.paired_gain import paired_gain
from showable.records.calibration import IsotonicMap


def fit_isotonic(p: Array, labels: Flags) -> IsotonicMap:
    """Fit the non-decreasing map of p that is the nearest to people's yes and no in squares, linear between its points.

    `p` (fractions 0-1) and `labels` have n entries, at least one. Isotonic regression by pooling adjacent violators; for
    calibration: Zadrozny & Elkan (2002), KDD. Points inside a level stretch are left out.
    """
    from scipy.optimize import isotonic_regression  # noqa: PLC0415 - over half a second to import

    values, at = np.unique(p, return_inverse=True)
    weight = np.bincount(at).astype(np.float64)
    share = np.bincount(at, weights=labels.astype(np.float64)) / weight
    fitted = np.clip(isotonic_regression(share, weights=weight).x, 0.0, 1.0)
    inner = np.ones(len(fitted), dtype=np.bool_)
    inner[1:-1] = (fitted[1:-1] != fitted[:-2]) | (fitted[1:-1] != fitted[2:])
    return IsotonicMap(x=tuple(values[inner].tolist()), y=tuple(fitted[inner].tolist()))


def recalibrated(fitted: IsotonicMap, p: Array) -> Array:
    """Map many probabilities at once."""
    return np.interp(p, fitted.x, fitted.y)


def cross_fit_isotonic(p: Array, labels: Flags, clusters: NDArray[np.int64], seed: int = 0) -> Array | None:
    """Map the p of each of five parts by what was fitted on the other four; None below ten clusters.

    The parts are whole clusters, those of `cross_fitted` under the same seed.
    """
    fold = dealt_folds(clusters, seed=seed)
    if fold is None:
        return None
    after = np.empty(len(p))
    for number in np.unique(fold):
        held = fold == number
        after[held] = recalibrated(fit_isotonic(p[~held], labels[~held]), p[held])
    return after


def calibration_gain(
    labels: Flags, before: Array, after: Array, clusters: NDArray[np.int64], *, seed: int = 0
) -> Bought:
    """Return the expected calibration error of p before and after, and the paired interval of the difference (less is better)."""
    return paired_gain(
        "ece",
        lambda weights: calibration_errors(labels, before, weights),
        lambda weights: calibration_errors(labels, after, weights),
        clusters,
        seed=seed,
    )
