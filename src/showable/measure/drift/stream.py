"""Watch a stream of scored answers: each rate by a chart, the spread of scores by two tests, all at one false-alarm rate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from showable.measure.agreement import Array
from showable.measure.drift.answers import WATCHED, ScoredAnswer
from showable.measure.drift.distribution import (
    BLOCK,
    FINEST,
    Moved,
    blocks_in,
    index_moved,
    spread_moved,
    whole_blocks,
)
from showable.measure.drift.rate_chart import LEAST_BASELINE, ChartSetting, Thing, watch_rate
from showable.measure.drift.report import DriftReport, Level, Since, Test, Watched
from showable.measure.rates import Z_95

SPREADS = ("score_spread_ks", "score_spread_psi")
"""The tests of how scores are spread, beside the rates."""


@dataclass(frozen=True, slots=True)
class StreamSetting:
    """How a stream is watched.

    `baseline` is how many answers of each profile come first and are taken for granted, where no others are given;
    `false_alarms` the probability that anything alarms within `horizon` answers after them, where nothing has changed;
    `shift` the change of a rate that charts are tuned to.
    """

    baseline: int = 500
    false_alarms: float = 0.05
    horizon: int = 1_000
    shift: float = 0.10
    seed: int = 0


def watch_stream(
    answers: Sequence[ScoredAnswer],
    setting: StreamSetting,
    *,
    about: str,
    reference: Sequence[ScoredAnswer] | None = None,
    notes: Sequence[str] = (),
) -> DriftReport:
    """Watch answers in the order of time, each profile by itself.

    The first answers of a profile are its baseline, or those of `reference` where that is given. Of what follows, the last
    `horizon` answers are watched. A thing with too few answers is `unknown`, and says how many it needs.
    """
    streams = {name: [one for one in answers if one.profile == name] for name in _names(answers)}
    split = {name: _split(mine, name, setting, reference) for name, mine in streams.items()}
    ready = [name for name, (before, _) in split.items() if len(before) >= LEAST_BASELINE]
    things = len(ready) * (len(WATCHED) + len(SPREADS))
    watched: list[Watched] = []
    for name, (before, after) in split.items():
        if name in ready:
            watched += _watch(name, before, after, setting, setting.false_alarms / things)
        else:
            watched += [_no_baseline(what, name, len(before)) for what in (*WATCHED, *SPREADS)]
    return DriftReport.of(
        "stream",
        about,
        tuple(watched),
        false_alarms=setting.false_alarms,
        family=_family(setting, things, len(ready)),
        notes=tuple(notes),
    )


def _names(answers: Sequence[ScoredAnswer]) -> list[str]:
    return list(dict.fromkeys(one.profile for one in answers))


Indexed = list[tuple[int, ScoredAnswer]]


def _split(
    mine: Sequence[ScoredAnswer], name: str, setting: StreamSetting, reference: Sequence[ScoredAnswer] | None
) -> tuple[list[ScoredAnswer], Indexed]:
    """Part the baseline from what is watched: that with the place of each answer in its profile's stream, from 1."""
    places = list(enumerate(mine, 1))
    if reference is None:
        return list(mine[: setting.baseline]), places[setting.baseline :]
    return [one for one in reference if one.profile == name], places


def _family(setting: StreamSetting, things: int, profiles: int) -> str:
    if not things:
        return "nothing was watched"
    each = f"{100 * setting.false_alarms / things:.2g} %"
    return (
        f"if nothing has changed, anything alarms within {setting.horizon:,} answers after the baseline with a probability"
        f" of at most {100 * setting.false_alarms:g} %, however often one looks: {things} things are watched"
        f" ({profiles} profile{'s' if profiles != 1 else ''}), each at {each} (Bonferroni)"
    )


def _no_baseline(what: str, profile: str, have: int) -> Watched:
    said = f"the baseline holds {have} answers, and it takes {LEAST_BASELINE}"
    return Watched(what=what, profile=profile, state="unknown", window="none", reason=said, needs=LEAST_BASELINE - have)


