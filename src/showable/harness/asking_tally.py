"""How the asking of a set goes: what was asked, what failed and how, how long answers took, and what they cost."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from showable.errors import InputError
from showable.harness.answers_file import ANSWERS
from showable.records.asking import ASK, AskFacts
from showable.records.evidence import Cost
from showable.records.lines import explain
from showable.records.record import Record


@dataclass(slots=True)
class AskTally:
    """How far the asking has come. Costs that no pipeline told are counted in `unpriced`, not as nothing.

    Of a question that was asked again, what it cost before counts too: each time by itself.
    Two questions failed in the same way where their errors are the same up to the first colon.
    """

    total: int
    done: int = 0
    resumed: int = 0
    failed: int = 0
    retried: int = 0
    nulls: int = 0
    nulls_broken: int = 0
    nulls_unlogged: int = 0
    unpriced: int = 0
    usd: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: list[float] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)
    """How many questions failed in which way."""
    first: dict[str, str] = field(default_factory=dict)
    """Of each way, what was said first."""

    def add(self, facts: AskFacts) -> None:
        """Count one question more."""
        self.done += 1
        self.retried += facts.tries > 1
        if facts.error is not None:
            self.failed += 1
            way = facts.error.partition(": ")[0]
            self.failures[way] += 1
            self.first.setdefault(way, facts.error)
        else:
            self.seconds.append(facts.seconds)
            if facts.force_null:
                self.nulls += 1
                self.nulls_broken += facts.null_honoured is False
                self.nulls_unlogged += facts.null_honoured is None
        for told in (*facts.earlier, facts.cost):
            cost = told or Cost(usd=None)
            self.unpriced += cost.usd is None
            self.usd += cost.usd or 0.0
            self.tokens_in += cost.tokens_in
            self.tokens_out += cost.tokens_out

    def as_json(self) -> dict[str, Any]:
        """Return what ``--json`` prints of it; seconds are of the questions that were answered."""
        return {
            "asked": self.done,
            "failed": self.failed,
            "failures": [{"error": self.first[way], "questions": n} for way, n in self.failures.most_common()],
            "retried": self.retried,
            "forced_null": {
                "asked": self.nulls,
                "not_honoured": self.nulls_broken,
                "not_logged": self.nulls_unlogged,
            },
            "seconds": {"median": self.quantile(0.5), "p95": self.quantile(0.95)},
            "cost": {
                "usd": None if self.unpriced else round(self.usd, 6),
                "unpriced": self.unpriced,
                "tokens_in": self.tokens_in,
                "tokens_out": self.tokens_out,
            },
        }

    def quantile(self, share: float) -> float | None:
        """Return a quantile of the seconds that answers took; None where there is no answer."""
        if len(self.seconds) < 2:  # noqa: PLR2004 - one value has no spread
            return self.seconds[0] if self.seconds else None
        return round(statistics.quantiles(self.seconds, n=100, method="inclusive")[round(share * 100) - 1], 4)


def facts_of(record: Record) -> AskFacts:
    """Return how the asking of a record's question went. Raises InputError where that was not written down."""
    try:
        return AskFacts.model_validate(record.metadata.get(ASK))
    except ValidationError as error:
        place, said = explain(error)
        where = f"metadata.{ASK}.{place}" if place else f"metadata.{ASK}"
        raise InputError(f"of question {record.id!r}: {said}", path=ANSWERS, field=where) from None
