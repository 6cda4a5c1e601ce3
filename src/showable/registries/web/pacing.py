"""Turns at one service: evenly spaced, so many at a time, and none while it asks to be left alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from showable.registries.web.asking import Pace, RateLimitedError


class Turnstile:
    """Belongs to one event loop. Times are by its clock.

    Requests start at least 1/`per_second` apart, without the burst that a leaky bucket lets through when it is
    empty, and whoever's turn cannot come before the deadline is told so at once instead of waiting for it.
    """

    def __init__(self, pace: Pace) -> None:
        self._apart_s, self._at_once = 1 / pace.per_second, pace.at_once
        self._inside, self._waiting = 0, 0
        self._next = self._shut_until = 0.0
        self._left = asyncio.Condition()

    @property
    def idle(self) -> bool:
        """Check whether nobody is inside or waiting, and nothing is remembered that matters yet."""
        now = asyncio.get_running_loop().time()
        return not (self._inside or self._waiting) and max(self._next, self._shut_until) <= now

    def slow_to(self, per_second: float | None, at_once: int | None) -> None:
        """Heed a limit that the service tells. It can only make things slower than they are."""
        if per_second:
            self._apart_s = max(self._apart_s, 1 / per_second)
        if at_once:
            self._at_once = min(self._at_once, at_once)

    def shut(self, until: float) -> None:
        """Let nobody in before a time."""
        self._shut_until = max(self._shut_until, until)

    @asynccontextmanager
    async def turn(self, deadline: float) -> AsyncIterator[None]:
        """Wait for a turn and hold it. Raises RateLimitedError where it does not come before the deadline."""
        await self._enter(deadline)
        try:
            await self._start(deadline)
            yield
        finally:
            async with self._left:
                self._inside -= 1
                self._left.notify()

    async def _enter(self, deadline: float) -> None:
        self._refuse_where_late(deadline, self._waiting)
        self._waiting += 1
        try:
            async with asyncio.timeout_at(deadline), self._left:
                await self._free()
                self._inside += 1
        except TimeoutError:
            raise RateLimitedError(f"{self._waiting - 1} requests came first, and the time was up") from None
        finally:
            self._waiting -= 1

    async def _free(self) -> None:
        try:
            await self._left.wait_for(lambda: self._inside < self._at_once)
        except asyncio.CancelledError:
            self._left.notify()  # the word that a place is free may have come to this one, and another waits for it
            raise

    async def _start(self, deadline: float) -> None:
        self._refuse_where_late(deadline, 0)
        at = max(asyncio.get_running_loop().time(), self._next)
        self._next = at + self._apart_s
        while (at := max(at, self._shut_until)) > asyncio.get_running_loop().time():
            self._refuse_while_shut(deadline)
            await asyncio.sleep(at - asyncio.get_running_loop().time())

    def _refuse_where_late(self, deadline: float, ahead: int) -> None:
        self._refuse_while_shut(deadline)
        now = asyncio.get_running_loop().time()
        at = max(now, self._next, self._shut_until) + ahead * self._apart_s
        if at > deadline:
            rate = f"{1 / self._apart_s:g} a second"
            raise RateLimitedError(f"at {rate} its turn would come in {at - now:.0f} s, after the deadline")

    def _refuse_while_shut(self, deadline: float) -> None:
        if self._shut_until > deadline:
            left = self._shut_until - asyncio.get_running_loop().time()
            raise RateLimitedError(f"the service asks to be left alone for {left:.0f} s more")
