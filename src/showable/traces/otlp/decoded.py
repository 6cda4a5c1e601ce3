"""What comes out of a request, and how much of one value is kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from showable.records.lines import plain_name
from showable.records.spans import Span, SpanEvent
from showable.traces.otlp.refused import Refused

MOST_TEXT = 1_000_000
"""Characters kept of one text. A longer one is cut, and the span says so."""
PARENT_IS_REMOTE = 0x200
"""Of a span's flags: its parent is in another process (SPAN_FLAGS_CONTEXT_IS_REMOTE_MASK)."""
PARENT_IS_KNOWN = 0x100
"""Of a span's flags: that the one above means anything."""
DEEPEST = 24
"""Levels of lists and objects kept of one value: what upb reads of them (100 messages, three a level), with room to spare."""
MOST_VALUES = 100_000
"""Values kept of one list, or of one mapping within a value."""
MOST_SERVICE = 1_000
"""Characters kept of a service's name, by which answers are grouped and indexed."""
MOST_SPANS = 50_000
"""Spans taken in one request: six times a collector's batch (8192)."""
MOST_SHARED = 64 * 1024 * 1024
"""Bytes of what a request's spans share (resource, scope), counted with each of them, as they are stored."""
_MOST_WORDS = 16
"""Problems told of one span; of a span with more the rest are counted."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """The spans of a request. `rejected` counts those that have no place in any trace; `reason` says why, for the sender."""

    spans: list[Span] = field(default_factory=list)
    rejected: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DecodedLogs:
    """The log records that belong to a span and tell of a generation: (trace id, span id, event).

    `passed_over` counts records that are no such event, which is no fault; `rejected` those that cannot be read.
    """

    events: list[tuple[str, str, SpanEvent]] = field(default_factory=list)
    passed_over: int = 0
    rejected: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Around:
    """What all spans of one scope share. `now` is Unix time in nanoseconds, None where clocks are not to be told by it."""

    service: str
    scope: str
    resource: dict[str, Any]
    now: int | None


@dataclass(slots=True)
class Allowance:
    """How much of a request is still taken. What its spans share stands once in it and is stored with each: a few kilobytes would become gigabytes."""

    spans: int = MOST_SPANS
    shared: int = MOST_SHARED

    def take(self, spans: int, around: Around, size: int) -> None:
        """Count a scope's spans before they are decoded; `size` is their resource's (`size_of`). Raises Refused (413)."""
        self.spans -= spans
        if self.spans < 0:
            raise Refused(413, f"the request has more than {MOST_SPANS} spans: send fewer at once")
        self.shared -= spans * (size + len(around.service) + len(around.scope))
        if self.shared < 0:
            said = f"their resource and scope, stored with each span, would take more than {MOST_SHARED // 2**20} MiB"
            raise Refused(413, f"{said}: send fewer spans at once, or shorten the resource's attributes")


def size_of(resource: dict[str, Any]) -> int:
    """Return how many bytes a resource takes as JSON."""
    return len(orjson.dumps(resource))


def service_of(resource: dict[str, Any]) -> str:
    """Return a resource's service name as text, cut where nobody would call a service so; "" where there is none."""
    name = resource.get("service.name")
    return name[:MOST_SERVICE] if isinstance(name, str) else "" if name is None else str(name)[:MOST_SERVICE]


class Words(list[str]):
    """Problems of one span while it is read. Those beyond what is kept are counted: a hostile span has millions."""

    __slots__ = ("more",)

    def __init__(self, words: Iterable[str] = ()) -> None:
        super().__init__(words)
        self.more = 0

    def append(self, words: str) -> None:
        """Take one more, or count it."""
        if words in self:
            return
        if len(self) < _MOST_WORDS:
            super().append(words)
        else:
            self.more += 1

    def told(self) -> tuple[str, ...]:
        """Return them as the span keeps them: each once, and not more than a person would read."""
        return (*self, f"{self.more} more problems of the same span") if self.more else tuple(self)


def shown(key: str) -> str:
    """Return an attribute's name as a message may show it: cut, and without what could steer a terminal."""
    return f'attribute "{plain_name(key)}"'


def cut_text(text: str, key: str, problems: list[str]) -> str:
    """Cut a text that is longer than is kept, and say so."""
    if len(text) <= MOST_TEXT:
        return text
    problems.append(f"{shown(key)}: cut at {MOST_TEXT} of {len(text)} characters")
    return text[:MOST_TEXT]


def endless(number: float, key: str, problems: list[str]) -> str:
    """Return a number that JSON has no word for as text, and say so."""
    text = "NaN" if number != number else "Infinity" if number > 0 else "-Infinity"  # noqa: PLR0124 - NaN alone differs from itself
    problems.append(f"{shown(key)}: {text} is kept as text")
    return text


def too_deep(key: str) -> str:
    """Report that a value goes deeper than is kept; null stands where it was cut."""
    return f"{shown(key)}: nested deeper than {DEEPEST} levels, cut there"


def cut_list(values: Sequence[Any], key: str, problems: list[str]) -> Sequence[Any]:
    """Cut a list that is longer than is kept, and say so."""
    if len(values) <= MOST_VALUES:
        return values
    problems.append(f"{shown(key)}: cut at {MOST_VALUES} of {len(values)} values")
    return values[:MOST_VALUES]
