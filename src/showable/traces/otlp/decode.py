"""Decode the body of an OTLP/HTTP request, in protobuf or JSON (OTLP 1.x, https://opentelemetry.io/docs/specs/otlp/)."""

from __future__ import annotations

from typing import Literal

from showable.traces.otlp import decode_json, decode_protobuf
from showable.traces.otlp.decoded import Allowance, Decoded, DecodedLogs
from showable.traces.otlp.parts import few_brackets, few_parts
from showable.traces.otlp.refused import Refused

Wire = Literal["protobuf", "json"]

__all__ = ["Decoded", "DecodedLogs", "Wire", "decode_logs", "decode_request", "wire_of"]


def wire_of(content_type: str) -> Wire:
    """Tell the encoding by a Content-Type header. Raises Refused (415) for another than the standard's two."""
    name = content_type.partition(";")[0].strip().casefold()
    if name in {"application/x-protobuf", "application/protobuf"}:
        return "protobuf"
    if name == "application/json":
        return "json"
    raise Refused(415, "the content type is not application/x-protobuf or application/json")


def decode_request(body: bytes, content_type: str, now_ns: int | None = None) -> Decoded:
    """Read an ExportTraceServiceRequest (which a TracesData is too) that is already unpacked.

    `now_ns` is Unix time, for telling spans whose clock is off; None leaves that out. A span whose own ids are of the wrong
    length or all zeros is rejected and counted; one that is only odd is kept and says so in its `problems`.
    Raises Refused: 400 for a body that is no such request, 413 for one of more spans or parts than are taken at once, 415 for a content type
    that is not known.
    """
    if wire_of(content_type) == "protobuf":
        few_parts(body, decode_protobuf.SPANS)
        return decode_protobuf.decode_spans(body, now_ns, Allowance())
    few_brackets(body)
    return decode_json.decode_spans(body, now_ns, Allowance())


def decode_logs(body: bytes, content_type: str) -> DecodedLogs:
    """Read an ExportLogsServiceRequest that is already unpacked, keeping the events of generations that name their span.

    Such an event is called ``gen_ai.…``. A log record's body, where it has one, becomes the event's attribute ``body``;
    what was wrong with its values stands in an attribute ``showable.problems``, as an event has no other place for it.
    Raises Refused as `decode_request` does.
    """
    if wire_of(content_type) == "protobuf":
        few_parts(body, decode_protobuf.LOGS)
        return decode_protobuf.decode_log_events(body)
    few_brackets(body)
    return decode_json.decode_log_events(body)
