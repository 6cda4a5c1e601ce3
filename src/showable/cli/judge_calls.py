"""Who judged how much of a run, and what that cost: added up from its evidence, so that a resumed run says the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from showable.judges.cascade import CascadeName
from showable.measure.rates import percent
from showable.records.evidence import Cost, Evidence

NOBODY = "none"
"""Who speaks where there was no text to judge."""


@dataclass(frozen=True, slots=True)
class JudgeCalls:
    """Pairs by the judge whose verdict stands, and the cost of all. Of a cascade: the names of its two judges."""

    by_judge: dict[str, int]
    cost: Cost
    cascade: CascadeName | None = None

    @property
    def pairs(self) -> int:
        """How many pairs were judged."""
        return sum(self.by_judge.values())

    @property
    def asked(self) -> int | None:
        """About how many pairs a cascade's second judge was asked; None where there is no cascade."""
        return None if self.cascade is None else self.by_judge.get(self.cascade.second, 0)

    @property
    def saved(self) -> int | None:
        """About how many pairs it was not asked, because the first judge was sure."""
        return None if self.cascade is None else self.by_judge.get(self.cascade.first, 0)

    def as_json(self) -> dict[str, Any]:
        """Return what `summary.json` holds of it."""
        return {
            "pairs": self.pairs,
            "asked": self.asked,
            "saved": self.saved,
            "by_judge": self.by_judge,
            "cost": self.cost.model_dump(mode="json"),
        }

    def __str__(self) -> str:
        """Say it in one line; nothing for a run that cost nothing and had one judge."""
        spent = "price unknown" if self.cost.usd is None else f"${self.cost.usd:.4f}"
        calls = f"{self.cost.calls:,} calls, {spent}"
        if self.cascade is None or self.asked is None:
            return f"{self.pairs:,} pairs judged: {calls}" if self.cost.calls else ""
        share = f" ({percent(self.asked / self.pairs)} %)" if self.pairs else ""
        said = f"second judge asked about {self.asked:,} of {self.pairs:,} pairs{share}, {self.saved:,} saved"
        return f"{said}: {calls}"


def count_calls(judge: str, evidence: Iterable[Evidence]) -> JudgeCalls:
    """Add up the evidence of a run whose signature names this judge."""
    by_judge: Counter[str] = Counter()
    cost = Cost()
    for one in evidence:
        by_judge.update(pair.verdict.judge for pair in one.pairs if pair.verdict.judge != NOBODY)
        cost += one.cost
    return JudgeCalls(dict(sorted(by_judge.items())), cost, CascadeName.parse(judge))
