"""Read JSON Lines one line at a time, in constant memory, and say exactly which line and field is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Generic, TypeVar

from pydantic import ValidationError

from probative.errors import InputError
from probative.records.wire import Wire

MAX_LINE_BYTES = 64 * 1024 * 1024
"""A longer line is refused without being held in memory."""

_UTF8_BOM = b"\xef\xbb\xbf"
_SAY = {
    "extra_forbidden": "unknown field",
    "missing": "this field is missing",
    "string_type": "expected a string",
    "bool_type": "expected true or false",
    "tuple_type": "expected a list",
    "dict_type": "expected an object",
    "model_type": "expected an object",
    "model_attributes_type": "expected an object",
    "int_type": "expected a whole number",
    "float_type": "expected a number",
    "string_too_short": "expected at least one character",
}

W = TypeVar("W", bound=Wire)


@dataclass(frozen=True, slots=True)
class Line(Generic[W]):
    """One line of a file: its number (from 1) and the value, or the problem that stands in its place."""

    number: int
    value: W | None
    problem: InputError | None = None


def read_lines(path: Path, model: type[W]) -> Iterator[Line[W]]:
    """Yield every line of a JSON Lines file as `model`, or as the InputError that says what is wrong with it.

    Blank lines are passed over. A byte-order mark and CRLF are accepted. A last line without a
    newline is read like any other. Raises InputError when the file cannot be opened at all.
    """
    try:
        handle = path.open("rb")
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from None
    with handle:
        for number, raw in enumerate(_raw_lines(handle), 1):
            if number == 1 and raw is not None:
                raw = raw.removeprefix(_UTF8_BOM)  # noqa: PLW2901 - only the first line can carry the mark
            if raw is None or raw.strip():
                yield _parse(str(path), number, raw, model)


def _raw_lines(handle: IO[bytes]) -> Iterator[bytes | None]:
    """Yield each line's bytes, or None for one that is too long to hold."""
    while chunk := handle.readline(MAX_LINE_BYTES + 1):
        if len(chunk) <= MAX_LINE_BYTES:
            yield chunk
            continue
        while chunk and not chunk.endswith(b"\n"):
            chunk = handle.readline(MAX_LINE_BYTES)
        yield None


def _parse(path: str, number: int, raw: bytes | None, model: type[W]) -> Line[W]:
    if raw is None:
        limit = MAX_LINE_BYTES // (1024 * 1024)
        return Line(number, None, InputError(f"the line is longer than {limit} MiB", path=path, line=number))
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        said = f"not UTF-8: byte 0x{raw[error.start]:02x} at byte {error.start + 1} of the line"
        return Line(number, None, InputError(said, path=path, line=number))
    try:
        return Line(number, model.model_validate_json(text))
    except ValidationError as error:
        field, said = explain(error)
        return Line(number, None, InputError(said, path=path, line=number, field=field))


def explain(error: ValidationError) -> tuple[str, str]:
    """Give the first thing wrong as (field, what was expected), in words a person can act on."""
    problems = error.errors(include_url=False, include_context=True)
    first = min(problems, key=_depth_first)
    kind = first["type"]
    if kind == "json_invalid":
        return "", f"not JSON: {first['ctx']['error']}"
    field = ".".join(str(part) for part in first["loc"] if part not in _UNION_BRANCHES)
    said = _SAY.get(kind)
    if said is None:
        wanted = first["msg"].removeprefix("Input should be ")
        if wanted == first["msg"]:
            return field, wanted.removeprefix("Value error, ")
        said = f"expected {wanted}"
    got = first.get("input")
    return field, said if kind in {"missing", "extra_forbidden"} else f"{said}, got {_brief(got)}"


_UNION_BRANCHES = frozenset({"Answer", "str", "int", "function-before[_id_text(), str]"})
"""Names that pydantic puts into a place for the branch of a union it tried; no field of ours."""


def _depth_first(problem: object) -> int:
    """Prefer the deepest problem: for a union it is the branch that got furthest."""
    return -len(problem["loc"])  # type: ignore[index]


def _brief(value: object) -> str:
    names = {type(None): "null", bool: "true or false", dict: "an object", list: "a list", tuple: "a list"}
    if type(value) in names:
        return names[type(value)]
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:37]}…"  # noqa: PLR2004 - fits one terminal line
