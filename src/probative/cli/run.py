"""`probative run`: a question set put to a pipeline, its answers scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from probative.cli.calibration_option import CalibrationOption, judge_under, open_calibration, rules_under, shots_of
from probative.cli.look_up_options import LookUpOption, OfflineOption, make_registries
from probative.cli.options import (
    BatchOption,
    CriticalOption,
    DomainOption,
    FailOnOption,
    JsonOption,
    JudgeOption,
    PriceInOption,
    PriceOutOption,
    ProfileOption,
    SamplesOption,
    ThresholdOption,
    make_judge,
    read_buckets,
    read_profile,
)
from probative.cli.outputs import OutputOption, Outputs, plan_outputs
from probative.cli.rubric_option import RubricOption, read_rubrics, refuse_untested, rules_with
from probative.cli.run_options import (
    AtOnceOption,
    CorpusOption,
    HeldOutOption,
    LabelOption,
    LicenceOption,
    ModelClassOption,
    ModelOption,
    PipelineOption,
    PipelinePriceInOption,
    PipelinePriceOutOption,
    PlainOption,
    PromptOption,
    QuestionsOption,
    RateOption,
    RepeatsOption,
    RetriesOption,
    RetryFailedOption,
    RunMaxCostOption,
    RunOutOption,
    TimeoutOption,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from probative.cli.asking import Asked, AskPlan
    from probative.cli.scoring import Scored
    from probative.harness.pipelines.choose import PipelineOptions
    from probative.harness.pipelines.pipeline import Pipeline

FAILED, INCONCLUSIVE, INTERRUPTED = 1, 3, 130


def run(
    pipeline: PipelineOption,
    questions: QuestionsOption,
    out: RunOutOption = None,
    output: OutputOption = None,
    corpus: CorpusOption = None,
    repeats: RepeatsOption = 1,
    concurrency: AtOnceOption = 4,
    timeout: TimeoutOption = 60.0,
    retries: RetriesOption = 2,
    rate: RateOption = None,
    retry_failed: RetryFailedOption = False,
    label: LabelOption = None,
    model: ModelOption = None,
    model_class: ModelClassOption = None,
    refusal_licence: LicenceOption = None,
    plain: PlainOption = False,
    prompt: PromptOption = None,
    held_out: HeldOutOption = False,
    pipeline_price_in: PipelinePriceInOption = None,
    pipeline_price_out: PipelinePriceOutOption = None,
    max_cost: RunMaxCostOption = None,
    judge: JudgeOption = None,
    threshold: ThresholdOption = None,
    calibration: CalibrationOption = None,
    profile: ProfileOption = None,
    rubric: RubricOption = None,
    look_up: LookUpOption = False,
    offline: OfflineOption = False,
    price_in: PriceInOption = None,
    price_out: PriceOutOption = None,
    samples: SamplesOption = None,
    batch: BatchOption = None,
    domain: DomainOption = None,
    critical: CriticalOption = None,
    fail_on: FailOnOption = None,
    json: JsonOption = False,
) -> None:
    """Put a question set to a pipeline and score its answers. The same command on a folder goes on where it was stopped."""
    from probative.cli.asking import AskPlan, ScorePlan, score_each
    from probative.cli.run_facts import Said, class_of, facts_of, open_set
    from probative.cli.run_folders import default_out, repeats_in
    from probative.cli.score import run_plan
    from probative.harness.asking_once import AskSettings
    from probative.harness.asking_purse import Purse
    from probative.harness.pacing import read_pace
    from probative.harness.pipelines.choose import PipelineOptions

    outputs, failing = plan_outputs(output), read_buckets(fail_on)
    _refuse_clashes(repeats, output, out, retry_failed=retry_failed)
    settings = AskSettings(
        timeout_s=timeout,
        retries=retries,
        pace=read_pace(rate, concurrency),
        price_in=pipeline_price_in,
        price_out=pipeline_price_out,
    )
    fitted, rubrics = open_calibration(calibration, threshold=threshold), read_rubrics(rubric)
    rules = rules_under(fitted, read_profile(profile, threshold))
    rules = rules_with(rubrics, rules, thresholds_given=bool(threshold or fitted))
    bare = make_judge(
        judge,
        price_in=price_in,
        price_out=price_out,
        samples=samples,
        batch=batch,
        domain=domain,
        critical=critical,
        shots=shots_of(fitted),
        rubrics=rubrics,
    )
    made = judge_under(fitted, bare)
    refuse_untested(rubric, rubrics, made, domain)
    asked = open_set(questions, corpus=corpus, held_out=held_out)
    options = PipelineOptions(
        sources=asked.sources,
        refusal_licence=refusal_licence,
        plain=plain,
        prompt=prompt,
        timeout_s=timeout,
        retries=retries,
        concurrency=concurrency,
        price_in=pipeline_price_in,
        price_out=pipeline_price_out,
    )
    chosen = _choose(pipeline, options)
    said = Said(label=label, model=model, model_class=class_of(model_class), refusal_licence=refusal_licence)
    facts = facts_of(chosen, asked, said, repeats)
    folder = out or default_out(facts, asked.corpus_name, repeats)
    plan = AskPlan(
        pipeline=chosen,
        facts=facts,
        questions=asked.questions,
        folders=repeats_in(folder, repeats),
        corpus=asked.corpus,
        settings=settings,
        purse=Purse(max_cost),
        retry_failed=retry_failed,
    )
    runs = _ask(plan, outputs)
    how = ScorePlan(
        judge=made,
        profile=rules,
        registries=make_registries(rules, look_up=look_up, offline=offline),
        corpus=asked.corpus,
        max_cost=None if max_cost is None else max(0.0, max_cost - plan.purse.spent),
    )
    scored = score_each(runs, how, run_plan)
    if repeats == 1:
        _finish_one(runs[0], scored[0], failing, outputs, as_json=json)
    else:
        _finish_repeats(runs, scored, failing, as_json=json)


def _refuse_clashes(repeats: int, output: list[Path] | None, out: Path | None, *, retry_failed: bool) -> None:
    """Refuse options that do not go together. Raises SettingError."""
    from probative.errors import SettingError

    if repeats > 1 and output:
        why = "-o writes a report of one run, and --repeats makes several"
        raise SettingError(f"{why}; write one after with: probative report DIR/repeat-1 -o {output[0]}")
    if retry_failed and out is None:
        raise SettingError("--retry-failed asks again what failed in a run that is there; say which with --out DIR")


def _choose(spec: str, options: PipelineOptions) -> Pipeline:
    """Make the pipeline. What a module prints when it is imported is no report of ours, and goes to stderr."""
    from probative.cli.stdout_kept import stdout_to_stderr
    from probative.harness.pipelines.choose import choose_pipeline

    with stdout_to_stderr():
        return choose_pipeline(spec, options)


def _ask(plan: AskPlan, outputs: Outputs) -> list[Asked]:
    """Ask everything. Where that was stopped, say so and leave: half a set is no measurement."""
    from probative.cli.asking import ask
    from probative.report.untrusted import printable

    where = plan.folders[0] if len(plan.folders) == 1 else plan.folders[0].parent
    again = f"the same command with --out {where} goes on from here"
    try:
        runs = ask(plan)
    except KeyboardInterrupt:
        outputs.tell_unwritten()
        typer.echo(f"probative: stopped by Ctrl-C; what was answered is kept, and {again}", err=True)
        raise typer.Exit(INTERRUPTED) from None
    if stopped := runs[-1].stopped:
        outputs.tell_unwritten()
        tally = runs[-1].tally
        left = tally.total - tally.done + (len(plan.folders) - len(runs)) * tally.total
        said = f"{stopped}; {left} of {tally.total * len(plan.folders)} questions left: {again}"
        then = ", and asks those that failed once more" if tally.failed else ""
        typer.echo(f"probative: {printable(said)}{then}", err=True)
        raise typer.Exit(INCONCLUSIVE)
    for one in runs:
        if one.tally.resumed == one.tally.total:
            _tell_nothing_asked(one)
    return runs


def _tell_nothing_asked(one: Asked) -> None:
    failed = one.tally.failed
    then = f"; {failed} of them failed, and --retry-failed asks those again" if failed else ""
    said = f"all {one.tally.total} questions were asked before; none was asked again{then}"
    typer.echo(f"probative: {one.folder}: {said}", err=True)


def _finish_one(one: Asked, scored: Scored, failing: frozenset[str], outputs: Outputs, *, as_json: bool) -> None:
    """Print the report of the run, how the asking went below it, and leave as `score` does."""
    from probative.cli.run_report import asking_lines
    from probative.cli.score import finish

    def then() -> None:
        if not as_json:
            typer.echo("\n".join(["", *asking_lines(one.tally)]))

    finish(scored, failing, outputs, as_json=as_json, then=then)


def _finish_repeats(runs: Sequence[Asked], scored: Sequence[Scored], failing: frozenset[str], *, as_json: bool) -> None:
    """Print what repeats have in common and where they differ; the exit code is that of the worst of them."""
    from probative.cli.run_report import repeats_document, rows_of, show_repeats

    if stopped := scored[-1].stopped:
        typer.echo(
            f"probative: {stopped} while repeat {len(scored)} was scored: the same command goes on from here", err=True
        )
        raise typer.Exit(INTERRUPTED if "Ctrl-C" in stopped else INCONCLUSIVE)
    rows = rows_of([one.folder for one in runs])
    if as_json:
        import json

        from probative.cli.scoring import to_document

        documents = [to_document(one.summary, one.tally) for one in scored]
        typer.echo(json.dumps(repeats_document(documents, rows), ensure_ascii=False, indent=2))
    else:
        show_repeats(runs, rows, scored[0].summary.signature)
        typer.echo(f"\nRuns: {', '.join(str(one.folder) for one in runs)} (report.html, summary.json in each)")
    if any(one.summary.buckets[name] for one in scored for name in failing):
        raise typer.Exit(FAILED)
    if all(one.summary.n and one.summary.buckets["unknown"] == one.summary.n for one in scored):
        raise typer.Exit(INCONCLUSIVE)
