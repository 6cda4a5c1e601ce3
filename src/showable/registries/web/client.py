"""The way out: safe by construction, paced by the host, patient within a deadline."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from showable.registries.answers import one_line
from showable.registries.settings import Settings
from showable.registries.web.addresses import Allowed
from showable.registries.web.asking import Method, Pace, RateLimitedError, Reply
from showable.registries.web.limits import Limits, ends_at
from showable.registries.web.pacing import Turnstile
from showable.registries.web.retrying import patiently

if TYPE_CHECKING:
    import httpcore

    from showable.registries.web.pinning import Resolver
    from showable.registries.web.request import Asking

VetUrl = Callable[[str], str | None]
"""Says why a URL may not be asked, or None."""

_MOST_TURNSTILES = 1_000
_MOST_HOSTS = 128


LANE = 8
"""Connections of one pool: httpcore compares all those of a pool with each other at every request."""


@dataclass(slots=True)
class Lane:
    """A few connections to one host, and how many of them are in use."""

    pool: httpcore.AsyncConnectionPool
    used: int = 0


@dataclass(slots=True)
class _Session:
    """What belongs to one event loop."""

    sockets: asyncio.Semaphore
    """Room for requests on the wire, to all hosts."""
    lanes: dict[tuple[Allowed, str, int], list[Lane]] = field(default_factory=dict)
    turnstiles: dict[tuple[str, int], Turnstile] = field(default_factory=dict)


class SafeNetwork:
    """Connections and turns that all registries share. It works on whichever event loop is running.

    `allow` lists exact (host, port) pairs that may be asked though they are not public: a mirror of one's
    own, a server in a test. `resolver` replaces the system's. `keep_alive` False closes each connection
    after its answer. `agent` is what it calls itself.
    """

    def __init__(
        self,
        *,
        allow: Allowed = frozenset(),
        resolver: Resolver | None = None,
        limits: Limits | None = None,
        keep_alive: bool = True,
        agent: str = "showable",
    ) -> None:
        self.limits, self.agent = limits or Limits(), agent
        self._allow, self._resolver, self._keep_alive = allow, resolver, keep_alive
        self._sessions: WeakKeyDictionary[asyncio.AbstractEventLoop, _Session] = WeakKeyDictionary()

    def bind(self, name: str, pace: Pace, *, allow: Allowed = frozenset(), vet_url: VetUrl | None = None) -> SafeWeb:
        """Make one registry's way out: its pace, what it alone may ask besides, and a policy for each URL it asks."""
        return SafeWeb(self, name, pace, allow=self._allow | allow, vet_url=vet_url)

    @asynccontextmanager
    async def connections(
        self, allow: Allowed, host: str, port: int, deadline: float
    ) -> AsyncIterator[httpcore.AsyncConnectionPool]:
        """Return a pool with a free connection. Raises RateLimitedError where there is none before the deadline.

        What was connected to under one allow-list is never used under another.
        """
        session = self._session()
        try:
            async with asyncio.timeout_at(deadline):
                await session.sockets.acquire()
        except TimeoutError:
            raise RateLimitedError("too many requests came first, and the time was up") from None
        try:
            await _make_room(session.lanes)
            lane = self._lane(session.lanes.setdefault((allow, host, port), []), allow)
            lane.used += 1
            try:
                yield lane.pool
            finally:
                lane.used -= 1
        finally:
            session.sockets.release()

    def _lane(self, lanes: list[Lane], allow: Allowed) -> Lane:
        free = next((lane for lane in lanes if lane.used < LANE), None)
        if free is None:
            from showable.registries.web.connections import make_pool  # noqa: PLC0415 - httpx takes 0.1 s

            free = Lane(make_pool(allow, self._resolver, self.limits, keep_alive=self._keep_alive))
            lanes.append(free)
        return free

    def turnstile(self, host: str, port: int, pace: Pace) -> Turnstile:
        """Return the turns at a host. Registries that ask the same host share them, at the slower pace."""
        turnstiles = self._session().turnstiles
        if (host, port) in turnstiles:
            turnstiles[host, port].slow_to(pace.per_second, pace.at_once)
        else:
            if len(turnstiles) >= _MOST_TURNSTILES:
                for key in [key for key, turnstile in turnstiles.items() if turnstile.idle]:
                    del turnstiles[key]
            turnstiles[host, port] = Turnstile(pace)
        return turnstiles[host, port]

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        session = self._sessions.pop(asyncio.get_running_loop(), None)
        for lane in [lane for lanes in session.lanes.values() for lane in lanes] if session else ():
            await lane.pool.aclose()

    def _session(self) -> _Session:
        loop = asyncio.get_running_loop()
        if loop not in self._sessions:
            self._sessions[loop] = _Session(asyncio.Semaphore(self.limits.connections))
        return self._sessions[loop]


