"""Write spans as an ExportTraceServiceRequest in JSON: hexadecimal ids, 64-bit integers as text, enums as numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import orjson

from showable.records.spans import Attributes, Span
from showable.traces.otlp.decoded import DEEPEST, PARENT_IS_KNOWN, PARENT_IS_REMOTE

_CODES = {"unset": 0, "ok": 1, "error": 2}


def encode_spans_json(spans: Sequence[Span]) -> bytes:
    """Return the request on one line. Ids of another form than OTLP's are written as they are, and a reader will reject them."""
    groups = []
    for (service, resource), of_resource in groupby(spans, lambda span: (span.service, span.resource)):
        named = {**resource, "service.name": service} if service and "service.name" not in resource else resource
        scoped = [
            {"scope": {"name": scope} if scope else {}, "spans": [_span(span) for span in of_scope]}
            for scope, of_scope in groupby(of_resource, lambda span: span.scope)
        ]
        groups.append({"resource": {"attributes": _attributes(named)}, "scopeSpans": scoped})
    return _dump({"resourceSpans": groups})


def _dump(value: Any) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:  # half of a surrogate pair, which UTF-8 cannot hold
        return orjson.dumps(_clean(value))


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_clean(key): _clean(inner) for key, inner in value.items()}
    return [_clean(inner) for inner in value] if isinstance(value, list) else value


def _span(span: Span) -> dict[str, Any]:
    raw: dict[str, Any] = {
        "traceId": span.trace_id,
        "spanId": span.span_id,
        "name": span.name,
        "startTimeUnixNano": str(span.start_ns),
        "endTimeUnixNano": str(span.end_ns),
        "attributes": _attributes(span.attributes),
    }
    if span.parent_id is not None:
        raw["parentSpanId"] = span.parent_id
    if span.remote_parent:
        raw["flags"] = PARENT_IS_KNOWN | PARENT_IS_REMOTE
    if span.events:
        raw["events"] = [
            {"name": event.name, "timeUnixNano": str(event.at_ns), "attributes": _attributes(event.attributes)}
            for event in span.events
        ]
    if span.links:
        raw["links"] = [
            {"traceId": link.trace_id, "spanId": link.span_id, "attributes": _attributes(link.attributes)}
            for link in span.links
        ]
    if span.status != "unset" or span.status_message:
        raw["status"] = {"code": _CODES[span.status], "message": span.status_message}
    return raw


def _attributes(held: Attributes, depth: int = 1) -> list[dict[str, Any]]:
    return [{"key": str(key), "value": _value(value, depth)} for key, value in held.items()]


def _value(value: Any, depth: int) -> dict[str, Any]:
    if isinstance(value, str):
        return {"stringValue": value}
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)} if -(2**63) <= value < 2**63 else {"stringValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value if math.isfinite(value) else _endless(value)}
    return {} if value is None or depth >= DEEPEST else _many(value, depth + 1)


def _many(value: Any, depth: int) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return {"kvlistValue": {"values": _attributes(value, depth)}}
    return {"arrayValue": {"values": [_value(inner, depth) for inner in value]}}


def _endless(value: float) -> str:
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
