"""Turn a file of another tool's rows into a file of Records, and say what was lost on the way."""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from showable.converters.detect import Found, detect
from showable.converters.framing import Frame, Item, field_names
from showable.converters.opening import unpacked
from showable.converters.shape import Converted, Shape
from showable.errors import InputError
from showable.records.keys import endless_number
from showable.records.lines import MAX_LINE_BYTES, explain, plain_name
from showable.records.record import Record

KEPT_PROBLEMS = 20
KEPT_NAMES = 200
"""Different fields that are counted by name; a file can hold a new one in every row."""
OTHERS = "other fields"


@dataclass(slots=True)
class Conversion:
    """What became of a file: how many Records, how many rows that are none, and what no Record has a place for.

    `named` counts the Records whose id was made from the row's number. `lost` and `notes` count rows; `problems` are the first few in full, with the lines or places of the original file.
    """

    name: str
    title: str
    records: int = 0
    rejected: int = 0
    named: int = 0
    problems: list[InputError] = field(default_factory=list)
    lost: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)

    def add(self, converted: Converted, item: Item) -> None:
        """Count one row that became a Record."""
        self.records += 1
        self.named += converted.record.id == item.row().fallback_id
        for counts, names in ((self.lost, map(plain_name, converted.lost)), (self.notes, converted.notes)):
            for name in dict.fromkeys(names):
                counts[name if name in counts or len(counts) < KEPT_NAMES else OTHERS] += 1

    def reject(self, problem: InputError) -> None:
        """Count one row that became none."""
        self.rejected += 1
        if len(self.problems) < KEPT_PROBLEMS:
            self.problems.append(problem)


@dataclass(frozen=True, slots=True)
class Reading:
    """A file of Records to read: the one that was given, or what its rows were turned into. `hint` as in `detect`."""

    path: Path
    found: Conversion | None = None
    hint: str = ""


@contextmanager
def open_records(path: Path, name: str | None = None, wanted: str | None = None) -> Iterator[Reading]:
    """Return a file of Records, whatever shape the file has; what was made for it goes when this ends.

    A file of Records is given as it is, unread but for its first lines. `name` is what the file is called towards
    people, `wanted` the shape to take it for. Raises as `detect` and `convert_file` do.
    """
    called = name or str(path)
    with unpacked(path, called) as inner:
        found = detect(inner, called, wanted)
        if found.shape is None:
            yield Reading(inner, hint=found.hint)
            return
        with tempfile.TemporaryDirectory(prefix="showable-") as folder:
            out = Path(folder) / "records.jsonl"
            with out.open("wb") as handle:
                conversion = convert_file(found, called, handle, forced=wanted is not None)
            yield Reading(out, conversion)


def convert_file(found: Found, name: str, out: IO[bytes], *, forced: bool = False) -> Conversion:
    """Write the rows of a file as Records, one a line, in their order; the same file always gives the same bytes.

    With `forced` the shape is the user's word, and a row is only refused where it cannot be converted. Raises
    InputError where the file holds no row, or cannot be taken apart to its end.
    """
    frame, shape = found.frame, found.shape
    if frame is None or shape is None:
        raise InputError("is no file of another tool's rows", path=name)
    conversion = Conversion(shape.name, shape.title)
    seen: dict[bytes, int | str] = {}
    for item in _items(frame, shape, name):
        try:
            converted, line = _converted(item, shape, forced=forced)
            _refuse_second(converted.record, item, seen)
        except InputError as error:
            conversion.reject(_placed(error, item, name))
            continue
        out.write(line)
        conversion.add(converted, item)
    if not conversion.records and not conversion.rejected:
        raise InputError("holds no records", path=name)
    return conversion


def _items(frame: Frame, shape: Shape, name: str) -> Iterator[Item]:
    try:
        yield from frame.items(shape)
    except InputError as error:
        raise InputError(error.message, path=name, line=error.line, field=error.field) from None


def _converted(item: Item, shape: Shape, *, forced: bool) -> tuple[Converted, bytes]:
    """Convert one item, and write its line. Raises InputError; what is written is what will be read."""
    if item.problem is not None:
        raise item.problem
    odd = not forced and not shape.fits(item.fields or {})
    try:
        converted = shape.convert(item.row())
        if odd:
            raise InputError(f"expected {shape.title}, as before; the fields here are {field_names([item])}")
        line = converted.record.model_dump_json(exclude_defaults=True).encode() + b"\n"
        if (place := endless_number(converted.record)) is not None:
            raise InputError("expected a finite number", field=plain_name(place))
        if len(line) > MAX_LINE_BYTES:
            raise InputError(f"as a Record it is longer than {MAX_LINE_BYTES >> 20} MiB")
        Record.model_validate_json(line)
    except ValidationError as error:
        where, said = explain(error)
        raise InputError(said, field=where) from None
    except (PydanticSerializationError, UnicodeEncodeError):
        raise InputError("holds text that is no Unicode: half of a surrogate pair, or too deep a nesting") from None
    except RecursionError:
        raise InputError("nested too deeply") from None
    return converted, line


def _refuse_second(record: Record, item: Item, seen: dict[bytes, int | str]) -> None:
    """Refuse an id that stood before; 8 bytes are kept of an id, so that a million rows fit."""
    key = hashlib.blake2b(record.id.encode(), digest_size=8).digest()
    if (before := seen.get(key)) is not None:
        where = f"at {before}" if isinstance(before, str) else f"on line {before}" if item.line else f"in row {before}"
        raise InputError(f"{plain_name(record.id)!r} stands {where} already", field="id")
    seen[key] = item.line or item.place or item.number


def _placed(error: InputError, item: Item, name: str) -> InputError:
    """Return where in the original file a problem is: the line, or the place in the document."""
    parts = [part for part in (item.place, error.field) if part]
    where = error.field if error.field.startswith(item.place) else ".".join(parts)
    return InputError(error.message, path=name, line=item.line or error.line, field=where)
