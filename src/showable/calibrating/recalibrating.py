"""The map of a judge's probability: fitted, tried on rows it was not fitted on, and kept only where it helps there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from showable.calibrating.support_rows import SupportRow, columns
from showable.measure.agreement import Array, Flags
from showable.measure.calibration_error import ReliabilityBin, reliability
from showable.measure.calibration_report import Bought
from showable.measure.isotonic import calibration_gain, cross_fit_isotonic, fit_isotonic
from showable.measure.paired_gain import paired_gain
from showable.records.calibration import IsotonicMap

_SLOPE = 0.01
"""Share of p itself in the map. A level stretch would make equals of what a threshold tells apart; so none is level."""
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Recalibration:
    """The map that is kept, None where it does not help, and why; what it buys out of fold; p against people before and after."""

    mapping: IsotonicMap | None
    bought: tuple[Bought, ...] = ()
    before: tuple[ReliabilityBin, ...] = ()
    after: tuple[ReliabilityBin, ...] = ()
    why: str | None = None


def recalibrate(rows: Sequence[SupportRow], *, fit: bool, judges: Collection[str] = (), seed: int = 0) -> Recalibration:
    """Fit the map on all rows that have a p, and say what it buys out of fold.

    Kept only where the Brier score (1950), Mon. Weather Rev. 78: 1, the mean squared distance of p from people's yes or no,
    falls on rows not fitted on by more than chance: the 95 % interval of the difference lies below 0. There is none where p
    comes from two judges, in the rows or among `judges`, whose p it would map too. With `fit` off nothing is fitted, and
    only the judge's own p is laid out.
    """
    having = [row for row in rows if row.p is not None]
    if not having:
        return Recalibration(None)
    data = columns(having, [row.p for row in having if row.p is not None])
    before = reliability(data.labels, data.p)
    if not fit:
        return Recalibration(None, before=before)
    several = sorted({row.judge for row in having} | {*judges})
    if len(several) > 1:
        why = f"p comes from {len(several)} judges ({', '.join(several)}), and one map of both would be true of neither"
        return Recalibration(None, before=before, why=f"no recalibration: {why}; thresholds alone are fitted")
    out_of_fold = cross_fit_isotonic(data.p, data.labels, data.clusters, seed)
    if out_of_fold is None:
        return Recalibration(None, before=before, why="no recalibration: labels of too few questions to hold some out")
    after = _rising(out_of_fold, data.p)
    brier = paired_gain(
        "brier",
        lambda weights: _brier(data.labels, data.p, weights),
        lambda weights: _brier(data.labels, after, weights),
        data.clusters,
        seed=seed,
    )
    bought = (calibration_gain(data.labels, data.p, after, data.clusters, seed=seed), brier)
    if brier.high is None or brier.high >= 0:
        why = f"no recalibration: on labels that it was not fitted on the map does not help (Brier score {_difference(brier)})"
        return Recalibration(None, bought, before, reliability(data.labels, after), why)
    return Recalibration(strict(fit_isotonic(data.p, data.labels)), bought, before, reliability(data.labels, after))


def strict(fitted: IsotonicMap) -> IsotonicMap:
    """Make a map rise everywhere from 0 to 1, so that whatever p a threshold tells apart it still tells apart once mapped."""
    x = np.unique([0.0, *fitted.x, 1.0])
    y = np.maximum.accumulate(np.round(_rising(np.interp(x, fitted.x, fitted.y), x), _DIGITS))
    return IsotonicMap(x=tuple(x.tolist()), y=tuple(np.clip(y, 0.0, 1.0).tolist()))


def undone(mapping: IsotonicMap | None, threshold: float) -> float:
    """Return the judge's own p at which the mapped one reaches a threshold."""
    return threshold if mapping is None else float(np.interp(threshold, mapping.y, mapping.x))


def shortest(threshold: float, p: Array) -> float:
    """Return the threshold in as few decimals as decide all of `p` alike, two at least; it lies between 0 and 1."""
    wanted = p >= threshold
    for digits in range(2, 13):
        written = round(threshold, digits)
        if 0.0 < written < 1.0 and np.array_equal(p >= written, wanted):
            return written
    return threshold


def _rising(mapped: Array, p: Array) -> Array:
    return (1 - _SLOPE) * mapped + _SLOPE * p


def _brier(labels: Flags, p: Array, weights: Array) -> Array:
    return np.asarray((weights @ (p - labels) ** 2) / weights.sum(axis=1), dtype=np.float64)


def _difference(one: Bought) -> str:
    if one.difference is None or one.low is None or one.high is None:
        return "not measurable"
    return f"{one.difference:+.4f}, 95 % interval {one.low:+.4f} to {one.high:+.4f}".replace("-", "−")
