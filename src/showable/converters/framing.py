"""How the items of a file stand in it: one a line, in one JSON document, in a table, in an archive."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from showable.converters.json_text import JsonError, decode, parse_json
from showable.converters.shape import Row, Shape
from showable.errors import InputError
from showable.records.lines import MAX_LINE_BYTES, plain_name

BOM = b"\xef\xbb\xbf"
MAX_DOCUMENT_BYTES = 1024 * 1024 * 1024
"""A longer JSON document is refused: it would have to be held in memory whole."""


@runtime_checkable
class ArchiveShape(Protocol):
    """A shape whose files are zip archives. A Shape may have this method too; it is asked only for zip files."""

    def archive(self, path: Path) -> Iterable[tuple[str, Mapping[str, Any]]] | None:
        """Return the items of an archive with their places, or None where it is no archive of this shape.

        Raises InputError or FieldError where it is one and damaged.
        """
        ...


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a file, or the problem that stands in its place. `number` counts items from 1, good and bad.

    The problem's path is added by who knows what the file is called.
    """

    number: int
    fields: Mapping[str, Any] | None = None
    line: int | None = None
    place: str = ""
    problem: InputError | None = None

    def row(self) -> Row:
        """Return the item as converters take it; its id to fall back on counts items, whatever the lines."""
        return Row(self.fields or {}, f"row-{self.number}", self.line, self.place)


class Frame(Protocol):
    """A file whose items can be read, several times over."""

    def items(self, shape: Shape | None) -> Iterator[Item]:
        """Yield the items as `shape` takes the file apart; for None, as they stand there without a shape's help."""
        ...


@dataclass(frozen=True, slots=True)
class Lines:
    """JSON Lines, streamed: one object a line, in constant memory."""

    path: Path

    def items(self, shape: Shape | None) -> Iterator[Item]:  # noqa: ARG002 - a line is an item for every shape
        """Yield every line that is not blank."""
        number = 0
        with self.path.open("rb") as handle:
            for line, raw in enumerate(raw_lines(handle), 1):
                text = raw.removeprefix(BOM) if raw is not None and line == 1 else raw
                if text is None or text.strip():
                    number += 1
                    yield _line_item(number, line, text)


def raw_lines(handle: Any) -> Iterator[bytes | None]:
    """Yield each line's bytes, or None for one that is too long to hold."""
    while chunk := handle.readline(MAX_LINE_BYTES + 1):
        if len(chunk) <= MAX_LINE_BYTES:
            yield chunk
            continue
        while chunk and not chunk.endswith(b"\n"):
            chunk = handle.readline(MAX_LINE_BYTES)
        yield None


def _line_item(number: int, line: int, raw: bytes | None) -> Item:
    if raw is None:
        return Item(
            number, line=line, problem=InputError(f"the line is longer than {MAX_LINE_BYTES >> 20} MiB", line=line)
        )
    try:
        held = parse_json(decode(raw.strip()))
    except JsonError as error:
        return Item(number, line=line, problem=InputError(error.told(), line=line, field=error.key))
    return checked_item(number, held, line=line)


def checked_item(number: int, held: Any, *, line: int | None = None, place: str = "") -> Item:
    """Make an item of what should be an object; a missing value that pandas wrote as NaN is null."""
    if not isinstance(held, Mapping):
        said = f"expected an object, got {_kind(held)}"
        return Item(number, line=line, place=place, problem=InputError(said, line=line, field=place))
    fields = {str(name): None if value != value else value for name, value in held.items()}  # noqa: PLR0124 - NaN alone differs from itself
    return Item(number, fields, line, place)


def _kind(held: Any) -> str:
    names = {
        type(None): "null",
        bool: "true or false",
        list: "a list",
        str: "a string",
        int: "a number",
        float: "a number",
    }
    return names.get(type(held), type(held).__name__)


@dataclass(frozen=True, slots=True)
class Document:
    """One JSON document, in memory: a list of objects, an object that wraps them, or one item by itself.

    `one_line` says that the whole file is one line, which could as well be JSON Lines.
    """

    value: Any
    one_line: bool = False

    def items(self, shape: Shape | None) -> Iterator[Item]:
        """Yield the items as `shape` takes them out of the document; for None, those of a list, or the document itself."""
        wrapped = None if shape is None or not isinstance(self.value, Mapping) else shape.rows(self.value)
        items: Iterator[tuple[str, Any]] = self._bare() if wrapped is None else wrapped
        for number, (place, held) in enumerate(items, 1):
            yield checked_item(number, held, place=place)

    def _bare(self) -> Iterator[tuple[str, Any]]:
        if isinstance(self.value, list):
            return ((f"[{i}]", held) for i, held in enumerate(self.value))
        return iter([("", self.value)])


def transposed(value: Any) -> list[dict[str, Any]] | None:
    """Return the rows of an object of columns (``{"question": […], "answer": […]}``), as `datasets` and pandas write them.

    Two columns or more, all of them lists of one length, or all of them objects with the same keys; else None.
    """
    if not isinstance(value, Mapping) or len(value) < 2:  # noqa: PLR2004 - one list alone is no table
        return None
    columns = list(value.values())
    if all(isinstance(column, list) for column in columns):
        cells = columns
    elif all(isinstance(column, Mapping) and column.keys() == columns[0].keys() for column in columns):
        cells = [list(column.values()) for column in columns]
    else:
        return None
    if not cells[0] or any(len(column) != len(cells[0]) for column in cells):
        return None
    return [dict(zip(value.keys(), row, strict=True)) for row in zip(*cells, strict=True)]


@dataclass(frozen=True, slots=True)
class Archive:
    """A zip archive, which only a shape that knows it can take apart."""

    path: Path

    def items(self, shape: Shape | None) -> Iterator[Item]:
        """Yield the items that `shape` finds in the archive: none, where it knows no archives or not this one."""
        rows = shape.archive(self.path) if isinstance(shape, ArchiveShape) else None
        items: Iterable[tuple[str, Any]] = () if rows is None else rows
        for number, (place, held) in enumerate(items, 1):
            yield checked_item(number, held, place=place)


def field_names(items: Iterable[Item], most: int = 12) -> str:
    """List the names of the fields that items hold, for a message."""
    names: dict[str, None] = {}
    for item in items:
        names |= dict.fromkeys(item.fields or ())
    shown = [plain_name(name) for name in list(names)[:most]]
    return ", ".join([*shown, f"and {len(names) - most} more"] if len(names) > most else shown) or "none"
