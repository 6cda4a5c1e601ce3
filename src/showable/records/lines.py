"""Read JSON Lines one line at a time, in constant memory, and say exactly which line and field is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

from pydantic import ValidationError

from showable.errors import InputError
from showable.records.keys import endless_number, repeated_key
from showable.records.wire import Wire

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
    """One line of a file: its number (from 1) and the value, or the problem that stands in its place.

    `named` says that the value's id was made from the line's number.
    """

    number: int
    value: W | None
    problem: InputError | None = None
    named: bool = False


def read_lines(path: Path, model: type[W], *, naming: bool = False) -> Iterator[Line[W]]:
    """Yield every line of a JSON Lines file as `model`, or as the InputError that says what is wrong with it.

    With `naming`, a line without an `id` is called by its number: ``line-7``. Blank lines are passed over. A byte-order mark and CRLF are accepted. A last line without a
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
                line = _parse(str(path), number, raw, model)
                if naming and raw is not None and _lacks_id(line.problem):
                    line = replace(_parse(str(path), number, _with_id(raw, number), model), named=True)
                yield line


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
        text = raw.rstrip().decode("utf-8")
    except UnicodeDecodeError as error:
        said = f"not UTF-8: byte 0x{raw[error.start]:02x} at byte {error.start + 1} of the line"
        return Line(number, None, InputError(said, path=path, line=number))
    try:
        value = model.model_validate_json(text)
    except ValidationError as error:
        field, said = explain(error)
        return Line(number, None, InputError(said, path=path, line=number, field=field))
    if (key := repeated_key(raw, value)) is not None:
        return Line(number, None, InputError(f"the key {key!r} stands twice", path=path, line=number, field=key))
    if (place := endless_number(value)) is not None:
        said = "expected a finite number"
        return Line(number, None, InputError(said, path=path, line=number, field=plain_name(place)))
    return Line(number, value)


def _lacks_id(problem: InputError | None) -> bool:
    return problem is not None and (problem.field, problem.message) == ("id", _SAY["missing"])


def _with_id(raw: bytes, number: int) -> bytes:
    """Write an id into a line that holds an object without one."""
    rest = raw.lstrip().removeprefix(b"{").lstrip()
    return b'{"id": "line-%d"%s%s' % (number, b"" if rest.startswith(b"}") else b", ", rest)


def explain(error: ValidationError) -> tuple[str, str]:
    """Return the first thing wrong as (field, what was expected), in words a person can act on.

    Field names come from the file: what of them could steer a terminal is left out.
    """
    problems = error.errors(include_url=False, include_context=True)
    first = min(problems, key=_depth_first)
    kind, message = first["type"], first["msg"]
    if kind == "json_invalid":
        return "", f"not JSON: {first['ctx']['error'].replace('at line 1 column', 'at column')}"
    field = _field(first)
    if kind in {"missing", "extra_forbidden"}:
        return field, _SAY[kind]
    if kind not in _SAY and not message.startswith(_SHOULD_BE):
        return field, message.removeprefix("Value error, ")
    tried = [_wanted(problem) for problem in problems if problem["loc"][:-1] == first["loc"][:-1]]
    wanted = sorted(set(tried), key=_strings_first) if _ends_in_branch(first) else tried[:1]
    return field, f"expected {' or '.join(wanted)}, got {_brief(first.get('input'))}"


_SHOULD_BE = "Input should be "
_UNION_BRANCHES = frozenset({"Answer", "str", "int", "function-before[_id_text(), str]"})
"""Names that pydantic puts into a place for the branch of a union it tried; no field of ours."""
_NOT_SHOWN = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_LONGEST_NAME = 80


def plain_name(name: str) -> str:
    """Return a field's name without what could steer a terminal (colours, controls, reversed text), cut to a line's length."""
    plain = _NOT_SHOWN.sub("", name)
    if name and not plain:
        return "?"
    return plain if len(plain) <= _LONGEST_NAME else f"{plain[: _LONGEST_NAME - 1]}…"


def _field(problem: Any) -> str:
    *outer, last = problem["loc"] or ("",)
    parts = [part for part in outer if part not in _UNION_BRANCHES] + ([] if _ends_in_branch(problem) else [last])
    return ".".join(plain_name(str(part)) for part in parts)


def _ends_in_branch(problem: Any) -> bool:
    """Check whether the last part of a problem's place is a branch of a union; an unknown field may be called ``str``."""
    return problem["type"] != "extra_forbidden" and problem["loc"][-1:] and problem["loc"][-1] in _UNION_BRANCHES


def _wanted(problem: Any) -> str:
    said: str = _SAY.get(problem["type"]) or problem["msg"].removeprefix(_SHOULD_BE)
    return said.removeprefix("expected ")


def _strings_first(wanted: str) -> tuple[bool, str]:
    return wanted != "a string", wanted


def _depth_first(problem: Any) -> int:
    """Prefer the deepest problem: for a union it is the branch that got furthest."""
    return -len(problem["loc"])


def _brief(value: object) -> str:
    names = {type(None): "null", bool: "true or false", dict: "an object", list: "a list", tuple: "a list"}
    if type(value) in names:
        return names[type(value)]
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:37]}…"  # noqa: PLR2004 - fits one terminal line
