"""What guarded answers cost, by route: dollars by release, tokens, and what structure takes of them, with intervals."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from showable.production.guard.call_rows import CallRow

RESAMPLES, SEED = 2_000, 0
FEWEST = 10
"""Calls below which no interval is given."""
_DELIVERED = frozenset({"show", "rewritten", "unverified"})


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean of `n` values with its 95 % interval (percentile bootstrap); None where there are too few."""

    value: float | None
    n: int
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class RouteCosts:
    """The costs of one route. `unknown` counts calls whose cost is not known: they are in no sum of dollars."""

    route: str
    calls: int
    releases: dict[str, int]
    usd: dict[str, float]
    unknown: int
    usd_per_shown: float | None
    output: Mean
    structure: Mean


def costs_by_route(rows: Iterable[CallRow]) -> list[RouteCosts]:
    """Add rows up by route, in order of name. What is spent on answers that are not shown counts towards those that are."""
    grouped: defaultdict[str, list[CallRow]] = defaultdict(list)
    for row in rows:
        grouped[row.route].append(row)
    return [_costs(route, grouped[route]) for route in sorted(grouped)]


def difference(rows: Sequence[CallRow], route: str, other: str) -> tuple[Mean, Mean]:
    """Return how much more output tokens, and dollars, a call of `route` takes than one of `other`."""
    mine, theirs = ([row for row in rows if row.route == name] for name in (route, other))
    tokens = _apart(
        [float(row.output) for row in mine if row.output is not None],
        [float(row.output) for row in theirs if row.output is not None],
    )
    usd = _apart([row.usd for row in mine if row.usd is not None], [row.usd for row in theirs if row.usd is not None])
    return tokens, usd


def _costs(route: str, rows: Sequence[CallRow]) -> RouteCosts:
    usd: Counter[str] = Counter()
    for row in rows:
        usd[row.release] += row.usd or 0.0  # type: ignore[assignment]
    unknown = sum(row.usd is None for row in rows)
    shown = sum(row.release in _DELIVERED for row in rows)
    return RouteCosts(
        route=route,
        calls=len(rows),
        releases=dict(Counter(row.release for row in rows)),
        usd=dict(usd),
        unknown=unknown,
        usd_per_shown=sum(usd.values()) / shown if shown and not unknown else None,
        output=_mean([float(row.output) for row in rows if row.output is not None]),
        structure=_mean([row.structure for row in rows if row.structure is not None]),
    )


def _mean(values: Sequence[float]) -> Mean:
    if len(values) < FEWEST:
        return Mean(sum(values) / len(values) if values else None, len(values))
    means = _resampled(values, SEED)
    low, high = np.quantile(means, [0.025, 0.975])
    return Mean(float(np.mean(values)), len(values), float(low), float(high))


def _apart(mine: Sequence[float], theirs: Sequence[float]) -> Mean:
    n = min(len(mine), len(theirs))
    if n == 0:
        return Mean(None, 0)
    value = float(np.mean(mine) - np.mean(theirs))
    if n < FEWEST:
        return Mean(value, n)
    low, high = np.quantile(_resampled(mine, SEED) - _resampled(theirs, SEED + 1), [0.025, 0.975])
    return Mean(value, n, float(low), float(high))


def _resampled(values: Sequence[float], seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return the means of resamples. Drawing how often each value comes up is the same as drawing the values."""
    array = np.asarray(values, dtype=np.float64)
    generator = np.random.default_rng(seed)
    drawn = [array[generator.integers(0, len(array), len(array))].mean() for _ in range(RESAMPLES)]
    return np.asarray(drawn)
