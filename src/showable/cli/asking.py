"""Put a question set to a pipeline, once or several times, and score each run as `score` would."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from showable.cli.run_progress import AskingProgress
from showable.cli.scoring import Plan, Scored
from showable.cli.stdout_kept import stdout_to_stderr
from showable.harness.answers_file import ANSWERS, AnswersFile
from showable.harness.asking import ask_all, count_spent
from showable.harness.asking_once import Asker, AskSettings
from showable.harness.asking_purse import Purse
from showable.harness.asking_tally import AskTally
from showable.harness.pipelines.pipeline import Pipeline
from showable.harness.pipelines.threads import CallThreads
from showable.records.asking import PIPELINE, PipelineFacts
from showable.records.evidence import Judge
from showable.records.lookups import Registries
from showable.records.passages import Passages
from showable.records.profile import Profile
from showable.records.record import Question
from showable.records.record_file import check_record_file

ASKING = "asking"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskPlan:
    """What to ask of which pipeline, into which folders: one a repeat, `facts` saying which."""

    pipeline: Pipeline
    facts: PipelineFacts
    questions: Sequence[Question]
    folders: Sequence[Path]
    corpus: Passages | None
    settings: AskSettings
    purse: Purse
    retry_failed: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A folder with all its answers, or as many as there are. `stopped` says why not all."""

    folder: Path
    facts: PipelineFacts
    tally: AskTally
    stopped: str | None


def ask(plan: AskPlan) -> list[Asked]:
    """Ask every repeat in turn, until one is stopped. What earlier askings of all of them cost is counted first.

    What a pipeline prints goes to stderr, so that it cannot get into a document on stdout. KeyboardInterrupt passes;
    what was answered is kept.
    """
    with stdout_to_stderr():
        return asyncio.run(_ask_repeats(plan))


async def _ask_repeats(plan: AskPlan) -> list[Asked]:
    asyncio.get_running_loop().set_default_executor(CallThreads())
    asker, found = Asker(plan.pipeline, plan.settings), list[Asked]()
    try:
        for number, folder in enumerate(plan.folders, 1):
            if (folder / ANSWERS).exists():
                with _answers(plan, folder, number) as file:
                    count_spent(file, plan.purse)
        for number, folder in enumerate(plan.folders, 1):
            found.append(await _ask_one(plan, asker, folder, number))
            if found[-1].stopped:
                break
    finally:
        with suppress(Exception):  # all that could be learned from it is learned
            await plan.pipeline.aclose()
    return found


def _answers(plan: AskPlan, folder: Path, number: int) -> AnswersFile:
    facts = plan.facts.model_copy(update={"repeat": number})
    return AnswersFile.open(folder, facts, None if plan.corpus is None else plan.corpus.name)


async def _ask_one(plan: AskPlan, asker: Asker, folder: Path, number: int) -> Asked:
    repeat = "" if plan.facts.repeats == 1 else f"repeat {number} of {plan.facts.repeats}"
    with _answers(plan, folder, number) as file, AskingProgress(len(plan.questions), repeat) as progress:
        tally, stopped = await ask_all(
            plan.questions,
            asker,
            file,
            at_once=plan.settings.pace.at_once,
            purse=plan.purse,
            progress=progress,
            retry_failed=plan.retry_failed,
        )
        return Asked(folder, file.facts, tally, stopped)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorePlan:
    """With what the answers are scored. `max_cost` is what judging all of them may cost."""

    judge: Judge
    profile: Profile
    registries: Registries | None
    corpus: Passages | None
    max_cost: float | None
    max_failures: float


def score_each(runs: Sequence[Asked], how: ScorePlan, score: Callable[[Plan], Scored]) -> list[Scored]:
    """Score run after run, until one is stopped."""
    found: list[Scored] = []
    left = how.max_cost
    for run in runs:
        scored = score(_plan(run, replace(how, max_cost=left)))
        found.append(scored)
        if scored.stopped:
            break
        if left is not None and scored.tally.calls is not None:
            left = max(0.0, left - (scored.tally.calls.cost.usd or 0.0))
    return found


def _plan(run: Asked, how: ScorePlan) -> Plan:
    check = check_record_file(run.folder / ANSWERS, run.facts.questions)
    facts = {PIPELINE: run.facts.model_dump(mode="json"), ASKING: run.tally.as_json()}
    return Plan(
        check,
        run.folder,
        how.judge,
        how.profile,
        max_cost=how.max_cost,
        registries=how.registries,
        corpus=how.corpus,
        facts=facts,
        max_failures=how.max_failures,
    )
