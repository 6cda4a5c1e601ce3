"""Show how the asking goes: a bar on a terminal, a plain line now and then elsewhere. Always on stderr."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from types import TracebackType
from typing import Self, TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from probative.harness.asking_tally import AskTally

_LINE_EVERY = 5.0


class AskingProgress:
    """Questions asked of all, how many failed, and what it cost. `what` tells repeats apart."""

    def __init__(self, what: str = "asking", stream: TextIO | None = None) -> None:
        """Draw a bar only where someone is looking."""
        self._stream = stream or sys.stderr
        console = Console(file=self._stream)
        columns = (
            TextColumn(what),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeRemainingColumn(compact=True),
            TextColumn("{task.fields[said]}", markup=False),
        )
        self._terminal, self._what = console.is_terminal, what
        self._bar = Progress(*columns, console=console, transient=True, disable=not self._terminal)
        self._task = self._bar.add_task(what, total=None, said="")
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

    def show(self, tally: AskTally) -> None:
        """Show the tally, if it is time to."""
        said = describe(tally)
        self._bar.update(self._task, total=tally.total, completed=tally.done, said=said)
        if self._terminal or time.monotonic() - self._shown < _LINE_EVERY:
            return
        self._shown = time.monotonic()
        with suppress(OSError):  # a log that cannot be written stops nothing
            print(f"{self._what}: {tally.done}/{tally.total} asked, {said}", file=self._stream, flush=True)


def describe(tally: AskTally) -> str:
    """Say what failed and what was spent so far."""
    return f"{tally.failed} failed, {cost_of(tally)}"


def cost_of(tally: AskTally) -> str:
    """Say what answering cost: a price, or that no price is known of some answers."""
    answered = tally.done - tally.failed
    if not tally.unpriced:
        return f"${tally.usd:.4f}"
    return "price unknown" if tally.unpriced >= answered else f"${tally.usd:.4f} and {tally.unpriced} without a price"
