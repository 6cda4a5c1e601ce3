"""A threshold of a file's own, fitted on one part of it and applied to another, so that the figure is not flattered."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from showable.measure.agreement import Array, Flags

FOLDS = 5
FEWEST_CLUSTERS = 10


def best_threshold(labels: Flags, p: Array, fallback: float) -> float:
    """Return the threshold of p with the highest balanced accuracy; of equals the nearest to `fallback`.

    Thresholds lie midway between neighbouring values of p. With one class alone there is none: the fallback.
    """
    if labels.all() or not labels.any():
        return fallback
    values = np.unique(p)
    cuts = np.concatenate([[values[0]], (values[1:] + values[:-1]) / 2, [np.nextafter(values[-1], 2.0)]])
    positive, negative = np.sort(p[labels]), np.sort(p[~labels])
    tpr = 1 - np.searchsorted(positive, cuts) / len(positive)
    tnr = np.searchsorted(negative, cuts) / len(negative)
    gain = tpr + tnr
    best = cuts[gain >= gain.max() - 1e-12]
    return float(best[np.argmin(np.abs(best - fallback))])


def dealt_folds(clusters: NDArray[np.int64], *, seed: int = 0) -> NDArray[np.int64] | None:
    """Deal whole clusters out to five parts by the seed, and give each row's part; None below ten clusters.

    `clusters` numbers them from 0, as `number_clusters` does.
    """
    count = int(clusters.max()) + 1 if len(clusters) else 0
    if count < FEWEST_CLUSTERS:
        return None
    return np.asarray((np.random.default_rng(seed).permutation(count) % FOLDS)[clusters], dtype=np.int64)


def cross_fitted(
    labels: Flags, p: Array, clusters: NDArray[np.int64], fallback: float, *, seed: int = 0
) -> tuple[Flags, tuple[float, ...]]:
    """Decide each of five parts at the threshold fitted on the other four; give decisions and thresholds.

    Parts are whole clusters, dealt out by the seed. Below ten clusters nothing is fitted: `fallback` decides, and no
    threshold is given.
    """
    fold = dealt_folds(clusters, seed=seed)
    if fold is None:
        return p >= fallback, ()
    said = np.zeros(len(p), dtype=np.bool_)
    thresholds = []
    for number in range(FOLDS):
        held = fold == number
        threshold = best_threshold(labels[~held], p[~held], fallback)
        said[held] = p[held] >= threshold
        thresholds.append(threshold)
    return said, tuple(thresholds)
