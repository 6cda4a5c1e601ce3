"""One run on its way into a comparison: added up answer by answer, over all of its repeats, keeping little of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from statistics import median

from showable.measure.bootstrap import ClusterCounts
from showable.measure.comparison import CategoryShare, Extra, Latency, Quality, Refusals, Row, Share, Spent
from showable.measure.expectations import UNCATEGORISED, in_order
from showable.measure.flaky import Spread, flaky, spread
from showable.measure.measures import citation_exists, citation_supports, over_refusal
from showable.measure.rates import Rate, wilson_interval
from showable.measure.repeats import GateRow, as_expected, fold_repeats
from showable.measure.summary import BUCKETS, HIGHEST_QUALITY
from showable.records.asking import AskFacts, PipelineFacts
from showable.records.evidence import Cost
from showable.records.findings import OutcomeCounts
from showable.records.outline import Outline
from showable.records.scorecard import Scorecard

_NONE = OutcomeCounts()


@dataclass
class Contender:
    """A run, or repeats of one. `begin_run` and then `add` a scorecard at a time; at the end `row` gives the row."""

    name: str
    folder: str
    pipeline: PipelineFacts | None
    runs: list[list[GateRow]] = field(default_factory=list)
    asked: list[AskFacts | None] = field(default_factory=list)
    _due: dict[str, bool] = field(default_factory=dict)
    _over: dict[tuple[str, str, str | None], OutcomeCounts] = field(default_factory=dict)
    _exists: dict[str, OutcomeCounts] = field(default_factory=dict)
    _supports: dict[str, OutcomeCounts] = field(default_factory=dict)

    def begin_run(self) -> None:
        """Begin the next repeat."""
        self.runs.append([])

    def add(self, card: Scorecard | Outline, asked: AskFacts | None) -> None:
        """Add one answer of the repeat that was begun last."""
        self.runs[-1].append(GateRow.of(card))
        self.asked.append(asked)
        self._due[card.id] = refusal_is_due(card)
        self._over[card.id, card.bucket, card.cause] = over_refusal(card)
        _plus(self._exists, card.id, citation_exists(card))
        _plus(self._supports, card.id, citation_supports(card))

    def folded(self) -> list[GateRow]:
        """Return one row a question. Raises SettingError where the repeats hold different questions."""
        return fold_repeats(self.runs, f"{self.folder} run")

    def row(self, number: int, *, seed: int) -> Row:
        """Return the row of the comparison. Raises SettingError where the repeats hold different questions."""
        rows = self.folded()
        spreads = {one.name: one for one in spread(self.runs)} if len(self.runs) > 1 else {}
        return Row(
            number=number,
            name=self.name,
            folder=self.folder,
            pipeline=self.pipeline,
            repeats=len(self.runs),
            flaky=len(flaky(self.runs)),
            n=len(rows),
            buckets={b: share_of(rows, is_in(b), spreads.get(b)) for b in BUCKETS},
            acceptable=share_of(rows, lambda row: row.acceptable, spreads.get("acceptable")),
            refusals=self._refused(rows),
            citation_exists=_rate("citation_exists", self._exists, seed, repeated=len(self.runs) > 1),
            citation_supports=_rate("citation_supports", self._supports, seed, repeated=len(self.runs) > 1),
            refusal_quality=_quality(rows, seed, most=len(self.runs)),
            extra_claim_count=_extra(rows),
            categories=_categories(rows),
            latency=_latency([ask.seconds for ask in self.asked if ask is not None]),
            cost=_spent([None if ask is None else ask.cost for ask in self.asked]),
            errors=sum(ask is not None and ask.error is not None for ask in self.asked),
        )

    def _refused(self, rows: Sequence[GateRow]) -> Refusals:
        due = [row for row in rows if self._due[row.id]]
        over = {row.id: counts for row in rows if (counts := self._over_refusal_of(row)).passed + counts.failed}
        return Refusals(
            right=share_of(due, is_in("refused")),
            over=share_of([row for row in rows if row.id in over], lambda row: over[row.id].passed > 0),
        )

    def _over_refusal_of(self, row: GateRow) -> OutcomeCounts:
        """Count a question as its answers that came out as the question did are counted."""
        return self._over.get((row.id, row.bucket, row.cause), _NONE)


def refusal_is_due(card: Scorecard | Outline) -> bool:
    """Check whether a refusal is the only right outcome: gold expects nothing else, or says that it is unanswerable."""
    return set(card.expected) == {"refused"} if card.expected else card.answerable is False


def is_in(bucket: str) -> Callable[[GateRow], bool]:
    """Return a question to a row: is it in this bucket?"""
    return lambda row: row.bucket == bucket


def share_of(rows: Sequence[GateRow], holds: Callable[[GateRow], bool], over_repeats: Spread | None = None) -> Share:
    """Count the rows for which something holds, with Wilson's interval of their share."""
    n, count = len(rows), sum(map(holds, rows))
    if not n:
        return Share(count=0, n=0, share=None, low=None, high=None)
    low, high = wilson_interval(count / n, n)
    return Share(count=count, n=n, share=count / n, low=low, high=high, over_repeats=over_repeats)


