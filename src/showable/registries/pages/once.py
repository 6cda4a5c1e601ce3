"""Things asked once for each host, however many of its pages are looked at together."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")
_MOST = 10_000


class Once(Generic[T]):
    """Remembers what came of asking; who asks while an answer is under way waits for that one."""

    def __init__(self) -> None:
        self._known: dict[str, T] = {}
        self._asking: dict[str, asyncio.Task[T]] = {}

    async def get(self, key: str, ask: Callable[[], Awaitable[T]]) -> T:
        """Give what is known under a key, asking where nothing is. One who gives up waiting does not stop the others."""
        if key in self._known:
            return self._known[key]
        task = self._asking.get(key)
        if task is None or task.get_loop() is not asyncio.get_running_loop() or task.done():
            task = self._asking[key] = asyncio.ensure_future(self._ask(key, ask))
        return await asyncio.shield(task)

    async def _ask(self, key: str, ask: Callable[[], Awaitable[T]]) -> T:
        try:
            answer = await ask()
        finally:
            self._asking.pop(key, None)
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[key] = answer
        return answer
