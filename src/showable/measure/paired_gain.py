"""A figure before and after, and their difference with its interval, on the same rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from showable.measure.agreement import Array, Flags, Tables
from showable.measure.calibration_report import Bought
from showable.measure.resampling import FEWEST, percentile_interval, resampled_weights

RATES = ("balanced_accuracy", "tpr", "tnr")
_Figures = Callable[[Array], Mapping[str, Array]]
"""Takes weights (draws, n) and gives one value a draw, by the name of the figure."""


def paired_gain(
    figure: str,
    before: Callable[[Array], Array],
    after: Callable[[Array], Array],
    clusters: NDArray[np.int64],
    *,
    seed: int = 0,
) -> Bought:
    """Return a figure before and after, and the 95 % interval of the difference, resampled by whole clusters, paired.

    Both take weights (draws, n). The interval takes what was fitted as it is. There is none below ten clusters, nor where
    no resample differs from another.
    """
    return _gains(lambda w: {figure: before(w)}, lambda w: {figure: after(w)}, clusters, seed)[0]


def decisions_gain(
    labels: Flags, before: Flags, after: Flags, clusters: NDArray[np.int64], *, seed: int = 0
) -> tuple[Bought, ...]:
    """Return what decisions (n) gain over earlier ones on the same labels: balanced accuracy and both rates."""

    def rates(said: Flags, weights: Array) -> dict[str, Array]:
        table = Tables.of(labels, said, weights)
        return {rate: getattr(table, rate) for rate in RATES}

    return _gains(lambda w: rates(before, w), lambda w: rates(after, w), clusters, seed)


def _gains(before: _Figures, after: _Figures, clusters: NDArray[np.int64], seed: int) -> tuple[Bought, ...]:
    """Return every figure before and after; the same resamples serve all."""
    one = np.ones((1, len(clusters)))
    was, now = ({name: float(value[0]) for name, value in side(one).items()} for side in (before, after))
    draws: dict[str, list[Array]] = {name: [] for name in was if np.isfinite(was[name]) and np.isfinite(now[name])}
    if draws and len(np.unique(clusters)) >= FEWEST:
        for weights in resampled_weights(clusters, seed=seed):
            then, later = before(weights), after(weights)
            for name, found in draws.items():
                found.append(later[name] - then[name])
    return tuple(_bought(name, was[name], now[name], draws.get(name)) for name in was)


def _bought(figure: str, was: float, now: float, draws: Sequence[Array] | None) -> Bought:
    """Write a figure down; without `draws` it is not measurable on one of the sides, without any in them it has no interval."""
    if draws is None:
        return Bought(figure=figure, before=_known(was), after=_known(now))
    low, high = (percentile_interval(np.concatenate(draws)) if draws else None) or (None, None)
    return Bought(figure=figure, before=was, after=now, difference=now - was, low=low, high=high)


def _known(value: float) -> float | None:
    return value if np.isfinite(value) else None
