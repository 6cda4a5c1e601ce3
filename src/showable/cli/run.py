"""`showable run`: a question set put to a pipeline, its answers scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from showable.cli.judging_options import JudgingOptions, open_judging
from showable.cli.option_groups import spread
from showable.cli.options import (
    ChatOptions,
    DetailsOption,
    FailOnOption,
    JsonOption,
    MaxFailuresOption,
    read_buckets,
)
from showable.cli.outputs import OutputOption, Outputs, plan_outputs
from showable.cli.run_options import (
    AskingOptions,
    CorpusOption,
    HeldOutOption,
    PipelineFlags,
    PipelineOption,
    QuestionsOption,
    RunOutOption,
    SpendingOptions,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from showable.cli.asking import Asked, AskPlan
    from showable.cli.run_facts import AskedSet
    from showable.cli.scoring import Scored
    from showable.harness.pipelines.choose import PipelineOptions
    from showable.harness.pipelines.pipeline import Pipeline

FAILED, INCONCLUSIVE, INTERRUPTED = 1, 3, 130


@spread
def run(
    *,
    pipeline: PipelineOption,
    questions: QuestionsOption,
    out: RunOutOption = None,
    output: OutputOption = None,
    corpus: CorpusOption = None,
    asking: AskingOptions,
    flags: PipelineFlags,
    held_out: HeldOutOption = False,
    spending: SpendingOptions,
    by: JudgingOptions,
    chat: ChatOptions,
    fail_on: FailOnOption = None,
    max_failures: MaxFailuresOption = "5%",
    details: DetailsOption = False,
    json: JsonOption = False,
) -> None:
    """Ask a pipeline a question set and score its answers. The same command on a folder goes on where it was stopped."""
    from showable.cli.asking import ScorePlan, score_each
    from showable.cli.run_facts import open_set
    from showable.cli.score import run_plan
    from showable.measure.not_measured import parse_share

    outputs, failing = plan_outputs(output), read_buckets(fail_on)
    limit = parse_share(max_failures)
    _refuse_clashes(asking, output, out)
    judging = open_judging(by, chat)
    rules = judging.rules()
    plan = _plan(pipeline, open_set(questions, corpus=corpus, held_out=held_out), out, asking, flags, spending)
    runs = _ask(plan, outputs)
    left = None if spending.max_cost is None else max(0.0, spending.max_cost - plan.purse.spent)
    how = ScorePlan(
        judge=judging.judge(rules),
        profile=rules,
        registries=judging.registries(rules),
        corpus=plan.corpus,
        max_cost=left,
        max_failures=limit,
    )
    scored = score_each(runs, how, run_plan)
    if asking.repeats == 1:
        _finish_one(runs[0], scored[0], failing, outputs, as_json=json, details=details)
    else:
        _finish_repeats(runs, scored, failing, as_json=json)


def _plan(
    pipeline: str,
    asked: AskedSet,
    out: Path | None,
    how: AskingOptions,
    flags: PipelineFlags,
    spending: SpendingOptions,
) -> AskPlan:
    """Make the pipeline, and say what it is asked and into which folders. Raises SettingError where options do not agree."""
    from showable.cli.asking import AskPlan
    from showable.cli.run_facts import Said, class_of, facts_of
    from showable.cli.run_folders import default_out, repeats_in
    from showable.harness.asking_once import AskSettings
    from showable.harness.asking_purse import Purse
    from showable.harness.pacing import read_pace
    from showable.harness.pipelines.choose import PipelineOptions

    prices = {"price_in": spending.pipeline_price_in, "price_out": spending.pipeline_price_out}
    settings = AskSettings(
        timeout_s=how.timeout, retries=how.retries, pace=read_pace(how.rate, how.concurrency), **prices
    )
    options = PipelineOptions(
        sources=asked.sources,
        refusal_licence=flags.refusal_licence,
        plain=flags.plain,
        prompt=flags.prompt,
        timeout_s=how.timeout,
        retries=how.retries,
        concurrency=how.concurrency,
        **prices,
    )
    chosen, licence = _choose(pipeline, options), flags.refusal_licence
    said = Said(label=flags.label, model=flags.model, model_class=class_of(flags.model_class), refusal_licence=licence)
    facts = facts_of(chosen, asked, said, how.repeats)
    folders = repeats_in(out or default_out(facts, asked.corpus_name, how.repeats), how.repeats)
    return AskPlan(
        pipeline=chosen,
        facts=facts,
        questions=asked.questions,
        folders=folders,
        corpus=asked.corpus,
        settings=settings,
        purse=Purse(spending.max_cost),
        retry_failed=how.retry_failed,
    )


def _refuse_clashes(asking: AskingOptions, output: list[Path] | None, out: Path | None) -> None:
    """Refuse options that do not go together. Raises SettingError."""
    from showable.errors import SettingError

    if asking.repeats > 1 and output:
        why = "-o writes a report of one run, and --repeats makes several"
        raise SettingError(f"{why}; write one after with: showable report DIR/repeat-1 -o {output[0]}")
    if asking.retry_failed and out is None:
        raise SettingError("--retry-failed asks again what failed in a run that is there; say which with --out DIR")


def _choose(spec: str, options: PipelineOptions) -> Pipeline:
    """Make the pipeline. What a module prints when it is imported is no report of ours, and goes to stderr."""
    from showable.cli.stdout_kept import stdout_to_stderr
    from showable.harness.pipelines.choose import choose_pipeline

    with stdout_to_stderr():
        return choose_pipeline(spec, options)


def _ask(plan: AskPlan, outputs: Outputs) -> list[Asked]:
    """Ask everything. Where that was stopped, say so and leave: half a set is no measurement."""
    from showable.cli.asking import ask
    from showable.report.untrusted import printable

    where = plan.folders[0] if len(plan.folders) == 1 else plan.folders[0].parent
    again = f"the same command with --out {where} goes on from here"
    try:
        runs = ask(plan)
    except KeyboardInterrupt:
        outputs.tell_unwritten()
        typer.echo(f"showable: stopped by Ctrl-C; what was answered is kept, and {again}", err=True)
        raise typer.Exit(INTERRUPTED) from None
    if stopped := runs[-1].stopped:
        outputs.tell_unwritten()
        tally = runs[-1].tally
        left = tally.total - tally.done + (len(plan.folders) - len(runs)) * tally.total
        said = f"{stopped}; {left} of {tally.total * len(plan.folders)} questions left: {again}"
        then = ", and asks those that failed once more" if tally.failed else ""
        typer.echo(f"showable: {printable(said)}{then}", err=True)
        raise typer.Exit(INCONCLUSIVE)
    for one in runs:
        if one.tally.resumed == one.tally.total:
            _tell_nothing_asked(one)
    return runs


def _tell_nothing_asked(one: Asked) -> None:
    failed = one.tally.failed
    then = f"; {failed} of them failed, and --retry-failed asks those again" if failed else ""
    said = f"all {one.tally.total} questions were asked before; none was asked again{then}"
    typer.echo(f"showable: {one.folder}: {said}", err=True)


def _finish_one(
    one: Asked, scored: Scored, failing: frozenset[str], outputs: Outputs, *, as_json: bool, details: bool
) -> None:
    """Print the report of the run, how the asking went below it, and leave as `score` does."""
    from showable.cli.run_report import asking_lines
    from showable.cli.score import finish

    def then() -> None:
        if not as_json:
            typer.echo("\n".join(["", *asking_lines(one.tally)]))

    finish(scored, failing, outputs, as_json=as_json, details=details, then=then)


def _finish_repeats(runs: Sequence[Asked], scored: Sequence[Scored], failing: frozenset[str], *, as_json: bool) -> None:
    """Print what repeats have in common and where they differ; the exit code is that of the worst of them."""
    from showable.cli.run_report import repeats_document, rows_of, show_repeats
    from showable.cli.score import tell_not_measured

    if stopped := scored[-1].stopped:
        typer.echo(
            f"showable: {stopped} while repeat {len(scored)} was scored: the same command goes on from here", err=True
        )
        raise typer.Exit(INTERRUPTED if "Ctrl-C" in stopped else INCONCLUSIVE)
    rows = rows_of([one.folder for one in runs])
    if as_json:
        import json

        from showable.cli.scoring import to_document

        documents = [to_document(one.summary, one.tally) for one in scored]
        typer.echo(json.dumps(repeats_document(documents, rows), ensure_ascii=False, indent=2))
    else:
        show_repeats(runs, rows, scored[0].summary.signature)
        typer.echo(f"\nRuns: {', '.join(str(one.folder) for one in runs)} (report.html, summary.json in each)")
    for one in scored:
        tell_not_measured(one.summary)
    if any(one.summary.buckets[name] for one in scored for name in failing):
        raise typer.Exit(FAILED)
    if all(one.summary.n and one.summary.buckets["unknown"] == one.summary.n for one in scored):
        raise typer.Exit(INCONCLUSIVE)
