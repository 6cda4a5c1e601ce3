"""What comes out of a request, and how much of one value is kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from probative.records.lines import plain_name
from probative.records.spans import Span, SpanEvent

MOST_TEXT = 1_000_000
"""Characters kept of one text. A longer one is cut, and the span says so."""
DEEPEST = 24
"""Levels of lists and objects kept of one value: what upb reads of them (100 messages, three a level), with room to spare."""
MOST_VALUES = 100_000
"""Values kept of one list, or of one mapping within a value."""
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


def service_of(resource: dict[str, Any]) -> str:
    """Give a resource's service name as text; "" where there is none."""
    name = resource.get("service.name")
    return name if isinstance(name, str) else "" if name is None else str(name)


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
        """Give them as the span keeps them: each once, and not more than a person would read."""
        return (*self, f"{self.more} more problems of the same span") if self.more else tuple(self)


def shown(key: str) -> str:
    """Give an attribute's name as a message may show it: cut, and without what could steer a terminal."""
    return f'attribute "{plain_name(key)}"'


def cut_text(text: str, key: str, problems: list[str]) -> str:
    """Cut a text that is longer than is kept, and say so."""
    if len(text) <= MOST_TEXT:
        return text
    problems.append(f"{shown(key)}: cut at {MOST_TEXT} of {len(text)} characters")
    return text[:MOST_TEXT]


def endless(number: float, key: str, problems: list[str]) -> str:
    """Give a number that JSON has no word for as text, and say so."""
    text = "NaN" if number != number else "Infinity" if number > 0 else "-Infinity"  # noqa: PLR0124 - NaN alone differs from itself
    problems.append(f"{shown(key)}: {text} is kept as text")
    return text


def too_deep(key: str) -> str:
    """Say that a value goes deeper than is kept; null stands where it was cut."""
    return f"{shown(key)}: nested deeper than {DEEPEST} levels, cut there"


def cut_list(values: Sequence[Any], key: str, problems: list[str]) -> Sequence[Any]:
    """Cut a list that is longer than is kept, and say so."""
    if len(values) <= MOST_VALUES:
        return values
    problems.append(f"{shown(key)}: cut at {MOST_VALUES} of {len(values)} values")
    return values[:MOST_VALUES]
