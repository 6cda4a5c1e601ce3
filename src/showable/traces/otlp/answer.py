"""What a receiver answers: success in full or in part, or why not (OTLP/HTTP, "OTLP/HTTP Response"), as the sender encoded its request."""

from __future__ import annotations

from typing import Literal

import orjson
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

Signal = Literal["traces", "logs"]
_REJECTED = {"traces": ("rejected_spans", "rejectedSpans"), "logs": ("rejected_log_records", "rejectedLogRecords")}
_CODES = {400: 3, 401: 16, 403: 7, 404: 5, 413: 8, 415: 3, 429: 8, 500: 13, 503: 14, 504: 4}
"""google.rpc.Code of an HTTP status (google/rpc/code.proto)."""
_UNKNOWN = 2


def is_json(content_type: str) -> bool:
    """Check whether to answer in JSON. Protobuf is what a sender gets whose own encoding is not known."""
    return content_type.partition(";")[0].strip().casefold() == "application/json"


def answer_type(content_type: str) -> str:
    """Return the Content-Type of the answer to a request of this one."""
    return "application/json" if is_json(content_type) else "application/x-protobuf"


def response(rejected: int, reason: str, content_type: str, signal: Signal = "traces") -> bytes:
    """Return the body of a 200: empty in effect, or a partial success that counts what was rejected and says why."""
    proto_field, json_field = _REJECTED[signal]
    partial = bool(rejected or reason)
    if is_json(content_type):
        told = {"partialSuccess": {json_field: str(rejected), "errorMessage": reason}}
        return orjson.dumps(told if partial else {})
    body = ExportTraceServiceResponse() if signal == "traces" else ExportLogsServiceResponse()
    if partial:
        setattr(body.partial_success, proto_field, rejected)
        body.partial_success.error_message = reason
    written: bytes = body.SerializeToString()
    return written


def error_body(status: int, reason: str, content_type: str) -> bytes:
    """Return the body of an answer that is no success: a google.rpc.Status whose code goes with the HTTP status."""
    code = _CODES.get(status, _UNKNOWN)
    if is_json(content_type):
        return orjson.dumps({"code": code, "message": reason})
    # Field 1 is the code, field 2 the message; the message's own Python class would be one package more.
    text = reason.encode("utf-8", "replace")
    return bytes((0x08, code, 0x12)) + _length(len(text)) + text


def _length(size: int) -> bytes:
    out = bytearray()
    while size > 0x7F:  # noqa: PLR2004 - seven bits a byte
        out.append(size & 0x7F | 0x80)
        size >>= 7
    out.append(size)
    return bytes(out)