class SafeWeb:
    """One registry's way out, as `Web` has it."""

    def __init__(self, network: SafeNetwork, name: str, pace: Pace, *, allow: Allowed, vet_url: VetUrl | None) -> None:
        self.network, self.name, self.pace = network, name, pace
        self.allow, self.vet_url = allow, vet_url

    async def ask(
        self,
        method: Method,
        url: str,
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        form: Mapping[str, str] | None = None,
        json: Mapping[str, Any] | None = None,
        redirects_to: frozenset[str] | None = None,
        retry: bool = True,
        largest: int = 2_000_000,
    ) -> Reply:
        """Ask, each hop vetted, in its turn, within its deadline; see `Web.ask`."""
        from showable.registries.web.redirects import followed  # noqa: PLC0415 - httpx takes 0.1 s
        from showable.registries.web.request import Posted, first_asking  # noqa: PLC0415

        sent = {"User-Agent": self.network.agent, **(headers or {})}
        asking = first_asking(method, url, params, sent, Posted(form, json))
        deadline = ends_at(self.network.limits)

        async def exchange(hop: Asking) -> Reply:
            return await self._exchange(hop, deadline, largest=largest, retry=retry)

        return await followed(asking, exchange, redirects_to, self.network.limits.redirects)

    async def aclose(self) -> None:
        """Close the connections of the running event loop, those of the network that this is bound to."""
        await self.network.aclose()

    async def _exchange(self, asking: Asking, deadline: float, *, largest: int, retry: bool) -> Reply:
        from showable.registries.web.exchange import exchanged  # noqa: PLC0415 - httpx takes 0.1 s

        asking.vet(self.vet_url, self.allow)
        turnstile = self.network.turnstile(asking.host, asking.port, self.pace)
        limits = self.network.limits

        async def once() -> Reply:
            async with (
                turnstile.turn(deadline),
                self.network.connections(self.allow, asking.host, asking.port, deadline) as pool,
            ):
                return await exchanged(pool, asking, limits, deadline, largest)

        return await patiently(once, turnstile, deadline, tries=limits.tries if retry else 1, strict=retry)


async def _make_room(lanes: dict[tuple[Allowed, str, int], list[Lane]]) -> None:
    """Close what is kept to hosts that nobody asks now, the oldest first: a list of links has more hosts than a process may have sockets."""
    if len(lanes) < _MOST_HOSTS:
        return
    idle = [key for key, kept in lanes.items() if not any(lane.used for lane in kept)]
    for lane in [lane for key in idle[: _MOST_HOSTS // 2] for lane in lanes.pop(key)]:
        await lane.pool.aclose()


def agent_of(settings: Settings) -> str:
    """Return who asks, with the address that polite pools and EDGAR want, where one is set."""
    from showable import __version__  # noqa: PLC0415 - the door of the package opens late

    contact = f" (mailto:{one_line(settings.mailto)})" if settings.mailto else ""
    return f"showable/{__version__}{contact}"


def addresses_of(settings: Settings) -> Allowed:
    """Return the hosts and ports that the user names in place of public ones: they may be asked though they are private."""
    return frozenset(pair for base in settings.base.values() if (pair := _host_and_port(base)) is not None)


def _host_and_port(base: str) -> tuple[str, int] | None:
    try:
        parts = urlsplit(base)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return None
    return (parts.hostname, port) if parts.hostname and port else None
