"""The command line. Each command lives in its own file and imports what it needs when it runs, so that --help is quick."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Annotated, TextIO, cast

import typer

from showable import __version__
from showable.cli.calibrate import calibrate
from showable.cli.check import check
from showable.cli.compare import compare
from showable.cli.convert import convert
from showable.cli.demo import demo
from showable.cli.drift import app as drift
from showable.cli.feed import app as feed
from showable.cli.feed_promote import promote
from showable.cli.feed_tickets import app as tickets
from showable.cli.gate import gate
from showable.cli.guard import app as guard
from showable.cli.help import CONTEXT, GroupedCommands, HeadedCommand, spelled_now
from showable.cli.labels import app as labels
from showable.cli.power import power
from showable.cli.profile import profile
from showable.cli.questions import app as questions
from showable.cli.registry import app as registry
from showable.cli.regrade import regrade
from showable.cli.report import report
from showable.cli.retune import retune
from showable.cli.review import review
from showable.cli.rubric import app as rubric
from showable.cli.run import run
from showable.cli.runs import app as runs
from showable.cli.schema import schema
from showable.cli.score import score
from showable.cli.serve import serve
from showable.cli.traces import app as traces
from showable.cli.validate import validate
from showable.errors import ShowableError

MISTAKE, INTERRUPTED, BROKEN_PIPE = 2, 130, 141

app = typer.Typer(
    name="showable",
    help="Decide whether an answer with citations may be shown: correct, wrong, unsupported or refused.",
    cls=GroupedCommands,
    context_settings={**CONTEXT},
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for command in (
    demo,
    score,
    run,
    gate,
    compare,
    power,
    report,
    regrade,
    convert,
    check,
    validate,
    calibrate,
    retune,
    profile,
    schema,
    review,
    serve,
):
    app.command(cls=HeadedCommand)(command)
app.add_typer(drift, name="drift")
feed.command("promote")(promote)
feed.add_typer(tickets, name="tickets")
app.add_typer(feed, name="feed")
app.add_typer(guard, name="guard")
app.add_typer(labels, name="labels")
app.add_typer(questions, name="questions")
app.add_typer(registry, name="registry")
app.add_typer(rubric, name="rubric")
app.add_typer(runs, name="runs")
app.add_typer(traces, name="traces")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"showable {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version and leave.", is_eager=True, callback=_show_version)
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line and leave with its exit code.

    A mistake of the user, and a file or a stream that cannot be written, are one line on stderr and
    exit code 2. A reader that goes away (`| head`) is 141, so that it is never taken for a decision.
    """
    if sys.stdout is None:  # it was closed before the program began
        sys.exit(MISTAKE if sys.stderr is None else _complain("standard output is closed", MISTAKE))
    _survive_any_encoding()
    _read_former_variables()
    try:
        code = _run()
        sys.stdout.flush()
    except ShowableError as error:
        code = _complain(str(error), MISTAKE)
    except BrokenPipeError:
        code = BROKEN_PIPE
    except OSError as error:
        said = f"{error.filename or 'output'}: {error.strerror or error}"
        code = _complain(said, MISTAKE)
    except KeyboardInterrupt:
        code = _complain("stopped", INTERRUPTED)
    if code in {BROKEN_PIPE, MISTAKE}:
        _forget_unwritten()
    sys.exit(code)


def _run() -> int:
    """Run the command; typer's own way of running would turn a broken pipe into exit code 1, which means `do not ship`."""
    command = typer.main.get_command(app)
    try:
        with command.make_context("showable", sys.argv[1:]) as context:
            command.invoke(context)
    except typer.Exit as leave:
        return leave.exit_code
    except Exception as error:
        show, code = getattr(error, "show", None), getattr(error, "exit_code", None)
        if show is None or code is None:  # no usage error of typer's
            raise
        if now := spelled_now(error):
            return _complain(now, MISTAKE)
        show()
        return int(code)
    return 0


def _read_former_variables() -> None:
    from showable.former_name import with_former_variables

    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        os.environ.update(with_former_variables(os.environ))
    for one in found:
        typer.echo(f"showable: {one.message}", err=True)


def _complain(said: str, code: int) -> int:
    from showable.report.untrusted import printable

    typer.echo(f"showable: {printable(said)}", err=True)
    return code


def _survive_any_encoding() -> None:
    """Print what a terminal cannot show, and what would steer it, as escapes."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    if sys.stdout.isatty():
        from showable.cli.terminal import TerminalOutput

        sys.stdout = cast("TextIO", TerminalOutput(sys.stdout))


def _forget_unwritten() -> None:
    """Keep Python from failing once more, at exit, over what could not be written."""
    if hasattr(sys.stdout, "fileno"):
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except (OSError, ValueError):  # not a real stream: nothing is left to be written
            return
