"""Show how the asking goes, and say what it cost."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from showable.cli.count_progress import CountProgress
from showable.harness.asking_tally import AskTally


class AskingProgress:
    """Questions asked of all, how many failed, and what it cost. `repeat` tells repeats apart: ``repeat 1 of 3``."""

    def __init__(self, total: int, repeat: str = "") -> None:
        self._bar = CountProgress(total, repeat or "asking", f"asked in {repeat}" if repeat else "asked")
        self._shown = 0

    def __enter__(self) -> Self:
        """Start drawing."""
        self._bar.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the terminal as it was."""
        self._bar.__exit__(kind, error, trace)

    def show(self, tally: AskTally) -> None:
        """Show the tally."""
        self._bar.add(tally.done - self._shown, describe(tally))
        self._shown = tally.done


def describe(tally: AskTally) -> str:
    """Return what failed and what was spent so far."""
    return f"{tally.failed} failed, {cost_of(tally)}"


def cost_of(tally: AskTally) -> str:
    """Return what answering cost: a price, or that no price is known of some answers."""
    answered = tally.done - tally.failed
    if not tally.unpriced:
        return f"${tally.usd:.4f}"
    return "price unknown" if tally.unpriced >= answered else f"${tally.usd:.4f} and {tally.unpriced} without a price"
