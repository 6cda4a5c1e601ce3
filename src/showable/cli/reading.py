"""Read a file of recorded answers in whatever shape it is, and say on stderr which it was and what was lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from showable.cli.options import input_file

if TYPE_CHECKING:
    from showable.converters.convert_file import Conversion
    from showable.records.record_file import FileCheck
    from showable.validation.rows import Labelled

FromOption = Annotated[
    str | None,
    typer.Option(
        "--from",
        help="Take FILE for this shape instead of looking: records, ragas, deepeval, csv-columns … (`showable convert --help` lists them).",
        metavar="SHAPE",
    ),
]
_NAMED = 8
"""Fields named on a line; the rest are counted."""


@contextmanager
def records_file(file: Path, wanted: str | None = None) -> Iterator[tuple[Path, Conversion | None]]:
    """Return a file of Records, and what it was made from where `file` held another tool's rows.

    A file of Records is given as it is. Standard input and pipes are put by; so is what was converted, until this ends.
    The shape that was found is told on stderr, and for a file that is nothing known, what could be read.
    """
    from showable.converters.convert_file import open_records

    with input_file(file) as path, open_records(path, str(file), wanted) as reading:
        if reading.found is not None:
            tell_conversion(reading.found, str(file))
        if reading.hint:
            _tell(f"{file}: {reading.hint}")
        yield reading.path, reading.found


def check_records(path: Path, file: Path, found: Conversion | None) -> FileCheck:
    """Check a file that `records_file` gave: its Records, and the rows of the original that became none.

    Lines and places of problems are the original's. The fingerprint is that of the Records, which the same file always
    becomes, so that the same command finds the same run again.
    """
    from showable.records.record_file import FileCheck, check_record_file

    if found is None:
        check = check_record_file(path, str(file))
        if check.named:
            _tell(f"{file}: {check.named} of {check.records} records have no id: called by line (line-1 …)")
        return check
    if not found.records:
        return FileCheck(path, str(file), 0, found.rejected, _fingerprint(path), list(found.problems))
    check = check_record_file(path, str(file))
    check.rejected += found.rejected
    check.problems = [*found.problems, *check.problems]
    return check


def _fingerprint(path: Path) -> str:
    import hashlib

    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def tell_conversion(found: Conversion, name: str) -> None:
    """Print what a file was found to be, and what of it no Record has a place for: two lines at most."""
    said = f"{name}: {found.title}, {found.records} record{'' if found.records == 1 else 's'}"
    if found.lost:
        said += f"; not carried over: {counted(found.lost)}"
    if found.named:
        said += f"; {found.named} without an id: called by row (row-1 …)"
    _tell(said)
    if found.notes:
        _tell(f"{name}: {counted(found.notes)}")


def tell_labels(rows: Iterable[Labelled]) -> None:
    """Print on stderr which words were read as which label, where any were."""
    from showable.validation.rows import labels_read

    if said := labels_read(rows):
        _tell(said)


def counted(counts: Counter[str]) -> str:
    """List names with their counts, the most frequent first and the first few by name."""
    ordered = sorted(counts.items(), key=lambda pair: -pair[1])
    named = [f"{name} ({n})" for name, n in ordered[:_NAMED]]
    return ", ".join([*named, f"and {len(ordered) - _NAMED} more"] if len(ordered) > _NAMED else named)


def _tell(said: str) -> None:
    from showable.report.untrusted import printable

    typer.echo(f"showable: {printable(said)}", err=True)
