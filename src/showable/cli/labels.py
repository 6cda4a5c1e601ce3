"""`showable labels`: what people said of a run, as files to keep and to send, and how far they are."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from showable.cli.help import Commands
from showable.cli.options import JsonOption

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from showable.cli.labelled_run import LabelledRun
    from showable.records.labels import Label
    from showable.stores.label_files import LabelFormat
    from showable.stores.labels.store import LabelStore

app = typer.Typer(
    name="labels",
    help="Export, import and count a run's labels.",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
)

RunArgument = Annotated[Path, typer.Argument(help="A run folder, or the name of a pinned baseline.", metavar="RUN")]
LabelsOption = Annotated[
    Path | None,
    typer.Option("--labels", help="The label file. Default: labels.sqlite in the run folder.", metavar="FILE"),
]


@app.command("export")
def export_labels(
    run: RunArgument,
    to: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write here. Default: standard output.", metavar="FILE")
    ] = None,
    form: Annotated[
        Literal["jsonl", "csv"] | None,
        typer.Option("--format", help="jsonl or csv. Default: as the file is called, else jsonl."),
    ] = None,
    with_text: Annotated[
        bool,
        typer.Option(
            "--with-text",
            help="One row a settled claim and passage, with their texts, for `validate entailment` and `calibrate --labelled`;"
            " without the hold-out.",
        ),
    ] = False,
    labels: LabelsOption = None,
) -> None:
    """Write the labels down: everybody's last word on everything, a label a line."""
    from showable.cli.labelled_run import labelled_run, open_labels

    chosen = form or ("csv" if to is not None and to.suffix.lower() == ".csv" else "jsonl")
    about = labelled_run(run, labels)
    with open_labels(about) as store:
        if with_text:
            _write(_text_lines(about, store, chosen), to, about)
        else:
            from showable.report.check_words import counted
            from showable.stores.label_files import label_lines

            words = store.last_words()
            _write(label_lines(words, chosen, store.hold_out()), to, about)
            _tell(f"{counted(len(words), 'label')} written", to)


@app.command("import")
def import_file(
    run: RunArgument,
    file: Annotated[Path, typer.Argument(help="Labels, as `labels export` writes them.", metavar="FILE")],
    labels: LabelsOption = None,
) -> None:
    """Take in labels from a file, all of them or none. The same file again brings nothing new."""
    from showable.cli.labelled_run import labelled_run, open_labels
    from showable.measure.stale_labels import part_stale
    from showable.report.check_words import counted
    from showable.report.label_status_text import stale_lines
    from showable.stores.label_files import check_labels, import_labels, read_labels

    about, numbered = labelled_run(run, labels), read_labels(file)
    check_labels(file, numbered, about.cards, about.answers)
    read = [label for _, label in numbered]
    with open_labels(about, make=True) as store:
        before = store.hold_out()
        new = import_labels(store, file, numbered)
        pinned = store.hold_out()
    typer.echo(f"{counted(len(numbered), 'label')} read, {new:,} of them new")
    for line in (*_hold_out_lines(read, before, pinned), *_kind_lines(read, about)):
        typer.echo(line)
    for line in stale_lines(Counter(one.why for one in part_stale(read, about.answers).stale)):
        typer.echo(line)


@app.command("status")
def status(run: RunArgument, labels: LabelsOption = None, json: JsonOption = False) -> None:
    """Show who labelled what, how far each queue is, where people disagree, and which labels no longer count."""
    from showable.cli.labelled_run import labelled_run, open_labels, status_of

    about = labelled_run(run, labels)
    with open_labels(about) as store:
        found = status_of(about, store)
    if json:
        typer.echo(found.model_dump_json(indent=2))
        return
    from showable.cli.console import ReportConsole
    from showable.report.label_status_text import render_status

    render_status(found, console=ReportConsole())


