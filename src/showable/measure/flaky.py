"""What differs between repeats of one run: the questions that come out differently, and the spread of every count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum

from showable.measure.repeats import GateRow, fold_repeats
from showable.measure.worst import SEVERITY
from showable.records.scorecard import Bucket
from showable.records.wire import Many, Wire

ACCEPTABLE = "acceptable"
_BUCKETS: tuple[Bucket, ...] = ("correct", "refused", "wrong", "unsupported", "unknown")


class FlakyQuestion(Wire):
    """A question whose bucket differs between repeats: its bucket in each, in order, and the one that counts.

    `acceptable_differs` tells that it may be shown after some repeats and not after others.
    """

    id: str
    category: str | None = None
    buckets: Many[Bucket]
    counted: Bucket
    acceptable_differs: bool


class Spread(Wire):
    """How many questions of each repeat, in order, are in a bucket (or acceptable): the counts, and their range and mean."""

    name: str
    counts: Many[int]
    low: int
    high: int
    mean: float

    def __str__(self) -> str:
        """Say it in brief: ``12–15, mean 13.3``, or the one number where all are the same."""
        return str(self.low) if self.low == self.high else f"{self.low}–{self.high}, mean {self.mean:.1f}"


def flaky(runs: Sequence[Sequence[GateRow]]) -> tuple[FlakyQuestion, ...]:
    """Return the questions whose bucket differs between repeats, the worst first; none where there is one run.

    First those that are acceptable in some repeats only, then by the worst bucket reached, then by id. Raises
    SettingError where the repeats hold different questions.
    """
    if len(runs) < 2:  # noqa: PLR2004 - one run cannot differ from itself
        return ()
    folded = fold_repeats(runs)
    by_run = [{row.id: row.bucket for row in run} for run in runs]
    found = [_flaky(row, tuple(buckets[row.id] for buckets in by_run)) for row in folded]
    return tuple(sorted((question for question in found if question is not None), key=_place))


def spread(runs: Sequence[Sequence[GateRow]]) -> tuple[Spread, ...]:
    """Return the spread of every bucket's count over the repeats, in the order of every table, and of the acceptable answers last."""
    named: list[tuple[str, Callable[[GateRow], bool]]] = [(name, _is_in(name)) for name in _BUCKETS]
    named.append((ACCEPTABLE, lambda row: row.acceptable))
    return tuple(_spread(name, [sum(map(holds, run)) for run in runs]) for name, holds in named if runs)


def _is_in(bucket: Bucket) -> Callable[[GateRow], bool]:
    return lambda row: row.bucket == bucket


def _flaky(row: GateRow, buckets: tuple[Bucket, ...]) -> FlakyQuestion | None:
    if len(set(buckets)) == 1:
        return None
    acceptable = {bucket in {"correct", "refused"} for bucket in buckets}
    return FlakyQuestion(
        id=row.id,
        category=row.category,
        buckets=buckets,
        counted=row.bucket,
        acceptable_differs=len(acceptable) > 1,
    )


def _place(question: FlakyQuestion) -> tuple[bool, int, str]:
    return not question.acceptable_differs, min(SEVERITY[bucket] for bucket in question.buckets), question.id


def _spread(name: str, counts: Sequence[int]) -> Spread:
    return Spread(name=name, counts=tuple(counts), low=min(counts), high=max(counts), mean=fsum(counts) / len(counts))
