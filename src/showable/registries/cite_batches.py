"""Cites that are asked at about the same time, put into one request, and so many of them a minute at most."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from showable.registries.web.asking import OddReplyError, RateLimitedError
from showable.registries.web.limits import Limits, ends_at

Item = TypeVar("Item")
MINUTE_S = 60.0


@dataclass(slots=True)
class _Waiting(Generic[Item]):
    """What belongs to one event loop: the cites that wait, who waits for them, and when how many were asked."""

    pending: dict[str, asyncio.Future[Item]] = field(default_factory=dict)
    asked: deque[tuple[float, int]] = field(default_factory=deque)
    sending: asyncio.Task[None] | None = None


class CiteBatches(Generic[Item]):
    """Gathers cites for a moment and sends them together.

    `send` answers each cite of a batch. A cite that is asked twice is sent once. `per_minute` counts cites, not
    requests, over any sixty seconds; who cannot be served before the deadline is told so with RateLimitedError.
    """

    def __init__(
        self,
        send: Callable[[tuple[str, ...]], Awaitable[Mapping[str, Item | Exception]]],
        *,
        most: int,
        per_minute: int,
        gather_s: float = 0.02,
    ) -> None:
        self._send, self._most, self._per_minute, self._gather_s = send, most, per_minute, gather_s
        self._loops: WeakKeyDictionary[asyncio.AbstractEventLoop, _Waiting[Item]] = WeakKeyDictionary()

    async def ask(self, cite: str) -> Item:
        """Return the answer about one cite. Raises what `send` raises, or gives as the answer."""
        waiting = self._loops.setdefault(asyncio.get_running_loop(), _Waiting())
        future = waiting.pending.get(cite)
        if future is None:
            future = waiting.pending[cite] = asyncio.get_running_loop().create_future()
        if waiting.sending is None or waiting.sending.done():
            waiting.sending = asyncio.create_task(self._send_all(waiting))
        return await asyncio.shield(future)

    async def _send_all(self, waiting: _Waiting[Item]) -> None:
        await asyncio.sleep(self._gather_s)
        while waiting.pending:
            batch: dict[str, asyncio.Future[Item]] = {}
            try:
                room = min(self._most, await self._room(waiting))
                batch = {cite: waiting.pending.pop(cite) for cite in list(waiting.pending)[:room]}
                waiting.asked.append((asyncio.get_running_loop().time(), len(batch)))
                _tell(batch, await self._send(tuple(batch)))
            except Exception as error:  # noqa: BLE001 - whoever waits for an answer is told
                held = batch or dict(waiting.pending)
                for cite in held:
                    waiting.pending.pop(cite, None)
                _tell(held, dict.fromkeys(held, error))

    async def _room(self, waiting: _Waiting[Item]) -> int:
        """Wait until at least one more cite may be asked, and say how many. Raises RateLimitedError."""
        loop = asyncio.get_running_loop()
        while True:
            now = loop.time()
            while waiting.asked and waiting.asked[0][0] <= now - MINUTE_S:
                waiting.asked.popleft()
            room = self._per_minute - sum(count for _, count in waiting.asked)
            if room > 0:
                return room
            free_at = waiting.asked[0][0] + MINUTE_S
            if free_at > ends_at(Limits()):
                raise RateLimitedError(
                    f"{self._per_minute} cites a minute: its turn would come in {free_at - now:.0f} s, after the deadline"
                )
            await asyncio.sleep(free_at - now)


def _tell(batch: Mapping[str, asyncio.Future[Item]], answers: Mapping[str, Item | Exception]) -> None:
    for cite, future in batch.items():
        if future.done():
            continue
        answer = answers.get(cite)
        if isinstance(answer, Exception):
            future.set_exception(answer)
            with suppress(Exception):
                future.exception()  # whoever waited may have gone: an exception nobody hears is no mistake
        elif answer is None:
            future.set_exception(OddReplyError("no answer about it came back"))
            future.exception()
        else:
            future.set_result(answer)
