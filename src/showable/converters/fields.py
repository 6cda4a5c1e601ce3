"""The fields of another tool's row, or of a provider's payload, taken one by one.

Each is checked as it is taken, an error names it by its path (``output.choices[0].message``), and what held something and
nobody took is what was lost.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from showable.converters.shape import Converted, FieldError
from showable.records.lines import explain, plain_name
from showable.records.record import Record

NO_ANSWER = "no answer in the row"
NO_LOG = "no passages in the row: nothing says what was retrieved"
FAILED = "the pipeline failed"

_KINDS = {type(None): "null", bool: "true or false", dict: "an object", list: "a list", str: "text"}
_HALF = re.compile("[\ud800-\udfff]")
_DEEPEST = 64
"""Deeper nesting is not kept: writing it back would exhaust the stack long after it was read."""

_MOST_DIGITS = 15
_LONGEST_NUMBER = 1024
"""Bits of a whole number; Python refuses to write numbers of thousands of digits."""


def missing(value: Any) -> bool:
    """Recognise null, and the NaN that pandas writes in its place, from a value."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def kind_of(value: Any) -> str:
    """Name a JSON value's kind, for a message; never the value."""
    return _KINDS.get(type(value), "a number" if isinstance(value, int | float) else type(value).__name__)


def as_text(value: Any, field: str) -> str:
    """Check one text. Raises FieldError where it is none, or holds half a character, which no file could take."""
    if not isinstance(value, str):
        raise FieldError(field, f"expected a string, got {kind_of(value)}")
    if _HALF.search(value):
        raise FieldError(field, "expected text, got half a character (a lone surrogate)")
    return value


