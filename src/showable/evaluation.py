"""The flow: read an answer, gather evidence about it, grade it. Gathering is the only step that does any I/O."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol, runtime_checkable

from showable import __version__
from showable.errors import SettingError, ShowableError
from showable.gather import gather
from showable.look_up import look_up
from showable.measure.rubric_outcomes import rubric_outcomes
from showable.read.answer import PARSER_REVISION, read_answer
from showable.reader.read import reader_name, replayed
from showable.records.evidence import Evidence, Judge
from showable.records.findings import Outcome
from showable.records.lookups import Registries
from showable.records.passages import Passages
from showable.records.profile import GENERAL, Profile
from showable.records.record import Record
from showable.records.scorecard import Scorecard
from showable.records.signature import Signature
from showable.rubrics.answer_support import head_for
from showable.rubrics.grade import RUBRIC_REVISION, grade, ungraded

_TOLD = 300
"""Characters of an unforeseen exception that are shown."""


@runtime_checkable
class Closing(Protocol):
    """A judge that holds connections or files."""

    async def aclose(self) -> None:
        """Close them; the judge may be used again, and opens them anew."""
        ...


@runtime_checkable
class Calibrated(Protocol):
    """A judge whose probability is mapped as people's labels have it; `calibration_label` names the map."""

    calibration_label: str


@dataclass(frozen=True, slots=True)
class Graded:
    """One record with all that was found out about it."""

    record: Record
    evidence: Evidence
    scorecard: Scorecard


def sign(
    judge: Judge, profile: Profile, seed: int = 0, *, registries: str | None = None, corpus: Passages | None = None
) -> Signature:
    """Write down everything that can move a number, the judge's calibration among it, where it says one.

    Raises SettingError for a name that cannot stand in a line.
    """
    for what, name in (("judge", judge.name), ("corpus", "-" if corpus is None else corpus.name)):
        if not name or any(character in "|\n\r" for character in name):
            raise SettingError(f"a {what}'s name is one line without `|`, got {name!r}")
    head = head_for(judge.name)
    return Signature(
        version=__version__,
        rubric=RUBRIC_REVISION,
        parser=PARSER_REVISION,
        reader=reader_name(),
        judge=judge.name,
        prompt=judge.prompt_hash,
        thresholds=profile.thresholds,
        profile=profile.label,
        registries=registries,
        corpus=None if corpus is None else corpus.name,
        calibration=judge.calibration_label if isinstance(judge, Calibrated) else None,
        answer_head=None if head is None else head.revision,
        seed=seed,
    )


async def evaluate_one(
    record: Record,
    judge: Judge,
    profile: Profile = GENERAL,
    registries: Registries | None = None,
    corpus: Passages | None = None,
) -> Graded:
    """Take one record through the whole flow. Registries are asked beside the judge, where there are any.

    With a `corpus`, a claim that the retrieval log neither supports nor contradicts is looked up there. A judge that
    escalates is asked last: it is told whether another rubric failed the answer. Raises whatever this one record breaks; `evaluate_safely` does not.
    """
    reading = read_answer(record, profile)
    if getattr(judge, "escalates", False):
        lookups = await look_up(record, reading, registries)
        found = Evidence(id=record.id, judge="none", lookups=lookups)
        outcomes = rubric_outcomes(grade(record, reading, found, profile))
        failed = Outcome.FAIL in {outcomes.structural, outcomes.resolvability}
        evidence = await gather(record, reading, judge, profile, corpus, failed=failed)
    else:
        evidence, lookups = await asyncio.gather(
            gather(record, reading, judge, profile, corpus), look_up(record, reading, registries)
        )
    evidence = evidence.model_copy(update={"lookups": lookups, "read": reading.read})
    stamped = evidence.model_copy(update={"at": datetime.now(UTC).isoformat(timespec="seconds")})
    return Graded(record, stamped, grade(record, reading, evidence, profile))


async def evaluate_safely(
    record: Record,
    judge: Judge,
    profile: Profile = GENERAL,
    registries: Registries | None = None,
    corpus: Passages | None = None,
) -> Graded:
    """Evaluate one record; whatever it breaks is an unknown of this record, with the reason.

    Raises only what is the user's to put right (ShowableError).
    """
    try:
        return await evaluate_one(record, judge, profile, registries, corpus)
    except ShowableError:
        raise
    except Exception as error:  # noqa: BLE001 - one answer that breaks something must not end the run
        return Graded(record, Evidence(id=record.id, judge=judge.name), ungraded(record, _failure(error)))


def regrade_one(record: Record, evidence: Evidence, profile: Profile = GENERAL) -> Scorecard:
    """Grade a record again from its saved evidence, without a judge call, a packet or a reading of its sentences."""
    try:
        return grade(record, read_answer(record, profile, replayed(evidence.read)), evidence, profile)
    except ShowableError:
        raise
    except Exception as error:  # noqa: BLE001 - as when it was first scored
        return ungraded(record, _failure(error))


def _failure(error: Exception) -> str:
    return f"it could not be scored: {' '.join(f'{type(error).__name__}: {error}'.split())[:_TOLD]}"


async def close_judge(judge: Judge) -> None:
    """Let a judge close its connections and files, if it has any."""
    if isinstance(judge, Closing):
        await judge.aclose()


async def evaluate_stream(
    records: Iterable[Record],
    judge: Judge,
    profile: Profile = GENERAL,
    *,
    registries: Registries | None = None,
    corpus: Passages | None = None,
    concurrency: int = 8,
) -> AsyncIterator[Graded]:
    """Evaluate records as they come, at most `concurrency` at a time, yielding each as soon as it is done.

    Records are drawn only when there is room for them, so memory does not grow with their number.
    A record that breaks something is an unknown, with the reason. After an error that is the user's to put right no more are drawn; those in flight are finished and yielded, since
    they are paid for, and then the error is raised. Closing the iterator cancels those in flight.
    """
    pending: set[asyncio.Task[Graded]] = set()
    waiting, failed = iter(records), None
    try:
        while True:
            while failed is None and len(pending) < concurrency and (record := next(waiting, None)) is not None:
                pending.add(asyncio.create_task(evaluate_safely(record, judge, profile, registries, corpus)))
            if not pending:
                break
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                if error := task.exception():
                    failed = failed or error
                else:
                    yield task.result()
    finally:
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
    if failed is not None:
        raise failed
