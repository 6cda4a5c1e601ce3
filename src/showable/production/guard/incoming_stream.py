"""A stream of the upstream as it comes in: cut into events, put together to a reply, its bytes kept as they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import orjson

from showable.production.guard.wire.asked import Assembler, Json, MalformedError
from showable.production.guard.wire.events import Event, Events


class Arrived(NamedTuple):
    """One event for the client, and the running text that it adds; None where it adds anything else."""

    raw: bytes
    text: str | None


class IncomingStream:
    """Takes bytes as the network cuts them. With `drop_usage` the usage that the guard itself asked for is left out."""

    def __init__(self, assembler: Assembler, *, drop_usage: bool) -> None:
        self._assembler, self._drop_usage = assembler, drop_usage
        self._events = Events()
        self._kept: list[bytes] = []

    @property
    def raw(self) -> bytes:
        """All events for the client so far."""
        return b"".join(self._kept)

    def feed(self, data: bytes) -> Iterator[Arrived]:
        """Yield the events that are complete with these bytes. Raises MalformedError."""
        for event in self._events.feed(data):
            yield from self._take(event)

    def close(self) -> Iterator[Arrived]:
        """Yield what only the end completes. Raises MalformedError where it came too early."""
        for event in self._events.close():
            yield from self._take(event)
        if self._events.rest.strip():
            raise MalformedError("the stream ends amid an event")
        if not self._assembler.complete:
            raise MalformedError("the stream ends without its last event")

    def reply(self) -> Json:
        """Return the reply that the events come to. Raises MalformedError."""
        return self._assembler.reply()

    def _take(self, event: Event) -> Iterator[Arrived]:
        text: str | None = ""
        if event.data is not None:
            text = self._assembler.add(event.name, event.data)
            if self._drop_usage and _is_usage(event.data):
                return
        self._kept.append(event.raw)
        yield Arrived(event.raw, text)


def _is_usage(data: bytes) -> bool:
    """Return True for the chunk that tells usage alone: clients that did not ask for it fail on its empty choices."""
    if b'"usage"' not in data:
        return False
    try:
        chunk = orjson.loads(data)
    except ValueError:
        return False
    return isinstance(chunk, dict) and chunk.get("choices") == [] and bool(chunk.get("usage"))
