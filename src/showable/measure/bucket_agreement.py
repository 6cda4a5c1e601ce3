"""Agreement of the four buckets with a person's: the table, its kappa, and how much of each bucket is found again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from showable.measure.agreement import Array, weighted_kappas
from showable.measure.rates import Rate
from showable.records.findings import OutcomeCounts

BUCKETS = ("correct", "wrong", "unsupported", "refused")
ACCEPTABLE = frozenset({"correct", "refused"})
UNKNOWN = "unknown"


def confusion(labels: Sequence[str], scored: Sequence[str]) -> dict[str, dict[str, int]]:
    """Count every label (rows) against every bucket scored, `unknown` last (columns)."""
    counts = Counter(zip(labels, scored, strict=True))
    return {label: {bucket: counts[label, bucket] for bucket in (*BUCKETS, UNKNOWN)} for label in BUCKETS}


def recall(labels: Sequence[str], scored: Sequence[str]) -> dict[str, Rate]:
    """Return of each label the share scored alike, with the Wilson interval; what was scored `unknown` is counted beside."""
    table = confusion(labels, scored)
    found = {}
    for label, row in table.items():
        decided = sum(row.values()) - row[UNKNOWN]
        counts = OutcomeCounts(passed=row[label], failed=decided - row[label], unknown=row[UNKNOWN])
        found[label] = Rate.of(counts, label)
    return found


def bucket_kappas(labels: Sequence[str], scored: Sequence[str], weights: Array) -> Array:
    """Return Cohen's kappa of the four buckets under each weighting (draws, n) of the answers; NaN without disagreement by chance."""
    mine, theirs = (np.array([BUCKETS.index(bucket) for bucket in side], dtype=np.int64) for side in (labels, scored))
    return weighted_kappas(mine, theirs, 1 - np.eye(len(BUCKETS)), weights)


def bucket_accuracies(labels: Sequence[str], scored: Sequence[str], weights: Array) -> Array:
    """Return the share of answers in the bucket of their label under each weighting (draws, n)."""
    alike = np.array([mine == theirs for mine, theirs in zip(labels, scored, strict=True)], dtype=np.float64)
    return np.asarray((weights @ alike) / weights.sum(axis=1), dtype=np.float64)
