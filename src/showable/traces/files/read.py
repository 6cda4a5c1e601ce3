"""Read the spans of a file, whatever shape they are in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from showable.errors import InputError
from showable.records.lines import plain_name
from showable.records.spans import Span
from showable.traces.files import langfuse, phoenix
from showable.traces.files.json_items import json_items
from showable.traces.files.opening import kind_of
from showable.traces.files.otlp_files import is_otlp, json_spans, protobuf_messages
from showable.traces.files.tables import csv_rows, parquet_rows
from showable.traces.otlp.decoded import Decoded

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
