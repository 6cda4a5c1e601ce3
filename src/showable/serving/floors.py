"""Hold each profile's week of traffic against its floor under resolvability; an alarm is a webhook, a metric and a line on the page."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from showable.drifting.webhook import deliver
from showable.measure.drift.report import DriftReport, Level, Test, Watched
from showable.measure.floor import LEVEL, FloorLook, look_at_floor
from showable.measure.rates import percent
from showable.records.findings import Outcome
from showable.records.traced import LiveScore
from showable.serving.saying import say
from showable.serving.settings import ServeSettings
from showable.stores.traces.errors import StoreError
from showable.stores.traces.opening import open_trace_store
from showable.stores.traces.store import AnswerRow, TraceStore, Where

PREFIX = "floor:"
"""What is seen of a profile is kept as the gauges of a process of this name and the profile's."""
EVERY_S = 30.0
_GRACE_NS = 15 * 60 * 10**9
"""How much later than others an answer may be scored and still be counted."""
_PAGE = 2_000


@dataclass(slots=True)
class Week:
    """What was seen of the answers that started in a week, from Monday 00:00 UTC."""

    start_ns: int
    latest_ns: int = 0
    seen: dict[str, int] = field(default_factory=dict)
    shares: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    undecided: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))


class Floors:
    """The floors of the profiles that traffic may be under, held against what a store has of this week."""

    def __init__(self, store: TraceStore, floors: Mapping[str, float]) -> None:
        self._store, self._floors = store, floors
        self._week = Week(0)

    def look(self, now_ns: int) -> dict[str, FloorLook]:
        """Read the answers that are new, keep what the week comes to as gauges, and return it by profile."""
        start_ns = week_of(now_ns)
        if self._week.start_ns != start_ns:
            self._week = Week(start_ns)
        self._take(self._new_rows())
        known = self._store.gauges()
        looks = {name: look_at_floor(self._week.shares[name], floor) for name, floor in self._floors.items()}
        for name, look in looks.items():
            if look.n or self._week.undecided[name]:
                sent = known.get(PREFIX + name, {}).get("sent_ns", 0.0)
                self._store.set_gauges(PREFIX + name, self._gauges(name, look, now_ns) | {"sent_ns": sent})
        return looks

    def unsent(self, looks: Mapping[str, FloorLook]) -> DriftReport | None:
        """Return the alarms that this week's webhook has not had, as a report; None where there are none."""
        gauges = self._store.gauges()
        new = {
            name: look
            for name, look in looks.items()
            if look.below and gauges[PREFIX + name]["sent_ns"] != float(self._week.start_ns)
        }
        return _report(new, self._week.start_ns) if new else None

    def mark_sent(self, profiles: Iterable[str]) -> None:
        """Note that this week's alarm of these profiles was delivered."""
        gauges = self._store.gauges()
        for name in profiles:
            told = {**gauges[PREFIX + name], "sent_ns": float(self._week.start_ns)}
            self._store.set_gauges(PREFIX + name, told)

    def _new_rows(self) -> list[AnswerRow]:
        """Return the rows that were not seen yet, oldest first."""
        week = self._week
        since_ns = max(week.start_ns, week.latest_ns - _GRACE_NS)
        week.seen = {key: at for key, at in week.seen.items() if at >= since_ns}
        new, after = [], None
        while rows := self._store.answers(Where(since_ns=since_ns), limit=_PAGE, after=after):
            new += [row for row in rows if row.id not in week.seen]
            after = rows[-1].id
            if len(rows) < _PAGE:
                break
        return new[::-1]

    def _take(self, rows: list[AnswerRow]) -> None:
        week = self._week
        watched = [row for row in rows if row.profile in self._floors]
        failed = [row.id for row in watched if row.resolvability == "fail"]
        shares = {score.id: _share(score) for score in self._store.scores(failed)} if failed else {}
        for row in rows:
            week.seen[row.id] = row.started_ns
            week.latest_ns = max(week.latest_ns, row.started_ns)
        for row in watched:
            share = 1.0 if row.resolvability == "pass" else shares.get(row.id)
            if share is not None:
                week.shares[row.profile].append(share)
            elif row.resolvability != "not_applicable":
                week.undecided[row.profile] += 1

    def _gauges(self, name: str, look: FloorLook, now_ns: int) -> dict[str, float]:
        share, upper = (1.0 if value is None else value for value in (look.share, look.upper))
        return {
            "at_ns": float(now_ns),
            "since_ns": float(self._week.start_ns),
            "floor": look.floor,
            "share": share,
            "upper": upper,
            "n": float(look.n),
            "undecided": float(self._week.undecided[name]),
            "below": float(look.below),
        }


class FloorLine(NamedTuple):
    """What the page says of a profile's floor."""

    below: bool
    said: str


