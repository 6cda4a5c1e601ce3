"""Show how far a check has come: a bar on a terminal, a plain line now and then elsewhere. Always on stderr."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from probative.records.lookups import PROVEN_BAD, LookupResult

_LINE_EVERY = 5.0


class CheckProgress:
    """Answers of all questions, how many of them speak against a citation, and how many came from the cache."""

    def __init__(self, total: int) -> None:
        """Draw a bar only where someone is looking."""
        console = Console(stderr=True)
        columns = (
            TextColumn("checking"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[said]}", markup=False),
        )
        self._bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._bar.add_task("checking", total=total, said="")
        self._terminal, self._total = console.is_terminal, total
        self._done = self._bad = self._kept = 0
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

    def add(self, result: LookupResult) -> None:
        """Count one answer."""
        self._done += 1
        self._bad += result.status in PROVEN_BAD
        self._kept += result.cached
        parts = [f"{self._bad} bad"] * bool(self._bad) + [f"{self._kept} from the cache"] * bool(self._kept)
        said = ", ".join(parts)
        self._bar.update(self._task, completed=self._done, said=said)
        if self._terminal or time.monotonic() - self._shown < _LINE_EVERY:
            return
        self._shown = time.monotonic()
        with suppress(OSError):  # a log that cannot be written stops nothing
            line = f"{self._done}/{self._total} asked{f', {said}' if said else ''}"
            print(line, file=sys.stderr, flush=True)  # noqa: T201 - a log line is the point
