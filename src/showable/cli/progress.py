"""Show how a run goes: a bar on a terminal, a plain line now and then elsewhere. Always on stderr."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from showable.cli.scoring import Tally

_SHORT = (("correct", "ok"), ("refused", "ref"), ("wrong", "WRONG"), ("unsupported", "unsup"), ("unknown", "?"))
_LINE_EVERY = 5.0
_REDRAW_EVERY = 0.1


class RunProgress:
    """Rate, time left, buckets so far and cost. Drawn at most ten times a second, printed every five in a log."""

    def __init__(self) -> None:
        """Draw a bar only where someone is looking."""
        self._start = self._shown = time.monotonic()
        self._console = Console(stderr=True)
        self._bar = Bar(
            TextColumn("scoring"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(compact=True),
            TextColumn("{task.fields[buckets]}", markup=False),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task("scoring", total=None, rate="", buckets="")

    def __enter__(self) -> Self:
        """Start drawing."""
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the terminal as it was."""
        self._bar.stop()

    def show(self, tally: Tally) -> None:
        """Show the tally, if it is time to."""
        now = time.monotonic()
        terminal = self._console.is_terminal
        if now - self._shown < (_REDRAW_EVERY if terminal else _LINE_EVERY):
            return
        self._shown = now
        rate = (tally.done - tally.resumed) / max(now - self._start, 1e-9)
        if terminal:
            self._bar.update(
                self._task, total=tally.total, completed=tally.done, rate=f"{rate:.1f}/s", buckets=describe(tally)
            )
        else:
            left = (tally.total - tally.done) / rate if rate else 0.0
            said = f"{tally.done}/{tally.total} scored, {rate:.1f}/s, {left:.0f} s left, {describe(tally)}"
            with suppress(OSError):  # a log that cannot be written stops no run
                print(said, file=sys.stderr, flush=True)  # noqa: T201 - a log line is the point


def describe(tally: Tally) -> str:
    """Return the buckets so far and what was spent."""
    buckets = " ".join(f"{short} {tally.buckets[name]}" for name, short in _SHORT if tally.buckets[name])
    if not tally.cost.calls:
        return buckets
    spent = "price unknown" if tally.cost.usd is None else f"${tally.cost.usd:.4f}"
    return f"{buckets} · {tally.cost.calls} calls, {spent}"
