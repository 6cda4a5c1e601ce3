"""Read the spans of a file, whatever shape they are in."""

from __future__ import annotations

import ast
import csv
import io
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from showable.errors import InputError
from showable.records.lines import plain_name
from showable.records.spans import Span
from showable.traces.files import langfuse, phoenix
from showable.traces.files.json_items import MOST_BYTES, json_items, parse_json
from showable.traces.files.opening import kind_of, opened
from showable.traces.otlp.decode_json import spans_of
from showable.traces.otlp.decode_protobuf import decode_spans
from showable.traces.otlp.decoded import Decoded
from showable.traces.otlp.refused import Refused

KNOWN = (
    "OTLP in JSON (an object with resourceSpans, or one a line) or protobuf, spans of Phoenix (context.trace_id, as JSON, "
    "JSON Lines, CSV or Parquet), observations of Langfuse (id, traceId, type) or its traces with their observations"
)
_DEEPEST_PAGE = 3
"""Wrappers around spans: a list of pages of a list."""


def read_spans(path: Path, notes: list[str] | None = None) -> Iterator[Span]:
    """Yield a file's spans in the order they stand in. Its content tells what it is; gzip is taken off.

    Spans of OTLP that have no ids of their own are left out, and `notes` is told how many and where; with None they are an
    error. Raises InputError, with line and field, where something is not as expected; one line of JSON Lines is held at a time.
    """
    kind = kind_of(path)
    if kind == "nothing":
        raise InputError("holds nothing", path=str(path))
    if kind == "protobuf":
        for number, decoded in protobuf_messages(path):
            yield from _decoded(decoded, path, None, f"message {number}", notes)
        return
    rows: Iterator[tuple[int | None, Any]] = (
        json_items(path) if kind == "json" else parquet_rows(path) if kind == "parquet" else csv_rows(path)
    )
    found = False
    for line, value in rows:
        try:
            for held in _held(value, "", 0):
                found = True
                yield from _decoded(held, path, line, "", notes) if isinstance(held, Decoded) else (held,)
        except InputError as error:
            if error.path:
                raise
            raise InputError(error.message, path=str(path), line=line, field=error.field) from None
    if not found:
        raise InputError(f"holds no spans: {KNOWN} are known", path=str(path))


def _decoded(held: Decoded, path: Path, line: int | None, place: str, notes: list[str] | None) -> Iterator[Span]:
    yield from held.spans
    if held.rejected:
        told = InputError(f"{held.rejected} spans are left out: {held.reason}", path=str(path), line=line, field=place)
        if notes is None:
            raise told
        notes.append(str(told))


def _held(value: Any, place: str, depth: int) -> Iterator[Span | Decoded]:
    """Yield what a value holds: the spans of a request, a trace, an observation; those of a list or a page one by one."""
    if isinstance(value, list) and depth < _DEEPEST_PAGE:
        for i, one in enumerate(value):
            yield from _held(one, f"{place}[{i}]", depth + 1)
    elif not isinstance(value, dict):
        raise InputError("expected an object", field=place)
    else:
        try:
            yield from _object(value, place, depth)
        except InputError as error:
            field = (
                ".".join(part for part in (place, error.field) if part)
                if not error.field.startswith(place)
                else error.field
            )
            raise InputError(error.message, field=field) from None


def _object(value: dict[str, Any], place: str, depth: int) -> Iterator[Span | Decoded]:
    if is_otlp(value):
        yield json_spans(value)
    elif isinstance(inner := value.get("trace"), dict) and is_otlp(inner):
        yield json_spans(inner)
    elif phoenix.is_phoenix(value):
        yield phoenix.phoenix_span(value)
    elif langfuse.is_trace(value):
        yield from langfuse.trace_spans(value)
    elif langfuse.is_observation(value):
        yield langfuse.observation_span(value)
    elif isinstance(value.get("data"), list):
        yield from _held(value["data"], f"{place}.data" if place else "data", depth)
    else:
        raise InputError(f"no shape that is known, with the fields {_fields(value)}: {KNOWN} are known", field=place)


def _fields(value: Mapping[str, Any], most: int = 8) -> str:
    shown = [plain_name(str(name)) for name in list(value)[:most]]
    return ", ".join([*shown, f"and {len(value) - most} more"] if len(value) > most else shown) or "none"


# OTLP in files: one message of protobuf, or many of them, each with its length in front, as exporters to files write them.


_FIRST_FIELD = 0x0A
"""The tag that a TracesData begins with. As a length in front it would be of a message too short to hold a span."""
_MOST_MESSAGE = 64 * 1024 * 1024
_BATCHES = ("resourceSpans", "batches")
"""What a request calls its groups, and what Tempo's API calls them."""


