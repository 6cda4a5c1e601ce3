"""What a reader of another tool's rows is: it knows its rows when it sees them, and turns one into a Record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from showable.errors import InputError
from showable.records.record import Record


@dataclass(frozen=True, slots=True)
class Row:
    """One item of a file: its fields, where it stands (``line``, or a `place` such as ``results[3]``), and an id to fall back on."""

    fields: Mapping[str, Any]
    fallback_id: str
    line: int | None = None
    place: str = ""


@dataclass(frozen=True, slots=True)
class Converted:
    """A Record, and what of the row has no place in one.

    `lost` names fields that held something (``scores.faithfulness``), as paths without indexes, so that
    they can be counted over a file; `notes` say what a reader of the scores should know (``no question
    in the payload``). Both are words of ours or names of fields, never text of the row.
    """

    record: Record
    lost: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class FieldError(InputError):
    """A field of a row is not what its shape asks for; the file and the line are added by who reads the file."""

    def __init__(self, field: str, expected: str) -> None:
        super().__init__(expected, field=field)


class Shape(Protocol):
    """One tool's rows. `name` is what ``--from`` takes, `title` what is printed of it."""

    name: str
    title: str

    def rows(self, document: Any) -> Iterator[tuple[str, Mapping[str, Any]]] | None:
        """Return the items of a whole JSON document with their places, or None where it is no document of this shape.

        A list of objects and JSON Lines are taken apart before; this is for what wraps them (``{"results": […]}``).
        """
        ...

    def fits(self, fields: Mapping[str, Any]) -> bool:
        """Return whether an item is of this shape, by the names and types of its fields. Must not hold for another shape's."""
        ...

    def convert(self, row: Row) -> Converted:
        """Turn an item into a Record. Raises FieldError where a field is not what the shape asks for."""
        ...
