"""The command line. Each command lives in its own file and imports what it needs when it runs, so that --help is quick."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from probative import __version__
from probative.cli.demo import demo
from probative.cli.gate import gate
from probative.cli.regrade import regrade
from probative.cli.schema import schema
from probative.cli.score import score
from probative.errors import ProbativeError

INTERRUPTED = 130

app = typer.Typer(
    name="probative",
    help="Decide whether an answer with citations may be shown: correct, wrong, unsupported or refused.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for command in (demo, score, gate, regrade, schema):
    app.command()(command)


@app.callback()
def _version(
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.", is_eager=True)] = False,
) -> None:
    if version:
        typer.echo(f"probative {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command line. Mistakes of the user are one line on stderr and exit code 2."""
    try:
        app(prog_name="probative")
    except ProbativeError as error:
        typer.echo(f"probative: {error}", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        typer.echo("probative: stopped", err=True)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
