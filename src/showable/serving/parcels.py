"""What goes through the group commit: a request as it came, what was in it, what became of it, and who counts all that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from showable.records.spans import Span, SpanEvent
from showable.serving.receiver_answers import Signal


@dataclass(frozen=True, slots=True)
class Parcel:
    """A request as it was read: nothing of it unpacked or decoded yet, so that what waits takes no more room than was counted."""

    signal: Signal
    body: bytes
    content_type: str
    encoding: str


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What a parcel held: spans or events to keep, and how many were not taken, with why. `size` is its bytes, unpacked.

    An event is (trace id, span id, event), of the span that it names.
    """

    spans: Sequence[Span]
    events: Sequence[tuple[str, str, SpanEvent]]
    rejected: int
    reason: str
    size: int


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of a parcel that is durable now."""

    rejected: int
    reason: str


class Watcher(Protocol):
    """Who counts what is written."""

    def unpacked(self, signal: Signal, found: Unpacked) -> None:
        """Count what a request held."""

    def committed(self, spans: int, new: int, seconds: float) -> None:
        """Count a transaction."""

    def failed(self, spans: int) -> None:
        """Count a transaction that the store refused."""

    def beat(self) -> dict[str, float]:
        """Return the gauges to keep for other processes."""