def floor_lines(gauges: Mapping[str, Mapping[str, float]]) -> Iterator[FloorLine]:
    """Yield a line a profile, from what was kept as gauges, those below their floor first."""
    held = {name.removeprefix(PREFIX): told for name, told in gauges.items() if name.startswith(PREFIX)}
    for name, told in sorted(held.items(), key=lambda one: (-one[1]["below"], one[0])):
        undecided = f"; {told['undecided']:,.0f} could not be decided" if told["undecided"] else ""
        if not told["n"]:
            yield FloorLine(below=False, said=f"{name}: not measured{undecided}")
            continue
        verdict = "is below" if told["below"] else "is not shown to be below"
        since = datetime.fromtimestamp(told["since_ns"] / 1e9, UTC)
        yield FloorLine(
            below=bool(told["below"]),
            said=(
                f"{name}: {percent(told['share'])} % of an answer's citations resolve on average, at most"
                f" {percent(told['upper'])} % with {100 * (1 - LEVEL):g} % confidence (n = {told['n']:,.0f} since"
                f" {since:%Y-%m-%d}{undecided}); that {verdict} the floor of {percent(told['floor'])} %"
            ),
        )


def week_of(now_ns: int) -> int:
    """Return when the week began, Monday 00:00 UTC, in Unix nanoseconds."""
    day = datetime.fromtimestamp(now_ns // 10**9, UTC).replace(hour=0, minute=0, second=0)
    return int((day - timedelta(days=day.weekday())).timestamp()) * 10**9


def _share(score: LiveScore) -> float | None:
    """Return the share of an answer's citations that resolve, of those decided."""
    card = score.scorecard
    seen = [one.resolves for claim in card.claims for one in claim.citations] + [one.resolves for one in card.loose]
    decided = [one for one in seen if one in (Outcome.PASS, Outcome.FAIL)]
    return decided.count(Outcome.PASS) / len(decided) if decided else None


def _report(looks: Mapping[str, FloorLook], start_ns: int) -> DriftReport:
    week = f"the week from {datetime.fromtimestamp(start_ns / 1e9, UTC):%Y-%m-%d}"
    watched = tuple(_watched(name, look, week) for name, look in looks.items())
    family = f"each profile alarms in a week that keeps to its floor with a probability of at most {100 * LEVEL:g} %"
    return DriftReport.of("stream", week, watched, false_alarms=LEVEL, family=family)


def _watched(name: str, look: FloorLook, week: str) -> Watched:
    share, upper = look.share or 0.0, look.upper or 0.0
    return Watched(
        what="resolvability_floor",
        profile=name,
        state="alarm",
        window=week,
        before=Level(value=look.floor, n=0),
        after=Level(value=share, high=upper, n=look.n, confidence=1.0 - LEVEL),
        n=look.n,
        test=Test(name="betting", value=upper, limit=look.floor, level=LEVEL),
        reason=f"{percent(share)} % of an answer's citations resolve, the floor is {percent(look.floor)} %",
        alarmed_at=look.alarmed_at,
    )


class FloorWatch:
    """A thread that looks at the floors every half minute. What the store or the webhook refuses is told once, and tried again."""

    def __init__(self, settings: ServeSettings) -> None:
        self._settings, self._stop = settings, threading.Event()
        self._thread = threading.Thread(target=self._work, name="floors", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def end(self, seconds: float) -> None:
        """End it, after what it is at."""
        self._stop.set()
        self._thread.join(seconds)

    def _work(self) -> None:
        from showable.serving.live_rules import LiveRules  # noqa: PLC0415 - takes the grader with it, and children start meanwhile

        said = ""
        store: TraceStore | None = None
        floors: Floors | None = None
        while True:
            try:
                if store is None or floors is None:
                    store = open_trace_store(self._settings.store)
                    floors = Floors(store, LiveRules(self._settings).floors)
                trouble = post_alarms(floors, floors.look(time.time_ns()), self._settings.webhook)
            except StoreError as error:
                trouble = f"floors could not be looked at: {error}"
            if trouble and trouble != said:
                say(trouble)
            said = trouble
            if self._stop.wait(EVERY_S):
                break
        if store is not None:
            store.close()


def post_alarms(floors: Floors, looks: Mapping[str, FloorLook], webhook: str | None) -> str:
    """Post the alarms that this week's webhook has not had; return what could not be delivered, "" where all was."""
    report = None if webhook is None else floors.unsent(looks)
    if report is None or webhook is None:
        return ""
    delivery = deliver(webhook, report, report.alarms)
    floors.mark_sent(alarm.profile for alarm in delivery.delivered)
    return f"webhook: {delivery.reason}; the alarm is sent again" if delivery.reason else ""
