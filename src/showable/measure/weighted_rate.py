"""A rate over all traffic, estimated from the answers that a judge has read, each standing for 1 / p of them.

The estimate is Hájek's ratio: the weights of what passed over the weights of what was decided (Hájek 1971, in Foundations of
Statistical Inference, p. 236; Särndal, Swensson & Wretman 1992, §5.7). Its interval is for the rate at which such answers come about, as Wilson's is
for a plain count, and equals Wilson's where every answer was read.

An interval from the linearised variance alone is too narrow where few failures were drawn: the one failure that
a sample of the clean rest did not hold stands for seven. So answers read with certainty and answers that were drawn are told apart
(from the counts, the sum of the weights and the sum of their squares), each part has Wilson's interval, and the
two are put together by square-and-add: Zou & Donner (2008), Stat. Med. 27: 1693.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Protocol

from showable.measure.rates import Z_95, Rate, percent, wilson_interval
from showable.records.findings import OutcomeCounts

_ALIKE = 1e-9
PASSING, FAILING = frozenset({"pass"}), frozenset({"fail"})
NOT_APPLICABLE = "not_applicable"


class Counted(Protocol):
    """Answers with one value of one dimension: a row of a store's counts.

    `n` counts them all; `chosen`, `weight` and `weight_squared` are the count, the sum of 1/p and of 1/p² over those that were read.
    """

    @property
    def value(self) -> str:
        """What came out: an outcome, a bucket."""
        ...

    @property
    def n(self) -> int:
        """How many answers."""
        ...

    @property
    def chosen(self) -> int:
        """How many of them were chosen and judged."""
        ...

    @property
    def weight(self) -> float:
        """Their weights added up."""
        ...

    @property
    def weight_squared(self) -> float:
        """The squares of their weights added up."""
        ...


@dataclass(frozen=True, slots=True)
class WeightedRate:
    """A share of traffic with all that is needed to believe it. `rate`, `low` and `high` are None where nothing was decided.

    `answers` counts the traffic; `read` those that a judge has read and that the rate rests on, of which `passed` passed. `unknown` were read and
    not decided, and make up about `unknown_share` of the traffic that was to be decided. `not_applicable` had nothing to judge. `read_alike` is how many
    answers drawn with one probability would tell as much.
    """

    rate: float | None
    low: float | None
    high: float | None
    answers: int
    read: int
    passed: int
    unknown: int
    not_applicable: int
    unknown_share: float | None = None
    read_alike: float | None = None

    def __str__(self) -> str:
        """Print the percentage, what it rests on, the interval, and what could not be decided."""
        beside = [f"{self.unknown} unknown"] if self.unknown else []
        beside += [f"{self.not_applicable} not applicable"] if self.not_applicable else []
        if self.rate is None or self.low is None or self.high is None:
            return "; ".join([f"not measured (0 of {self.answers:,} answers decided)", *beside])
        of = f"from {self.read:,} of {self.answers:,} answers"
        said = f"{percent(self.rate)} % ({of}, 95 % CI {percent(self.low)}–{percent(self.high)})"
        return "; ".join([said, ", ".join(beside)]) if beside else said


@dataclass(slots=True)
class _Sum:
    """Rows added up."""

    n: int = 0
    chosen: int = 0
    weight: float = 0.0
    squared: float = 0.0

    def add(self, row: Counted) -> None:
        self.n += row.n
        self.chosen += row.chosen
        self.weight += row.weight
        self.squared += row.weight_squared


def weighted_rate(
    counts: Iterable[Counted], *, passing: Collection[str] = PASSING, failing: Collection[str] = FAILING
) -> WeightedRate:
    """Estimate the share of traffic that passes, of what could be decided, from rows of one dimension and any stretch and group.

    Values that are neither `passing`, nor `failing`, nor ``not_applicable`` are unknown, and are no part of the rate.
    """
    passed, failed, aside, unknown = _Sum(), _Sum(), _Sum(), _Sum()
    for row in counts:
        into = passed if row.value in passing else failed if row.value in failing else unknown
        (aside if row.value == NOT_APPLICABLE else into).add(row)
    answers = passed.n + failed.n + aside.n + unknown.n
    total = passed.weight + failed.weight
    read = passed.chosen + failed.chosen
    if not read or total <= 0.0:
        return WeightedRate(None, None, None, answers, 0, 0, unknown.chosen, aside.n)
    low, high = _interval(passed, failed)
    rate = passed.weight / total
    return WeightedRate(
        rate=rate,
        low=min(low, rate),
        high=max(high, rate),
        answers=answers,
        read=read,
        passed=passed.chosen,
        unknown=unknown.chosen,
        not_applicable=aside.n,
        unknown_share=unknown.weight / (unknown.weight + total),
        read_alike=total * total / (passed.squared + failed.squared),
    )


def counted_rate(counts: Iterable[Counted], name: str | None = None) -> Rate:
    """Return the rate of a rubric that ran on every answer: counts as they are, no weights. Wilson's interval."""
    n = {"pass": 0, "fail": 0, "unknown": 0, NOT_APPLICABLE: 0}
    for row in counts:
        n[row.value if row.value in n else "unknown"] += row.n
    return Rate.of(
        OutcomeCounts(passed=n["pass"], failed=n["fail"], unknown=n["unknown"], not_applicable=n[NOT_APPLICABLE]), name
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """Answers that all weigh alike: how many passed, how many were decided, and what one of them weighs."""

    passed: float
    n: float
    weight: float


def _interval(passed: _Sum, failed: _Sum) -> tuple[float, float]:
    certain, drawn = _parts(passed, failed)
    if certain.n < _ALIKE or drawn.n < _ALIKE:
        one = drawn if certain.n < _ALIKE else certain
        return wilson_interval(min(1.0, one.passed / one.n), one.n)
    total = certain.n + drawn.weight * drawn.n
    share = certain.n / total
    rates = (min(1.0, certain.passed / certain.n), min(1.0, drawn.passed / drawn.n))
    (low_1, high_1), (low_2, high_2) = wilson_interval(rates[0], certain.n), wilson_interval(rates[1], drawn.n)
    of_share = (certain.n * (1 - share) ** 2 + drawn.weight**2 * drawn.n * share**2) / total**2
    between = Z_95**2 * (rates[0] - rates[1]) ** 2 * of_share
    rate = share * rates[0] + (1 - share) * rates[1]
    below = sqrt((share * (rates[0] - low_1)) ** 2 + ((1 - share) * (rates[1] - low_2)) ** 2 + between)
    above = sqrt((share * (high_1 - rates[0])) ** 2 + ((1 - share) * (high_2 - rates[1])) ** 2 + between)
    return max(0.0, rate - below), min(1.0, rate + above)


def _parts(passed: _Sum, failed: _Sum) -> tuple[_Part, _Part]:
    """Tell answers read with certainty (weight 1) from those that were drawn.

    With one weight w of all drawn, Σw² − Σw = (Σw − n)·w, which gives w, and then how many were drawn. With several, w is
    their mean, the heavier counting more; the rate itself is not touched by that.
    """
    beyond = passed.weight + failed.weight - passed.chosen - failed.chosen
    squares = passed.squared + failed.squared - passed.weight - failed.weight
    if beyond <= _ALIKE:
        return _Part(passed.chosen, passed.chosen + failed.chosen, 1.0), _Part(0.0, 0.0, 1.0)
    weight = squares / beyond
    drawn = [min(float(part.chosen), (part.weight - part.chosen) / (weight - 1.0)) for part in (passed, failed)]
    certain = [part.chosen - n for part, n in zip((passed, failed), drawn, strict=True)]
    return _Part(certain[0], sum(certain), 1.0), _Part(drawn[0], sum(drawn), weight)
