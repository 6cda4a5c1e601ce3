"""How often an issue comes up, by day and in all, and whether it comes up more often than it did."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

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
    """An answer of an issue's services: when, whether it is a member, and its weight in rates (None: in none)."""

    answer: str
    at_ns: int | None
    member: bool
    weight: float | None


@dataclass(frozen=True, slots=True)
class _Row:
    """Answers alike, as rates are made of."""

    value: str
    n: int
    chosen: int
    weight: float
    weight_squared: float


def share_of(seen: Iterable[Seen]) -> Share:
    """Return the share of answers that are members, each standing for 1 / p of the traffic."""
    rate = _rate(seen)
    return Share(rate=_rounded(rate.rate), low=_rounded(rate.low), high=_rounded(rate.high), read=rate.read)


def days_of(seen: Sequence[Seen], until_ns: int) -> tuple[TrendDay, ...]:
    """Return the last days up to a time, the earliest first; a day without answers has no rate."""
    last = until_ns // DAY_NS
    by_day: dict[int, list[Seen]] = defaultdict(list)
    for one in seen:
        if one.at_ns is not None:
            by_day[one.at_ns // DAY_NS].append(one)
    days = []
    for day in range(last - DAYS + 1, last + 1):
        rate = _rate(by_day[day])
        days.append(
            TrendDay(
                day=datetime.fromtimestamp(day * DAY_NS / 10**9, tz=UTC).date().isoformat(),
                members=sum(one.member for one in by_day[day]),
                answers=len(by_day[day]),
                rate=_rounded(rate.rate),
                low=_rounded(rate.low),
                high=_rounded(rate.high),
            )
        )
    return tuple(days)


def escalates(seen: Sequence[Seen], issues: int) -> str | None:
    """Return the answer from which on an issue comes up more often, None where no chart says so.

    A Bernoulli CUSUM on "is a member", answers in their order; the first half, at least, is the baseline. The level is split over
    `issues`. A rise within the noise of a chart's floor is none: under 8 members on the last day, or under twice the share.
    """
    timed = sorted(
        (one for one in seen if one.at_ns is not None and one.weight is not None), key=lambda o: (o.at_ns, o.answer)
    )
    watched = min(_HORIZON, len(timed) // 2)
    past, now = timed[: len(timed) - watched], timed[len(timed) - watched :]
    if len(past) < _BASELINE or not now:
        return None
    before = (sum(one.member for one in past) + 0.5) / (len(past) + 1)
    last = now[-1].at_ns or 0
    latest = [one for one in now if last - (one.at_ns or 0) < DAY_NS]
    members = sum(one.member for one in latest)
    if members < _LEAST_A_DAY or members < _TWICE * before * len(latest) or not has_room(before):
        return None
    reference = Reference.between(before, max(before, _LEAST_SHIFT))
    events = np.array([one.member for one in now], dtype=np.bool_)
    limit = limit_for(
        reference, sum(one.member for one in past), len(past), max(_HORIZON, len(now)), FALSE_ALARMS / issues
    )
    if limit is None:
        return None
    alarms = np.flatnonzero(path(reference, events) >= limit)
    return now[began_at(events, int(alarms[0]), before)].answer if len(alarms) else None


def _rate(seen: Iterable[Seen]) -> WeightedRate:
    rows = [
        _Row("pass" if one.member else "fail", 1, one.weight is not None, one.weight or 0.0, (one.weight or 0.0) ** 2)
        for one in seen
    ]
    return weighted_rate(rows)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
