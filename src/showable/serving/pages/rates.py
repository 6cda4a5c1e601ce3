"""Rates as the dashboard shows them: of every answer where a rubric runs on every answer, else estimated from those judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from showable.measure.rates import percent
from showable.measure.weighted_rate import WeightedRate, counted_rate, weighted_rate
from showable.records.scorecard import Bucket
from showable.stores.traces.store import Count, Dimension

DIMENSIONS: tuple[Dimension, ...] = ("structural", "resolvability", "semantic", "bucket")
BUCKET_NAMES: frozenset[str] = frozenset(get_args(Bucket))
_DECIDED = frozenset({"pass", "fail"})
_TURNED = {"pass": "fail", "fail": "pass"}


@dataclass(frozen=True, slots=True)
class Measure:
    """One rate: the share of answers with `value` in `dimension`. `estimated` where only a sample was asked."""

    name: str
    title: str
    dimension: Dimension
    value: str
    tone: str
    estimated: bool
    about: str


RUBRICS = (
    Measure("structural", "structural: failed", "structural", "fail", "failed", estimated=False,
            about="A citation is missing, cut off, hidden or not in the schema."),
    Measure("resolvability", "resolvability: failed", "resolvability", "fail", "failed", estimated=False,
            about="A citation leads to no retrieved source, or its quotation or page is not there."),
    Measure("semantic", "semantic: failed", "semantic", "fail", "failed", estimated=True,
            about="A cited passage, read alone, does not say what the claim says."),
)  # fmt: skip
BUCKETS = (
    Measure("wrong", "wrong", "bucket", "wrong", "wrong", estimated=True,
            about="A retrieved passage contradicts the answer."),
    Measure("unsupported", "unsupported", "bucket", "unsupported", "unsupported", estimated=True,
            about="What the answer says is not shown by what it cites."),
    Measure("refused", "refused", "bucket", "refused", "refused", estimated=True, about="The answer declines."),
    Measure("correct", "correct", "bucket", "correct", "correct", estimated=True,
            about="Every claim is supported by what it cites."),
    Measure("unknown", "unknown", "bucket", "unknown", "unknown", estimated=True,
            about="Something could not be checked, and the bucket depends on it."),
)  # fmt: skip
MEASURES = (*RUBRICS, *BUCKETS)


@dataclass(frozen=True, slots=True)
class Figure:
    """A rate as a fraction with its 95 % interval; all three None where nothing could be checked.

    `n` is the number of answers it rests on, of `of` that there were; `said` is the whole of it in words.
    """

    share: float | None
    low: float | None
    high: float | None
    n: int
    of: int
    said: str

    @property
    def brief(self) -> str:
        """The rate with its interval alone: ``3.1 % [1.8, 5.3]``."""
        if self.share is None or self.low is None or self.high is None:
            return "not measured"
        return f"{percent(self.share)} % [{percent(self.low)}, {percent(self.high)}]"


def figure_of(measure: Measure, counts: Iterable[Count]) -> Figure:
    """Work a rate out of how often each value of its dimension came up."""
    rows = list(counts)
    return _estimated(measure, rows) if measure.estimated else _counted(rows)


def _counted(rows: Sequence[Count]) -> Figure:
    """Return the share that failed; `Rate` counts what passes, so the two change places."""
    rate = counted_rate([replace(row, value=_TURNED.get(row.value, row.value)) for row in rows])
    return Figure(rate.rate, rate.low, rate.high, rate.n, sum(row.n for row in rows), str(rate))


def _estimated(measure: Measure, rows: Sequence[Count]) -> Figure:
    """Estimate the share among all traffic from those judged, each weighing 1 / its probability of having been chosen."""
    rest = BUCKET_NAMES if measure.dimension == "bucket" else _DECIDED
    rate = weighted_rate(rows, passing={measure.value}, failing=rest - {measure.value})
    judged = sum(row.chosen for row in rows)
    return Figure(rate.rate, rate.low, rate.high, rate.read, rate.answers, _said(rate, judged))


def _said(rate: WeightedRate, judged: int) -> str:
    if rate.rate is None or rate.low is None or rate.high is None:
        if judged:
            return f"not measured (0 of {judged:,} judged could be decided)"
        return f"not measured (0 of {rate.answers:,} judged)"
    beside = f"; {rate.unknown:,} of those judged unknown" if rate.unknown else ""
    from_ = f"estimated from {rate.read:,} judged of {rate.answers:,}"
    return f"{percent(rate.rate)} % (95 % CI {percent(rate.low)}–{percent(rate.high)}), {from_}{beside}"


@dataclass(frozen=True, slots=True)
class Table:
    """Counts by dimension, group and step of time, added up in no other way. The groups with the most answers come first."""

    whole: Mapping[str, Sequence[Count]]
    by_group: Mapping[tuple[str, str], Sequence[Count]]
    by_step: Mapping[tuple[str, str, int], Sequence[Count]]
    groups: tuple[str, ...]

    def rows(self, dimension: str, group: str | None = None, at_ns: int | None = None) -> Sequence[Count]:
        """Return what is of a dimension: of one step of one group, of one group, or all."""
        if group is None:
            return self.whole.get(dimension, ())
        if at_ns is None:
            return self.by_group.get((dimension, group), ())
        return self.by_step.get((dimension, group, at_ns), ())

    def answers(self, group: str | None = None) -> tuple[int, int]:
        """Count the answers of a group, or all, and those judged: each has one bucket."""
        rows = self.rows("bucket", group)
        return sum(row.n for row in rows), sum(row.chosen for row in rows)


def table_of(counts: Iterable[Count]) -> Table:
    """Put counts in order."""
    whole: dict[str, list[Count]] = {}
    by_group: dict[tuple[str, str], list[Count]] = {}
    by_step: dict[tuple[str, str, int], list[Count]] = {}
    sizes: dict[str, int] = {}
    for one in counts:
        whole.setdefault(one.dimension, []).append(one)
        by_group.setdefault((one.dimension, one.group), []).append(one)
        by_step.setdefault((one.dimension, one.group, one.at_ns), []).append(one)
        sizes[one.group] = sizes.get(one.group, 0) + (one.n if one.dimension == "bucket" else 0)
    return Table(whole, by_group, by_step, tuple(sorted(sizes, key=lambda name: (-sizes[name], name))))
