"""Soft membership: with which probability an answer belongs to each group, by its distance to the group's exemplars."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from showable.production.feed.clusters import NOISE, Labels
from showable.production.feed.space import Points, squares

EXEMPLARS = 25
KEPT = 0.05
MEMBER = 0.5
"""The probability from which an answer is a member; below it, it is not grouped."""
_STEEP = 8.0
_NOWHERE = 1.25
"""Radii at which an answer belongs to a group and to none alike."""
_NEAR = 5
WITHIN = 0.9
_DENSE = 0.75
_MOST = 2_000
_LEAST_RADIUS = 0.05
PARAMETERS = f"exemplars {EXEMPLARS}, steep {_STEEP}, nowhere {_NOWHERE}, within {WITHIN}"

Probabilities = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Group:
    """A group as answers are held against it: its exemplars, and the distance within which its own members lie."""

    exemplars: Points
    rows: NDArray[np.int64]
    radius: float


def groups_of(points: Points, labels: Labels) -> list[Group]:
    """Return the groups of core labels: exemplars among their denser members, and their radius."""
    return [_group(points, np.flatnonzero(labels == label)) for label in range(int(labels.max(initial=NOISE)) + 1)]


def probabilities(points: Points, groups: list[Group], labels: Labels | None = None) -> Probabilities:
    """Return the probability of each group for each point: (points, groups). What is left to 1 belongs to none.

    Core members, where `labels` says so, keep their group: it gets at least MEMBER, the others share the rest.
    """
    found = np.zeros((len(points), len(groups)))
    if groups and len(points):
        first = np.cumsum([0, *(len(group.exemplars) for group in groups[:-1])])
        radii = np.array([group.radius for group in groups])
        for at, away in squares(points, np.concatenate([group.exemplars for group in groups])):
            distance = np.sqrt(np.minimum.reduceat(away, first, axis=1))
            weights = np.exp(-_STEEP * (distance / radii - 1))
            nowhere = np.exp(-_STEEP * (_NOWHERE - 1))
            found[at : at + len(away)] = weights / (weights.sum(axis=1, keepdims=True) + nowhere)
    if labels is not None:
        _keep_cores(found, labels)
    return found


def nearest(points: Points, exemplars: Points) -> NDArray[np.float64]:
    """Return the distance of each point to the nearest exemplar."""
    parts = [away.min(axis=1) for _, away in squares(points, exemplars)]
    return np.sqrt(np.concatenate(parts)) if parts else np.zeros(0)


def _group(points: Points, rows: NDArray[np.int64]) -> Group:
    """Build a group from its core: exemplars spread over its denser part, since a joined core has several dense places."""
    from scipy.spatial.distance import cdist  # noqa: PLC0415 - takes a while to import

    some = rows[:: max(1, len(rows) // _MOST)]
    distance = cdist(points[some], points[some])
    near = np.sort(distance, axis=1)[:, : _NEAR + 1].mean(axis=1).round(6)
    dense = np.flatnonzero(near <= np.quantile(near, _DENSE))
    chosen = [int(dense[np.argmin(near[dense])])]
    away = distance[chosen[0]][dense]
    while len(chosen) < EXEMPLARS and away.max() > 0:  # farthest first; of equals the one that comes first
        chosen.append(int(dense[np.argmax(away.round(6))]))
        away = np.minimum(away, distance[chosen[-1]][dense])
    exemplars = points[some[chosen]]
    reach = np.quantile(nearest(points[rows], exemplars), WITHIN)
    return Group(exemplars, some[chosen], max(float(reach), _LEAST_RADIUS))


def _keep_cores(found: Probabilities, labels: Labels) -> None:
    """Give core members at least MEMBER of their group."""
    for row in np.flatnonzero(labels != NOISE):
        own = int(labels[row])
        if found[row, own] < MEMBER:
            rest = found[row].sum() - found[row, own]
            found[row] *= MEMBER / rest if rest > MEMBER else 1.0
            found[row, own] = MEMBER
