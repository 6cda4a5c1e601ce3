"""Files of rows: CSV, JSON Lines, JSON, SQLite and plain lists, each read as rows of text with their place in the file."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

from showable.errors import InputError

Form = Literal["csv", "jsonl", "json", "sqlite", "retraction-watch", "cap", "doi-list"]
FORMS: tuple[Form, ...] = ("csv", "jsonl", "json", "sqlite", "retraction-watch", "cap", "doi-list")
_SQLITE = b"SQLite format 3\x00"
_LONGEST_FIELD = 4_000_000
_LONGEST_LINE = 32_000_000
_LARGEST_VALUE = 64_000_000
_HEAD = 65_536


@dataclass(frozen=True, slots=True)
class Row:
    """One row: where it stands (a line from 1, or a row of a table), and its values, or what is wrong with it."""

    number: int
    values: Any = None
    problem: str | None = None


def form_of(path: Path) -> Form:
    """Tell a file's form by its first bytes and its name. Raises InputError where it cannot be read, or told."""
    head = _head(path)
    if head.startswith(_SQLITE):
        return "sqlite"
    try:
        text = head.decode("utf-8-sig", "strict" if len(head) < _HEAD else "ignore")
    except UnicodeDecodeError:
        raise InputError("expected text in UTF-8, or an SQLite database", path=str(path)) from None
    first = text.lstrip()[:1]
    if first == "[":
        return "json"
    if first == "{":
        return "jsonl"
    line = text.lstrip().partition("\n")[0]
    if {"OriginalPaperDOI", "RetractionNature"} <= set(_columns(line)):
        return "retraction-watch"
    if line and _is_doi(line):
        return "doi-list"
    if (
        path.suffix.lower() in {".csv", ".tsv"}
        or len(_columns(line)) > 1
        or line.strip().casefold() in {"citation", "doi"}
    ):
        return "csv"
    raise InputError(
        f"the form of the file cannot be told; say which with --format ({', '.join(FORMS)})", path=str(path)
    )


def csv_rows(path: Path) -> Iterator[Row]:
    """Read a CSV file with a header; commas, semicolons or tabs, told by the header. A row of another length is a problem."""
    with _open(path) as handle:
        header_line = next(_lines(handle, path), "")
        handle.seek(0)
        csv.field_size_limit(_LONGEST_FIELD)
        reader = csv.reader(_lines(handle, path), delimiter=_delimiter(header_line))
        header: list[str] | None = None
        for number, cells in _numbered(reader, path):
            if not any(cell.strip() for cell in cells):
                continue
            if header is None:
                header = _header(cells, path)
            elif len(cells) != len(header):
                yield Row(number, problem=f"expected {len(header)} columns, got {len(cells)}")
            else:
                yield Row(number, dict(zip(header, cells, strict=True)))


def json_rows(path: Path) -> Iterator[Row]:
    """Read a JSON file that is one list; the number is the place in the list."""
    with _open(path) as handle:
        try:
            said = json.load(handle)
        except (ValueError, RecursionError) as error:
            raise InputError(f"not JSON: {error}", path=str(path), line=getattr(error, "lineno", None)) from None
    if not isinstance(said, list):
        raise InputError("expected a list", path=str(path))
    yield from (Row(number, value) for number, value in enumerate(said, 1))


def jsonl_rows(path: Path) -> Iterator[Row]:
    """Read a file of one JSON object a line."""
    with _open(path) as handle:
        for number, line in enumerate(_lines(handle, path), 1):
            if not line.strip():
                continue
            try:
                value = json.loads(line)
            except (ValueError, RecursionError) as error:
                yield Row(number, problem=f"not JSON: {error}")
                continue
            yield Row(number, value) if isinstance(value, dict) else Row(number, problem="expected an object")


def line_rows(path: Path) -> Iterator[Row]:
    """Read a file of one id a line; what comes after # is a note."""
    with _open(path) as handle:
        for number, line in enumerate(_lines(handle, path), 1):
            text = line.strip() if line.strip().startswith("10.") else line.partition(" #")[0].strip()
            if text and not text.startswith("#") and text.casefold() != "doi":
                yield Row(number, text.strip('",; '))


def sqlite_rows(path: Path, table: str | None = None) -> Iterator[Row]:
    """Read the one table of an SQLite database, or the named one. The file is opened for reading alone."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            _distrust(connection)
            tables = [
                name
                for (name,) in connection.execute(
                    "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
                )
            ]
            chosen = _table(table, tables, path)
            quoted = chosen.replace('"', '""')
            cursor = connection.execute(f'SELECT * FROM "{quoted}"')  # noqa: S608 - a table that is there, quoted
            names = [column[0] for column in cursor.description]
            for number, cells in enumerate(cursor, 1):
                yield Row(number, dict(zip(names, map(_as_text, cells), strict=True)))
    except sqlite3.Error as error:
        raise InputError(f"cannot be read as an SQLite database ({error})", path=str(path)) from None


def _distrust(connection: sqlite3.Connection) -> None:
    """Let a file that came from elsewhere do nothing but give its rows: its views call no function that does more."""
    connection.execute("PRAGMA trusted_schema=OFF")
    connection.execute("PRAGMA cell_size_check=ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LARGEST_VALUE)


def _table(wanted: str | None, tables: list[str], path: Path) -> str:
    if wanted is not None:
        if wanted not in tables:
            raise InputError(f"no table is called {wanted!r}; there are {', '.join(tables) or 'none'}", path=str(path))
        return wanted
    if len(tables) != 1:
        raise InputError(f"expected one table, or --table with one of {', '.join(tables) or 'none'}", path=str(path))
    return tables[0]


def _as_text(value: Any) -> Any:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _numbered(reader: Any, path: Path) -> Iterator[tuple[int, list[str]]]:
    while True:
        before = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise InputError(f"not CSV: {error}", path=str(path), line=before) from None
        except UnicodeDecodeError:
            raise InputError("expected text in UTF-8", path=str(path), line=before) from None
        yield before, cells


def _header(cells: list[str], path: Path) -> list[str]:
    header = [cell.strip().lstrip("\ufeff") for cell in cells]
    counted = Counter(name for name in header if name)
    twice = next((name for name in header if counted[name] > 1), None)
    if twice is not None:
        raise InputError(f"the column {twice[:60]!r} stands twice", path=str(path), line=1)
    return header


def _open(path: Path) -> Any:
    try:
        return path.open(encoding="utf-8-sig", newline="")
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from None


def _lines(handle: IO[str], path: Path) -> Iterator[str]:
    """Yield lines as they are. Raises InputError at one that is no row of anything, before it fills the memory."""
    number = 0
    while line := handle.readline(_LONGEST_LINE):
        number += 1
        if len(line) == _LONGEST_LINE:
            raise InputError(f"a line of more than {_LONGEST_LINE:,} characters", path=str(path), line=number)
        yield line


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as handle:
            return handle.read(_HEAD)
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from None


def _delimiter(line: str) -> str:
    return max(",;\t", key=line.count)


def _columns(line: str) -> list[str]:
    return [cell.strip().strip('"') for cell in line.split(_delimiter(line))]


def _is_doi(line: str) -> bool:
    text = line.strip().strip('",; ').casefold()
    return text.startswith(("10.", "doi:10.", "https://doi.org/10.", "http://doi.org/10.", "http://dx.doi.org/10."))
