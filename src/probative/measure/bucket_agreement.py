"""Agreement of the four buckets with a person's: the table, its kappa, and how much of each bucket is found again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from probative.measure.agreement import Array
from probative.measure.rates import Rate
from probative.records.findings import OutcomeCounts

BUCKETS = ("correct", "wrong", "unsupported", "refused")
ACCEPTABLE = frozenset({"correct", "refused"})
UNKNOWN = "unknown"


def confusion(labels: Sequence[str], scored: Sequence[str]) -> dict[str, dict[str, int]]:
    """Count every label (rows) against every bucket scored, `unknown` last (columns)."""
    counts = Counter(zip(labels, scored, strict=True))
    return {label: {bucket: counts[label, bucket] for bucket in (*BUCKETS, UNKNOWN)} for label in BUCKETS}


def recall(labels: Sequence[str], scored: Sequence[str]) -> dict[str, Rate]:
    """Give of each label the share scored alike, with the Wilson interval; what was scored `unknown` is counted beside."""
    table = confusion(labels, scored)
    found = {}
    for label, row in table.items():
        decided = sum(row.values()) - row[UNKNOWN]
        counts = OutcomeCounts(passed=row[label], failed=decided - row[label], unknown=row[UNKNOWN])
        found[label] = Rate.of(counts, label)
    return found


def bucket_kappas(labels: Sequence[str], scored: Sequence[str], weights: Array) -> Array:
    """Give Cohen's kappa of the four buckets under each weighting (draws, n) of the answers; NaN without disagreement by chance."""
    mine = np.array([[label == bucket for bucket in BUCKETS] for label in labels], dtype=np.float64)
    theirs = np.array([[bucket == score for bucket in BUCKETS] for score in scored], dtype=np.float64)
    total = weights.sum(axis=1)
    observed = (weights @ (mine * theirs).sum(axis=1)) / total
    expected = ((weights @ mine) * (weights @ theirs)).sum(axis=1) / total**2
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected < 1, (observed - expected) / (1 - expected), np.nan)


def bucket_accuracies(labels: Sequence[str], scored: Sequence[str], weights: Array) -> Array:
    """Give the share of answers in the bucket of their label under each weighting (draws, n)."""
    alike = np.array([mine == theirs for mine, theirs in zip(labels, scored, strict=True)], dtype=np.float64)
    return np.asarray((weights @ alike) / weights.sum(axis=1), dtype=np.float64)