def is_otlp(value: dict[str, Any]) -> bool:
    """Tell a request in JSON by its one field."""
    return any(name in value for name in _BATCHES)


def json_spans(value: dict[str, Any]) -> Decoded:
    """Read a request in JSON. Raises InputError naming the field that is not as expected."""
    held = value.get("resourceSpans", value.get("batches"))
    try:
        return spans_of({"resourceSpans": held})
    except Refused as refused:
        field, _, said = refused.reason.partition(": ")
        raise InputError(said or field, field=field if said else "") from None


def protobuf_messages(path: Path) -> Iterator[tuple[int, Decoded]]:
    """Yield each message's number, from 1, and its spans. Raises InputError saying which message is not as expected."""
    with opened(path) as handle:
        one = handle.peek(1)[:1] if hasattr(handle, "peek") else b""
        messages = _whole(handle, path) if one == bytes((_FIRST_FIELD,)) else _delimited(handle, path)
        for number, body in enumerate(messages, 1):
            try:
                yield number, decode_spans(body, None)
            except Refused as refused:
                said = refused.reason.replace("the body", f"message {number}")
                raise InputError(f"{said}: expected OTLP", path=str(path)) from None


def _whole(handle: IO[bytes], path: Path) -> Iterator[bytes]:
    body = handle.read(MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        said = f"one message of more than {MOST_BYTES >> 30} GiB: write many, each with its length in front"
        raise InputError(said, path=str(path))
    yield body


def _delimited(handle: IO[bytes], path: Path) -> Iterator[bytes]:
    number = 0
    while first := handle.read(1):
        number += 1
        length = _length(first[0], handle)
        body = b"" if length is None or length > _MOST_MESSAGE else handle.read(length)
        if length is None or len(body) != length:
            said = f"message {number} is cut off, or the file is none that holds spans in protobuf"
            raise InputError(said, path=str(path))
        yield body


def _length(first: int, handle: IO[bytes]) -> int | None:
    value, shift, byte = first & 0x7F, 7, first
    while byte & 0x80:
        more = handle.read(1)
        if not more or shift > 28:  # noqa: PLR2004 - five bytes of seven bits hold any length that is taken
            return None
        byte = more[0]
        value |= (byte & 0x7F) << shift
        shift += 7
    return value


# Rows of a table of spans, as dataframes are written: CSV, and Parquet where pyarrow is there to read it.


_LONGEST_CELL = 64 * 1024 * 1024
_NUMBERS = re.compile(r"(token_count\.|\.cost\.|\.score$|Cost$)")
"""Columns of numbers: CSV has text alone."""


def csv_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each row with its line, from 1. Cells that hold JSON, or a list or mapping as Python prints it, are read as that.

    Raises InputError where it is no CSV.
    """
    csv.field_size_limit(_LONGEST_CELL)
    with opened(path) as handle, io.TextIOWrapper(handle, "utf-8-sig", newline="") as text:
        reader = csv.DictReader(text, strict=True)
        try:
            for row in reader:
                if None in row or None in row.values():
                    raise InputError(
                        "expected as many cells as the first line has", path=str(path), line=reader.line_num
                    )
                yield reader.line_num, {name: _cell(name, value) for name, value in row.items()}
        except UnicodeDecodeError:
            raise InputError("not UTF-8", path=str(path), line=reader.line_num + 1) from None
        except csv.Error as error:
            raise InputError(f"not CSV: {error}", path=str(path), line=reader.line_num) from None


def _cell(name: str, value: str) -> Any:
    if not value:
        return None
    if _NUMBERS.search(name):
        try:
            number = float(value)
        except ValueError:
            return value
        return int(number) if number.is_integer() else number
    if value[0] not in "[{":
        return value
    try:
        return parse_json(value.encode("utf-8", "replace"))
    except Refused:
        return _printed(value)


def _printed(value: str) -> Any:
    """Return what Python printed into a cell; pandas writes lists into CSV so."""
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return value


def parquet_rows(path: Path) -> Iterator[tuple[None, Mapping[str, Any]]]:
    """Yield the rows of a Parquet file, in batches. Raises InputError where pyarrow is not installed, or cannot read the file."""
    try:
        parquet = import_module("pyarrow.parquet")
    except ImportError:
        said = "is Parquet, which takes pyarrow to read: install it, or write the spans as JSON Lines"
        raise InputError(said, path=str(path)) from None
    problem = import_module("pyarrow").ArrowException
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=256):
                yield from ((None, row) for row in batch.to_pylist())
    except (problem, OSError) as error:
        raise InputError(f"is Parquet, and cannot be read: {str(error).splitlines()[0]}", path=str(path)) from None
