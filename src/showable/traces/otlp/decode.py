"""Decode the body of an OTLP/HTTP request, in protobuf or JSON (OTLP 1.x, https://opentelemetry.io/docs/specs/otlp/)."""

from __future__ import annotations

from typing import Literal

from google.protobuf.descriptor import Descriptor  # type: ignore[import-untyped]

from showable.traces.otlp import decode_json, decode_protobuf
from showable.traces.otlp.decoded import Allowance, Decoded, DecodedLogs
from showable.traces.otlp.mend_protobuf import MOST_FIELDS, MalformedError, known_fields, split
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


# Refuse a body that is nearly all structure: parsed, it would take a hundred times its size.


MOST_PARTS = 500_000
"""Messages within a request: twice what a collector's batch of 8192 spans has with a dozen attributes each."""
_LEAST_BYTES = 2
"""Of a message within another: its tag and its length."""
_TAGS = (b"\x0a", b"\x12", b"\x22", b"\x2a", b"\x32", b"\x4a", b"\x5a", b"\x6a", b"\x7a")
"""The bytes that a message within another begins with, in all messages of spans and log records."""


def few_parts(body: bytes, request: Descriptor) -> None:
    """See that a protobuf body has no more messages than are taken. Raises Refused (413).

    Nearly every body is let through by its length, or by how often the bytes stand in it that a message begins with; only another
    is walked, up to the bound.
    """
    if len(body) <= _LEAST_BYTES * MOST_PARTS or sum(map(body.count, _TAGS)) <= MOST_PARTS:
        return
    left, parts, steps = [(memoryview(body), request)], 0, 0
    while left:
        data, kind = left.pop()
        fields = known_fields(kind)
        try:
            for number, _, inside, end in split(data):
                inner = fields.get(number) if inside is not None else None
                steps += 1
                if isinstance(inner, Descriptor):
                    parts += 1
                if parts > MOST_PARTS or steps > MOST_FIELDS:
                    raise Refused(413, f"the body has more than {MOST_PARTS} parts: send fewer spans at once")
                if isinstance(inner, Descriptor):
                    left.append((data[inside:end], inner))
        except MalformedError:
            return  # upb says so, and mends or refuses it


def few_brackets(body: bytes) -> None:
    """See that a JSON body has no more objects and lists than are taken. Raises Refused (413). Brackets in texts count too."""
    if len(body) > 2 * MOST_PARTS and body.count(b"{") + body.count(b"[") > 2 * MOST_PARTS:
        raise Refused(413, f"the body has more than {2 * MOST_PARTS} objects and lists: send fewer spans at once")
