"""Phoenix: spans of its REST API, and rows of its dataframes. Its attributes are OpenInference's already, nested or flat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from showable.errors import InputError
from showable.records.spans import Span, SpanEvent, Status
from showable.traces.files.flattened import flatten
from showable.traces.files.times import nanoseconds, span_times
from showable.traces.otlp.decoded import Words

_KIND = "openinference.span.kind"
_PREFIX = "attributes."
_STATUS: dict[str, Status] = {"OK": "ok", "ERROR": "error", "UNSET": "unset"}


def is_phoenix(row: Mapping[str, Any]) -> bool:
    """Tell a span of Phoenix by its context."""
    context = row.get("context")
    return (
        "context.trace_id" in row
        or "context.span_id" in row
        or (isinstance(context, Mapping) and "trace_id" in context)
    )


def phoenix_span(row: Mapping[str, Any]) -> Span:
    """Return a span. Raises InputError naming the field that is missing or is no text."""
    problems = Words()
    attributes = _attributes(row, problems)
    if (kind := row.get("span_kind")) and isinstance(kind, str):
        attributes.setdefault(_KIND, kind)
    start, end = span_times(row.get("start_time"), row.get("end_time"), problems)
    code = str(row.get("status_code") or "UNSET").upper()
    if code not in _STATUS:
        problems.append("its status is not one of OK, ERROR and UNSET")
    return Span(
        _id(row, "trace_id"), _id(row, "span_id"), _parent(row.get("parent_id")), str(row.get("name") or ""),
        start, end, "", attributes, _events(row.get("events"), problems), (), _STATUS.get(code, "unset"),
        str(row.get("status_message") or ""), problems=problems.told(),
    )  # fmt: skip


def _id(row: Mapping[str, Any], name: str) -> str:
    context = row.get("context")
    held = row.get(f"context.{name}") or (context.get(name) if isinstance(context, Mapping) else None)
    if isinstance(held, str) and held:
        return held.lower()
    hint = ": write the dataframe after reset_index()" if name == "span_id" and "context.trace_id" in row else ""
    raise InputError(f"expected an id as text{hint}", field=f"context.{name}")


def _parent(raw: Any) -> str | None:
    return raw.lower() if isinstance(raw, str) and raw else None


def _attributes(row: Mapping[str, Any], problems: list[str]) -> dict[str, Any]:
    nested = row.get("attributes")
    if nested is not None and not isinstance(nested, Mapping):
        raise InputError("expected an object", field="attributes")
    held = flatten("", nested or {}, problems)
    for name, value in row.items():
        if name.startswith(_PREFIX):
            held |= flatten(name.removeprefix(_PREFIX), value, problems)
    return held


def _events(raw: Any, problems: list[str]) -> tuple[SpanEvent, ...]:
    if not isinstance(raw, (list, tuple)):
        return ()
    events = []
    for one in raw:
        if not isinstance(one, Mapping):
            problems.append("one of its events is not an object: left out")
            continue
        at = nanoseconds(one.get("timestamp")) or 0
        attributes = one.get("attributes")
        held = flatten("", attributes, problems) if isinstance(attributes, Mapping) else {}
        events.append(SpanEvent(str(one.get("name") or ""), at, held))
    return tuple(events)
