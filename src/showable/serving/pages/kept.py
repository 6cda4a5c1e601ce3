"""Answers of the store that may be a little old: asked for once at a time, and kept for so many seconds."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from showable.serving.pages.asking import Silent

T = TypeVar("T")
MOST = 64


@dataclass(frozen=True, slots=True)
class Pending:
    """The answer is still being worked out, and will be there when it is asked for again."""


class Kept(Generic[T]):
    """The latest answers by key. What the store did not answer is asked again."""

    def __init__(self, for_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._for_s, self._clock = for_s, clock
        self._held: dict[str, tuple[float, T]] = {}
        self._asking: dict[str, asyncio.Task[T | Silent]] = {}

    async def get(self, key: str, ask: Callable[[], Awaitable[T | Silent]], *, within_s: float) -> T | Silent | Pending:
        """Return what is held, or ask for it, and wait so long: the question goes on after that, for the next who asks."""
        if key in self._held and self._clock() - self._held[key][0] < self._for_s:
            return self._held[key][1]
        asking = self._asking.get(key)
        if asking is None:
            asking = self._asking[key] = asyncio.create_task(self._ask(key, ask))
        done, _ = await asyncio.wait({asking}, timeout=within_s)
        return asking.result() if done else Pending()

    async def _ask(self, key: str, ask: Callable[[], Awaitable[T | Silent]]) -> T | Silent:
        try:
            answer = await ask()
        finally:
            del self._asking[key]
        if not isinstance(answer, Silent):
            self._held.pop(key, None)
            self._held[key] = (self._clock(), answer)
            while len(self._held) > MOST:
                del self._held[next(iter(self._held))]
        return answer
