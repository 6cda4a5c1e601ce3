"""`showable calibrate RUN`: the tool held against people's labels, and its judge fitted to them."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from showable.cli.option_groups import spread
from showable.cli.options import (
    ChatOptions,
    ConcurrencyOption,
    CriticalOption,
    JsonOption,
    JudgeOption,
    MaxCostOption,
    MaxFailuresOption,
    ProfileOption,
    input_file,
)
from showable.cli.outputs import plan_outputs
from showable.cli.reading import tell_labels
from showable.judging_settings import make_judge, with_critical

if TYPE_CHECKING:
    from showable.calibrating.from_labelled import LabelledRows
    from showable.calibrating.outcome import Calibrated
    from showable.measure.calibration_report import CalibrationReport
    from showable.records.evidence import Judge

INCONCLUSIVE = 3
LEAST = 30


RunArgument = Annotated[Path | None, typer.Argument(help="A run folder whose answers people labelled.", metavar="RUN")]
LabelsOption = Annotated[
    Path | None,
    typer.Option(
        "--labels",
        help="Labels in place of the run's own: a label store, or an export of one (JSON Lines, CSV).",
        metavar="FILE",
    ),
]
LabelledOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--labelled",
        help="Rows {claim, passage, label} to put to --judge, in place of a run; may be given several times.",
        metavar="FILE",
    ),
]
CalibrationOutputOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--output",
        "-o",
        help="Write the calibration here (.json), for --calibration, or its page (.html). May be repeated.",
        metavar="FILE",
    ),
]
RiskOption = Annotated[
    float | None,
    typer.Option(
        "--risk",
        min=0.001,
        max=0.5,
        help="Find from which probability on at most this share of what is shown is bad, with 95 % confidence.",
        metavar="SHARE",
    ),
]
LeastOption = Annotated[
    int, typer.Option("--least", min=LEAST, help="Labels of each class before anything is fitted.", metavar="N")
]


@spread
def calibrate(
    *,
    run: RunArgument = None,
    labels: LabelsOption = None,
    labelled: LabelledOption = None,
    profile: ProfileOption = None,
    output: CalibrationOutputOption = None,
    least: LeastOption = LEAST,
    risk: RiskOption = None,
    judge: JudgeOption = None,
    max_cost: MaxCostOption = None,
    max_failures: MaxFailuresOption = "5%",
    chat: ChatOptions,
    critical: CriticalOption = None,
    concurrency: ConcurrencyOption = 8,
    json: JsonOption = False,
) -> None:
    """Compare the judge with human labels and fit thresholds. Exit 3: too few labels, or too many calls failed.

    From a run: the labels of `showable review`. From labelled rows: what a judge says of them.
    """
    from showable.calibrating.calibration_file import name_from
    from showable.measure.not_measured import parse_share
    from showable.profiles.load import load_profile

    limit = parse_share(max_failures)
    outputs = plan_outputs(output, "calibration")
    out, html = outputs.one(".json"), outputs.one(".html")
    written = [path for path, _ in outputs.files]
    if risk is not None and labelled:
        from showable.errors import SettingError

        raise SettingError("--risk takes a RUN whose answers people labelled as a whole; --labelled rows are claims")
    if labelled:
        _check(run, labels, written, labelled)
        made = make_judge(judge, chat, concurrency=concurrency, critical=critical)
        made = made if critical else with_critical(made, load_profile(profile or "general"))
        name = name_from(out.stem if out else labelled[0].name.split(".")[0])
        found = _from_labelled(
            labelled, made, profile, name, least, concurrency=concurrency, max_cost=max_cost, limit=limit
        )
    else:
        given = {"judge": judge, "max_cost": max_cost, **asdict(chat), "critical": critical}
        found = _from_run(
            run, labels, given, written, name=out.stem if out else None, profile=profile, least=least, risk=risk
        )
    finish(found, out, html, as_json=json)


def _from_run(
    run: Path | None,
    labels: Path | None,
    of_judge: dict[str, object],
    written: list[Path],
    *,
    name: str | None,
    profile: str | None,
    least: int,
    risk: float | None,
) -> Calibrated:
    from showable.calibrating.bounded_risk import bound_run
    from showable.calibrating.calibration_file import name_from
    from showable.calibrating.from_run import calibrate_run
    from showable.errors import SettingError
    from showable.profiles.load import load_profile
    from showable.stores.baselines import resolve_run

    if run is None:
        raise SettingError("give a RUN whose answers people labelled, or --labelled FILE with rows for a judge")
    if idle := next((option for option, value in of_judge.items() if value is not None), None):
        raise SettingError(
            f"--{idle.replace('_', '-')} goes with --labelled: what the judge said of a run is in its folder, and none is asked"
        )
    folder = resolve_run(run)
    _check_written(written, [labels] if labels else [])
    named = name_from(name or folder.resolve().name)
    if risk is not None:
        if profile is not None:
            raise SettingError("--risk bounds what a run was scored under; score it under the profile first")
        return bound_run(folder, labels, name=named, risk=risk)
    rules = None if profile is None else load_profile(profile)
    return calibrate_run(folder, labels, name=named, profile=rules, least=least)


def _from_labelled(
    files: list[Path],
    judge: Judge,
    profile: str | None,
    name: str,
    least: int,
    *,
    concurrency: int,
    max_cost: float | None,
    limit: float,
) -> Calibrated:
    import asyncio

    from showable.calibrating.from_labelled import calibrate_labelled
    from showable.cli.count_progress import CountProgress
    from showable.profiles.load import load_profile

    read = _read(files)
    rules = load_profile(profile or "general")
    with CountProgress(sum(len(file.rows) for file in read), "judging", "judged") as progress:
        return asyncio.run(
            calibrate_labelled(
                read,
                judge,
                rules,
                progress.add,
                name=name,
                least=least,
                concurrency=concurrency,
                max_cost=max_cost,
                max_failures=limit,
            )
        )


def _read(files: list[Path]) -> list[LabelledRows]:
    from showable.calibrating.from_labelled import LabelledRows

    found = []
    for file in files:
        with input_file(file) as path:
            found.append(LabelledRows.read(path, str(file)))
    tell_labels(row for file in found for _, row in file.rows)
    return found


def _check(run: Path | None, labels: Path | None, written: list[Path], read: list[Path]) -> None:
    """Refuse what does not go with --labelled, and what could only fail after the judge was paid. Raises SettingError."""
    from showable.errors import SettingError

    if run is not None:
        raise SettingError(f"--labelled takes the place of a run; drop it, or {run}")
    if labels is not None:
        raise SettingError("--labels goes with a RUN; rows of --labelled carry their labels")
    resolved = [path.resolve() for path in read]
    if len({*resolved}) < len(resolved):
        twice = next(path for n, path in enumerate(read) if path.resolve() in resolved[:n])
        raise SettingError(f"{twice}: given twice, and its rows would count twice")
    _check_written(written, read)


def _check_written(written: list[Path], read: list[Path]) -> None:
    """Raise SettingError for a file that is read, and would be written over."""
    from showable.errors import SettingError

    for path in written:
        if path.resolve() in {one.resolve() for one in read}:
            raise SettingError(f"{path}: is one of the files to read, and would be written over")


def finish(found: Calibrated, out: Path | None, html: Path | None, *, as_json: bool) -> None:
    """Write what was asked for, show the report, and leave with 3 where nothing was fitted: then no calibration is written."""
    from showable.calibrating.calibration_file import write_calibration

    report = found.report
    if out is not None and found.calibration is not None:
        write_calibration(out, found.calibration)
        report = report.model_copy(update={"file": str(out)})
    if html is not None:
        from showable.report.calibration_page import render_calibration_html

        html.write_text(render_calibration_html(report), encoding="utf-8")
    _show(report, as_json=as_json)
    if report.refused is not None:
        if out is not None:
            typer.echo(f"showable: nothing was fitted, and {out} is not written", err=True)
        raise typer.Exit(INCONCLUSIVE)
    if out is None and not as_json:
        typer.echo("\nNot written down: -o FILE.json keeps it, for score --calibration FILE")


def _show(report: CalibrationReport, *, as_json: bool) -> None:
    if as_json:
        typer.echo(report.model_dump_json(indent=2))
        return
    from showable.cli.console import ReportConsole
    from showable.report.calibration_text import render_calibration

    render_calibration(report, console=ReportConsole())
