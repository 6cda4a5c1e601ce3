"""Write events of spans as an ExportLogsServiceRequest in protobuf, as `gen_ai.evaluation.result` travels."""

from __future__ import annotations

from collections.abc import Sequence

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

from showable.errors import InputError
from showable.records.spans import SpanEvent
from showable.traces.otlp.encode import clean, fits_otlp, set_attributes, set_value


def encode_events(events: Sequence[tuple[str, str, SpanEvent]], service: str) -> bytes:
    """Return the request: one log record an event, addressed to (trace id, span id); an attribute ``body`` becomes its body.

    Raises InputError for ids that OTLP cannot hold.
    """
    request = ExportLogsServiceRequest()
    if not events:
        return b""
    group = request.resource_logs.add()
    set_attributes(group.resource.attributes, {"service.name": service})
    scoped = group.scope_logs.add()
    scoped.scope.name = "showable"
    for trace_id, span_id, event in events:
        if not fits_otlp(trace_id, span_id):
            said = "OTLP holds ids of 32 and 16 hexadecimal digits, and this event's span has others"
            raise InputError(said, field="trace_id, span_id")
        record = scoped.log_records.add(time_unix_nano=event.at_ns, observed_time_unix_nano=event.at_ns)
        record.trace_id, record.span_id = bytes.fromhex(trace_id), bytes.fromhex(span_id)
        record.event_name = clean(event.name)
        held = dict(event.attributes)
        if (body := held.pop("body", None)) is not None:
            set_value(record.body, body, 1)
        set_attributes(record.attributes, held)
    written: bytes = request.SerializeToString()
    return written
