"""What the guard counts, as Prometheus reads it; the workers of one guard add up."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

if TYPE_CHECKING:
    from showable.production.guard.tracked import TrackedCall

Labels = tuple[tuple[str, str], ...]
_HELP = {
    "showable_guard_calls_total": "Guarded calls by what the client received.",
    "showable_guard_unguarded_total": "Answers that were passed without a decision.",
    "showable_guard_usd_total": "Dollars spent at the providers, where they are known.",
    "showable_guard_cost_unknown_total": "Calls whose cost is not known.",
    "showable_guard_tokens_total": "Tokens by kind.",
    "showable_guard_seconds_total": "Seconds by part: the upstream, the guard, waiting for a verdict.",
    "showable_guard_errors_total": "Calls that failed, by kind.",
    "showable_guard_rows_lost_total": "Answers that could not be kept in the store.",
    "showable_resolvability_below_floor": "1 where this week lies below the profile's floor, which is an alarm.",
    "showable_resolvability_floor": "The profile's floor under the share of citations that resolve.",
    "showable_resolvability_share": "Mean share of an answer's citations that resolve, this week.",
}


_KINDS = ("fresh", "cached", "written", "output", "reasoning")


class Tally:
    """What the calls of one route, release and model came to since it was last added to the sums."""

    __slots__ = ("calls", "guard_s", "priced", "tokens", "unknown", "upstream_s", "usd")

    def __init__(self) -> None:
        self.calls = self.priced = self.unknown = 0
        self.usd = self.upstream_s = self.guard_s = 0.0
        self.tokens = [0] * len(_KINDS)

    def add(self, call: TrackedCall) -> None:
        """Add a call that is over."""
        self.calls += 1
        self.upstream_s += call.upstream_s
        self.guard_s += call.guard_s
        if not call.spent:
            return
        if (usd := call.usd) is None:
            self.unknown += 1
        else:
            self.priced += 1
            self.usd += usd
        for spent in call.spent:
            if (usage := spent.usage) is not None:
                counted = (usage.fresh, usage.cached, usage.written, usage.output, usage.reasoning)
                self.tokens = [before + n for before, n in zip(self.tokens, counted, strict=True)]


class Counters:
    """Sums by name and labels. Each worker keeps its own in a file of the shared folder, so that they survive it."""

    def __init__(self, folder: Path, worker: int) -> None:
        self._folder, self._file = folder, folder / f"counters-{worker}.json"
        self._sums: dict[tuple[str, Labels], float] = {}
        self._tallies: dict[tuple[str, str, str], Tally] = {}
        self._changed = False
        self.gauges: dict[tuple[str, Labels], float] = {}
        """What stands as it is now, and is not added up."""
        for name, labels, value in _read(self._file):
            self._sums[name, labels] = value

    def add(self, name: str, value: float = 1.0, **labels: str) -> None:
        """Add to a sum."""
        key = (name, tuple(labels.items()))
        self._sums[key] = self._sums.get(key, 0.0) + value
        self._changed = True

    def tally(self, route: str, release: str, model: str) -> Tally:
        """Return what a call is added to: a call adds to ten sums, and it is done once a second for all of them."""
        key = (route, release, model)
        found = self._tallies.get(key)
        if found is None:
            found = self._tallies[key] = Tally()
        return found

    def _add_tallies(self) -> None:
        tallies, self._tallies = self._tallies, {}
        for (route, release, model), tally in tallies.items():
            self.add("showable_guard_calls_total", tally.calls, route=route, release=release, model=model)
            self.add("showable_guard_seconds_total", tally.upstream_s, route=route, part="upstream")
            self.add("showable_guard_seconds_total", tally.guard_s, route=route, part="guard")
            if tally.unknown:
                self.add("showable_guard_cost_unknown_total", tally.unknown, route=route)
            if tally.priced:
                self.add("showable_guard_usd_total", tally.usd, route=route, release=release)
            for kind, tokens in zip(_KINDS, tally.tokens, strict=True):
                if tokens:
                    self.add("showable_guard_tokens_total", tokens, route=route, kind=kind)

    def save(self) -> None:
        """Write the sums, where they have changed."""
        self._add_tallies()
        if not self._changed:
            return
        draft = self._file.with_suffix(f".{os.getpid()}")
        draft.write_bytes(
            orjson.dumps([[name, list(map(list, labels)), value] for (name, labels), value in self._sums.items()])
        )
        draft.replace(self._file)
        self._changed = False

    def totals(self) -> dict[tuple[str, Labels], float]:
        """Return the sums of all workers."""
        self._add_tallies()
        found = dict(self._sums)
        for path in self._folder.glob("counters-*.json"):
            if path == self._file:
                continue
            for name, labels, value in _read(path):
                found[name, labels] = found.get((name, labels), 0.0) + value
        return found

    def text(self) -> bytes:
        """Write all sums in Prometheus' text format (0.0.4)."""
        lines: list[str] = []
        named = ""
        for (name, labels), value in sorted({**self.totals(), **self.gauges}.items()):
            if name != named:
                kind = "gauge" if (name, labels) in self.gauges else "counter"
                lines += [f"# HELP {name} {_HELP.get(name, name)}", f"# TYPE {name} {kind}"]
                named = name
            inner = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels)
            lines.append(f"{name}{{{inner}}} {value:g}" if inner else f"{name} {value:g}")
        return "\n".join([*lines, ""]).encode()


def _read(path: Path) -> Iterable[tuple[str, Labels, float]]:
    try:
        rows = orjson.loads(path.read_bytes())
    except (FileNotFoundError, ValueError):
        return
    for name, labels, value in rows:
        yield name, tuple((key, text) for key, text in labels), value


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