@app.command("release")
def release(
    run: RunArgument,
    queue: Annotated[str, typer.Argument(help="The queue, as `labels status` names it.", metavar="QUEUE")],
    reviewer: Annotated[str, typer.Argument(help="Who has the records and does not finish them.", metavar="NAME")],
    labels: LabelsOption = None,
) -> None:
    """Release the records of a queue that a reviewer took and did not finish, so that others get them.

    What was said of them already stays.
    """
    from showable.cli.labelled_run import labelled_run, open_labels
    from showable.errors import SettingError
    from showable.report.check_words import counted
    from showable.report.untrusted import printable

    with open_labels(labelled_run(run, labels)) as store:
        names = [one.name for one in store.reviewers()]
        if reviewer not in names:
            raise SettingError(
                f"{reviewer}: nobody of that name labels here; there are {', '.join(names) or 'no reviewers yet'}"
            )
        records = store.release(queue, reviewer)
    typer.echo(f"{counted(len(records), 'record')} given back" + "".join(f"\n  {printable(one)}" for one in records))


def _hold_out_lines(read: Sequence[Label], before: Sequence[str], pinned: Sequence[str]) -> Iterator[str]:
    """Return what became of the hold-out of a file."""
    from showable.report.check_words import counted

    held_out = {label.record for label in read if label.held_out}
    if held_out and not before:
        yield f"{counted(len(pinned), 'record')} pinned as the hold-out, as the file says; nothing is fitted on them"
    elif more := held_out - set(pinned):
        kept = f"a hold-out of {counted(len(pinned), 'record')} is pinned here and stays as it is"
        yield f"{kept}: {counted(len(more), 'record')} held out in the file may be fitted on here"


def _kind_lines(read: Sequence[Label], about: LabelledRun) -> Iterator[str]:
    """Name the claim kinds that the profile does not know; what people said stays."""
    from showable.measure.labelled_kinds import unknown_kinds
    from showable.report.untrusted import printable

    if found := unknown_kinds(read, about.profile):
        named = ", ".join(f"{kind} ({n})" for kind, n in found.items())
        said = (
            f"claim kinds that the profile {about.profile.name} does not have, kept and counted under their own names"
        )
        yield printable(f"{said}: {named}")


def _write(lines: Iterable[str], to: Path | None, about: LabelledRun) -> None:
    """Write to a file in one step, or to standard output. Raises SettingError for a file that is part of the run."""
    if to is None:
        for line in lines:
            typer.echo(line, nl=False)
        return
    from showable.cli.outputs import replace_file
    from showable.errors import SettingError

    if to.resolve() in about.own_files:
        raise SettingError(f"--to {to}: is part of the run; name another file")
    replace_file(to, lambda handle: handle.writelines(line.encode() for line in lines))


def _text_lines(about: LabelledRun, store: LabelStore, form: LabelFormat) -> Iterable[str]:
    """Return the rows with text, and say on standard error what had to be left out.

    Rows do not say where they come from, and whoever reads them may fit on them: the hold-out is never among them.
    """
    from showable.measure.labelled_texts import TextRow, text_rows
    from showable.stores.label_files import text_lines

    settled, pinned = about.settled(store), set(store.hold_out())
    gold = {target: value for target, value in settled.gold.items() if target.record not in pinned}
    held_out = sum(target.about == "support" for target in settled.gold.keys() - gold.keys())
    made = list(text_rows(replace(settled, gold=gold), about.entries()))
    rows = [row for row in made if isinstance(row, TextRow)]
    pairs = [
        target for target in (*settled.unsettled, *settled.cannot_tell, *settled.uncounted) if target.about == "support"
    ]
    left_out = {
        "without a settled label": len(pairs),
        "without the passage's text in the log": len(made) - len(rows),
        "of the hold-out, on which nothing is fitted": held_out,
    }
    said = ", ".join(f"{n} {why}" for why, n in left_out.items() if n)
    made_of = "1 claim with its passage" if len(rows) == 1 else f"{len(rows):,} claims with their passages"
    _tell(made_of + (f"; left out: {said}" if said else ""), None)
    return text_lines(rows, form)


def _tell(said: str, to: Path | None) -> None:
    from showable.report.untrusted import printable

    typer.echo(f"{said}{f' to {printable(str(to))}' if to else ''}", err=True)
