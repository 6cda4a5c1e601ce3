"""One rate of a stream on two charts, one for its rise and one for its fall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from showable.measure.agreement import Flags
from showable.measure.drift.answers import ScoredAnswer
from showable.measure.drift.bernoulli_chart import (
    Reference,
    answers_to_see,
    began_at,
    has_room,
    limit_for,
    path,
    run_length,
)
from showable.measure.drift.report import Level, Since, Test, Watched
from showable.measure.rates import wilson_interval

LEAST_BASELINE = 100
"""Fewer answers before say too little about a rate for any chart after them."""
JUMP = 0.20
"""A rate is called steady only after so many answers that a jump by this much would have been seen (probability 80 %)."""
JUMPS = (0.05, 0.10, JUMP)
_ADVISED = 500


class Thing(NamedTuple):
    """What is watched, and of which profile."""

    what: str
    profile: str


@dataclass(frozen=True, slots=True)
class ChartSetting:
    """The answers for which the false-alarm rate holds, the shift that charts are tuned to, and the level of one rate."""

    horizon: int
    shift: float
    level: float


@dataclass(frozen=True, slots=True)
class Chart:
    """One direction of a rate: what it is tuned to, its limit in units, and the sum after each answer."""

    rises: bool
    reference: Reference
    limit: int
    sums: Sequence[int]
    events: Flags
    before: int
    of: int

    @classmethod
    def of_rate(cls, past: Flags, events: Flags, setting: ChartSetting, *, rises: bool) -> Chart | None:
        """Lay a chart over outcomes, or none where the baseline is too short. A fall of the rate is a rise of its complement."""
        mine, seen = (past, events) if rises else (~past, ~events)
        happened, n = int(mine.sum()), len(mine)
        reference = Reference.between(_rate(mine), setting.shift)
        limit = limit_for(reference, happened, n, setting.horizon, setting.level / 2)
        if limit is None:
            return None
        return cls(rises, reference, limit, path(reference, seen).tolist(), seen, happened, n)

    @property
    def alarm(self) -> int | None:
        """The answer (from 0) at which the sum first reached the limit."""
        return next((at for at, value in enumerate(self.sums) if value >= self.limit), None)

    @property
    def nearness(self) -> float:
        """How far up the sum came, as a share of the limit."""
        return max(self.sums, default=0) / self.limit


def _rate(past: Flags) -> float:
    """Estimate a rate from the baseline; never 0 or 1, as neither has been shown."""
    return (int(past.sum()) + 0.5) / (len(past) + 1)


def watch_rate(
    thing: Thing, past: Sequence[bool], seen: Sequence[tuple[int, ScoredAnswer]], setting: ChartSetting
) -> Watched:
    """Watch one rate: `past` are its outcomes in the baseline, `seen` the answers since, with their places."""
    if len(past) < LEAST_BASELINE:
        said = f"the baseline holds {len(past)} answers that it applies to, and it takes {LEAST_BASELINE}"
        needs = LEAST_BASELINE - len(past)
        return Watched(**thing._asdict(), state="unknown", window="none", reason=said, needs=needs)
    events = np.array([one.outcomes[thing.what] for _, one in seen], dtype=np.bool_)
    outcomes = np.array(past, dtype=np.bool_)
    ways = [rises for rises in (True, False) if has_room(_rate(outcomes if rises else ~outcomes))]
    laid = [Chart.of_rate(outcomes, events, setting, rises=rises) for rises in ways]
    charts = [chart for chart in laid if chart is not None]
    if len(charts) < len(laid):
        said = f"a baseline of {len(past)} is too short to watch {setting.horizon:,} answers by; take a longer one"
        needs = max(1, max(_ADVISED, 2 * len(past)) - len(past))
        return Watched(**thing._asdict(), state="unknown", window="none", before=share(past), reason=said, needs=needs)
    alarmed = [chart for chart in charts if chart.alarm is not None]
    chart = min(alarmed, key=lambda one: one.alarm or 0) if alarmed else max(charts, key=lambda one: one.nearness)
    found = _described(thing, past, seen, chart, setting)
    if alarmed:
        return found
    return _too_few(found, len(events), _room(charts, outcomes), setting)


def _room(charts: Sequence[Chart], past: Flags) -> Chart:
    """Return the chart of the direction in which the rate has more room to move."""
    return charts[0] if past.mean() <= 0.5 else charts[-1]  # noqa: PLR2004 - half


def _sees(chart: Chart, horizon: int) -> dict[str, int | None]:
    """Say after how many answers jumps are seen, by their points."""
    rates = {jump: min(0.99, chart.reference.before + jump) for jump in JUMPS}
    return {
        f"{100 * jump:.0f}": answers_to_see(chart.reference, chart.limit, rate, horizon) for jump, rate in rates.items()
    }


def _too_few(found: Watched, n: int, chart: Chart, setting: ChartSetting) -> Watched:
    """Call a rate steady only where the chart has had its chance, and say what it can see."""
    sees = _sees(chart, setting.horizon)
    if found.test is None:
        return found
    found = found.model_copy(update={"test": found.test.model_copy(update={"sees": sees})})
    least = sees[f"{100 * JUMP:.0f}"]
    if least is None:
        said = f"after a baseline of {chart.of} even a jump of {100 * JUMP:.0f} points may go unseen for {setting.horizon:,} answers"
        needs = max(1, max(_ADVISED, 2 * chart.of) - chart.of)
        return found.model_copy(update={"state": "unknown", "reason": f"{said}: take a longer one", "needs": needs})
    if n < least:
        said = f"{n} answers came since, and a jump of {100 * JUMP:.0f} points is seen after {least}"
        return found.model_copy(update={"state": "unknown", "reason": said, "needs": least - n})
    return found


def _described(
    thing: Thing,
    past: Sequence[bool],
    seen: Sequence[tuple[int, ScoredAnswer]],
    chart: Chart,
    setting: ChartSetting,
) -> Watched:
    at, since, began = chart.alarm, None, 0
    if at is not None:
        began = began_at(chart.events, at, chart.reference.before)
        place, first = seen[began]
        since = Since(answer=place, id=first.id, source=first.source, at=first.at)
    unit = chart.reference.llr_per_unit
    inside = seen[began:]
    return Watched(
        **thing._asdict(),
        state="steady" if at is None else "alarm",
        window=f"answers {inside[0][0]}-{inside[-1][0]}" if inside else "none",
        before=share(past),
        after=share([bool(one.outcomes[thing.what]) for _, one in inside]) if inside else None,
        n=len(inside),
        since=since,
        test=Test(
            name="cusum",
            value=unit * max(chart.sums, default=0),
            limit=unit * chart.limit,
            level=setting.level,
            run_length=run_length(chart.reference, chart.limit, chart.reference.before),
        ),
        alarmed_at=None if at is None else seen[at][0],
        standing=at is None or chart.sums[-1] >= chart.limit,
    )


def share(outcomes: Sequence[bool]) -> Level:
    """Return a share with its Wilson interval. Raises ZeroDivisionError where there is no outcome."""
    events, n = sum(outcomes), len(outcomes)
    low, high = wilson_interval(events / n, n)
    return Level(value=events / n, low=low, high=high, n=n, events=events)
