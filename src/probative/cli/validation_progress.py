"""Show how far a validation has come: a bar on a terminal, a plain line now and then elsewhere. Always on stderr."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

_LINE_EVERY = 5.0


class ValidationProgress:
    """Rows done of all rows."""

    def __init__(self, total: int) -> None:
        """Draw a bar only where someone is looking."""
        console = Console(stderr=True)
        columns = (
            TextColumn("judging"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeRemainingColumn(compact=True),
        )
        self._bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task("judging", total=total)
        self._terminal, self._total, self._done = console.is_terminal, total, 0
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

    def add(self, rows: int) -> None:
        """Count rows that are done."""
        self._done += rows
        self._bar.update(self._task, completed=self._done)
        if self._terminal or time.monotonic() - self._shown < _LINE_EVERY:
            return
        self._shown = time.monotonic()
        with suppress(OSError):  # a log that cannot be written stops nothing
            print(f"{self._done}/{self._total} judged", file=sys.stderr, flush=True)  # noqa: T201 - a log line is the point
