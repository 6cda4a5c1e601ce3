"""Whether so many calls failed that a run is no result, and the headline that says so."""

from __future__ import annotations

from showable.errors import SettingError
from showable.measure.rates import Rate
from showable.records.calls import CallCounts
from showable.records.scorecard import Scorecard

MAX_FAILURES = 0.05
"""The share of calls to judges, or to registries, that may fail before a run is no result."""


def parse_share(text: str, option: str = "--max-failures") -> float:
    """Parse ``5%`` or ``0.05`` as a fraction. Raises SettingError where it is neither."""
    number, percent = text.strip().removesuffix("%"), text.strip().endswith("%")
    try:
        share = float(number) / (100 if percent else 1)
    except ValueError:
        share = -1.0
    if not 0.0 <= share <= 1.0:
        raise SettingError(f"{option}: expected a share such as 5% or 0.05, got {text!r}")
    return share


class FailureTally:
    """Adds up the calls behind answers, and how many answers a failed one leaves unmeasured."""

    def __init__(self, limit: float = MAX_FAILURES) -> None:
        """Start empty; above `limit` a run is not measured."""
        self.limit, self.calls, self.answers = limit, CallCounts(), 0
        self._touched: dict[tuple[bool, bool], int] = {}

    def add(self, card: Scorecard) -> None:
        """Add the calls of one answer."""
        self.add_calls(card.calls)

    def add_calls(self, calls: CallCounts) -> None:
        """Add the calls of one answer, or of one labelled row."""
        self.answers += 1
        if calls.judge.made or calls.registries.made:
            self.calls += calls
        touched = (calls.judge.failed > 0, calls.registries.failed > 0)
        self._touched[touched] = self._touched.get(touched, 0) + 1

    @property
    def unmeasured(self) -> int:
        """How many answers a failed call concerns."""
        return self.answers - self._touched.get((False, False), 0)

    def headline(self, unit: str = "answers") -> str | None:
        """Return why this is no result, in a line; None where few enough calls failed."""
        judge, registries = self.calls.judge, self.calls.registries
        over = (judge.share > self.limit, registries.share > self.limit)
        if not any(over):
            return None
        concerned = sum(n for touched, n in self._touched.items() if any(map(min, touched, over)))
        who = [f"the judge failed ({judge.most})"] * over[0] + [f"the registries failed ({registries.most})"] * over[1]
        return f"not measured: {concerned:,} of {self.answers:,} {unit}, {' and '.join(who)}"


def withheld(rate: Rate) -> Rate:
    """Return a rate of a run that was not measured: its counts, and no share of what happened to be decided."""
    return rate.model_copy(update={"rate": None, "low": None, "high": None}) if rate.unknown else rate
