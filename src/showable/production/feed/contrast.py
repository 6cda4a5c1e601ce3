"""What occurs with a group of failures and not with passing answers, corrected for the many things that are looked at.

For each group, field and value: Fisher's exact test, one-sided, of the value among members against passing answers of the same
services or documents; then Benjamini & Hochberg (1995, J. R. Stat. Soc. B 57: 289) over all tests of the batch. Without the
correction more than half of random groups "have" a cause.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from showable.production.feed.answers import DOCUMENT
from showable.production.feed.nouns import Contrast

Q, ODDS, LEAST = 0.05, 2.0, 8
"""A value is told of where its q is at most Q, its odds ratio at least ODDS, and at least LEAST members have it."""
_MOST_VALUES = 60
"""Values that a field may have in a batch: one with more tells answers apart, not circumstances. Documents may be more."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """How an answer came about: values by field, the service, and the weight in shares."""

    fields: Mapping[str, tuple[str, ...]]
    service: str
    weight: float


@dataclass(frozen=True, slots=True)
class _Row:
    group: int
    field: str
    value: str
    counts: tuple[int, int, int, int]
    shares: tuple[float, float]
    p: float


def contrasts(groups: Sequence[Sequence[Circumstances]], passing: Sequence[Circumstances]) -> list[list[Contrast]]:
    """Return for each group what occurs with it, the surest first; and nothing where nothing was shown."""
    wide = _wide([one for group in groups for one in group] + list(passing))
    rows = [row for at, group in enumerate(groups) for row in _rows(at, group, _baseline(group, passing), wide)]
    q = _benjamini_hochberg([row.p for row in rows])
    found: list[list[Contrast]] = [[] for _ in groups]
    for row, share in zip(rows, q, strict=True):
        a, b, c, d = (n + 0.5 for n in row.counts)
        odds = a * d / (b * c)
        if share <= Q and odds >= ODDS and row.counts[0] >= LEAST:
            found[row.group].append(
                Contrast(
                    field=row.field,
                    value=row.value,
                    share_in=round(row.shares[0], 4),
                    share_out=round(row.shares[1], 4),
                    odds=round(odds, 2),
                    q=float(f"{share:.3g}"),
                    n=row.counts[0],
                )
            )
    return [sorted(one, key=lambda row: (row.q, -row.odds, row.field, row.value)) for one in found]


def _baseline(group: Sequence[Circumstances], passing: Sequence[Circumstances]) -> list[Circumstances]:
    """Return the passing answers of the group's services or documents: else the topic would explain everything.

    Where nothing is known of either, all passing answers.
    """
    services = {one.service for one in group if one.service}
    documents = {name for one in group for name in one.fields.get(DOCUMENT, ())}
    if not services and not documents:
        return list(passing)
    return [one for one in passing if one.service in services or not documents.isdisjoint(one.fields.get(DOCUMENT, ()))]


def _rows(
    at: int, group: Sequence[Circumstances], baseline: Sequence[Circumstances], wide: frozenset[str]
) -> Iterable[_Row]:
    if not baseline or not group:
        return
    from scipy.stats import hypergeom  # noqa: PLC0415 - over a second to import

    inside, outside = _counted(group), _counted(baseline)
    n_in, n_out = len(group), len(baseline)
    for (field, value), (n, weight) in sorted(inside.items()):
        if field in wide:
            continue
        there, weight_out = outside.get((field, value), (0, 0.0))
        p = float(hypergeom.sf(n - 1, n_in + n_out, n + there, n_in))
        shares = (weight / sum(one.weight for one in group), weight_out / sum(one.weight for one in baseline))
        yield _Row(at, field, value, (n, n_in - n, there, n_out - there), shares, p)


def _counted(answers: Iterable[Circumstances]) -> dict[tuple[str, str], tuple[int, float]]:
    counts: dict[tuple[str, str], tuple[int, float]] = {}
    for one in answers:
        for field, values in one.fields.items():
            for value in values:
                n, weight = counts.get((field, value), (0, 0.0))
                counts[field, value] = (n + 1, weight + one.weight)
    return counts


def _wide(answers: Iterable[Circumstances]) -> frozenset[str]:
    """Return the fields that have too many values to be a circumstance."""
    pairs = {(field, value) for one in answers for field, values in one.fields.items() for value in values}
    counts = Counter(field for field, _ in pairs)
    return frozenset(field for field, n in counts.items() if n > _MOST_VALUES and field != DOCUMENT)


def _benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """Return the q of each test: the least false-discovery rate at which it would be told of."""
    if not p:
        return []
    order = np.argsort(p, kind="stable")
    ranked = np.asarray(p, dtype=np.float64)[order] * len(p) / np.arange(1, len(p) + 1)
    q = np.empty(len(p))
    q[order] = np.minimum(1.0, np.minimum.accumulate(ranked[::-1])[::-1])
    return q.tolist()
