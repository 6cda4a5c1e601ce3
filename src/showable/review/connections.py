"""The open connections of a server: so many and no more, and none that is idle keeps another out."""

from __future__ import annotations

import asyncio
import resource
from dataclasses import dataclass
from typing import Generic, TypeVar

MOST_CONNECTIONS = 1_000
FIRST_S = 10.0
"""Seconds that a new connection has for the head of its first request."""
IDLE_S = 75.0
"""Seconds that a connection may rest between two requests."""
BUSY_S = 60.0
"""Seconds after which one that still reads or is answered gives way to another where there is no room."""

Key = TypeVar("Key")


@dataclass(slots=True)
class _Open:
    transport: asyncio.Transport
    since: float
    asked: bool = False
    busy: bool = False


def most_connections() -> int:
    """Return how many may be open: half of the descriptors that this process may have, so that files can be opened too."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else max(1, min(MOST_CONNECTIONS, soft // 2))


class Connections(Generic[Key]):
    """The connections of one server, each by what the server knows it by, in the order in which they last did anything."""

    def __init__(self) -> None:
        """Start without any."""
        self._open: dict[Key, _Open] = {}

    def opened(self, key: Key, transport: asyncio.Transport) -> bool:
        """Take in a connection; where there is no room, in place of the one that has been idle longest.

        Returns False where there is none to give way: the new one is for the caller to send away.
        """
        loop = asyncio.get_running_loop()
        if len(self._open) >= most_connections() and not self._make_room(loop.time()):
            return False
        self._open[key] = _Open(transport, loop.time())
        loop.call_later(FIRST_S, self._check_asked, key)
        return True

    def busy(self, key: Key) -> None:
        """Note that a request has begun."""
        self._moved(key, busy=True)

    def idle(self, key: Key) -> None:
        """Note that a request was answered."""
        self._moved(key, busy=False)

    def closed(self, key: Key) -> None:
        """Forget a connection."""
        self._open.pop(key, None)

    def _moved(self, key: Key, *, busy: bool) -> None:
        if (held := self._open.pop(key, None)) is not None:
            held.asked, held.busy, held.since = True, busy, asyncio.get_running_loop().time()
            self._open[key] = held

    def _make_room(self, now: float) -> bool:
        leaving = next((key for key, held in self._open.items() if not held.busy or now - held.since > BUSY_S), None)
        if leaving is None:
            return False
        self._open.pop(leaving).transport.abort()
        return True

    def _check_asked(self, key: Key) -> None:
        held = self._open.get(key)
        if held is not None and not held.asked:
            self._open.pop(key).transport.abort()
