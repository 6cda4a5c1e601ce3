"""How the processes of the service are, by what each last said of itself, so that one that stands still is seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from showable.measure.not_measured import MAX_FAILURES
from showable.measure.rates import percent
from showable.serving.floors import PREFIX, FloorLine, floor_lines
from showable.serving.pages.words import SECOND_NS, age, bytes_said, moment, took
from showable.stores.traces.store import Holdings, TraceStore

STALLED_S = 60.0
"""A process that has said nothing for so long is shown as stalled; they speak up every few seconds."""
BEHIND_S = 120.0
_AT, _LAG, _DOWN, _FAILING = "at_ns", "lag_s", "export_down_since_ns", "judge_calls_failing_share"


@dataclass(frozen=True, slots=True)
class Gauge:
    """One thing that a process says of itself, in words."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Process:
    """A process: when it was last heard of, what seems wrong with it (None: nothing), and what it says."""

    name: str
    heard: str
    trouble: str | None
    gauges: tuple[Gauge, ...]


@dataclass(frozen=True, slots=True)
class State:
    """What the store holds and how the processes are."""

    holdings: Holdings
    processes: tuple[Process, ...]
    floors: tuple[FloorLine, ...] = ()


def state_of(store: TraceStore, now_ns: int) -> State:
    """Ask how things are."""
    gauges = store.gauges()
    processes = {name: said for name, said in gauges.items() if not name.startswith(PREFIX)}
    return State(store.holdings(), processes_of(processes, now_ns), tuple(floor_lines(gauges)))


def processes_of(gauges: Mapping[str, Mapping[str, float]], now_ns: int) -> tuple[Process, ...]:
    """Put what processes say of themselves in words."""
    return tuple(_process(name, said, now_ns) for name, said in sorted(gauges.items()))


def _process(name: str, said: Mapping[str, float], now_ns: int) -> Process:
    silent_s = (now_ns - said[_AT]) / SECOND_NS if _AT in said else None
    heard = "it has not said when" if silent_s is None else age(max(0.0, silent_s))
    told = tuple(
        _gauge(each, value) for each, value in said.items() if each != _AT and not (each == _DOWN and not value)
    )
    return Process(name, heard, _trouble(said, silent_s), told)


def _trouble(said: Mapping[str, float], silent_s: float | None) -> str | None:
    if silent_s is None or silent_s > STALLED_S:
        return "stalled, or ended"
    if said.get(_LAG, 0.0) > BEHIND_S:
        return f"behind by {took(1_000 * said[_LAG])}"
    if (failing := said.get(_FAILING, 0.0)) > MAX_FAILURES:
        return f"the judge fails: {percent(failing)} % of its latest calls brought no verdict, and what they were about is unknown"
    if said.get(_DOWN):
        return "what it sends is not taken"
    return None


def _gauge(name: str, value: float) -> Gauge:
    """Write a value by the unit that its name ends in: seconds, bytes, a time, or a count."""
    words = name.replace("_", " ")
    if name.endswith("_share"):
        return Gauge(words.removesuffix(" share"), f"{percent(value)} %")
    if name.endswith("_bytes"):
        return Gauge(words.removesuffix(" bytes"), bytes_said(int(value)))
    if name.endswith("_ns"):
        return Gauge(words.removesuffix(" ns"), moment(int(value)))
    if name.endswith("_s"):
        return Gauge(words.removesuffix(" s"), took(1_000 * value) if value else "none")
    return Gauge(words.removesuffix(" total"), f"{value:,.0f}" if value == int(value) else f"{value:,.1f}")
