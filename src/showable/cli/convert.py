"""`showable convert FILE`: another tool's rows in, Records out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from showable.cli.reading import FromOption, check_records, records_file

if TYPE_CHECKING:
    from showable.converters.convert_file import Conversion
    from showable.records.record_file import FileCheck

BAD_INPUT = 2


def convert(
    file: Annotated[
        Path,
        typer.Argument(
            help="Rows of another tool: JSON Lines, JSON, CSV, TSV, .gz; - reads standard input.", metavar="FILE"
        ),
    ],
    wanted: FromOption = None,
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where the Records go. Default: standard output.", metavar="FILE"),
    ] = None,
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="Write the other rows where some are bad; exit 2 all the same.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document of what was done; goes with -o.")
    ] = False,
) -> None:
    """Convert another tool's rows to records. JSON Lines; what could not be carried over is said.

    Read are the rows of ragas, DeepEval, RAGChecker, open-rag-eval, TruLens, CiteEval, Inspect and promptfoo, the
    payloads of Anthropic, Cohere, OpenAI, Azure, Perplexity, Mistral, Bedrock and Gemini, and tables with named columns.
    The shape is told by the fields; --from names it: records, ragas, deepeval, ragchecker, open-rag-eval, trulens, citeeval,
    inspect-log, promptfoo, anthropic, cohere, openai-responses, azure-openai, perplexity, mistral, bedrock, gemini, csv-columns.
    """
    from showable.errors import SettingError

    if json and out is None:
        raise SettingError("--json goes with -o: without it the Records are what is printed")
    if out is not None and out.exists() and file.exists() and out.samefile(file):
        raise SettingError(f"{out}: is the file that is read; give another -o")
    if out is not None and not out.absolute().parent.is_dir():
        raise SettingError(f"{out}: there is no folder {out.parent}")
    if out is not None and out.is_dir():
        raise SettingError(f"{out}: is a folder; -o takes a file")
    with records_file(file, wanted) as (path, found):
        check = check_records(path, file, found)
        _tell_problems(check, keep_going=keep_going)
        kept = not check.rejected or keep_going
        if kept:
            write_records(path, out, converted=found is not None)
        if json:
            typer.echo(_document(check, found, out if kept else None))
    if check.rejected:
        raise typer.Exit(BAD_INPUT)


def write_records(path: Path, out: Path | None, *, converted: bool) -> None:
    """Write the Records of a file without their defaults; a new file is there whole, or not at all."""
    import sys

    lines = _lines(path, converted=converted)
    if out is None:
        sys.stdout.buffer.writelines(lines)
        sys.stdout.buffer.flush()
        return
    if out.exists() and not out.is_file():  # a pipe, or /dev/null
        with out.open("wb") as handle:
            handle.writelines(lines)
        return
    from showable.errors import InputError
    from showable.own_files import replacing

    try:
        with replacing(out) as handle:
            handle.writelines(lines)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=str(out)) from None


def _lines(path: Path, *, converted: bool) -> Iterator[bytes]:
    """Return the lines: those that were converted as they are, those of a file of Records as they are read."""
    if converted:
        with path.open("rb") as handle:
            yield from handle
        return
    from showable.records.record_file import read_record_lines

    for line in read_record_lines(path):
        if line.value is not None:
            yield line.value.model_dump_json(exclude_defaults=True).encode() + b"\n"


def _tell_problems(check: FileCheck, *, keep_going: bool) -> None:
    """Print one line a problem, and what becomes of the other rows."""
    from showable.report.untrusted import printable

    for problem in check.problems:
        typer.echo(f"showable: {printable(str(problem))}", err=True)
    if not check.rejected:
        return
    if check.rejected > len(check.problems):
        typer.echo(f"showable: and {check.rejected - len(check.problems)} more bad rows", err=True)
    then = "writing the rest" if keep_going else "nothing was written; --keep-going writes the rest"
    typer.echo(f"showable: {check.rejected} bad of {check.rejected + check.records} rows; {then}", err=True)


def _document(check: FileCheck, found: Conversion | None, out: Path | None) -> str:
    """Return what was done as one JSON document: `records` and `rejected` count rows, `lost` and `notes` rows by field and by note."""
    from json import dumps

    told = {
        "shape": found.name if found else "records",
        "records": check.records,
        "rejected": check.rejected,
        "lost": dict(found.lost) if found else {},
        "notes": dict(found.notes) if found else {},
        "problems": [str(problem) for problem in check.problems],
        "output": str(out) if out else None,
    }
    return dumps(told, ensure_ascii=False, indent=2)
