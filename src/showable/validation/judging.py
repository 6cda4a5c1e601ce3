"""Put pairs to a judge in batches, and take the time that judging alone takes."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from showable.records.calls import CallCounts, Calls
from showable.records.evidence import Cost, Judge, Pair, Verdict

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
    def by_judge(self) -> dict[str, int]:
        """How many verdicts each judge gave: of a cascade there are two."""
        return dict(sorted(Counter(verdict.judge for verdict in self.verdicts).items()))

    @property
    def calls(self) -> list[CallCounts]:
        """The call behind each verdict, failed or not."""
        return [CallCounts(judge=Calls.of([verdict.failure])) for verdict in self.verdicts]

    @property
    def ms_per_pair(self) -> float | None:
        """Milliseconds a pair; None where there was no pair."""
        return self.ms / len(self.verdicts) if self.verdicts else None


async def judge_pairs(judge: Judge, pairs: Sequence[Pair], told: Told, *, at_once: int = BATCH) -> Judged:
    """Judge pairs, so many at a time, and no fewer than 64: a judge may have that many calls in flight."""
    verdicts: list[Verdict] = []
    spent = 0.0
    step = max(BATCH, at_once)
    for start in range(0, len(pairs), step):
        batch = pairs[start : start + step]
        began = time.perf_counter()
        answers = await judge.verdicts(batch)
        spent += time.perf_counter() - began
        verdicts += [answer for answer, _ in zip(answers, batch, strict=True)]
        told(len(batch))
    cost = sum((verdict.cost for verdict in verdicts if verdict.cost is not None), Cost())
    return Judged(verdicts, spent * 1e3, cost)


def note_remembered(judge: Judge, verdicts: Iterable[Verdict]) -> list[str]:
    """Return how many verdicts took no call of a judge that makes calls, so that their milliseconds are not its own."""
    if not judge.estimate([Pair("claim", "passage")]).calls:
        return []
    costs = [verdict.cost for verdict in verdicts]
    remembered = sum(cost == Cost() for cost in costs)
    said = f"{remembered} of {len(costs)} verdicts came from the cache, so that ms is not the judge's own time"
    return [said] if remembered else []
