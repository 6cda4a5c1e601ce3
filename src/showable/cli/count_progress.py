"""Show how far a count has come: a bar on a terminal, a plain line now and then elsewhere. Always on stderr."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

_LINE_EVERY = 5.0


class CountProgress:
    """Things done of all things: `doing` says it while it goes on, `done` of what is behind."""

    def __init__(self, total: int, doing: str, done: str) -> None:
        """Draw a bar only where someone is looking."""
        console = Console(stderr=True)
        columns = (
            TextColumn(doing),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeRemainingColumn(compact=True),
            TextColumn("{task.fields[said]}", markup=False),
        )
        self._bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task(doing, total=total, said="")
        self._terminal, self._total, self._word, self._done = console.is_terminal, total, done, 0
        self._shown = time.monotonic()

    def __enter__(self) -> Self:
        """Start drawing."""
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the terminal as it was."""
        self._bar.stop()

    def expect(self, count: int) -> None:
        """Raise the total: so many more are to be done."""
        self._total += count
        self._bar.update(self._task, total=self._total)

    def add(self, count: int, said: str = "") -> None:
        """Count what is done, and say what is known of it so far."""
        self._done += count
        self._bar.update(self._task, completed=self._done, said=said)
        if self._terminal or time.monotonic() - self._shown < _LINE_EVERY:
            return
        self._shown = time.monotonic()
        line = f"{self._done}/{self._total} {self._word}{f', {said}' if said else ''}"
        with suppress(OSError):  # a log that cannot be written stops nothing
            print(line, file=sys.stderr, flush=True)  # noqa: T201 - a log line is the point
