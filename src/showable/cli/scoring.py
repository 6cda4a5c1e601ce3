"""Score a file into a run folder: take up what is there, stream the rest through the flow, sum it up."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from showable.calibrating.calibration_file import CALIBRATION
from showable.cli.judge_calls import JudgeCalls, count_calls
from showable.errors import SettingError
from showable.evaluation import Graded, close_judge, evaluate_stream, regrade_one, sign
from showable.judges.budget import BudgetJudge, BudgetReachedError
from showable.judges.calibrated import CalibratedJudge
from showable.measure.not_measured import MAX_FAILURES
from showable.measure.summary import Summary, SummaryBuilder
from showable.records.evidence import Cost, Evidence, Judge
from showable.records.lookups import Registries
from showable.records.passages import Passages
from showable.records.profile import Profile
from showable.records.record import Record
from showable.records.record_file import FileCheck, read_record_lines
from showable.records.scorecard import Scorecard
from showable.stores.run_folder import EVIDENCE, PROFILE, RECORDS, SCORES, RunFolder


@dataclass(frozen=True, slots=True)
class Plan:
    """What to score, with what, into which folder. `facts` are what the run's documents say besides, of what answered.

    More than `max_failures` of the calls to judges or registries failed, and the run is no result.
    """

    check: FileCheck
    folder: Path
    judge: Judge
    profile: Profile
    concurrency: int = 8
    max_cost: float | None = None
    registries: Registries | None = None
    corpus: Passages | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    max_failures: float = MAX_FAILURES


@dataclass(slots=True)
class Tally:
    """How far a run has come: shown while it runs. `calls` is counted over the whole run when it is written down.

    `facts` are those of the plan.
    """

    total: int
    done: int = 0
    resumed: int = 0
    buckets: Counter[str] = field(default_factory=Counter)
    cost: Cost = field(default_factory=Cost)
    calls: JudgeCalls | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    def add(self, graded: Graded) -> None:
        """Count one record more."""
        self.done += 1
        self.buckets[graded.scorecard.bucket] += 1
        self.cost = self.cost + graded.evidence.cost


@dataclass(frozen=True, slots=True)
class Scored:
    """What a run came to. `stopped` says why it ended before its last record, if it did."""

    summary: Summary
    worst: list[Scorecard]
    tally: Tally
    stopped: str | None = None


class Progress(Protocol):
    """Shows how a run goes."""

    def show(self, tally: Tally) -> None:
        """Show the tally; called after each record."""
        ...


def score_into_folder(plan: Plan, progress: Progress) -> Scored:
    """Score all records that the folder has not scored yet, then write its summary and report.

    Stopping at any moment (Ctrl-C, a kill, a full disk, the budget) keeps what was judged; the same
    call goes on from there, and its summary equals that of a run that was never stopped. A record for which a call to a
    judge or a registry failed is asked about again.
    """
    names = plan.registries.name if plan.registries else None
    signature = sign(plan.judge, plan.profile, registries=names, corpus=plan.corpus)
    counts = {"records": plan.check.records, "rejected": plan.check.rejected}
    said = {**counts, **plan.facts}
    with RunFolder.open(plan.folder, signature, plan.check.name, plan.check.fingerprint, **said) as folder:
        tally = Tally(total=plan.check.records, facts=plan.facts)
        builder = SummaryBuilder(signature, str(plan.folder), max_failures=plan.max_failures)
        with _writing(folder, tally):
            folder.write_json(PROFILE, plan.profile.model_dump(mode="json"))
            if isinstance(plan.judge, CalibratedJudge):
                folder.write_json(CALIBRATION, plan.judge.held.model_dump(mode="json"))
            spent = _take_up(folder, plan, builder, tally)
        stopped = _go_on(folder, plan, builder, tally, progress, spent)
        summary = builder.build().model_copy(update=counts)
        with _writing(folder, tally):
            write_down(folder, summary, tally)
    return Scored(summary, builder.worst(), tally, stopped)


@contextmanager
def _writing(folder: RunFolder, tally: Tally) -> Iterator[None]:
    """Raise SettingError in one line where the folder cannot be written."""
    try:
        yield
    except OSError as error:
        said = f"{folder.path}: cannot be written: {error.strerror or error}; {tally.done} records are safe there"
        raise SettingError(f"{said}, and the same command goes on from them") from None


def _take_up(folder: RunFolder, plan: Plan, builder: SummaryBuilder, tally: Tally) -> dict[str, Cost]:
    """Count what an earlier run scored, and grade what it judged but was killed before scoring.

    A record that a power cut took from the folder, though not its evidence, is put back from the file. One for which a call
    failed is taken out, to be asked about again; gives what each of those has cost already.
    """
    lost = folder.found(EVIDENCE) - folder.found(RECORDS)
    if lost:
        for record in good_records(plan.check.path):
            if record.id in lost:
                folder.append_line(RECORDS, record)
    unscored = folder.found(EVIDENCE) - folder.found(SCORES)
    if unscored:
        evidence = {e.id: e for e in folder.read(EVIDENCE, Evidence) if e.id in unscored}
        for record in folder.read(RECORDS, Record):
            if record.id in evidence:
                folder.append_line(SCORES, regrade_one(record, evidence[record.id], plan.profile))
    failed: set[str] = set()
    for card in folder.read(SCORES, Scorecard):
        if card.calls.failed:
            failed.add(card.id)
            continue
        builder.add(card)
        tally.buckets[card.bucket] += 1
        tally.done += 1
        tally.resumed += 1
    if not failed:
        return {}
    spent = {evidence.id: evidence.cost for evidence in folder.read(EVIDENCE, Evidence) if evidence.id in failed}
    folder.forget(failed)
    return spent


def _go_on(
    folder: RunFolder,
    plan: Plan,
    builder: SummaryBuilder,
    tally: Tally,
    progress: Progress,
    spent: Mapping[str, Cost],
) -> str | None:
    judge = plan.judge
    if plan.max_cost is not None:
        judge = BudgetJudge(judge, plan.max_cost, _spent(folder, spent))
    judged = folder.found(EVIDENCE)
    todo = (record for record in good_records(plan.check.path) if record.id not in judged)

    async def run() -> None:
        try:
            stream = evaluate_stream(
                todo,
                judge,
                plan.profile,
                registries=plan.registries,
                corpus=plan.corpus,
                concurrency=plan.concurrency,
            )
            async for graded in stream:
                cost = graded.evidence.cost + spent.get(graded.record.id, Cost())
                with _writing(folder, tally):
                    folder.append(graded.record, graded.evidence.model_copy(update={"cost": cost}), graded.scorecard)
                builder.add(graded.scorecard)
                tally.add(graded)
                progress.show(tally)
        finally:
            await close_judge(plan.judge)
            if plan.registries is not None:
                await plan.registries.aclose()

    try:
        asyncio.run(run())
    except KeyboardInterrupt:
        return "stopped by Ctrl-C"
    except BudgetReachedError as error:
        return str(error)
    finally:
        folder.try_sync()
    if tally.done != tally.total:
        said = f"{tally.total} records when it was checked, {tally.done} when it was scored"
        raise SettingError(f"{plan.check.name}: changed while it was read ({said}); give another --out")
    return None


def _spent(folder: RunFolder, failed: Mapping[str, Cost]) -> float:
    """Add up what the run has cost so far, failed calls too. Raises SettingError where some of it has no price."""
    costs = [evidence.cost.usd for evidence in folder.read(EVIDENCE, Evidence)]
    costs += [cost.usd for cost in failed.values()]
    if None in costs:
        raise SettingError(f"{folder.path}: --max-cost counts what the run has cost, and part of that has no price")
    return sum(cost for cost in costs if cost is not None)


def good_records(path: Path) -> Iterator[Record]:
    """Yield the records of a file, passing over the lines that its check has reported."""
    return (line.value for line in read_record_lines(path) if line.value is not None)


def write_down(folder: RunFolder, summary: Summary, tally: Tally) -> None:
    """Write the summary and the page of the run into the folder."""
    from functools import partial

    from showable.report.html import render_run
    from showable.report.run_view import RunView
    from showable.stores.run_reading import read_entries

    tally.calls = count_calls(summary.signature.judge, folder.read(EVIDENCE, Evidence))
    folder.write_json("summary.json", to_document(summary, tally))
    view = RunView(folder.path.resolve().name, summary, partial(read_entries, folder.path))
    folder.write_text("report.html", render_run(view))
    folder.write_json("run.json", folder.run | {"scored": tally.done, "finished": tally.done == tally.total})


def to_document(summary: Summary, tally: Tally) -> dict[str, Any]:
    """Return what `summary.json` holds: the numbers, what judging them took, and what is known of what answered."""
    calls = {} if tally.calls is None else {"judge_calls": tally.calls.as_json()}
    return {**summary.model_dump(mode="json"), **calls, **tally.facts}
