"""`showable validate TASK FILE…`: this tool's graders against labelled rows."""

from __future__ import annotations

import os
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from showable.cli.calibration_option import CalibrationOption
from showable.cli.option_groups import spread
from showable.cli.options import (
    ChatOptions,
    ConcurrencyOption,
    CriticalOption,
    DryRunOption,
    JsonOption,
    JudgeOption,
    MaxCostOption,
    MaxFailuresOption,
    input_file,
)
from showable.cli.outputs import plan_outputs
from showable.cli.reading import tell_labels
from showable.judging_settings import judge_under, make_judge, open_calibration, shots_of

if TYPE_CHECKING:
    from showable.measure.validated import UnderCalibration, ValidatedRow, Validation
    from showable.records.calibration import Calibration
    from showable.records.evidence import Cost
    from showable.records.signature import Thresholds
    from showable.validation.run import LabelledFile, Plan

INCONCLUSIVE = 3
DEFAULT_CUT = 0.5


class TaskName(StrEnum):
    """What is validated."""

    entailment = "entailment"
    refusal = "refusal"
    factuality = "factuality"


class ThresholdName(StrEnum):
    """Where p is cut."""

    fixed = "fixed"
    per_file = "per-file"


TaskArgument = Annotated[TaskName, typer.Argument(help="entailment, refusal or factuality.", metavar="TASK")]
FilesArgument = Annotated[
    list[Path],
    typer.Argument(help="Labelled rows, JSON Lines, plain or gzip; - reads standard input.", metavar="FILE..."),
]
CutOption = Annotated[
    ThresholdName,
    typer.Option(
        "--threshold", rich_help_panel="Judge", help="fixed: p at --at; per-file: cross-fitted on each file's labels."
    ),
]
AtOption = Annotated[
    float | None,
    typer.Option("--at", rich_help_panel="Judge", help="p at which a verdict is support. Default: 0.5.", metavar="P"),
]
RowsOption = Annotated[Path | None, typer.Option("--rows", help="Write every row as it was decided.", metavar="FILE")]


@spread
def validate(
    *,
    task: TaskArgument,
    files: FilesArgument,
    judge: JudgeOption = None,
    threshold: CutOption = ThresholdName.fixed,
    at: AtOption = None,
    calibration: CalibrationOption = None,
    rows: RowsOption = None,
    output: Annotated[
        list[Path] | None, typer.Option("--output", "-o", help="Write the report as one page (.html).", metavar="FILE")
    ] = None,
    dry_run: DryRunOption = False,
    max_cost: MaxCostOption = None,
    max_failures: MaxFailuresOption = "5%",
    chat: ChatOptions,
    critical: CriticalOption = None,
    concurrency: ConcurrencyOption = 8,
    json: JsonOption = False,
) -> None:
    """Measure a judge on labelled rows. Exit 3: nothing could be measured, or too many calls failed.

    entailment: rows {claim, passage, label}; rows that share group are chunks of one source.
    refusal: rows {question, response, refusal}. factuality: records with gold.bucket.
    """
    from showable.measure.not_measured import parse_share
    from showable.records.signature import Thresholds
    from showable.validation.run import Plan

    html = plan_outputs(output, "validation").one(".html")
    fitted, limit = _open(calibration, task, threshold, at), parse_share(max_failures)
    cut = fitted.thresholds if fitted else Thresholds(support=DEFAULT_CUT) if at is None else _checked(at)
    _check(task, threshold, [path for path in (rows, html) if path], files)
    labelled, made = _read(task, files), None
    if task is not TaskName.refusal:
        shots = shots_of(fitted)
        plain = make_judge(judge, chat, concurrency=concurrency, critical=critical, shots=shots, dry_run=dry_run)
        made = judge_under(fitted, plain)
    elif judge is not None:
        typer.echo("showable: --judge takes no part in refusal: responses are read by this tool alone", err=True)
    under = None if fitted is None else _under(fitted, labelled)
    plan = Plan(
        task.value, labelled, made, threshold.value, cut.support, concurrency, max_cost, cut.per_kind, under, limit
    )
    for kind in plan.idle_kinds:
        typer.echo(f"showable: --critical: no row has the kind {kind!r}", err=True)
    if dry_run:
        _tell_estimate(plan, as_json=json)
    else:
        _carry_out(plan, rows, html, as_json=json)


def _carry_out(plan: Plan, rows: Path | None, html: Path | None, *, as_json: bool) -> None:
    """Judge, write what was asked for, show the figures. Leaves with exit code 3 where nothing could be measured."""
    import asyncio

    from showable.cli.count_progress import CountProgress
    from showable.validation.run import validate as run

    with CountProgress(sum(file.size for file in plan.files), "judging", "judged") as progress:
        found, decided = asyncio.run(run(plan, progress.add))
    _write(found, decided, rows, html)
    _show(found, as_json=as_json)
    if found.not_measured is not None:
        typer.echo(f"showable: {found.not_measured}", err=True)
    if found.not_measured is not None or not any(file.n for file in found.files):
        raise typer.Exit(INCONCLUSIVE)


