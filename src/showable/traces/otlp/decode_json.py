"""OTLP in JSON: orjson, and a walk by hand. Protobuf's own reader of JSON takes tens of times as long."""

from __future__ import annotations

from typing import Any

from showable.records.spans import Span, SpanEvent, SpanLink, Status
from showable.traces.otlp.decoded import (
    PARENT_IS_REMOTE,
    Allowance,
    Around,
    Decoded,
    DecodedLogs,
    Words,
    service_of,
    size_of,
)
from showable.traces.otlp.json_body import NOT_UTF8, mark, parse_body
from showable.traces.otlp.json_values import attributes_of, hex_id, items, mapping, value_of, whole
from showable.traces.otlp.odd_times import LAST_NS, times
from showable.traces.otlp.refused import Refused

_TRACE_DIGITS, _SPAN_DIGITS = 32, 16
_STATUS: dict[Any, Status] = {
    None: "unset", 0: "unset", 1: "ok", 2: "error",
    "STATUS_CODE_UNSET": "unset", "STATUS_CODE_OK": "ok", "STATUS_CODE_ERROR": "error",
}  # fmt: skip
_BAD_IDS = "a span's trace id is not 32 hexadecimal digits, its span id not 16, or one is all zeros"
_NO_OBJECT = "a span is not an object"


def decode_spans(body: bytes, now_ns: int | None, allowed: Allowance | None = None) -> Decoded:
    """Read an ExportTraceServiceRequest; with `allowed`, no more than that. Raises Refused (400, 413)."""
    value, mended = parse_body(body)
    return spans_of(value, now_ns, mended=mended, allowed=allowed)


def spans_of(
    value: Any, now_ns: int | None = None, *, mended: bool = False, allowed: Allowance | None = None
) -> Decoded:
    """Read a request that is parsed already. `mended` says that text in it was replaced. Raises Refused (400, 413)."""
    spans: list[Span] = []
    reasons: list[str] = []
    for i, group in enumerate(items(_request(value, "resourceSpans"), "resourceSpans")):
        place = f"resourceSpans[{i}]"
        doubts = Words()
        group = mapping(group, place)  # noqa: PLW2901 - the same, known to be an object
        raw_resource = mapping(group.get("resource"), f"{place}.resource")
        resource = attributes_of(raw_resource.get("attributes"), doubts)
        if mended and mark(raw_resource):
            doubts.append(NOT_UTF8)
        service, size = service_of(resource), size_of(resource) if allowed else 0
        for j, scoped in enumerate(items(group.get("scopeSpans"), f"{place}.scopeSpans")):
            inner = f"{place}.scopeSpans[{j}]"
            scoped = mapping(scoped, inner)  # noqa: PLW2901 - the same, known to be an object
            scope = _text(mapping(scoped.get("scope"), f"{inner}.scope").get("name"), "its scope's name", doubts)
            around = Around(service, scope, resource, now_ns)
            held = items(scoped.get("spans"), f"{inner}.spans")
            if allowed:
                allowed.take(len(held), around, size)
            for raw in held:
                span = _span(raw, around, doubts, mended=mended)
                if isinstance(span, Span):
                    spans.append(span)
                else:
                    reasons.append(span)
    return Decoded(spans, len(reasons), "; ".join(dict.fromkeys(reasons)))


def _request(value: Any, field: str) -> Any:
    """Return a request's one field. An object without it is a request of another kind, unless it is empty."""
    if not isinstance(value, dict):
        raise Refused(400, f"expected an object with {field}")
    if value and field not in value:
        raise Refused(400, f"expected an object with {field}, which is not there")
    return value.get(field)


def _span(raw: Any, around: Around, doubts: Words, *, mended: bool) -> Span | str:
    """Return a span, or the reason why it is none."""
    now = around.now
    if type(raw) is not dict:
        return _NO_OBJECT
    get = raw.get
    trace_id, span_id = hex_id(get("traceId"), _TRACE_DIGITS), hex_id(get("spanId"), _SPAN_DIGITS)
    if trace_id is None or span_id is None:
        return _BAD_IDS
    problems = Words(doubts)
    if mended and mark(raw):
        problems.append(NOT_UTF8)
    start, end = whole(get("startTimeUnixNano", 0)), whole(get("endTimeUnixNano", 0))
    if now is not None or start is None or end is None or not 0 < start <= end <= LAST_NS:
        start, end = times(-1 if start is None else start, -1 if end is None else end, now, problems)
    attributes = attributes_of(get("attributes"), problems)
    for what in ("Attributes", "Events"):
        if dropped := get(f"dropped{what}Count"):
            problems.append(f"{whole(dropped) or 'some'} {what.lower()} were dropped by the sender")
    status, said = _status(get("status"), problems)
    events, links = get("events"), get("links")
    parent = _parent(get("parentSpanId"), problems)
    return Span(
        trace_id,
        span_id,
        parent,
        _text(get("name"), "its name", problems),
        start,
        end,
        around.service,
        attributes,
        tuple(_events(events, problems)) if events else (),
        tuple(_links(links, problems)) if links else (),
        status,
        said,
        around.scope,
        around.resource,
        problems.told() if problems else (),
        bool(parent) and bool((whole(get("flags", 0)) or 0) & PARENT_IS_REMOTE),
    )


