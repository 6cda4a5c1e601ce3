"""The command line. Each command lives in its own file and imports what it needs when it runs, so that --help is quick."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from probative import __version__
from probative.cli.calibrate import calibrate
from probative.cli.check import check
from probative.cli.compare import compare
from probative.cli.convert import convert
from probative.cli.demo import demo
from probative.cli.drift import app as drift
from probative.cli.gate import gate
from probative.cli.labels import app as labels
from probative.cli.power import power
from probative.cli.profile import profile
from probative.cli.questions import app as questions
from probative.cli.registry import app as registry
from probative.cli.regrade import regrade
from probative.cli.report import report
from probative.cli.retune import retune
from probative.cli.review import review
from probative.cli.rubric import app as rubric
from probative.cli.run import run
from probative.cli.runs import app as runs
from probative.cli.schema import schema
from probative.cli.score import score
from probative.cli.serve import serve
from probative.cli.traces import app as traces
from probative.cli.validate import validate
from probative.errors import ProbativeError

MISTAKE, INTERRUPTED, BROKEN_PIPE = 2, 130, 141

app = typer.Typer(
    name="probative",
    help="Decide whether an answer with citations may be shown: correct, wrong, unsupported or refused.",
    no_args_is_help=True,
    add_completion=False,
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
    app.command()(command)
app.add_typer(drift, name="drift")
app.add_typer(labels, name="labels")
app.add_typer(questions, name="questions")
app.add_typer(registry, name="registry")
app.add_typer(rubric, name="rubric")
app.add_typer(runs, name="runs")
app.add_typer(traces, name="traces")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"probative {__version__}")
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
    try:
        code = _run()
        sys.stdout.flush()
    except ProbativeError as error:
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
        with command.make_context("probative", sys.argv[1:]) as context:
            command.invoke(context)
    except typer.Exit as leave:
        return leave.exit_code
    except Exception as error:
        show, code = getattr(error, "show", None), getattr(error, "exit_code", None)
        if show is None or code is None:  # no usage error of typer's
            raise
        show()
        return int(code)
    return 0


def _complain(said: str, code: int) -> int:
    from probative.report.untrusted import printable

    typer.echo(f"probative: {printable(said)}", err=True)
    return code


def _survive_any_encoding() -> None:
    """Print what a terminal cannot show as escapes, rather than fail on it."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _forget_unwritten() -> None:
    """Keep Python from failing once more, at exit, over what could not be written."""
    if hasattr(sys.stdout, "fileno"):
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except (OSError, ValueError):  # not a real stream: nothing is left to be written
            return
