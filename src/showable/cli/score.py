"""`showable score FILE`: recorded answers in, buckets out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from showable.cli.corpus_option import CorpusOption, open_passages
from showable.cli.judging_options import JudgingOptions, open_judging
from showable.cli.option_groups import spread
from showable.cli.options import (
    ChatOptions,
    ConcurrencyOption,
    DetailsOption,
    FailOnOption,
    JsonOption,
    MaxCostOption,
    MaxFailuresOption,
    OutOption,
    read_buckets,
)
from showable.cli.outputs import OutputOption, Outputs, plan_outputs
from showable.cli.reading import FromOption, check_records, records_file

if TYPE_CHECKING:
    from showable.cli.scoring import Plan, Scored
    from showable.measure.summary import Summary
    from showable.records.evidence import Judge
    from showable.records.lookups import Registries
    from showable.records.passages import Passages
    from showable.records.profile import Profile
    from showable.records.record_file import FileCheck

FAILED, BAD_INPUT, INCONCLUSIVE, INTERRUPTED = 1, 2, 3, 130

FileArgument = Annotated[
    Path,
    typer.Argument(
        help="Answers: JSON Lines, JSON, CSV or a spreadsheet, of records or of another tool (see convert); - reads standard"
        " input.",
        metavar="FILE",
    ),
]
KeepGoingOption = Annotated[
    bool, typer.Option("--keep-going", help="Score the other lines where some are bad; exit 2 all the same.")
]
DryRunOption = Annotated[
    bool,
    typer.Option(
        "--dry-run",
        rich_help_panel="Cost and speed",
        help="Say how many judge calls, tokens and how much money; call nothing.",
    ),
]


@spread
def score(
    *,
    file: FileArgument,
    out: OutOption = None,
    output: OutputOption = None,
    shape: FromOption = None,
    by: JudgingOptions,
    corpus: CorpusOption = None,
    keep_going: KeepGoingOption = False,
    dry_run: DryRunOption = False,
    max_cost: MaxCostOption = None,
    chat: ChatOptions,
    concurrency: ConcurrencyOption = 8,
    fail_on: FailOnOption = None,
    max_failures: MaxFailuresOption = "5%",
    details: DetailsOption = False,
    json: JsonOption = False,
) -> None:
    """Score recorded answers. The same command goes on where it was stopped."""
    from showable.cli.scoring import Plan
    from showable.measure.not_measured import parse_share

    outputs, failing = plan_outputs(output, inputs=[file]), read_buckets(fail_on)
    limit = parse_share(max_failures)
    judging = open_judging(by, chat, concurrency=concurrency, dry_run=dry_run)
    with records_file(file, shape) as (path, found):
        check = accepted(check_records(path, file, found), keep_going=keep_going)
        rules = judging.rules(check.profiles)
        tell_overruled(check, rules)
        judge, asked, passages = judging.judge(rules), judging.registries(rules), open_passages(corpus)
        folder = out or default_folder(file, check, setting(judge, rules, asked, passages))
        plan = Plan(check, folder, judge, rules, concurrency, max_cost, asked, passages, max_failures=limit)
        if not dry_run:
            finish(run_plan(plan), failing, outputs, as_json=json, details=details, rejected=check.rejected)
            return
        tell_estimate(plan, as_json=json)
        raise typer.Exit(BAD_INPUT if check.rejected else 0)


def setting(judge: Judge, profile: Profile, asked: Registries | None, corpus: Passages | None) -> str:
    """Return what reads the input, for the name of the folder."""
    from showable.evaluation import Calibrated

    parts = [judge.name, str(judge.prompt_hash), str(profile.thresholds)]
    parts += [profile.label] if profile.label != "general" else []
    parts += [judge.calibration_label] if isinstance(judge, Calibrated) else []
    return " ".join([*parts, *([asked.name] if asked else []), *([corpus.name] if corpus else [])])


def default_folder(file: Path, check: FileCheck, setting: str) -> Path:
    """Name a folder by the input and by what reads it, so that the same command finds it again."""
    import hashlib

    tag = hashlib.sha256(f"{check.fingerprint} {setting}".encode()).hexdigest()[:8]
    stem = "stdin" if str(file) == "-" else file.name.split(".")[0]
    return Path("runs") / f"{stem}-{tag}"


def accepted(check: FileCheck, *, keep_going: bool) -> FileCheck:
    """Tell of a file's problems, and go no further where there are any, unless that is asked for."""
    tell_problems(check, keep_going=keep_going)
    if check.problems and not keep_going:
        raise typer.Exit(BAD_INPUT)
    return check


