"""Stop before a sum of money is passed: a wrapper around any judge that knows its price."""

from __future__ import annotations

from collections.abc import Sequence

from showable.errors import SettingError, ShowableError
from showable.judges.origin import origin
from showable.records.evidence import Cost, Judge, Pair, Verdict


class BudgetReachedError(ShowableError):
    """The next judge call might pass the budget, so it was not made."""


class BudgetJudge:
    """A judge that makes no call whose estimate would pass `limit_usd`, counting `spent_usd` from before.

    Calls in flight count with their estimate until their true cost is known.
    """

    def __init__(self, judge: Judge, limit_usd: float, spent_usd: float = 0.0) -> None:
        if judge.estimate([Pair("claim", "passage")]).usd is None:
            raise SettingError(
                f"--max-cost needs a price, and none is known for {judge.name}; give --price-in and --price-out"
            )
        self._judge, self._limit, self._spent = judge, limit_usd, spent_usd
        self.name, self.prompt_hash = judge.name, judge.prompt_hash
        self.plain_prompt_hash = origin(judge)[1]
        self.escalates: bool = getattr(judge, "escalates", False)

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Judge a batch if it fits. Raises BudgetReachedError where it might not."""
        reserved = self._judge.estimate(pairs).usd or 0.0
        if self._spent + reserved > self._limit:
            raise BudgetReachedError(f"stopped before --max-cost: ${self._spent:.4f} of ${self._limit:.4f} spent")
        self._spent += reserved
        answers: list[Verdict] = []
        try:
            answers = await self._judge.verdicts(pairs)
        finally:
            paid = sum(v.cost.usd or 0.0 for v in answers if v.cost is not None)
            self._spent += paid - reserved
        return answers

    def estimate(self, pairs: Sequence[Pair]) -> Cost:
        """Return what the wrapped judge says."""
        return self._judge.estimate(pairs)
