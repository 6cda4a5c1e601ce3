"""CSV and TSV: rows with named columns, read strictly, so that a stray quote never swallows rows in silence."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from showable.converters.framing import BOM, Item
from showable.converters.shape import Shape
from showable.errors import InputError
from showable.records.lines import MAX_LINE_BYTES, plain_name

DELIMITERS = ",\t;|"
TABLE_ENDINGS = {".csv": "", ".tsv": "\t", ".tab": "\t"}
"""The delimiter that a name's ending settles; spreadsheets write ``.csv`` with commas or semicolons, by country."""
INDEX_COLUMNS = frozenset({"", "Unnamed: 0"})
"""How pandas names the column of row numbers that it adds; it holds nothing of a row's own."""
_HEADER_BYTES = 1 << 20


@runtime_checkable
class GatheringShape(Protocol):
    """A shape whose tables spread an item over several rows. A Shape may have these methods too; they are asked for tables alone."""

    def alike(self, columns: Sequence[str]) -> Sequence[str] | None:
        """Name the columns that say the same in all rows of one item, which stand one after the other; None where a row is an item."""
        ...

    def gather(self, rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """Put the rows of one item together."""
        ...


@dataclass(frozen=True, slots=True)
class Table:
    """A file of rows under a line of column names. Every cell is text; an empty one is null."""

    path: Path
    delimiter: str

    def items(self, shape: Shape | None) -> Iterator[Item]:
        """Yield every row that is not blank, or what `shape` puts together of several; its line is that of the first.

        Raises InputError at a quote that never ends: nothing behind it can be told apart; and at any bad row where rows
        are put together: of which item it is cannot be known.
        """
        rows = self.rows()
        _, header = next(rows, (1, []))
        columns = checked_header(header)
        items = _items(rows, columns)
        alike = shape.alike(columns) if isinstance(shape, GatheringShape) else None
        yield from items if alike is None else _gathered(items, alike, shape)

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield rows with the line on which each begins; a quoted cell may run over several."""
        line = 1
        try:
            with self.path.open(encoding="utf-8-sig", newline="") as handle:
                reader = csv.reader(handle, delimiter=self.delimiter, strict=True)
                while (cells := _next_row(reader)) is not None:
                    if any(cell.strip() for cell in cells):
                        yield line, cells
                    line = reader.line_num + 1
        except csv.Error as error:
            raise InputError(f"not a table: {error} in the row that begins here", line=line) from None
        except UnicodeDecodeError as error:
            said = f"not UTF-8: byte 0x{error.object[error.start]:02x}; save the table as CSV UTF-8"
            raise InputError(said, line=line) from None


def _items(rows: Iterator[tuple[int, list[str]]], columns: Sequence[str]) -> Iterator[Item]:
    for number, (line, cells) in enumerate(rows, 1):
        if len(cells) != len(columns):
            said = f"expected {len(columns)} cells, as the header has, got {len(cells)}"
            yield Item(number, line=line, problem=InputError(said, line=line))
            continue
        named = zip(columns, cells, strict=True)
        yield Item(number, {name: cell or None for name, cell in named if name not in INDEX_COLUMNS}, line)


def _gathered(items: Iterator[Item], alike: Sequence[str], shape: GatheringShape) -> Iterator[Item]:
    groups = groupby(map(_unbroken, items), lambda row: [row[1].get(name) for name in alike])
    for number, (_, group) in enumerate(groups, 1):
        rows = list(group)
        yield Item(number, shape.gather([fields for _, fields in rows]), rows[0][0])


def _unbroken(item: Item) -> tuple[int | None, Mapping[str, Any]]:
    if item.fields is None:
        said = f"{item.problem.message if item.problem else 'no row'}; rows are put together here, and none can be left out"
        raise InputError(said, line=item.line)
    return item.line, item.fields


def _next_row(reader: Iterator[list[str]]) -> list[str] | None:
    """Read one row with room for long cells; the limit belongs to the whole process, so it is put back at once."""
    before = csv.field_size_limit(MAX_LINE_BYTES)
    try:
        return next(reader, None)
    finally:
        csv.field_size_limit(before)


def checked_header(header: list[str]) -> list[str]:
    """Return the names of the columns. Raises InputError where two are the same."""
    columns = [name.strip() for name in header]
    for i, name in enumerate(columns):
        if name in columns[:i] and name not in INDEX_COLUMNS:
            raise InputError(f"the column {plain_name(name)!r} stands twice", line=1)
    return columns


def find_table(path: Path, name: str) -> Table | None:
    """Return whether a file is a table, and what parts its cells: by the name's ending, else by the header's most columns."""
    header = first_row(path)
    settled = TABLE_ENDINGS.get(ending(name))
    if settled:
        return Table(path, settled)
    widths = {delimiter: len(_split(header, delimiter)) for delimiter in DELIMITERS}
    widest = max(DELIMITERS, key=lambda delimiter: widths[delimiter])
    if widths[widest] > 1:
        return Table(path, widest)
    return Table(path, ",") if settled is not None else None


def ending(name: str) -> str:
    """Return the ending of a file's name, in small letters, below one that says how it was packed."""
    path = Path(name.casefold().removesuffix(".gz"))
    return path.suffix


def first_row(path: Path) -> str:
    """Return the first line of a file that holds more than white space, or ``""`` where it is not UTF-8 text."""
    with path.open("rb") as handle:
        head = handle.read(_HEADER_BYTES).removeprefix(BOM).lstrip()
    line = head.partition(b"\n")[0].rstrip(b"\r")
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return ""


def _split(header: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([header], delimiter=delimiter, strict=True), [])
    except csv.Error:  # a quoted column name that runs over lines, or a field past the limit
        return []