def tell_problems(check: FileCheck, *, keep_going: bool) -> None:
    """Print one line a problem, and what becomes of the other lines."""
    from showable.report.untrusted import printable

    for problem in check.problems:
        typer.echo(f"showable: {printable(str(problem))}", err=True)
    if check.rejected > len(check.problems):
        typer.echo(f"showable: and {check.rejected - len(check.problems)} more bad lines", err=True)
    if check.rejected:
        then = "scoring the rest" if keep_going else "nothing was scored; --keep-going scores the rest"
        typer.echo(f"showable: {check.rejected} bad of {check.rejected + check.records} lines; {then}", err=True)


def tell_overruled(check: FileCheck, rules: Profile) -> None:
    """Print that records are scored under another profile than the one they name, which only --profile can bring about."""
    from showable.report.untrusted import printable

    others = {
        name: n for name, n in check.profiles.items() if name and name != rules.name and not name.endswith(".toml")
    }
    for name, n in sorted(others.items()):
        said = f"showable: {n} of the records name {name}; all are scored under {rules.name}, as --profile says"
        typer.echo(printable(said), err=True)


def tell_estimate(plan: Plan, *, as_json: bool) -> None:
    """Print what a run would cost, between the least and the most."""
    from showable.cli.estimate import describe_estimate, estimate

    least, most = estimate(plan)
    if as_json:
        import json

        typer.echo(
            json.dumps(
                {"records": plan.check.records, "least": least.model_dump(), "most": most.model_dump()}, indent=2
            )
        )
    else:
        typer.echo(describe_estimate(plan, least, most))


def run_plan(plan: Plan) -> Scored:
    """Score, showing progress."""
    from showable.cli.progress import RunProgress
    from showable.cli.scoring import score_into_folder

    with RunProgress() as progress:
        return score_into_folder(plan, progress)


def finish(
    scored: Scored,
    failing: frozenset[str],
    outputs: Outputs,
    *,
    as_json: bool,
    details: bool = False,
    rejected: int = 0,
    then: Callable[[], None] | None = None,
) -> None:
    """Write what was asked for, print the report, do what comes `then`, and leave with the exit code that the numbers ask for."""
    if scored.stopped:
        outputs.tell_unwritten()
    else:
        outputs.write_folder(Path(str(scored.summary.run)))
    show(scored, as_json=as_json, details=details)
    if then is not None:
        then()
    if not as_json:
        typer.echo(f"\nRun: {scored.summary.run} (report.html, summary.json, scores.jsonl)")
    buckets, n = scored.summary.buckets, scored.summary.n
    if scored.stopped:
        left = scored.tally.total - scored.tally.done
        said = f"showable: {scored.stopped}; {left} of {scored.tally.total} records left: the same command goes on from here"
        typer.echo(said, err=True)
        raise typer.Exit(INTERRUPTED if "Ctrl-C" in scored.stopped else INCONCLUSIVE)
    if rejected:
        raise typer.Exit(BAD_INPUT)
    tell_not_measured(scored.summary)
    if any(buckets[name] for name in failing):
        raise typer.Exit(FAILED)
    if n and buckets["unknown"] == n:
        raise typer.Exit(INCONCLUSIVE)


def tell_not_measured(summary: Summary) -> None:
    """Print that too many calls failed, and leave with 3: what happened to be decided is no result."""
    if summary.not_measured is not None:
        said = (
            f"showable: {summary.not_measured}; scoring into the same folder asks again what failed, and nothing else"
        )
        typer.echo(said, err=True)
        raise typer.Exit(INCONCLUSIVE)


def show(scored: Scored, *, as_json: bool, details: bool = False) -> None:
    """Print the summary: a report for people, or one JSON document."""
    if as_json:
        import json

        from showable.cli.scoring import to_document

        typer.echo(json.dumps(to_document(scored.summary, scored.tally), ensure_ascii=False, indent=2))
        return
    from showable.cli.console import ReportConsole
    from showable.report.terminal import render_summary

    render_summary(scored.summary, scored.worst, console=ReportConsole(), details=details)
    if said := str(scored.tally.calls or ""):
        typer.echo(said)
