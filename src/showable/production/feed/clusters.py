"""Cores of groups: dense places in the space, joined where they lie close, the same whatever the order of the points.

HDBSCAN (Campello, Moulavi & Sander 2013, PAKDD: 160) with leaf selection finds many small dense cores, average linkage joins
those whose members lie within `MERGE` of one another on average. Leaves with a merge hold over a wide range of weights, where
the largest stable clusters of the same tree do not.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from showable.errors import SettingError
from showable.production.feed.space import Points

if TYPE_CHECKING:
    from sklearn.cluster import HDBSCAN

LEAST = 8
"""Distinct answers that make a core."""
_NEIGHBOURS = 5
"""scikit-learn counts the point itself: four others."""
MERGE = 0.8
LONE = 0.9
"""Mean distance of two points up to which points without a core are one group: HDBSCAN takes a lone dense group for noise."""
NOISE = -1
PARAMETERS = f"leaf {LEAST}/{_NEIGHBOURS}, merge {MERGE}, lone {LONE}"

Labels = NDArray[np.int64]


def cores(points: Points, apart: Collection[tuple[Sequence[int], Sequence[int]]] = ()) -> Labels:
    """Return the core that each point belongs to, from 0 in the order of first members, or NOISE: (points,).

    `apart` holds pairs of groups of points that people keep apart: no two cores that hold some of each are joined. Points are
    taken to be in a canonical order, which ties depend on. Raises SettingError where scikit-learn is not installed.
    """
    if len(points) < LEAST:
        return np.full(len(points), NOISE, dtype=np.int64)
    found = np.asarray(_hdbscan()(points), dtype=np.int64)
    if (found == NOISE).all():
        return np.full(len(points), 0 if _mean_distance(points) <= LONE else NOISE, dtype=np.int64)
    return _in_order(_merged(points, found, apart))


def _hdbscan() -> HDBSCAN:
    try:
        from sklearn.cluster import HDBSCAN  # noqa: PLC0415 - an extra, and a second to import
    except ImportError:
        raise SettingError("grouping failures needs scikit-learn: pip install 'showable[feed]'") from None
    return HDBSCAN(
        min_cluster_size=LEAST, min_samples=_NEIGHBOURS, metric="euclidean", cluster_selection_method="leaf", copy=True
    ).fit_predict


def _mean_distance(points: Points) -> float:
    """Return the mean distance of two different points, from a fixed sample where there are very many."""
    some = points[:: max(1, len(points) // 1000)].astype(np.float64)
    from scipy.spatial.distance import pdist  # noqa: PLC0415 - takes a while to import

    return float(pdist(some).mean())


def _merged(points: Points, found: Labels, apart: Collection[tuple[Sequence[int], Sequence[int]]]) -> Labels:
    """Join cores by average linkage on the mean distance of their members, up to MERGE, never those that people keep apart."""
    groups = [np.flatnonzero(found == label) for label in range(int(found.max()) + 1)]
    distance = _between(points, groups)
    sizes = np.array([len(group) for group in groups], dtype=np.float64)
    sides = [
        [{side for side, ids in enumerate(pair) if not set(ids).isdisjoint(group)} for group in groups]
        for pair in apart
    ]
    alive = list(range(len(groups)))
    joined: dict[int, list[int]] = {at: [at] for at in alive}
    while True:
        best = min(
            (
                (distance[a, b], a, b)
                for at, a in enumerate(alive)
                for b in alive[at + 1 :]
                if distance[a, b] <= MERGE and all(len(of[a] | of[b]) < 2 for of in sides)  # noqa: PLR2004 - both sides
            ),
            default=None,
        )
        if best is None:
            break
        _, a, b = best
        distance[a] = distance[:, a] = (sizes[a] * distance[a] + sizes[b] * distance[b]) / (sizes[a] + sizes[b])
        sizes[a] += sizes[b]
        joined[a] += joined.pop(b)
        for of in sides:
            of[a] = of[a] | of[b]
        alive.remove(b)
    merged = np.full(len(points), NOISE, dtype=np.int64)
    for label, parts in joined.items():
        for part in parts:
            merged[groups[part]] = label
    return merged


def _between(points: Points, groups: Sequence[NDArray[np.int64]]) -> NDArray[np.float64]:
    """Return the mean distance of the members of each two groups."""
    from scipy.spatial.distance import cdist  # noqa: PLC0415 - takes a while to import

    found = np.zeros((len(groups), len(groups)))
    for a, one in enumerate(groups):
        for b in range(a + 1, len(groups)):
            found[a, b] = found[b, a] = cdist(points[one], points[groups[b]]).mean()
    return found


def _in_order(labels: Labels) -> Labels:
    """Number cores by their first members."""
    seen = list(dict.fromkeys(int(label) for label in labels if label != NOISE))
    place = {label: at for at, label in enumerate(seen)} | {NOISE: NOISE}
    return np.array([place[int(label)] for label in labels], dtype=np.int64)