def _text(raw: Any, what: str, problems: list[str]) -> str:
    if type(raw) is str:
        return raw
    if raw is not None:
        problems.append(f"{what} is no text: left out")
    return ""


def _parent(raw: Any, problems: list[str]) -> str | None:
    if not raw:
        return None
    known = hex_id(raw, _SPAN_DIGITS)
    if known is None and raw != "0" * _SPAN_DIGITS:
        problems.append(f"its parent's id is not {_SPAN_DIGITS} hexadecimal digits")
        return raw.lower() if type(raw) is str and _is_hex(raw) else None
    return known


def _is_hex(raw: str) -> bool:
    return len(raw) % 2 == 0 and all(digit in "0123456789abcdefABCDEF" for digit in raw)


def _status(raw: Any, problems: list[str]) -> tuple[Status, str]:
    if not raw:
        return "unset", ""
    if type(raw) is not dict:
        problems.append("its status is not an object: left out")
        return "unset", ""
    code = raw.get("code")
    status = _STATUS.get(code) if type(code) in {int, str, type(None)} else None
    if status is None:
        problems.append(
            f"its status {code} is not one of the standard's" if type(code) is int else "its status is none"
        )
    return status or "unset", _text(raw.get("message"), "its status message", problems)


def _objects(raw: Any, what: str, problems: list[str]) -> list[dict[str, Any]]:
    if type(raw) is not list:
        problems.append(f"its {what} are not a list: left out")
        return []
    held = [one for one in raw if type(one) is dict]
    if len(held) != len(raw):
        problems.append(f"{len(raw) - len(held)} of its {what} are not objects: left out")
    return held


def _events(raw: Any, problems: list[str]) -> list[SpanEvent]:
    events = []
    for one in _objects(raw, "events", problems):
        at = whole(one.get("timeUnixNano", 0))
        if at is None or not 0 <= at <= LAST_NS:
            problems.append("an event's time is no time: left out")
            at = 0
        name = _text(one.get("name"), "an event's name", problems)
        events.append(SpanEvent(name, at, attributes_of(one.get("attributes"), problems)))
    return events


def _links(raw: Any, problems: list[str]) -> list[SpanLink]:
    links = []
    for one in _objects(raw, "links", problems):
        trace_id, span_id = _link_id(one.get("traceId"), _TRACE_DIGITS), _link_id(one.get("spanId"), _SPAN_DIGITS)
        if len(trace_id) != _TRACE_DIGITS or len(span_id) != _SPAN_DIGITS:
            problems.append("a link's ids are of the wrong length")
        links.append(SpanLink(trace_id, span_id, attributes_of(one.get("attributes"), problems)))
    return links


def _link_id(raw: Any, digits: int) -> str:
    known = hex_id(raw, digits)
    return known or (raw.lower() if type(raw) is str and _is_hex(raw) else "")


def decode_log_events(body: bytes) -> DecodedLogs:
    """Read an ExportLogsServiceRequest. Raises Refused (400)."""
    value, _ = parse_body(body)
    events: list[tuple[str, str, SpanEvent]] = []
    passed_over = rejected = 0
    for i, group in enumerate(items(_request(value, "resourceLogs"), "resourceLogs")):
        place = f"resourceLogs[{i}]"
        for j, scoped in enumerate(items(mapping(group, place).get("scopeLogs"), f"{place}.scopeLogs")):
            inner = f"{place}.scopeLogs[{j}]"
            for raw in items(mapping(scoped, inner).get("logRecords"), f"{inner}.logRecords"):
                if type(raw) is not dict:
                    rejected += 1
                elif (event := _log_event(raw)) is None:
                    passed_over += 1
                else:
                    events.append(event)
    return DecodedLogs(events, passed_over, rejected, "a log record is not an object" if rejected else "")


def _log_event(raw: dict[str, Any]) -> tuple[str, str, SpanEvent] | None:
    trace_id, span_id = hex_id(raw.get("traceId"), _TRACE_DIGITS), hex_id(raw.get("spanId"), _SPAN_DIGITS)
    if trace_id is None or span_id is None:
        return None
    problems = Words()
    held = attributes_of(raw.get("attributes"), problems)
    name = raw.get("eventName") or held.get("event.name")
    if type(name) is not str or not name.startswith("gen_ai."):
        return None
    if (body := value_of(raw.get("body"), "body", 1, problems)) is not None:
        held.setdefault("body", body)
    if problems:
        held["showable.problems"] = list(problems.told())
    at = whole(raw.get("timeUnixNano") or raw.get("observedTimeUnixNano") or 0)
    return trace_id, span_id, SpanEvent(name, at if at is not None and 0 <= at <= LAST_NS else 0, held)
