"""`showable drift`: has the judge, the stream of scores, or the distance to people moved?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from showable.cli.anchor_rows import cut_of, judge_of, read_labelled, refuse_another_p
from showable.cli.calibration_option import CalibrationOption
from showable.cli.drift_options import (
    LEAST_BY_RESAMPLING,
    STATE,
    FalseAlarmsOption,
    StateOption,
    WebhookOption,
    check_share,
    check_webhook,
    finish,
)
from showable.cli.help import Commands, HeadedCommand
from showable.cli.options import (
    ChatOptions,
    ConcurrencyOption,
    DomainOption,
    JsonOption,
    JudgeOption,
    LogprobsOption,
    SamplesOption,
    ThresholdOption,
    read_thresholds,
)
from showable.judging_settings import judge_under, make_judge, open_calibration, shots_of

if TYPE_CHECKING:
    from showable.records.calibration import Calibration
    from showable.records.evidence import Judge

app = typer.Typer(
    name="drift",
    help="Raise an alarm (exit 1) when a judge or its scores have moved.",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
)
anchor_app = typer.Typer(
    name="anchor",
    help="Compare a judge with frozen labelled rows after a change.",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(anchor_app, name="anchor")

LabelsOption = Annotated[
    Path | None,
    typer.Option(
        "--labels", help="Labels in another file than RUN/labels.sqlite: SQLite, JSONL or CSV.", metavar="FILE"
    ),
]


@anchor_app.command("freeze", cls=HeadedCommand)
def freeze_anchor(
    file: Annotated[
        Path,
        typer.Argument(
            help="Labelled rows {claim, passage, label}, JSON Lines; or a labelled run folder.", metavar="FILE"
        ),
    ],
    out: Annotated[
        Path | None, typer.Option("--output", "-o", help="The anchor file to write.", metavar="ANCHOR")
    ] = None,
    judge: JudgeOption = None,
    threshold: ThresholdOption = None,
    calibration: CalibrationOption = None,
    labels: LabelsOption = None,
    samples: SamplesOption = None,
    domain: DomainOption = None,
    logprobs: LogprobsOption = None,
    concurrency: ConcurrencyOption = 8,
) -> None:
    """Judge labelled rows and freeze them with the verdicts, in a file whose digest tells of any change.

    Of a run the judge and the thresholds are its own, where nothing else is said. The file holds the claims and passages:
    keep it where they may be kept.
    """
    import asyncio

    from showable.cli.count_progress import CountProgress
    from showable.drifting.anchor_file import write_anchor
    from showable.drifting.anchors import freeze, too_small
    from showable.errors import SettingError
    from showable.measure.drift.report import NOTHING_MEASURED
    from showable.report.untrusted import printable

    if out is None:
        raise SettingError("-o ANCHOR: name the file to write")
    if out.exists():
        raise SettingError(f"{out}: exists, and an anchor is never written over; give another -o")
    if not out.parent.is_dir():
        raise SettingError(f"{out}: its folder does not exist")
    fitted = open_calibration(calibration, threshold=threshold)
    rows = read_labelled(file, labels)
    at = fitted.thresholds if fitted else cut_of(rows, threshold)
    spec = judge if judge is not None else judge_of(rows)
    made = _judge(spec, fitted, ChatOptions(samples=samples, domain=domain, logprobs=logprobs), concurrency)
    with CountProgress(len(rows.rows), "judging", "judged") as progress:
        anchor = asyncio.run(freeze(rows, made, at, progress.add, at_once=concurrency))
    if isinstance(anchor, str):
        typer.echo(f"showable: nothing was frozen: {printable(anchor)}", err=True)
        raise typer.Exit(NOTHING_MEASURED)
    write_anchor(out, anchor)
    for note in rows.notes:
        typer.echo(f"- {printable(note)}")
    yes = sum(row.label for row in anchor.rows)
    typer.echo(
        f"{printable(str(out))}: {len(anchor.rows)} rows ({yes} labelled 1, {len(anchor.rows) - yes} labelled 0)"
    )
    if (short := too_small(anchor)) is not None:
        typer.echo(f"- {short}")
    typer.echo(f"judge {printable(anchor.judge)}, threshold {anchor.thresholds}, digest {anchor.digest}")


@anchor_app.command("check", cls=HeadedCommand)
def check_anchor(
    anchor: Annotated[Path, typer.Argument(help="A file of `drift anchor freeze`.", metavar="ANCHOR")],
    judge: JudgeOption = None,
    threshold: ThresholdOption = None,
    calibration: CalibrationOption = None,
    bound: Annotated[
        float | None,
        typer.Option("--bound", help="Alarm too where a figure drops by more than this, e.g. 0.05.", metavar="DROP"),
    ] = None,
    false_alarms: FalseAlarmsOption = 0.05,
    samples: SamplesOption = None,
    domain: DomainOption = None,
    logprobs: LogprobsOption = None,
    concurrency: ConcurrencyOption = 8,
    webhook: WebhookOption = None,
    state: StateOption = STATE,
    json: JsonOption = False,
) -> None:
    """Judge an anchor's rows anew: kappa, TPR, TNR and balanced accuracy, then and now.

    Exit 1: a figure fell by more than chance (its interval lies below 0), or by more than --bound; 0: none did; 3: TPR or
    TNR could not be measured, and nothing alarmed. Without --threshold and --calibration p is cut where it was cut then.
    """
    import asyncio

    from showable.cli.count_progress import CountProgress
    from showable.drifting.anchor_file import read_anchor
    from showable.drifting.anchors import Check, check

    url = check_webhook(webhook, state)
    rate = check_share("--false-alarms", false_alarms, least=LEAST_BY_RESAMPLING)
    if bound is not None:
        check_share("--bound", bound, 1.0)
    fitted = open_calibration(calibration, threshold=threshold)
    frozen = read_anchor(anchor)
    if fitted is None and threshold is None:
        refuse_another_p(anchor, frozen)
    made = _judge(judge, fitted, ChatOptions(samples=samples, domain=domain, logprobs=logprobs), concurrency)
    at = fitted.thresholds if fitted else None if threshold is None else read_thresholds(threshold)
    setting = Check(at, rate, bound, concurrency)
    with CountProgress(len(frozen.rows), "judging", "judged") as progress:
        report = asyncio.run(check(frozen, anchor.name, made, progress.add, setting))
    finish(report, url, state, as_json=json)


@app.command("stream", cls=HeadedCommand)
def stream(
    runs: Annotated[
        list[Path],
        typer.Argument(
            help="Run folders in the order of time, a folder of runs, or files of scorecards (scores.jsonl).",
            metavar="RUN...",
        ),
    ],
    baseline: Annotated[
        str,
        typer.Option(
            "--baseline",
            help="What the rest is held against: the first N answers of each profile, or a run folder or file of its own.",
            metavar="N|RUN",
        ),
    ] = "500",
    horizon: Annotated[
        int,
        typer.Option(
            "--horizon",
            min=100,
            max=5_000,
            help="Answers for which --false-alarms holds; the last so many are watched.",
        ),
    ] = 1_000,
    shift: Annotated[
        float, typer.Option("--shift", help="The change of a rate that charts are tuned to see.", metavar="X")
    ] = 0.10,
    false_alarms: FalseAlarmsOption = 0.05,
    webhook: WebhookOption = None,
    state: StateOption = STATE,
    json: JsonOption = False,
) -> None:
    """Watch scored answers over time, each profile by itself: refusal rate, the three rubrics, buckets, the spread of p.

    Exit 1: something moved; 0: nothing did; 3: too few answers to say. Rates are watched by CUSUM charts whose limits are
    computed from --false-alarms.
    """
    from showable.drifting.streams import read_stream
    from showable.measure.drift.stream import StreamSetting, watch_stream

    url = check_webhook(webhook, state)
    check_share("--shift", shift, least=0.01)
    first, of_its_own = _baseline(baseline)
    setting = StreamSetting(
        baseline=first, false_alarms=check_share("--false-alarms", false_alarms), horizon=horizon, shift=shift
    )
    found = read_stream(runs, of_its_own)
    reference = found.baseline
    about = f"{len(found.answers):,} answers; baseline: " + (
        f"the first {first:,} of each profile" if reference is None else f"{len(reference):,} answers of {baseline}"
    )
    report = watch_stream(found.answers, setting, about=about, reference=reference, notes=found.notes)
    finish(report, url, state, as_json=json)


@app.command("people")
def people(
    run: Annotated[Path, typer.Argument(help="A run folder that people have labelled.", metavar="RUN")],
    labels: LabelsOption = None,
    false_alarms: FalseAlarmsOption = 0.05,
    webhook: WebhookOption = None,
    state: StateOption = STATE,
    json: JsonOption = False,
) -> None:
    """Hold the tool's disagreement with people against that among people, on what two or more have labelled blind.

    Exit 1: the tool disagrees more, by more than the interval of the difference; 0: it does not; 3: too few labels.
    """
    from showable.drifting.labelled_runs import LabelledRun
    from showable.measure.drift.people import compare_with_people
    from showable.measure.drift.report import NOTHING_MEASURED
    from showable.stores.runs_of import one_run

    url = check_webhook(webhook, state)
    rate = check_share("--false-alarms", false_alarms, least=LEAST_BY_RESAMPLING)
    found = LabelledRun.read(one_run(run), labels)
    report = compare_with_people(
        found.told(), about=str(run), profile=found.profile.name, false_alarms=rate, notes=tuple(found.notes())
    )
    if report.exit_code == NOTHING_MEASURED:
        report = report.model_copy(update={"notes": (*report.notes, _next_step(run))})
    finish(report, url, state, as_json=json)


def _next_step(run: Path) -> str:
    from showable.measure.drift.people import LEAST_QUESTIONS, LEAST_THINGS

    return (
        f"next: `showable review {run}`: make a queue in which everybody labels the same answers, let two people label it,"
        f" and look again. It takes {LEAST_THINGS} things (verdicts on citations, say) of {LEAST_QUESTIONS} questions"
    )


def _judge(spec: str | None, fitted: Calibration | None, chat: ChatOptions, concurrency: int) -> Judge:
    made = make_judge(spec, chat, concurrency=concurrency, shots=shots_of(fitted))
    return judge_under(fitted, made)


def _baseline(text: str) -> tuple[int, Path | None]:
    """Read --baseline: a number of answers, or the place of others."""
    from showable.errors import SettingError
    from showable.measure.drift.rate_chart import LEAST_BASELINE

    if not text.isdecimal():
        return 0, Path(text)
    if int(text) < LEAST_BASELINE:
        raise SettingError(f"--baseline: expected {LEAST_BASELINE} answers or more, or a run, got {text}")
    return int(text), None
