"""OTLP in protobuf, read with upb and one pass over what it gives: nearly all of a receiver's time goes here."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Callable, Iterable
from typing import Any

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from showable.records.spans import Span, SpanEvent, SpanLink, Status
from showable.traces.otlp.decoded import (
    DEEPEST,
    MOST_TEXT,
    PARENT_IS_REMOTE,
    Allowance,
    Around,
    Decoded,
    DecodedLogs,
    Words,
    cut_list,
    cut_text,
    endless,
    service_of,
    shown,
    size_of,
    too_deep,
)
from showable.traces.otlp.mend_protobuf import Mended, mend
from showable.traces.otlp.odd_times import LAST_NS, times
from showable.traces.otlp.refused import Refused

SPANS, LOGS = ExportTraceServiceRequest.DESCRIPTOR, ExportLogsServiceRequest.DESCRIPTOR
_NO_TRACE, _NO_SPAN = bytes(16), bytes(8)
_TRACE_BYTES, _SPAN_BYTES = 16, 8
_STATUS: tuple[Status, ...] = ("unset", "ok", "error")
_BAD_IDS = "a span's trace id is not 16 bytes, its span id not 8, or one is all zeros"


def decode_spans(body: bytes, now_ns: int | None, allowed: Allowance | None = None) -> Decoded:
    """Read an ExportTraceServiceRequest; with `allowed`, no more than that. Raises Refused (400, 413)."""
    request, mended = _parsed(body, ExportTraceServiceRequest, "opentelemetry.proto.trace.v1.Span")
    spans: list[Span] = []
    rejected = number = 0
    for group in request.resource_spans:
        doubts = Words(mended.everywhere)
        resource = attributes_of(group.resource.attributes, doubts)
        service, size = service_of(resource), size_of(resource) if allowed else 0
        for scoped in group.scope_spans:
            around = Around(service, scoped.scope.name, resource, now_ns)
            if allowed:
                allowed.take(len(scoped.spans), around, size)
            for raw in scoped.spans:
                trace_id, span_id = raw.trace_id, raw.span_id
                noted = mended.leaves.get(number) if mended.leaves else None
                number += 1
                if (
                    len(trace_id) != _TRACE_BYTES
                    or len(span_id) != _SPAN_BYTES
                    or trace_id == _NO_TRACE
                    or span_id == _NO_SPAN
                ):
                    rejected += 1
                    continue
                problems = Words((*doubts, *noted) if noted else doubts)
                spans.append(_span(raw, (trace_id.hex(), span_id.hex()), around, problems))
    return Decoded(spans, rejected, _BAD_IDS if rejected else "")


def _parsed(body: bytes, request: Any, leaf: str) -> tuple[Any, Mended]:
    """Parse a request; one that upb refuses is looked through for what can be put right in it, and parsed again."""
    try:
        return request.FromString(body), Mended()
    except DecodeError:
        mended = mend(body, request.DESCRIPTOR, leaf)
    try:
        return request.FromString(mended.body), mended
    except DecodeError:
        raise Refused(400, f"the body is not an {request.DESCRIPTOR.name} in protobuf") from None


def _span(raw: Any, ids: tuple[str, str], around: Around, problems: Words) -> Span:
    now = around.now
    start, end = raw.start_time_unix_nano, raw.end_time_unix_nano
    if now is not None or not 0 < start <= end <= LAST_NS:
        start, end = times(start, end, now, problems)
    attributes = attributes_of(raw.attributes, problems)
    if dropped := raw.dropped_attributes_count:
        problems.append(f"{dropped} attributes were dropped by the sender")
    if dropped := raw.dropped_events_count:
        problems.append(f"{dropped} events were dropped by the sender")
    parent = raw.parent_span_id
    if parent:
        if len(parent) != _SPAN_BYTES:
            problems.append(f"its parent's id is {len(parent)} bytes long, not {_SPAN_BYTES}")
        elif parent == _NO_SPAN:
            parent = b""
    status: Status = "unset"
    said = ""
    if raw.HasField("status"):
        said, code = raw.status.message, raw.status.code
        if 0 <= code < len(_STATUS):
            status = _STATUS[code]
        else:
            problems.append(f"its status {code} is not one of the standard's")
    return Span(
        *ids,
        parent.hex() or None,
        raw.name,
        start,
        end,
        around.service,
        attributes,
        tuple(_events(raw.events, problems)) if raw.events else (),
        tuple(_links(raw.links, problems)) if raw.links else (),
        status,
        said,
        around.scope,
        around.resource,
        problems.told() if problems else (),
        bool(parent) and bool(raw.flags & PARENT_IS_REMOTE),
    )


def _events(events: Iterable[Any], problems: list[str]) -> Iterable[SpanEvent]:
    for event in events:
        at = event.time_unix_nano
        if at > LAST_NS:
            problems.append("an event's time is no time: left out")
            at = 0
        yield SpanEvent(event.name, at, attributes_of(event.attributes, problems))


def _links(links: Iterable[Any], problems: list[str]) -> Iterable[SpanLink]:
    for link in links:
        if len(link.trace_id) != _TRACE_BYTES or len(link.span_id) != _SPAN_BYTES:
            problems.append("a link's ids are of the wrong length")
        yield SpanLink(link.trace_id.hex(), link.span_id.hex(), attributes_of(link.attributes, problems))


def attributes_of(pairs: Any, problems: list[str]) -> dict[str, Any]:
    """Return attributes as JSON has them. Where a key stands twice the last one holds, and `problems` says so."""
    held: dict[str, Any] = {}
    many = 0
    for pair in pairs:
        many += 1
        value, key = pair.value, pair.key
        # A text that is not empty says by itself which of the kinds is set: asking upb costs as much as reading it.
        text = value.string_value
        held[key] = text if text and len(text) <= MOST_TEXT else _value(value, key, 1, problems)
    if len(held) != many:
        problems.append(f"{many - len(held)} attributes have a name that another has too: the last one holds")
    if "" in held:
        problems.append("an attribute has no name")
    return held


def _value(value: Any, key: str, depth: int, problems: list[str]) -> Any:
    kind = value.WhichOneof("value")
    if kind is None:
        return None
    if kind in {"bool_value", "int_value"}:
        return getattr(value, kind)
    read = _READERS.get(kind)
    if read is None:
        problems.append(f"{shown(key)}: is of a kind that traces do not have, left out")
        return None
    return read(value, key, depth, problems)


def _text_value(value: Any, key: str, _: int, problems: list[str]) -> str:
    return cut_text(value.string_value, key, problems)


def _bytes_value(value: Any, key: str, _: int, problems: list[str]) -> str:
    return cut_text(b64encode(value.bytes_value).decode("ascii"), key, problems)


def _double_value(value: Any, key: str, _: int, problems: list[str]) -> float | str:
    number: float = value.double_value
    return number if math.isfinite(number) else endless(number, key, problems)


def _list_value(value: Any, key: str, depth: int, problems: list[str]) -> list[Any] | None:
    if depth >= DEEPEST:
        problems.append(too_deep(key))
        return None
    values = cut_list(value.array_value.values, key, problems)
    return [_value(one, key, depth + 1, problems) for one in values]


def _mapping_value(value: Any, key: str, depth: int, problems: list[str]) -> dict[str, Any] | None:
    if depth >= DEEPEST:
        problems.append(too_deep(key))
        return None
    pairs = cut_list(value.kvlist_value.values, key, problems)
    inner = {pair.key: _value(pair.value, key, depth + 1, problems) for pair in pairs}
    if len(inner) != len(pairs):
        problems.append(f"{shown(key)}: a name stands twice in it, the last one holds")
    return inner


_READERS: dict[str, Callable[[Any, str, int, list[str]], Any]] = {
    "string_value": _text_value,
    "bytes_value": _bytes_value,
    "double_value": _double_value,
    "array_value": _list_value,
    "kvlist_value": _mapping_value,
}


def decode_log_events(body: bytes) -> DecodedLogs:
    """Read an ExportLogsServiceRequest. Raises Refused (400)."""
    request, mended = _parsed(body, ExportLogsServiceRequest, "opentelemetry.proto.logs.v1.LogRecord")
    events: list[tuple[str, str, SpanEvent]] = []
    passed_over = 0
    records = (one for group in request.resource_logs for scoped in group.scope_logs for one in scoped.log_records)
    for number, raw in enumerate(records):
        event = _log_event(raw, Words(mended.leaves.get(number, ())))
        if event is None:
            passed_over += 1
        else:
            events.append((raw.trace_id.hex(), raw.span_id.hex(), event))
    return DecodedLogs(events, passed_over)


def _log_event(raw: Any, problems: Words) -> SpanEvent | None:
    """Return a log record as an event of its span; None where it names no span, or is no event of a generation."""
    if len(raw.trace_id) != _TRACE_BYTES or len(raw.span_id) != _SPAN_BYTES:
        return None
    if raw.trace_id == _NO_TRACE or raw.span_id == _NO_SPAN:
        return None
    name = raw.event_name or next((p.value.string_value for p in raw.attributes if p.key == "event.name"), "")
    if not name.startswith("gen_ai."):
        return None
    held = attributes_of(raw.attributes, problems)
    if raw.HasField("body") and (body := _value(raw.body, "body", 1, problems)) is not None:
        held.setdefault("body", body)
    if problems:
        held["showable.problems"] = list(problems.told())
    at = raw.time_unix_nano or raw.observed_time_unix_nano
    return SpanEvent(name, at if at <= LAST_NS else 0, held)
