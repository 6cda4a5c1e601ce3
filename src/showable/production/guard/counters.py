"""What the guard counts, as Prometheus reads it; the workers of one guard add up."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import orjson

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


class Counters:
    """Sums by name and labels. Each worker keeps its own in a file of the shared folder, so that they survive it."""

    def __init__(self, folder: Path, worker: int) -> None:
        self._folder, self._file = folder, folder / f"counters-{worker}.json"
        self._sums: dict[tuple[str, Labels], float] = {}
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

    def save(self) -> None:
        """Write the sums, where they have changed."""
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
