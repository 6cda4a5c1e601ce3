"""Write spans as an ExportTraceServiceRequest in protobuf."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from showable.errors import InputError
from showable.records.spans import Attributes, Span
from showable.traces.otlp.decoded import DEEPEST, PARENT_IS_KNOWN, PARENT_IS_REMOTE
from showable.traces.otlp.encode_json import encode_spans_json

__all__ = ["encode_spans", "encode_spans_json", "fits_otlp"]

_INT64 = range(-(2**63), 2**63)
_TRACE_DIGITS, _SPAN_DIGITS = 32, 16


def encode_spans(spans: Sequence[Span]) -> bytes:
    """Return the request; `decode_request` of it gives the same spans in the same order, but for their `problems`, which do not travel.

    Raises InputError for a span whose ids OTLP cannot hold (see `fits_otlp`), as exports of some backends have them.
    """
    request = ExportTraceServiceRequest()
    for (service, resource), of_resource in groupby(spans, lambda span: (span.service, span.resource)):
        group = request.resource_spans.add()
        _attributes(group.resource.attributes, with_service(resource, service))
        for scope, of_scope in groupby(of_resource, lambda span: span.scope):
            scoped = group.scope_spans.add()
            if scope:
                scoped.scope.name = clean(scope)
            for span in of_scope:
                _span(scoped.spans.add(), span)
    written: bytes = request.SerializeToString()
    return written


def fits_otlp(trace_id: str, span_id: str) -> bool:
    """Check whether OTLP can hold a span's ids: 32 and 16 hexadecimal digits, not all zeros."""
    return _is_id(trace_id, _TRACE_DIGITS) and _is_id(span_id, _SPAN_DIGITS)


def _is_id(text: str, digits: int) -> bool:
    return len(text) == digits and set(text) <= set("0123456789abcdef") and text.strip("0") != ""


def with_service(resource: Attributes, service: str) -> Attributes:
    """Return a resource that names its service, as the standard wants it."""
    return {**resource, "service.name": service} if service and "service.name" not in resource else resource


def _span(raw: Any, span: Span) -> None:
    if not fits_otlp(span.trace_id, span.span_id):
        said = "OTLP holds ids of 32 and 16 hexadecimal digits, and this span has others"
        raise InputError(said, field="trace_id, span_id")
    raw.trace_id, raw.span_id = bytes.fromhex(span.trace_id), bytes.fromhex(span.span_id)
    if span.parent_id is not None:
        raw.parent_span_id = _bytes_of(span.parent_id, "parent_id")
    if span.remote_parent:
        raw.flags = PARENT_IS_KNOWN | PARENT_IS_REMOTE
    raw.name = clean(span.name)
    raw.start_time_unix_nano, raw.end_time_unix_nano = span.start_ns, span.end_ns
    _attributes(raw.attributes, span.attributes)
    for event in span.events:
        held = raw.events.add(name=clean(event.name), time_unix_nano=event.at_ns)
        _attributes(held.attributes, event.attributes)
    for link in span.links:
        trace_id, span_id = _bytes_of(link.trace_id, "links"), _bytes_of(link.span_id, "links")
        _attributes(raw.links.add(trace_id=trace_id, span_id=span_id).attributes, link.attributes)
    if span.status != "unset":
        raw.status.code = 1 if span.status == "ok" else 2
    if span.status_message:
        raw.status.message = clean(span.status_message)


def _bytes_of(text: str, field: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise InputError("OTLP holds ids in hexadecimal, and this one is not", field=field) from None


def _attributes(pairs: Any, held: Attributes) -> None:
    for key, value in held.items():
        pair = pairs.add(key=clean(key))
        set_value(pair.value, value, 1)


def set_value(target: Any, value: Any, depth: int) -> None:
    """Write a value as JSON has it into an AnyValue; null is one without a kind, a larger integer than 64 bits text."""
    if isinstance(value, str):
        target.string_value = clean(value)
    elif isinstance(value, bool):
        target.bool_value = value
    elif isinstance(value, int):
        if value in _INT64:
            target.int_value = value
        else:
            target.string_value = str(value)
    elif isinstance(value, float):
        target.double_value = value
    elif value is not None and depth < DEEPEST:
        _set_many(target, value, depth)


def _set_many(target: Any, value: Any, depth: int) -> None:
    if isinstance(value, Mapping):
        target.kvlist_value.SetInParent()
        for key, inner in value.items():
            set_value(target.kvlist_value.values.add(key=clean(str(key))).value, inner, depth + 1)
    else:
        target.array_value.SetInParent()
        for inner in value:
            set_value(target.array_value.values.add(), inner, depth + 1)


def clean(text: str) -> str:
    """Return a text as UTF-8 can hold it: half of a surrogate pair is replaced."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def set_attributes(pairs: Any, held: Attributes) -> None:
    """Write attributes into a repeated KeyValue."""
    _attributes(pairs, held)
