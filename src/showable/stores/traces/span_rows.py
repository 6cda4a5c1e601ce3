"""A span as a row: its ids, what it is searched by, and the rest of it as one piece of JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from showable.records.spans import Span, SpanEvent, SpanLink
from showable.stores.traces.errors import StoreError

MOST_NS = 2**63 - 1
"""Engines count in 64 bits with a sign; OTLP has times without one."""
_LOST = "its attributes could not be kept: they are nested too deep, or are of no kind that JSON has"


def bounded(ns: int) -> int:
    """Return a time as an engine can hold it."""
    return min(max(ns, 0), MOST_NS)


def kept_from(span: Span, now_ns: int) -> int:
    """Return the time that retention counts from: the span's start, or now where it is unknown or still to come."""
    return span.start_ns if 0 < span.start_ns <= now_ns else now_ns


def clean(text: str) -> str:
    """Return text that can be written as UTF-8: half of a surrogate pair becomes a question mark."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def body_of(span: Span) -> bytes:
    """Write all of a span but its ids as JSON; a NaN is null there. What cannot be written is left out, and the span says so."""
    try:
        return _written(span, span.attributes, span.resource, span.events)
    except (TypeError, ValueError, RecursionError):
        return _written(span, {}, {}, (), (*span.problems, _LOST))


def _written(
    span: Span, attributes: Any, resource: Any, events: Iterable[SpanEvent], problems: Sequence[str] | None = None
) -> bytes:
    rest = [
        span.parent_id,
        span.name,
        span.start_ns,
        span.end_ns,
        span.service,
        attributes,
        [(event.name, event.at_ns, event.attributes) for event in events],
        [(link.trace_id, link.span_id, link.attributes) for link in span.links],
        span.status,
        span.status_message,
        span.scope,
        resource,
        list(span.problems if problems is None else problems),
    ]
    return as_json([*rest, True] if span.remote_parent else rest)


def as_json(value: Any) -> bytes:
    """Write JSON; numbers past 64 bits (read back as floats) and halves of surrogate pairs, which are rare, go the slow way."""
    try:
        return orjson.dumps(value)
    except orjson.JSONEncodeError:
        return json.dumps(_plain(value), ensure_ascii=False, allow_nan=False).encode()


def _plain(value: Any) -> Any:
    """Return what JSON and UTF-8 can hold: a NaN is null, half of a surrogate pair a question mark."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {clean(str(name)): _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def span_from(trace_id: str, span_id: str, body: bytes | str) -> Span:
    """Read a span back. Raises StoreError where it is not what was written."""
    try:
        return _read(trace_id, span_id, body)
    except (ValueError, TypeError):
        raise StoreError(
            f"span {span_id[:40]!r} of trace {trace_id[:40]!r} is damaged in the store; put back a copy of it"
        ) from None


def _read(trace_id: str, span_id: str, body: bytes | str) -> Span:
    (
        parent,
        name,
        start,
        end,
        service,
        attributes,
        events,
        links,
        status,
        message,
        scope,
        resource,
        problems,
        *remote,
    ) = orjson.loads(body)
    return Span(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=parent,
        name=name,
        start_ns=start,
        end_ns=end,
        service=service,
        attributes=attributes,
        events=tuple([SpanEvent(*event) for event in events]) if events else (),
        links=tuple([SpanLink(*link) for link in links]) if links else (),
        status=status,
        status_message=message,
        scope=scope,
        resource=resource,
        problems=tuple(problems),
        remote_parent=bool(remote),
    )


def event_body(event: SpanEvent) -> bytes:
    """Write an event as JSON."""
    try:
        return as_json((event.name, event.at_ns, event.attributes))
    except (TypeError, ValueError, RecursionError):
        return as_json((event.name, event.at_ns, {"showable.problem": _LOST}))


def event_from(body: bytes | str) -> SpanEvent:
    """Read an event back."""
    return SpanEvent(*orjson.loads(body))


def with_events(span: Span, events: Iterable[SpanEvent]) -> Span:
    """Return a span with more events, each once: two are the same when their name, time and attributes are."""
    known = {event_body(event) for event in span.events}
    new: list[SpanEvent] = []
    for event in events:
        body = event_body(event)
        if body not in known:
            known.add(body)
            new.append(event)
    return replace(span, events=(*span.events, *new)) if new else span


def key_of(identifier: str) -> bytes | str:
    """Return an id as it is kept: hexadecimal digits, which are nearly all, in half the room."""
    try:
        key = bytes.fromhex(identifier)
    except ValueError:
        return clean(identifier)
    return key if key.hex() == identifier else identifier


def id_from(key: bytes | str) -> str:
    """Read an id back."""
    return key if isinstance(key, str) else key.hex()
