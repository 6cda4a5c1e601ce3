"""Ask a whole question set: so many at a time, within a sum of money, each answer on disk as soon as it is there."""

from __future__ import annotations

import asyncio
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic import ValidationError

from probative.errors import InputError, SettingError
from probative.harness.answers_file import ANSWERS, AnswersFile
from probative.harness.asking_once import Asker
from probative.records.asking import ASK, AskFacts
from probative.records.evidence import Cost
from probative.records.lines import explain
from probative.records.record import Question, Record

_SHOW_EVERY_S = 1.0


@dataclass(slots=True)
class AskTally:
    """How far the asking has come. Costs that no pipeline told are counted in `unpriced`, not as nothing."""

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

    def add(self, facts: AskFacts) -> None:
        """Count one question more."""
        self.done += 1
        self.retried += facts.tries > 1
        if facts.error is not None:
            self.failed += 1
        else:
            self.seconds.append(facts.seconds)
            if facts.force_null:
                self.nulls += 1
                self.nulls_broken += facts.null_honoured is False
                self.nulls_unlogged += facts.null_honoured is None
        cost = facts.cost or Cost(usd=None)
        self.unpriced += cost.usd is None
        self.usd += cost.usd or 0.0
        self.tokens_in += cost.tokens_in
        self.tokens_out += cost.tokens_out

    def as_json(self) -> dict[str, Any]:
        """Give what ``--json`` prints of it; seconds are of the questions that were answered."""
        return {
            "asked": self.done,
            "failed": self.failed,
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
        """Give a quantile of the seconds that answers took; None where there is no answer."""
        if len(self.seconds) < 2:  # noqa: PLR2004 - one value has no spread
            return self.seconds[0] if self.seconds else None
        return round(statistics.quantiles(self.seconds, n=100, method="inclusive")[round(share * 100) - 1], 4)


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


class AskProgress(Protocol):
    """Shows how the asking goes."""

    def show(self, tally: AskTally) -> None:
        """Show the tally; called after each answer, and every second between."""
        ...


async def ask_all(
    questions: Sequence[Question],
    asker: Asker,
    file: AnswersFile,
    *,
    at_once: int,
    purse: Purse,
    progress: AskProgress,
) -> tuple[AskTally, str | None]:
    """Ask what the file has no answer to yet, then put the file into the set's order.

    Gives the tally of all its answers, and why the asking stopped before the end where the purse did not allow more.
    Raises SettingError where an answer cannot be written, or has no price where one is needed; what is written stays.
    """
    tally = AskTally(total=len(questions))
    for record in file.answered.values():
        _count(record, tally, purse)
    tally.resumed = tally.done
    todo = [question for question in questions if question.id not in file.answered]
    left = await _ask_each(todo, asker, file, tally, purse=purse, at_once=at_once, progress=progress)
    if left:
        return tally, f"stopped before --max-cost: {purse}"
    file.in_order(questions)
    return tally, None


async def _ask_each(
    todo: Iterable[Question],
    asker: Asker,
    file: AnswersFile,
    tally: AskTally,
    *,
    purse: Purse,
    at_once: int,
    progress: AskProgress,
) -> int:
    """Ask; give how many questions are left."""
    waiting = list(todo)[::-1]
    pending: set[asyncio.Task[Record]] = set()
    try:
        while True:
            while waiting and len(pending) < at_once and purse.allows(len(pending)):
                pending.add(asyncio.create_task(asker.ask(waiting.pop())))
            if not pending:
                return len(waiting)
            done, pending = await asyncio.wait(pending, timeout=_SHOW_EVERY_S, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                file.append(task.result())
            for task in done:
                _count(task.result(), tally, purse)
            progress.show(tally)
    finally:
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)


def _count(record: Record, tally: AskTally, purse: Purse) -> None:
    facts = facts_of(record)
    tally.add(facts)
    purse.add(facts)


def facts_of(record: Record) -> AskFacts:
    """Give how the asking of a record's question went. Raises InputError where that was not written down."""
    try:
        return AskFacts.model_validate(record.metadata.get(ASK))
    except ValidationError as error:
        place, said = explain(error)
        where = f"metadata.{ASK}.{place}" if place else f"metadata.{ASK}"
        raise InputError(f"of question {record.id!r}: {said}", path=ANSWERS, field=where) from None