def as_id(value: Any, field: str) -> str:
    """Check one id: text that is not empty, or a whole number."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() <= _LONGEST_NUMBER:
        return str(value)
    if not isinstance(value, str):
        raise FieldError(field, f"expected a string or a whole number, got {kind_of(value)}")
    return as_text(value, field)


def as_list(value: Any, field: str) -> Sequence[Any] | None:
    """Check one list, which may be None."""
    if value is None or isinstance(value, list | tuple):
        return value
    raise FieldError(field, f"expected a list, got {kind_of(value)}")


def storable(value: Any, depth: int = 0) -> bool:
    """Return whether a JSON value can be written again as it is: finite, whole characters, no bottomless nesting."""
    if depth > _DEEPEST:
        return False
    if isinstance(value, str):
        return not _HALF.search(value)
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, Mapping):
        return all(isinstance(k, str) and storable(k) and storable(v, depth + 1) for k, v in value.items())
    if isinstance(value, list | tuple):
        return all(storable(inner, depth + 1) for inner in value)
    return value is None or (isinstance(value, int) and value.bit_length() <= _LONGEST_NUMBER)


class Fields:
    """The fields of an object. Every reader marks the field as taken; `lost` names the others.

    `path` says where the object stands in the row, for errors; `plain` the same without indexes, for what was lost.
    """

    def __init__(self, held: Mapping[str, Any], path: str = "", plain: str | None = None) -> None:
        self.held, self.path = held, path
        self.plain = path if plain is None else plain
        self._taken: set[str] = set()
        self._inner: list[Fields] = []
        self._opened: dict[str, Fields] = {}

    def at(self, name: str) -> str:
        """Return the path of a field."""
        return _joined(self.path, name)

    def take(self, name: str) -> Any:
        """Return a field's value as it is; None where it is not there, null, or NaN."""
        self._taken.add(name)
        value = self.held.get(name)
        return None if missing(value) else value

    def text(self, *names: str) -> str | None:
        """Return the first of these fields that is there, as text."""
        value, path = self._first(names)
        return None if value is None else as_text(value, path)

    def need_text(self, name: str) -> str:
        """Return a text that has to be there."""
        if (value := self.text(name)) is None:
            said = "this field is missing" if name not in self.held else "expected a string, got null"
            raise FieldError(self.at(name), said)
        return value

    def need_words(self, name: str) -> str:
        """Return a text that has to be there and to say something."""
        value = self.text(name)
        if value is None or not value.strip():
            said = "this field is missing" if name not in self.held else "expected a text"
            raise FieldError(self.at(name), said)
        return value

    def id(self, *names: str) -> str | None:
        """Return the first of these fields that is there and not empty, as an id."""
        for name in names:
            if (value := self.take(name)) is not None and (found := as_id(value, self.at(name))).strip():
                return found
        return None

    def list(self, name: str) -> Sequence[Any] | None:
        """Return a list; None where the field is not there."""
        return as_list(self.take(name), self.at(name))

    def items(self, *names: str) -> Sequence[tuple[Any, str]]:
        """Return what stands in a list with its paths; nothing where the field is not there."""
        value, path = self._first(names)
        return [(item, f"{path}[{i}]") for i, item in enumerate(as_list(value, path) or ())]

    def objects(self, *names: str) -> Sequence[Fields]:
        """Return the objects of a list. What is lost of them is not told."""
        return [as_object(item, path) for item, path in self.items(*names)]

    def inner(self, *names: str) -> Fields | None:
        """Return an object; None where the field is not there. What is lost of it is not told."""
        value, path = self._first(names)
        return None if value is None else as_object(value, path)

    def number(self, *names: str) -> float | None:
        """Return a finite number."""
        value, path = self._first(names)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise FieldError(path, f"expected a number, got {kind_of(value)}")
        try:
            said = float(value)
        except OverflowError:
            said = math.inf
        if not math.isfinite(said):
            raise FieldError(path, "expected a finite number")
        return said

    def whole(self, *names: str) -> int | None:
        """Return a whole number, written as 3 or 3.0."""
        value, path = self._first(names)
        if isinstance(value, float) and value.is_integer() and abs(value) < 10**_MOST_DIGITS:
            return int(value)
        if isinstance(value, bool) or not isinstance(value, int | None):
            raise FieldError(path, f"expected a whole number, got {kind_of(value)}")
        return value

    def raw(self, *names: str) -> Any:
        """Return the first of these fields that is there, as it is."""
        return self._first(names)[0]

    @property
    def kind(self) -> str:
        """Return the `type`, or nothing where that is no text."""
        value = self.take("type")
        return value if isinstance(value, str) else ""

    def _first(self, names: Iterable[str]) -> tuple[Any, str]:
        """Return the first of these fields that is there, with its path; that of the first name where none is."""
        first = ""
        for name in names:
            first = first or name
            if (value := self.take(name)) is not None:
                return value, self.at(name)
        return None, self.at(first)

    def object(self, name: str) -> Fields:
        """Open an object, the same one each time; one without fields where the field is not there."""
        value = self.take(name)
        if name not in self._opened:
            self._opened[name] = self.open({} if value is None else value, self.at(name), _joined(self.plain, name))
        return self._opened[name]

    def item(self, name: str, index: int, value: Any) -> Fields:
        """Open an object that stands in the list of a field."""
        return self.open(value, f"{self.at(name)}[{index}]", _joined(self.plain, name))

    def open(self, value: Any, path: str, plain: str) -> Fields:
        """Open an object whose losses are to be told with this one's."""
        inner = as_object(value, path, plain)
        self._inner.append(inner)
        return inner

    def kept(self, *names: str) -> dict[str, Any]:
        """Return those of these fields that hold something a Record's metadata can hold; the others stay lost."""
        found = {name: self.held[name] for name in names if holds(self.held.get(name)) and storable(self.held[name])}
        self._taken.update(found)
        return found

    def rest(self) -> dict[str, Any]:
        """Return every field that nobody took and that metadata can hold."""
        return self.kept(*(name for name in self.held if name not in self._taken))

    def lost(self) -> tuple[str, ...]:
        """Name what held something and was not taken, here and in the objects opened here."""
        mine = [
            _joined(self.plain, name) for name, value in self.held.items() if name not in self._taken and holds(value)
        ]
        return tuple(dict.fromkeys([*mine, *self.lost_inside()]))

    def lost_inside(self) -> tuple[str, ...]:
        """Name what was lost of the objects opened here."""
        return tuple(dict.fromkeys(path for inner in self._inner for path in inner.lost()))


def as_object(value: Any, path: str, plain: str | None = None) -> Fields:
    """Check one object."""
    if not isinstance(value, Mapping):
        raise FieldError(path, f"expected an object, got {kind_of(value)}")
    return Fields(value, path, plain)


def _joined(path: str, name: str) -> str:
    return f"{path}.{plain_name(name)}" if path else plain_name(name)


def holds(value: Any) -> bool:
    """Return whether a value says anything: not null, not NaN, not empty."""
    return not missing(value) and not (isinstance(value, str | list | tuple | Mapping) and not value)


def converted(
    record: Mapping[str, Any], fields: Fields, notes: Iterable[str] = (), lost: Iterable[str] = ()
) -> Converted:
    """Make the Record of its parts. Raises FieldError where they make none, naming the Record's own field."""
    try:
        made = Record(**record)
    except ValidationError as error:
        raise FieldError(*explain(error)) from None
    return Converted(made, tuple(dict.fromkeys([*fields.lost(), *lost])), tuple(dict.fromkeys(notes)))


def gaps(record: Record) -> tuple[str, ...]:
    """Return what a Record lacks that its buckets are told by."""
    return (NO_ANSWER,) * (record.answer is None) + (NO_LOG,) * (record.retrieved is None)


def web_address(said: str | None) -> str | None:
    """Return what is an address on the web; a bucket's (``gs://``) or a name is none."""
    return said if said and said.lower().startswith(("http://", "https://")) else None
