"""Keep the asking within a sum of money."""

from __future__ import annotations

from showable.errors import SettingError
from showable.records.asking import AskFacts
from showable.records.evidence import Cost


class Purse:
    """Keeps the asking within a sum, in USD. What the next question may take is taken to be the dearest so far.

    Until the first price is known, one question is asked at a time. Without a limit everything is allowed.
    """

    def __init__(self, limit: float | None = None) -> None:
        self.limit, self.spent = limit, 0.0
        self._dearest: float | None = None

    def add(self, facts: AskFacts) -> None:
        """Count what asking a question took this time. Raises SettingError where there is a limit and nobody says a price."""
        unpriced = facts.cost is None or facts.cost.usd is None
        if unpriced and self.limit is not None and facts.error is None:
            said = "--max-cost needs a price, and the pipeline says none"
            raise SettingError(f"{said}; let it give `cost`, or tokens and --pipeline-price-in, --pipeline-price-out")
        self._spend(facts.cost)

    def add_every_time(self, facts: AskFacts) -> None:
        """Count what a question took as often as it was asked. Raises as `add` does."""
        for cost in facts.earlier:
            self._spend(cost)
        self.add(facts)

    def _spend(self, cost: Cost | None) -> None:
        usd = None if cost is None else cost.usd
        if usd is None and self.limit is not None:
            usd = self._dearest  # a failure may have been paid for
        self.spent += usd or 0.0
        if usd is not None:
            self._dearest = max(usd, self._dearest or 0.0)

    def allows(self, in_flight: int) -> bool:
        """Check whether one question more fits beside those in flight."""
        if self.limit is None:
            return True
        if self._dearest is None:
            return in_flight == 0
        return self.spent + (in_flight + 1) * self._dearest <= self.limit

    def __str__(self) -> str:
        """Return how it stands."""
        return f"${self.spent:.4f} of ${self.limit or 0.0:.4f} spent"
