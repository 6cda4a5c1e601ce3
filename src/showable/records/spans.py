"""A span of a trace, as it came: OpenTelemetry's, whatever the wire (OTLP in protobuf or JSON, an export of a backend)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Attributes = Mapping[str, Any]
"""Attributes as JSON has them: str, int, float, bool, None, lists and mappings of these; bytes as base64 text."""
Status = Literal["unset", "ok", "error"]


@dataclass(frozen=True, slots=True)
class SpanEvent:
    """Something that happened within a span, or a log record that names the span. `at_ns` is Unix time, 0 where unknown."""

    name: str
    at_ns: int = 0
    attributes: Attributes = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SpanLink:
    """A pointer from one span to another, of any trace."""

    trace_id: str
    span_id: str
    attributes: Attributes = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Span:
    """One step of a trace.

    `trace_id` is 32 and `span_id` 16 lower-case hexadecimal digits where they came as OTLP has them; an export of a backend may
    have ids of another form, which are kept. `parent_id` is None at a root. Times are Unix nanoseconds, 0 where unknown.
    `service` is the resource's `service.name`, "" where there is none. `problems` says in words what was wrong with
    the span as it came (ends before it starts, an attribute that lies about its type): it is kept all the same. `remote_parent` is what the
    sender says of a parent in another process (OTLP's flags): such a parent may well be sent to somebody else.
    """

    trace_id: str
    span_id: str
    parent_id: str | None = None
    name: str = ""
    start_ns: int = 0
    end_ns: int = 0
    service: str = ""
    attributes: Attributes = field(default_factory=dict)
    events: Sequence[SpanEvent] = ()
    links: Sequence[SpanLink] = ()
    status: Status = "unset"
    status_message: str = ""
    scope: str = ""
    resource: Attributes = field(default_factory=dict)
    problems: Sequence[str] = ()
    remote_parent: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """What a span is told from others by: one delivered twice has the same."""
        return (self.trace_id, self.span_id)

    @property
    def latency_ms(self) -> float | None:
        """Milliseconds from start to end; None where either is unknown or they contradict each other."""
        if not self.start_ns or self.end_ns < self.start_ns:
            return None
        return (self.end_ns - self.start_ns) / 1e6