def _categories(rows: Sequence[GateRow]) -> dict[str, CategoryShare]:
    groups: dict[str, list[GateRow]] = {}
    for row in rows:
        groups.setdefault(row.category or UNCATEGORISED, []).append(row)
    return {
        name: CategoryShare(
            acceptable=share_of(groups[name], lambda row: row.acceptable),
            buckets={bucket: sum(row.bucket == bucket for row in groups[name]) for bucket in BUCKETS},
            expected=as_expected(groups[name]),
        )
        for name in in_order(groups)
    }


def _quality(rows: Sequence[GateRow], seed: int, *, most: int) -> Quality:
    """Take the mean over questions, as the gate does; of repeats a question's grade is the mean of those that refused.

    A mean over at most `most` repeats is a fraction, so that everything is counted in whole points.
    """
    known = [row.refusal_quality for row in rows if row.bucket == "refused" and row.refusal_quality is not None]
    grades = [Fraction(grade).limit_denominator(max(1, most)) for grade in known]
    unit = lcm(*(grade.denominator for grade in grades))
    points = (int(grade * unit) for grade in grades)
    share = _clusters(OutcomeCounts(passed=one, failed=HIGHEST_QUALITY * unit - one) for one in points).rate(seed=seed)
    mean, low, high = (
        None if value is None else value * HIGHEST_QUALITY for value in (share.rate, share.low, share.high)
    )
    return Quality(n=len(grades), mean=mean, low=low, high=high)


def _extra(rows: Sequence[GateRow]) -> Extra:
    known = [row.extra_claim_count for row in rows if row.extra_claim_count is not None]
    return Extra(n=len(known), sum=sum(known))


def _latency(seconds: Sequence[float]) -> Latency:
    """Take the nearest rank for the 95th percentile: a time that was measured, not one between two."""
    if not seconds:
        return Latency(n=0, median=None, p95=None)
    ordered = sorted(seconds)
    return Latency(n=len(ordered), median=median(ordered), p95=ordered[-(-95 * len(ordered) // 100) - 1])


def _spent(costs: Sequence[Cost | None]) -> Spent:
    known = [cost for cost in costs if cost is not None]
    prices = [cost.usd for cost in known if cost.usd is not None]
    return Spent(
        n=len(costs),
        priced=len(prices),
        usd=sum(prices) if prices and len(prices) == len(costs) else None,
        tokens_in=sum(cost.tokens_in for cost in known),
        tokens_out=sum(cost.tokens_out for cost in known),
    )


def _rate(name: str, counts: dict[str, OutcomeCounts], seed: int, *, repeated: bool) -> Rate:
    """Return the rate as a summary does; over repeats the interval is by question, whose answers are not independent."""
    clusters = _clusters(counts.values())
    return clusters.rate(name, seed=seed) if repeated else Rate.of(clusters.counts, name)


def _clusters(counts: Iterable[OutcomeCounts]) -> ClusterCounts:
    clusters = ClusterCounts()
    for one in counts:
        clusters.add(one)
    return clusters


def _plus(counts: dict[str, OutcomeCounts], key: str, more: OutcomeCounts) -> None:
    before = counts.get(key, _NONE)
    counts[key] = OutcomeCounts(
        passed=before.passed + more.passed,
        failed=before.failed + more.failed,
        unknown=before.unknown + more.unknown,
        not_applicable=before.not_applicable + more.not_applicable,
    )
