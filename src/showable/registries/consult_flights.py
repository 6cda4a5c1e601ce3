"""One question under way for each thing asked, however many want to know."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from showable.records import Found


@dataclass(slots=True)
class _Flight:
    task: asyncio.Task[Found]
    waiting: int = 0


class Flights:
    """Questions under way, by key, on each event loop. One that nobody waits for any more is given up."""

    def __init__(self) -> None:
        self._loops: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, _Flight]] = WeakKeyDictionary()

    async def join(self, key: str, ask: Callable[[], Awaitable[Found]]) -> Found:
        """Wait for the question under way, or ask it."""
        flights = self._loops.setdefault(asyncio.get_running_loop(), {})
        if key not in flights:
            flights[key] = _Flight(asyncio.ensure_future(_started(ask)))
        flight = flights[key]
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if not flight.waiting:
                flight.task.cancel()
            if flight.task.done() or not flight.waiting:
                flights.pop(key, None)


async def _started(ask: Callable[[], Awaitable[Found]]) -> Found:
    return await ask()
