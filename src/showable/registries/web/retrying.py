"""Asks again where that may help: at most so many times, with full jitter, and never sooner than the service says."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from showable.registries.web.asking import RateLimitedError, Reply, TroubleError, UnreachableError
from showable.registries.web.pacing import Turnstile
from showable.registries.web.waiting import clock_time, told_pace, told_to_wait

if TYPE_CHECKING:
    from tenacity import RetryCallState

AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
_TOO_MANY = 429
_FIRST_S, _LONGEST_S = 0.5, 8.0
_ASKED_TO_WAIT = 1.0
"""A wait of at least this many seconds, told with a 503, is a limit and not a failure."""


class LostError(UnreachableError):
    """A request or its answer got lost on the way; another may not."""


class _AgainError(Exception):
    def __init__(self, final: TroubleError, told: float | None = None) -> None:
        super().__init__()
        self.final, self.told = final, told


async def patiently(
    once: Callable[[], Awaitable[Reply]], turnstile: Turnstile, deadline: float, *, tries: int, strict: bool
) -> Reply:
    """Ask until there is an answer worth having, or no try or no time is left.

    Where not `strict`, a reply of any status is given back. Raises RateLimitedError (429, or a wait that the
    service asks for and the deadline does not leave), UnreachableError (the service fails), or what `once` raises.
    """
    from tenacity import AsyncRetrying, retry_if_exception_type  # noqa: PLC0415 - 40 ms

    def enough(state: RetryCallState) -> bool:
        return state.attempt_number >= tries or asyncio.get_running_loop().time() + state.upcoming_sleep > deadline

    async def attempt() -> Reply:
        try:
            reply = await once()
        except LostError as lost:
            raise _AgainError(lost) from None
        turnstile.slow_to(*told_pace(reply.headers))
        return _judged(reply, turnstile, strict=strict)

    retrying = AsyncRetrying(
        stop=enough,
        wait=_pause,
        retry=retry_if_exception_type(_AgainError),
        sleep=asyncio.sleep,
        reraise=True,
    )
    try:
        return await retrying(attempt)
    except _AgainError as again:
        raise again.final from None


def _judged(reply: Reply, turnstile: Turnstile, *, strict: bool) -> Reply:
    if reply.status not in AGAIN:
        return reply
    now = datetime.now(UTC)
    told = told_to_wait(reply, now)
    if told and reply.status in {_TOO_MANY, 503}:
        turnstile.shut(asyncio.get_running_loop().time() + told)
    if not strict:
        return reply
    until = f"asks to be left alone until {clock_time(told, now)}" if told else ""
    if reply.status == _TOO_MANY:
        raise _AgainError(RateLimitedError(until or "asks for fewer requests (status 429)"), told)
    if told and told >= _ASKED_TO_WAIT:
        raise _AgainError(RateLimitedError(f"status {reply.status}, {until}"), told)
    raise _AgainError(UnreachableError(f"the service fails (status {reply.status})"), told)


def _pause(state: RetryCallState) -> float:
    """Wait as told, and some more by chance, so that those who were told the same do not all come back at once."""
    from tenacity import wait_random_exponential  # noqa: PLC0415 - 40 ms

    jitter = wait_random_exponential(multiplier=_FIRST_S, max=_LONGEST_S)(state)
    error = state.outcome.exception() if state.outcome else None
    told = error.told if isinstance(error, _AgainError) else None
    return jitter if told is None else told + min(jitter, 1.0)