def _watch(
    profile: str, before: Sequence[ScoredAnswer], after: Indexed, setting: StreamSetting, level: float
) -> list[Watched]:
    chart = ChartSetting(setting.horizon, setting.shift, level)
    found = []
    for what in WATCHED:
        past = [value for one in before if (value := one.outcomes[what]) is not None]
        seen = [(place, one) for place, one in after if one.outcomes[what] is not None][-setting.horizon :]
        found.append(watch_rate(Thing(what, profile), past, seen, chart))
    return [*found, *_watch_spread(profile, before, after, setting, level)]


def _watch_spread(
    profile: str, before: Sequence[ScoredAnswer], after: Indexed, setting: StreamSetting, level: float
) -> list[Watched]:
    past = np.array([one.p for one in before if one.p is not None])
    scored = [(place, one) for place, one in after if one.p is not None]
    if len(past) < LEAST_BASELINE:
        said = f"the baseline holds {len(past)} answers with a p, and it takes {LEAST_BASELINE}"
        return [_spread_unknown(what, profile, said, LEAST_BASELINE - len(past)) for what in SPREADS]
    starts = whole_blocks(len(scored), setting.horizon)
    if not starts:
        said = f"{len(scored)} answers with a p came since, and a block is {BLOCK}"
        return [_spread_unknown(what, profile, said, BLOCK - len(scored)) for what in SPREADS]
    p = np.array([one.p for _, one in scored], dtype=np.float64)
    tests: list[Callable[[Array, int], Moved]] = [
        lambda block, start: spread_moved(past, block, start),
        lambda block, start: index_moved(past, block, start, setting.seed + start),
    ]
    at = level / blocks_in(setting.horizon)
    found = [
        _spread(Thing(what, profile), past, scored, [test(p[start : start + BLOCK], start) for start in starts], at)
        for what, test in zip(SPREADS, tests, strict=True)
        if at >= FINEST or what != SPREADS[1]
    ]
    if at >= FINEST:
        return found
    said = f"its share of the false alarms, {100 * at:.2g} % a block, is finer than shuffles can tell ({100 * FINEST:.2g} %)"
    return [*found, _spread_unknown(SPREADS[1], profile, said, None)]


def _spread_unknown(what: str, profile: str, said: str, needs: int | None) -> Watched:
    return Watched(what=what, profile=profile, state="unknown", window="none", reason=said, needs=needs)


def _spread(thing: Thing, past: Array, scored: Indexed, blocks: Sequence[Moved], level: float) -> Watched:
    moved = next((block for block in blocks if block.p <= level), None)
    shown = moved or min(blocks, key=lambda block: block.p)
    inside = scored[shown.start : shown.start + BLOCK]
    scores = np.array([one.p for _, one in inside], dtype=np.float64)
    place, first = inside[0]
    statistic = f"{'PSI' if thing.what.endswith('psi') else 'KS distance'} {shown.value:.3f}"
    return Watched(
        **thing._asdict(),
        state="alarm" if moved else "steady",
        window=f"answers {place}-{inside[-1][0]}",
        before=_mean(past),
        after=_mean(scores),
        n=len(scores),
        since=Since(answer=place, id=first.id, source=first.source, at=first.at) if moved else None,
        test=Test(name=thing.what.rpartition("_")[2], value=shown.p, limit=level, level=level * len(blocks)),
        reason=f"lowest p of an answer's claims, mean; {statistic}, p = {shown.p:.2g} against {level:.2g}",
        alarmed_at=inside[-1][0] if moved else None,
        standing=blocks[-1].p <= level,
    )


def _mean(scores: Array) -> Level:
    """Return a mean with its normal interval: it takes a hundred scores and more."""
    value, half = float(scores.mean()), Z_95 * float(scores.std(ddof=1)) / len(scores) ** 0.5
    return Level(value=value, low=max(0.0, value - half), high=min(1.0, value + half), n=len(scores))
