"""Reads a file of records for the marker: names for the tests, and where each record begins."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pydantic import ValidationError

from showable.errors import InputError, ShowableError
from showable.pytest_plugin.record_tests import HeldLine
from showable.records.lines import MAX_LINE_BYTES
from showable.records.record import Record
from showable.records.record_file import read_record_lines

if TYPE_CHECKING:
    from showable.converters.convert_file import Reading

Named = tuple[str, HeldLine]

_LONGEST_NAME = 80
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9._-]+")
_JSON_LINES = (".jsonl", ".ndjson")
_BOM = b"\xef\xbb\xbf"
_READ: pytest.StashKey[dict[tuple[Path, int, int], list[Named]]] = pytest.StashKey()


def held_lines(path: Path, config: pytest.Config) -> list[Named]:
    """Return a name and a place for every record of a file, read once a session.

    A file that is missing or holds no record gives one test, which says so: other tests are none the worse.
    """
    try:
        key = (path, path.stat().st_mtime_ns, path.stat().st_size)
    except OSError as error:
        return _only_problem(path, error.strerror or str(error))
    known = config.stash.setdefault(_READ, {})
    if key not in known:
        known[key] = list(_named(_lines(path))) or _only_problem(path, "holds no records")
    return known[key]


def held_in_files(paths: Sequence[Path], config: pytest.Config) -> list[Named]:
    """Return the records of one file as `held_lines` does; of several files each name begins with its file's."""
    if len(paths) == 1:
        return held_lines(paths[0], config)
    return [(f"{_name(path.stem)}-{name}", line) for path in paths for name, line in held_lines(path, config)]


def read_at(path: Path, number: int, offset: int) -> Record:
    """Read the record that begins at an offset. Fails the test where it no longer does."""
    try:
        with path.open("rb") as handle:
            handle.seek(offset)
            return Record.model_validate_json(handle.readline(MAX_LINE_BYTES + 1).removeprefix(_BOM))
    except (OSError, ValidationError):
        changed = InputError("the file has changed since the tests were collected", path=str(path), line=number)
        pytest.fail(str(changed), pytrace=False)


def _lines(path: Path) -> Iterator[Named]:
    """Yield the lines of a file of records with their ids; where it begins with none, try to read it as another tool's."""
    begun = False
    try:
        offsets = _offsets(path)
        for line in read_record_lines(path):
            if not begun and line.problem is not None and (whole := _read_whole(path)):
                yield from whole
                return
            begun = True
            offset = next(at for number, at in offsets if number == line.number)
            problem = None if line.problem is None else str(line.problem)
            record = line.value if line.named else None  # its line alone would not say what it is called
            yield (
                line.value.id if line.value else "",
                HeldLine(path, line.number, offset, problem=problem, record=record),
            )
    except InputError as error:
        yield path.name, HeldLine(path, 0, problem=str(error))


def _read_whole(path: Path) -> list[Named]:
    """Read a file that does not begin with a record of ours as `read_records` does, each row that is none a test.

    Where it is of no shape that is known, the answer is empty for JSON Lines, whose lines are then tests of their
    own, and one problem for any other file: hundreds of lines of a CSV are not hundreds of mistakes.
    """
    from showable.converters.convert_file import open_records  # noqa: PLC0415 - only for such files

    lines = path.suffix.lower() in _JSON_LINES
    try:
        with open_records(path) as reading:
            return [] if reading.found is None and lines else list(_converted(path, reading))
    except ShowableError as error:
        return [] if lines else [(path.name, HeldLine(path, 0, problem=str(error)))]


def _converted(path: Path, reading: Reading) -> Iterator[Named]:
    """Yield the records that a file was turned into, then its rows that are none: the first few, and how many more."""
    for line in read_record_lines(reading.path):
        if line.value is None:
            found = line.problem or InputError("cannot be read")
            raise InputError(found.message, path=str(path), line=line.number, field=found.field)
        yield line.value.id, HeldLine(path, line.number, record=line.value)
    if reading.found is None:
        return
    for number, problem in enumerate(reading.found.problems, 1):
        yield f"no-record-{number}", HeldLine(path, problem.line or 0, problem=str(problem))
    if (more := reading.found.rejected - len(reading.found.problems)) > 0:
        said = InputError(f"{more} more rows are no records", path=str(path))
        yield "no-records", HeldLine(path, 0, problem=str(said))


def _offsets(path: Path) -> Iterator[tuple[int, int]]:
    """Yield the number of each line and the byte it begins at, in constant memory however long a line is."""
    with path.open("rb") as handle:
        at, number = 0, 1
        yield number, at
        while chunk := handle.readline(MAX_LINE_BYTES):
            at += len(chunk)
            if chunk.endswith(b"\n"):
                number += 1
                yield number, at


def _only_problem(path: Path, said: str) -> list[Named]:
    line = HeldLine(path, 0, problem=str(InputError(said, path=str(path))))
    return [(_name(path.name), line)]


def _named(lines: Iterator[Named]) -> Iterator[Named]:
    """Name tests by the ids of their records, else by their lines: the same on every machine, and no two alike."""
    used: set[str] = set()
    for record_id, line in lines:
        name = _name(record_id) if record_id else f"line-{line.number}"
        if name in used:
            name = f"{name[: _LONGEST_NAME - 12]}-L{line.number}"
        used.add(name)
        yield name, line


def _name(text: str) -> str:
    """Return an id as it can stand in a test's name; one that had to be changed bears a digest of what it was."""
    plain = _NOT_IN_A_NAME.sub("_", text).strip("_")
    if plain == text and len(plain) <= _LONGEST_NAME:
        return plain
    digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=4).hexdigest()
    return f"{plain[: _LONGEST_NAME - len(digest) - 1].strip('_')}-{digest}".strip("-")
