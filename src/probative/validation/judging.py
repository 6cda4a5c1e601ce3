"""Put pairs to a judge in batches, and take the time that judging alone takes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from probative.records.evidence import Cost, Judge, Pair, Verdict

BATCH = 64

Told = Callable[[int], None]
"""Called after each batch with the number of pairs that were judged in it."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Verdicts in the order of their pairs, the wall time of judging in milliseconds, and what it cost."""

    verdicts: list[Verdict]
    ms: float
    cost: Cost

    @property
    def ms_per_pair(self) -> float | None:
        """Milliseconds a pair; None where there was no pair."""
        return self.ms / len(self.verdicts) if self.verdicts else None


async def judge_pairs(judge: Judge, pairs: Sequence[Pair], told: Told) -> Judged:
    """Judge pairs, 64 at a time."""
    verdicts: list[Verdict] = []
    spent = 0.0
    for start in range(0, len(pairs), BATCH):
        batch = pairs[start : start + BATCH]
        began = time.perf_counter()
        answers = await judge.verdicts(batch)
        spent += time.perf_counter() - began
        verdicts += [answer for answer, _ in zip(answers, batch, strict=True)]
        told(len(batch))
    cost = sum((verdict.cost for verdict in verdicts if verdict.cost is not None), Cost())
    return Judged(verdicts, spent * 1e3, cost)
