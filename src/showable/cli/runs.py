"""`showable runs`: the runs of a folder, the trend of their buckets, and baselines pinned by name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from showable.cli.help import Commands
from showable.cli.options import JsonOption
from showable.cli.outputs import plan_outputs

if TYPE_CHECKING:
    from showable.cli.outputs import Outputs
    from showable.measure.history import History

RUNS = Path("runs")


class _ListsByDefault(Commands):
    """Takes `runs DIR` and `runs -o FILE` as `runs list …`. A folder that is called like a command is given as ./pin."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the command in where none is named."""
        if not args or (args[0] not in self.commands and args[0] not in {"-h", "--help"}):
            args = ["list", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    name="runs",
    help="List runs (`runs [DIR]`), chart their trend, pin baselines by name.",
    cls=_ListsByDefault,
    rich_markup_mode=None,
)

FolderArgument = Annotated[Path, typer.Argument(help="A folder of runs.", metavar="[DIR]")]


@app.command("list")
def list_runs(
    folder: FolderArgument = RUNS,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            help="Write the history here; the ending says how: .html (with the trend of each bucket), .md or .json.",
            metavar="FILE",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """List the runs of a folder, the oldest first: when, what answered, what came out, and pinned baselines.

    `showable runs [DIR]` is the same. A run that is damaged or not finished is named with the reason.
    """
    from showable.stores.run_history import read_history

    outputs = plan_outputs(output, "history", inputs=[folder / "baselines.json"])
    history = read_history(folder)
    _write(history, folder, outputs)
    if json:
        typer.echo(history.model_dump_json(indent=2))
        return
    from showable.cli.console import ReportConsole
    from showable.report.history.text import render_history

    render_history(history, console=ReportConsole())


@app.command("pin")
def pin_run(
    name: Annotated[str, typer.Argument(help="What the baseline is to be called.", metavar="NAME")],
    run: Annotated[Path, typer.Argument(help="A run folder, or a folder of repeats.", metavar="RUN")],
) -> None:
    """Let a name stand for a run: `gate NAME CANDIDATE` then takes it as the baseline. A name in use is moved to this run."""
    from showable.report.untrusted import printable
    from showable.stores.baselines import pin

    file = pin(name, run)
    typer.echo(f"{printable(name)} now stands for {printable(str(run))} ({printable(str(file))})")


@app.command("unpin")
def unpin_run(
    name: Annotated[str, typer.Argument(help="The name to take away; the run stays.", metavar="NAME")],
    folder: FolderArgument = RUNS,
) -> None:
    """Take a pinned name away."""
    from showable.report.untrusted import printable
    from showable.stores.baselines import unpin

    run = unpin(name, folder)
    typer.echo(f"{printable(name)} no longer stands for {printable(run)}")


def _write(history: History, folder: Path, outputs: Outputs) -> None:
    from showable.cli.outputs import replace_file
    from showable.cli.writers import history_writers

    for path, ending in outputs.files:
        to_runs = Path(os.path.relpath(folder.resolve(), path.resolve().parent)).as_posix()
        replace_file(path, history_writers(history, to_runs)[ending])
