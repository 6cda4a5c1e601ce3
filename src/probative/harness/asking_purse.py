"""Keep the asking within a sum of money."""

from __future__ import annotations

from probative.errors import SettingError
from probative.records.asking import AskFacts


class Purse:
    """Keeps the asking within a sum, in USD. What the next question may take is taken to be the dearest so far.

    Until the first price is known, one question is asked at a time. Without a limit everything is allowed.
    """

    def __init__(self, limit: float | None = None) -> None:
        self.limit, self.spent = limit, 0.0
        self._dearest: float | None = None

    def add(self, facts: AskFacts) -> None:
        """Count what a question took. Raises SettingError where there is a limit and nobody says a price."""
        usd = None if facts.cost is None else facts.cost.usd
        if usd is None and self.limit is not None:
            if facts.error is None:
                said = "--max-cost needs a price, and the pipeline says none"
                raise SettingError(
                    f"{said}; let it give `cost`, or tokens and --pipeline-price-in, --pipeline-price-out"
                )
            usd = self._dearest  # a failure may have been paid for
        self.spent += usd or 0.0
        if usd is not None:
            self._dearest = max(usd, self._dearest or 0.0)

    def allows(self, in_flight: int) -> bool:
        """Tell whether one question more fits beside those in flight."""
        if self.limit is None:
            return True
        if self._dearest is None:
            return in_flight == 0
        return self.spent + (in_flight + 1) * self._dearest <= self.limit

    def __str__(self) -> str:
        """Say how it stands."""
        return f"${self.spent:.4f} of ${self.limit or 0.0:.4f} spent"
