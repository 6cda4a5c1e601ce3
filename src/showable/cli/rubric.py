"""`showable rubric`: a rubric of one's own, from a description to the leave to use it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from showable.cli.help import Commands, HeadedCommand
from showable.cli.option_groups import spread
from showable.cli.options import (
    ChatOptions,
    ConcurrencyOption,
    CriticalOption,
    JsonOption,
    JudgeOption,
)
from showable.judging_settings import make_judge

if TYPE_CHECKING:
    from showable.authoring.with_model import Drafted
    from showable.records.evidence import Cost, Judge
    from showable.records.profile import FieldName
    from showable.records.rubric_file import OwnRubric, RubricExample, RubricTrial

app = typer.Typer(help="Write a rubric of your own and test it.", cls=Commands, no_args_is_help=True)
FAILED, INCONCLUSIVE = 1, 3

FileArgument = Annotated[Path, typer.Argument(help="A rubric, TOML.", metavar="FILE")]


@app.command()
def new(
    says: Annotated[str, typer.Argument(help="What the passage must do, in a sentence.", metavar="DESCRIPTION")],
    out: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write. Default: NAME.toml.", metavar="FILE")
    ] = None,
    field: Annotated[
        str | None, typer.Option("--field", help="legal, medical, research, news or general.", metavar="FIELD")
    ] = None,
    kind: Annotated[
        str | None, typer.Option("--kind", help="The kind of claim that it is for, such as holding.", metavar="KIND")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model", help="A chat model that drafts it; without one a template is filled in.", metavar="MODEL[@URL]"
        ),
    ] = None,
    examples: Annotated[
        Path | None,
        typer.Option(
            "--examples", help="A run to take examples from: the least certain claims of the kind.", metavar="RUN"
        ),
    ] = None,
) -> None:
    """Turn a description into a rubric file: criteria, menu, kind of claim, threshold, examples to label."""
    import asyncio

    from showable.authoring.rubric_toml import write_rubric
    from showable.authoring.template import draft
    from showable.authoring.trial import LEAST, LEAST_OF_EACH
    from showable.cli.questions import read_model
    from showable.report.untrusted import printable

    wanted = _field(field)
    rubric = draft(says, field=wanted, kind=kind)
    if model is not None:
        from showable.authoring.with_model import drafted_by_model

        drafted = asyncio.run(drafted_by_model(says, read_model(model), field=rubric.field, kind=kind))
        rubric = _taken(drafted)
    if examples is not None:
        found = {one.key: one for one in (*rubric.examples, *_examples(examples, rubric))}
        rubric = rubric.model_copy(update={"examples": tuple(found.values())})
    path = out or Path(f"{rubric.name}.toml")
    write_rubric(path, rubric, least=LEAST, of_each=LEAST_OF_EACH)
    of_kind = f"claims of kind {rubric.kind}" if rubric.kind else "all claims"
    shown = printable(str(path))
    typer.echo(f"{shown}: {rubric.name}, for {of_kind}, written by {printable(rubric.written_by)}")
    typer.echo(f"next: read it, label {LEAST} examples in it, then `showable rubric test {shown}`")


def _field(name: str | None) -> FieldName | None:
    from typing import cast, get_args

    from showable.errors import SettingError
    from showable.records.profile import FieldName

    if name is not None and name not in get_args(FieldName):
        raise SettingError(f"--field {name!r}: expected {', '.join(get_args(FieldName))}")
    return cast("FieldName | None", name)


def _taken(drafted: Drafted) -> OwnRubric:
    """Return what the model drafted. Leaves with exit code 3 where it drafted nothing; a template is not put in its place."""
    from showable.report.untrusted import printable

    if drafted.rubric is None:
        said = f"showable: the model wrote no rubric: {drafted.why}; without --model a template is filled in"
        typer.echo(printable(said), err=True)
        raise typer.Exit(INCONCLUSIVE)
    return drafted.rubric


def _examples(run: Path, rubric: OwnRubric) -> tuple[RubricExample, ...]:
    """Take examples from a run, and say so where it has none of the kind."""
    from showable.authoring.examples_of_run import examples_of_run
    from showable.report.untrusted import printable

    found = examples_of_run(run, rubric.kind)
    if not found:
        whose = f"claim of kind {rubric.kind}" if rubric.kind else "claim"
        said = f"showable: {run} has no {whose} with a cited passage; no example was taken from it"
        typer.echo(printable(said), err=True)
    return found


@app.command()
def show(file: FileArgument, json: JsonOption = False) -> None:
    """Check a rubric and print what it says, how many examples are labelled, and which tests it passed."""
    from showable.authoring.rubric_toml import read_rubric
    from showable.authoring.trial import missing_labels, read_trials
    from showable.report.untrusted import printable

    rubric = read_rubric(file)
    trials = [one for one in read_trials(file) if one.digest == rubric.digest]
    if json:
        import json as js

        facts = {"rubric": rubric.model_dump(mode="json"), "label": rubric.label, "missing": missing_labels(rubric)}
        typer.echo(js.dumps(facts | {"trials": [one.model_dump() for one in trials]}, ensure_ascii=False, indent=2))
        return
    whose = f"claims of kind {rubric.kind}" if rubric.kind else "all claims"
    typer.echo(printable(f"{rubric.label}: for {whose}, p at {rubric.threshold}, written by {rubric.written_by}"))
    for line in rubric.notes.splitlines():
        typer.echo(f"  {printable(line)}")
    typer.echo(f"examples: {missing_labels(rubric) or 'enough are labelled'}")
    for one in trials or []:
        typer.echo(_line(one))
    if not trials:
        typer.echo("not tested as it stands")


@app.command("test", cls=HeadedCommand)
@spread
def try_out(
    *,
    file: FileArgument,
    judge: JudgeOption = None,
    chat: ChatOptions,
    critical: CriticalOption = None,
    concurrency: ConcurrencyOption = 8,
    json: JsonOption = False,
) -> None:
    """Test a rubric on its labelled examples. Exit 1: it failed. Exit 3: too few examples are labelled, or were decided.

    It is tested for the judge as it will be asked: with the same --samples, --batch, --domain and --critical.
    """
    import asyncio
    from functools import partial

    from showable.authoring.rubric_toml import read_rubric
    from showable.authoring.trial import keep_trial, missing_by_class, missing_labels, read_trials

    rubric = read_rubric(file)
    if missing := missing_labels(rubric):
        _tell_missing(file, missing, missing_by_class(rubric), as_json=json)
        raise typer.Exit(INCONCLUSIVE)
    read_trials(file)  # what cannot be kept is not paid for
    make = partial(make_judge, judge, chat, concurrency=concurrency, critical=critical)
    plain = make()
    ruled = plain if plain.prompt_hash is None else make(rubrics=(rubric,))
    trial, cost = asyncio.run(_try(rubric, ruled, plain))
    if trial.measured:
        keep_trial(file, trial)
    if json:
        import json as js

        facts = trial.model_dump(mode="json") | {"cost": cost.model_dump(mode="json")}
        typer.echo(js.dumps(facts, ensure_ascii=False, indent=2))
    else:
        _tell(file, rubric, trial)
        _tell_cost(cost)
    if not trial.passed:
        raise typer.Exit(FAILED if trial.measured else INCONCLUSIVE)


async def _try(rubric: OwnRubric, ruled: Judge, plain: Judge) -> tuple[RubricTrial, Cost]:
    """Put the labelled examples to the judge under the rubric and without it; where it reads none, they are the same."""
    from showable.authoring.trial import try_rubric
    from showable.cli.count_progress import CountProgress
    from showable.evaluation import close_judge

    labelled = sum(bool(one.label) for one in rubric.examples)
    with CountProgress(labelled * (1 if ruled is plain else 2), "judging", "judged") as progress:
        try:
            return await try_rubric(rubric, ruled, plain, progress.add)
        finally:
            for one in {id(ruled): ruled, id(plain): plain}.values():
                await close_judge(one)


def _tell_missing(file: Path, reason: str, missing: list[dict[str, str | int]], *, as_json: bool) -> None:
    import json

    if as_json:
        facts = {"passed": False, "refused": {"reason": reason, "missing": missing}}
        typer.echo(json.dumps(facts, ensure_ascii=False, indent=2))
    else:
        from showable.report.untrusted import printable

        typer.echo(f"showable: {printable(str(file))}: not tested: {reason}", err=True)


def _tell(file: Path, rubric: OwnRubric, trial: RubricTrial) -> None:
    from showable.authoring.trial import trials_path
    from showable.report.untrusted import printable

    typer.echo(f"{rubric.label} {_line(trial)}")
    if not trial.measured:
        typer.echo("nothing was measured, so nothing is kept; what was tested before stands")
        return
    if trial.prompt is None:
        typer.echo(f"{printable(trial.judge)} reads no criteria: of this rubric it takes the threshold alone")
    elif trial.without is not None:
        typer.echo(f"without the rubric: {trial.without:.1%} on the same examples")
    typer.echo(f"kept in {printable(str(trials_path(file)))}; commit it with the rubric")
    if trial.passed:
        typer.echo(f"`showable score … --rubric {printable(str(file))}` may now use it with this judge")


def _tell_cost(cost: Cost) -> None:
    from showable.report.cost_words import cost_in_words

    if cost.calls:
        typer.echo(cost_in_words(cost))


def _line(trial: RubricTrial) -> str:
    """State in a line how a trial went: nothing without its n and interval."""
    from showable.report.untrusted import printable

    word = "passed" if trial.passed else "FAILED" if trial.measured else "undecided"
    said = f"{word} with {trial.judge}: {trial.why}; n {trial.n} ({trial.positives} supported, {trial.negatives} not)"
    if trial.low is not None and trial.high is not None:
        said += f", 95 % interval {trial.low:.1%} to {trial.high:.1%}"
    return printable(said + (f", {trial.undecided} undecided" if trial.undecided else ""))
