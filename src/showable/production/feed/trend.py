"""How often an issue comes up, by day and in all, and whether it comes up more often than it did."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Self

import numpy as np
from numpy.typing import NDArray

from showable.measure.drift.bernoulli_chart import Reference, began_at, has_room, limit_for, path
from showable.measure.weighted_rate import WeightedRate, weighted_rate
from showable.production.feed.nouns import Share, TrendDay

DAY_NS = 86_400 * 10**9
DAYS = 14
"""Days that a trend shows."""
_LEAST_A_DAY, _TWICE = 8, 2.0
"""A rise is told of only from so many members in its last day, and from so many times the share before."""
_BASELINE = 100
_HORIZON = 2_000
"""Answers for which the false-alarm rate of a chart holds; the last so many are watched."""
FALSE_ALARMS = 0.05
"""Probability of any false alarm over all issues of a batch (Bonferroni)."""
_LEAST_SHIFT = 0.01


@dataclass(frozen=True, slots=True)
class Seen:
    """Answers of an issue's services in the order of time, then of ids: when each came, and whether it is a member.

    `at_ns` is -1 where it is not known; `weight` is what an answer counts in rates, NaN for one that is in none.
    """

    answers: NDArray[np.object_]
    at_ns: NDArray[np.int64]
    member: NDArray[np.bool_]
    weight: NDArray[np.float64]

    @classmethod
    def of(cls, rows: Iterable[tuple[str, int | None, bool, float | None]]) -> Self:
        """Build it from answer, time, membership and weight; None for what is not known."""
        ordered = sorted((-1 if at is None else at, answer, member, weight) for answer, at, member, weight in rows)
        return cls(
            answers=np.array([answer for _, answer, _, _ in ordered], dtype=np.object_),
            at_ns=np.array([at for at, _, _, _ in ordered], dtype=np.int64),
            member=np.array([member for _, _, member, _ in ordered], dtype=np.bool_),
            weight=np.array([np.nan if weight is None else weight for _, _, _, weight in ordered], dtype=np.float64),
        )

    def __getitem__(self, chosen: slice | NDArray[np.bool_]) -> Seen:
        """Return some of the answers, in their order."""
        return Seen(self.answers[chosen], self.at_ns[chosen], self.member[chosen], self.weight[chosen])

    def __len__(self) -> int:
        return len(self.answers)

    def weight_after(self, at_ns: int) -> float:
        """Return for how many answers those later than a time stand."""
        return float(np.nansum(self.weight[self.at_ns > at_ns]))


@dataclass(frozen=True, slots=True)
class _Row:
    """Answers alike, as rates are made of."""

    value: str
    n: int
    chosen: int
    weight: float
    weight_squared: float


def share_of(seen: Seen) -> Share:
    """Return the share of answers that are members, each standing for 1 / p of the traffic."""
    rate = _rate(seen)
    return Share(rate=_rounded(rate.rate), low=_rounded(rate.low), high=_rounded(rate.high), read=rate.read)


def days_of(seen: Seen, until_ns: int) -> tuple[TrendDay, ...]:
    """Return the last days up to a time, the earliest first; a day without answers has no rate."""
    last = until_ns // DAY_NS
    days = []
    for day in range(last - DAYS + 1, last + 1):
        first, end = np.searchsorted(seen.at_ns, (day * DAY_NS, (day + 1) * DAY_NS))
        held = seen[first:end]
        rate = _rate(held)
        days.append(
            TrendDay(
                day=datetime.fromtimestamp(day * DAY_NS / 10**9, tz=UTC).date().isoformat(),
                members=int(held.member.sum()),
                answers=len(held),
                rate=_rounded(rate.rate),
                low=_rounded(rate.low),
                high=_rounded(rate.high),
            )
        )
    return tuple(days)


def escalates(seen: Seen, issues: int) -> str | None:
    """Return the answer from which on an issue comes up more often, None where no chart says so.

    A Bernoulli CUSUM on "is a member", answers in their order; the first half, at least, is the baseline. The level is split over
    `issues`. A rise within the noise of a chart's floor is none: under 8 members on the last day, or under twice the share.
    """
    timed = seen[(seen.at_ns >= 0) & ~np.isnan(seen.weight)]
    watched = min(_HORIZON, len(timed) // 2)
    past, now = timed[: len(timed) - watched], timed[len(timed) - watched :]
    if len(past) < _BASELINE or not len(now):
        return None
    known = int(past.member.sum())
    before = (known + 0.5) / (len(past) + 1)
    latest = now[now.at_ns > now.at_ns[-1] - DAY_NS]
    members = int(latest.member.sum())
    if members < _LEAST_A_DAY or members < _TWICE * before * len(latest) or not has_room(before):
        return None
    reference = Reference.between(before, max(before, _LEAST_SHIFT))
    limit = limit_for(reference, known, len(past), max(_HORIZON, len(now)), FALSE_ALARMS / issues)
    if limit is None:
        return None
    alarms = np.flatnonzero(path(reference, now.member) >= limit)
    return str(now.answers[began_at(now.member, int(alarms[0]), before)]) if len(alarms) else None


def _rate(seen: Seen) -> WeightedRate:
    read = ~np.isnan(seen.weight)
    rows = []
    for value, chosen in (("pass", seen.member), ("fail", ~seen.member)):
        weight = seen.weight[chosen & read]
        rows.append(_Row(value, int(chosen.sum()), len(weight), float(weight.sum()), float((weight**2).sum())))
    return weighted_rate(rows)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
