"""Whether scores are spread as they were: the population stability index and the Kolmogorov-Smirnov test, block by block.

Blocks are whole and do not overlap, so that looking twice at the same answers is no second chance for a false alarm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from showable.measure.agreement import Array

BLOCK = 250
_BINS = 10
_SHUFFLES = 9_999
FINEST = 1 / (1 + _SHUFFLES)
"""The lowest p that shuffles can give: held against a lower level, the index could never alarm."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A block beside the baseline: where it begins (from 0), its statistic, and the p of that where nothing has changed."""

    start: int
    value: float
    p: float


def blocks_in(horizon: int) -> int:
    """Return the number of blocks that a horizon holds, at least one."""
    return max(1, horizon // BLOCK)


def whole_blocks(count: int, horizon: int) -> list[int]:
    """Return where the whole blocks within the last `horizon` of so many scores begin. They are counted from the baseline."""
    return [start * BLOCK for start in range(count // BLOCK)][-blocks_in(horizon) :]


def stability_index(before: Sequence[float], after: Sequence[float]) -> float:
    """Return the population stability index of shares in bins: the sum of (after - before) · ln(after / before).

    Half a count is added to each bin, so that an empty one is not infinite. Siddiqi (2006), Credit Risk Scorecards, ch. 9.
    """
    return float(_index(np.asarray(before, dtype=np.float64) + 0.5, np.asarray(after, dtype=np.float64) + 0.5))


def _index(before: Array, after: Array) -> Array:
    b = before / before.sum(axis=-1, keepdims=True)
    a = after / after.sum(axis=-1, keepdims=True)
    return np.asarray(((a - b) * np.log(a / b)).sum(axis=-1))


def index_moved(before: Array, after: Array, start: int, seed: int) -> Moved:
    """Hold the index of two samples against that of the same scores dealt out at random (9,999 seeded shuffles).

    Bins are tenths of both samples together, so that every deal is as likely as the one at hand. The usual limits of
    the index (0.1, 0.25) say nothing of how often chance alone passes them, and are not used.
    """
    both = np.concatenate([before, after])
    edges = np.unique(np.quantile(both, np.linspace(0, 1, _BINS + 1)[1:-1]))
    counts = [
        np.bincount(np.searchsorted(edges, part, side="right"), minlength=len(edges) + 1) for part in (before, after)
    ]
    value = stability_index(counts[0].tolist(), counts[1].tolist())
    pooled = counts[0] + counts[1]
    dealt = np.random.default_rng(seed).multivariate_hypergeometric(pooled, len(after), size=_SHUFFLES)
    by_chance = _index((pooled - dealt + 0.5).astype(np.float64), (dealt + 0.5).astype(np.float64))
    return Moved(start, value, float((1 + (by_chance >= value - 1e-12).sum()) / (1 + _SHUFFLES)))


def spread_moved(before: Array, after: Array, start: int) -> Moved:
    """Test two samples by the largest distance of their distribution functions (Kolmogorov-Smirnov, two-sided)."""
    from scipy.stats import ks_2samp  # noqa: PLC0415 - over a second to import

    found = ks_2samp(before, after)
    return Moved(start, float(found.statistic), float(found.pvalue))