def _open(path: Path | None, task: TaskName, threshold: ThresholdName, at: float | None) -> Calibration | None:
    """Read --calibration. Raises SettingError beside what it does not go with."""
    from showable.errors import SettingError

    fitted = open_calibration(path, threshold=at, option="--at")
    if fitted is not None and task is TaskName.refusal:
        raise SettingError("--calibration: is of a judge, and none takes part in refusal")
    if fitted is not None and threshold is ThresholdName.per_file:
        raise SettingError("--calibration and --threshold per-file both say where p is cut; give one of them")
    return fitted


def _under(fitted: Calibration, files: Sequence[LabelledFile]) -> UnderCalibration:
    """Return what a calibration was fitted on, and whether that is what is measured: `calibrate` and `retune` name it each their way."""
    from showable.calibrating.retune_rows import claims_of_file, put_together
    from showable.measure.validated import UnderCalibration
    from showable.validation.units import digest_of_labels

    digests = {digest_of_labels([row for file in files for row in file.pairs])}
    digests.add(put_together([claims_of_file(file.name, file.pairs) for file in files]).digest)
    return UnderCalibration(
        label=fitted.label,
        labels=fitted.fitted_on.n,
        mapped=fitted.recalibration is not None,
        in_sample=fitted.fitted_on.labels in digests,
    )


def _checked(at: float) -> Thresholds:
    from showable.errors import SettingError
    from showable.records.signature import Thresholds

    if not 0.0 < at < 1.0:
        raise SettingError(f"--at: expected p between 0 and 1, got {at}")
    return Thresholds(support=at)


def _check(task: TaskName, threshold: ThresholdName, written: Sequence[Path], read: Sequence[Path]) -> None:
    """Refuse what could only fail after the judge was paid. Raises SettingError."""
    from showable.errors import SettingError

    if threshold is ThresholdName.per_file and task is not TaskName.entailment:
        raise SettingError(f"--threshold per-file: only entailment decides by a p that can be cut anew, not {task}")
    inputs = {path.resolve() for path in read}
    if len(inputs) < len(read):
        twice = next(path for n, path in enumerate(read) if path.resolve() in {one.resolve() for one in read[:n]})
        raise SettingError(f"{twice}: given twice, and would count twice in the mean")
    if len({path.resolve() for path in written}) < len(written):
        raise SettingError(f"{written[0]}: --rows and -o name the same file")
    for path in written:
        if path.resolve() in inputs:
            raise SettingError(f"{path}: is one of the files to read, and would be written over")
        if path.is_dir() or not path.parent.is_dir():
            raise SettingError(f"{path}: {'is a folder' if path.is_dir() else 'its folder does not exist'}")
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise SettingError(f"{path}: cannot be written")


def _read(task: TaskName, files: Sequence[Path]) -> list[LabelledFile]:
    from showable.validation.run import LabelledFile

    found = []
    for file in files:
        with input_file(file) as path:
            found.append(LabelledFile.read(task.value, path, str(file)))
    tell_labels(row for file in found for _, row in (*file.pairs, *file.responses))
    return found


def _tell_estimate(plan: Plan, *, as_json: bool) -> None:
    from showable.validation.run import estimate_cost

    least, most = estimate_cost(plan)
    if as_json:
        import json

        bounds = {"least": least.model_dump(), "most": most.model_dump()}
        typer.echo(json.dumps({"rows": sum(file.size for file in plan.files)} | bounds, indent=2))
        return
    if not most.calls:
        typer.echo("no judge call and no cost")
        return
    money = "price unknown: give --price-in and --price-out (USD per million tokens)"
    if most.usd is not None:
        money = _between(f"${least.usd or 0.0:.4f}", f"${most.usd:.4f}")
    calls, tokens_in, tokens_out = (
        _between(f"{getattr(least, name):,}", f"{getattr(most, name):,}")
        for name in ("calls", "tokens_in", "tokens_out")
    )
    typer.echo(
        f"{calls} judge call{'' if most.calls == 1 else 's'}, {tokens_in} tokens in, {tokens_out} out\n{money}{_when(plan, least, most)}"
    )
    typer.echo("verdicts that are cached cost nothing")


def _between(least: str, most: str) -> str:
    return most if least == most else f"{least} to {most}"


def _when(plan: Plan, least: Cost, most: Cost) -> str:
    """Return when it is the least, and when the most."""
    if least == most:
        return ""
    if plan.cascade is not None:
        return "; the least if the first judge is sure of every claim that is not critical, the most if of none"
    return "; the least if every cited passage supports its claim, the most if none does"


def _write(found: Validation, decided: Sequence[ValidatedRow], rows: Path | None, html: Path | None) -> None:
    if rows is not None:
        with rows.open("w", encoding="utf-8") as handle:
            handle.writelines(f"{row.model_dump_json()}\n" for row in decided)
    if html is not None:
        from showable.report.validation_html import render_validation_html

        html.write_text(render_validation_html(found), encoding="utf-8")


def _show(found: Validation, *, as_json: bool) -> None:
    if as_json:
        typer.echo(found.model_dump_json(indent=2))
        return
    from showable.cli.console import ReportConsole
    from showable.report.validation_text import render_validation

    render_validation(found, console=ReportConsole())
