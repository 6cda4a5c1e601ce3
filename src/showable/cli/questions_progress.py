"""Show how many questions a model was asked for, and what they cost so far."""

from __future__ import annotations

from contextlib import ExitStack
from types import TracebackType
from typing import Self

from showable.cli.count_progress import CountProgress
from showable.records.evidence import Cost


class WritingProgress:
    """A count on stderr; how many there will be is known only when writing starts."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._bar: CountProgress | None = None
        self._shown = 0

    def __enter__(self) -> Self:
        """Draw nothing yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the terminal as it was."""
        self._open.close()

    def show(self, done: int, of: int, cost: Cost) -> None:
        """Show how many questions were asked for, of how many."""
        if self._bar is None:
            self._bar = self._open.enter_context(CountProgress(of, "writing", "questions asked for"))
        price = "price unknown" if cost.usd is None else f"${cost.usd:.4f}"
        self._bar.add(done - self._shown, f"{cost.tokens_in + cost.tokens_out:,} tokens, {price}")
        self._shown = done
