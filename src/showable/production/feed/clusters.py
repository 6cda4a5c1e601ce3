"""Cores of groups: dense places in the space, joined where they lie close, the same whatever the order of the points.

HDBSCAN (Campello, Moulavi & Sander 2013, PAKDD: 160) with leaf selection finds many small dense cores, average linkage joins
those whose members lie within `MERGE` of one another on average. Leaves with a merge hold over a wide range of weights, where
the largest stable clusters of the same tree do not. Leaves come and go as data grow, so what stood apart in the last batch is told
apart first, and joined again only where it lies near.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from showable.errors import SettingError
from showable.production.feed.space import Points, squares
from showable.production.feed.word_layer import DIMENSIONS

if TYPE_CHECKING:
    from sklearn.cluster import HDBSCAN

LEAST = 8
"""Distinct answers that make a core."""
_NEIGHBOURS = 5
"""scikit-learn counts the point itself: four others."""
MERGE = 0.65
STEADY = 0.06
"""Mean distance up to which cores are joined; by how much of it more where they were together before, and less where apart."""
LONE, SAME = 0.9, 0.1
"""Mean distance of two points up to which points without a core are one group: HDBSCAN takes a lone dense group for noise.

Up to it cores are joined, too, whose findings are the same, at most SAME apart: one failure, whatever the subject.
"""
NOISE = -1
PARAMETERS = f"leaf {LEAST}/{_NEIGHBOURS}, merge {MERGE}±{STEADY}, lone {LONE}, same {SAME}"

Labels = NDArray[np.int64]


def cores(
    points: Points,
    apart: Collection[tuple[Sequence[int], Sequence[int]]] = (),
    before: Sequence[str | None] | None = None,
) -> Labels:
    """Return the core that each point belongs to, from 0 in the order of first members, or NOISE: (points,).

    `apart` holds pairs of groups of points that people keep apart: no two cores that hold some of each are joined. `before` names
    the group that each point was in: what was together is joined more easily, what was not less so. Points are taken to be in a
    canonical order, which ties depend on. Raises SettingError where scikit-learn is not installed.
    """
    if len(points) < LEAST:
        return np.full(len(points), NOISE, dtype=np.int64)
    found = np.asarray(_hdbscan()(points), dtype=np.int64)
    if (found == NOISE).all():
        return np.full(len(points), 0 if _mean_distance(points) <= LONE else NOISE, dtype=np.int64)
    before = before or [None] * len(points)
    leaves = (np.flatnonzero(found == label) for label in range(int(found.max()) + 1))
    groups = [part for leaf in leaves for part in _parts(points, leaf, before)]
    limit = _limits(groups, before)
    limit[_between(points[:, :-DIMENSIONS], groups) <= SAME] = LONE
    for pair in apart:
        one, other = (np.array([not ids.isdisjoint(group) for group in groups]) for ids in map(set, pair))
        limit[np.outer(one, other) | np.outer(other, one)] = -np.inf
    merged = np.full(len(points), NOISE, dtype=np.int64)
    for label, parts in enumerate(_joined(_between(points, groups), [len(group) for group in groups], limit)):
        for part in parts:
            merged[groups[part]] = label
    return _in_order(merged)


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


def _parts(points: Points, leaf: NDArray[np.int64], before: Sequence[str | None]) -> Iterator[NDArray[np.int64]]:
    """Yield the parts of a leaf that were groups of their own before, what is new with the nearest; else the leaf whole."""
    counts = Counter(name for row in leaf if (name := before[row]) is not None)
    names = sorted(name for name, n in counts.items() if n >= LEAST)
    known = np.array([names.index(name) if (name := before[row]) in names else NOISE for row in leaf])
    if len(names) > 1:
        from scipy.spatial.distance import cdist  # noqa: PLC0415 - takes a while to import

        new = known == NOISE
        away = [cdist(points[leaf[new]], points[leaf[known == at]]).min(axis=1) for at in range(len(names))]
        known[new] = np.argmin(away, axis=0)
        yield from (leaf[known == at] for at in range(len(names)))
    else:
        yield leaf


def _limits(groups: Sequence[NDArray[np.int64]], before: Sequence[str | None]) -> NDArray[np.float64]:
    """Return up to which distance each two cores are joined: MERGE, more or less by STEADY where both were somewhere before."""
    counts = [Counter(name for row in group if (name := before[row]) is not None) for group in groups]
    names = np.array([max(sorted(held), key=lambda name: held[name], default="") for held in counts])
    known = np.outer(names != "", names != "")
    alike = names[:, None] == names[None, :]
    return MERGE * np.where(known, np.where(alike, 1 + STEADY, 1 - STEADY), 1.0)


def _joined(distance: NDArray[np.float64], lengths: Sequence[int], limit: NDArray[np.float64]) -> list[list[int]]:
    """Join cores by average linkage on the mean distance of their members while a pair lies within its limit: lists of cores.

    The nearest pair comes first, ties by the order of cores. What is joined takes on the limits of both parts, each by its share.
    """
    sizes, away, limit = np.array(lengths, dtype=np.float64), distance.copy(), limit.copy()
    np.fill_diagonal(away, np.inf)
    joined = {at: [at] for at in range(len(lengths))}
    while True:
        near = np.where(away <= limit, away, np.inf)
        a, b = divmod(int(np.argmin(near)), len(sizes))
        if not np.isfinite(near[a, b]):
            return list(joined.values())
        share = sizes[a] / (sizes[a] + sizes[b])
        for of in (away, limit):
            of[a] = of[:, a] = share * of[a] + (1 - share) * of[b]
        away[a, a] = np.inf
        away[b], away[:, b] = np.inf, np.inf
        sizes[a] += sizes[b]
        joined[a] += joined.pop(b)


def _between(points: Points, groups: Sequence[NDArray[np.int64]]) -> NDArray[np.float64]:
    """Return the mean distance of the members of each two groups: (groups, groups)."""
    rows, sizes = np.concatenate(groups), np.array([len(group) for group in groups])
    of_row, first = np.repeat(np.arange(len(groups)), sizes), np.cumsum(sizes) - sizes
    total = np.zeros((len(groups), len(groups)))
    for at, away in squares(points[rows], points[rows]):
        np.add.at(total, of_row[at : at + len(away)], np.add.reduceat(np.sqrt(away, out=away), first, axis=1))
    return total / np.outer(sizes, sizes)


def _in_order(labels: Labels) -> Labels:
    """Number cores by their first members."""
    seen = list(dict.fromkeys(int(label) for label in labels if label != NOISE))
    place = {label: at for at, label in enumerate(seen)} | {NOISE: NOISE}
    return np.array([place[int(label)] for label in labels], dtype=np.int64)
