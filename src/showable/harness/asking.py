"""Ask a whole question set: so many at a time, within a sum of money, each answer on disk as soon as it is there."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Protocol

from showable.harness.answers_file import AnswersFile
from showable.harness.asking_once import Asker
from showable.harness.asking_purse import Purse
from showable.harness.asking_tally import AskTally, facts_of
from showable.records.asking import ASK
from showable.records.record import Question, Record

_SHOW_EVERY_S = 1.0
_GIVE_UP_AFTER = 10
"""So many questions that all failed in one way, and none that was answered, say that nobody is there to answer."""


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
    retry_failed: bool = False,
) -> tuple[AskTally, str | None]:
    """Ask what the file has no answer to yet, then put the file into the set's order.

    A question that failed is asked again where the set was not asked to its end, after those that never were; with
    `retry_failed` in any case. Gives the tally of all its answers, and why the asking stopped before the end: the purse
    did not allow more, or nobody answered. What the answers of the file cost is in the purse already, by `count_spent`.
    Raises SettingError where an answer cannot be written, or has no price where one is needed; what is written stays.
    """
    tally = AskTally(total=len(questions))
    fresh = [question for question in questions if question.id not in file.answered]
    failed = {key for key, record in file.answered.items() if facts_of(record).error is not None}
    again = failed if fresh or retry_failed else set[str]()
    for key, record in file.answered.items():
        if key not in again:
            tally.add(facts_of(record))
    tally.resumed = tally.done
    todo = fresh + [question for question in questions if question.id in again]
    stopped = await _ask_each(todo, asker, file, tally, purse=purse, at_once=at_once, progress=progress)
    if stopped is None:
        file.in_order(questions)
    return tally, stopped


def count_spent(file: AnswersFile, purse: Purse) -> None:
    """Count what the answers of a file cost, those of questions that failed too. Raises SettingError as `Purse.add` does."""
    for record in file.answered.values():
        purse.add_every_time(facts_of(record))


async def _ask_each(
    todo: Iterable[Question],
    asker: Asker,
    file: AnswersFile,
    tally: AskTally,
    *,
    purse: Purse,
    at_once: int,
    progress: AskProgress,
) -> str | None:
    """Ask; say why not all were asked."""
    waiting = list(todo)[::-1]
    pending: set[asyncio.Task[Record]] = set()
    try:
        while True:
            while waiting and len(pending) < at_once and purse.allows(len(pending)):
                pending.add(asyncio.create_task(asker.ask(waiting.pop())))
            if not pending:
                return f"stopped before --max-cost: {purse}" if waiting else None
            done, pending = await asyncio.wait(pending, timeout=_SHOW_EVERY_S, return_when=asyncio.FIRST_COMPLETED)
            answered = [_with_earlier(file.answered.get(task.result().id), task.result()) for task in done]
            for record in answered:
                file.append(record)
            for record in answered:
                facts = facts_of(record)
                tally.add(facts)
                purse.add(facts)
            progress.show(tally)
            if (waiting or pending) and not asker.always_there and (why := _nobody_there(tally)):
                return why
    finally:
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)


def _nobody_there(tally: AskTally) -> str | None:
    """Report that no question was answered and why, once enough failed and all in the same way."""
    if tally.failed < max(_GIVE_UP_AFTER, tally.done) or len(tally.failures) > 1:
        return None
    (said,) = tally.first.values()
    return f"stopped, as the first {tally.failed} questions all failed in the same way ({said})"


def _with_earlier(before: Record | None, record: Record) -> Record:
    """Carry over what the question cost when it was asked before: its line is replaced, and the money is gone."""
    if before is None:
        return record
    old = facts_of(before)
    facts = facts_of(record).model_copy(update={"earlier": (*old.earlier, old.cost)})
    return record.model_copy(update={"metadata": {**record.metadata, ASK: facts.model_dump(mode="json")}})
