"""Connections to vetted addresses alone: a name is resolved once, every address vetted, and a vetted one connected to."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Any

import httpcore

from showable.registries.web.addresses import Allowed, first_denied, shown, unwrapped, why_not_name
from showable.registries.web.asking import BlockedError, NoSuchHostError, UnreachableError

Resolver = Callable[[str, int], Awaitable[list[str]]]
"""Gives the addresses of a host, best first. Raises OSError where there are none."""

_NO_SUCH_HOST = frozenset({socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)})
_MOST_ADDRESSES = 4
"""Addresses tried one after the other, each with its share of the time to connect."""


async def system_resolver(host: str, port: int) -> list[str]:
    """Ask the system's resolver, in a thread of its own.

    The event loop's own threads are few, and waited for at its end: a few names whose servers never answer would
    keep every other name waiting, and whoever presses Ctrl-C.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[list[str]] = loop.create_future()

    def settle(addresses: list[str] | None, error: Exception | None) -> None:
        if answer.done():
            return
        if error is None:
            answer.set_result(addresses or [])
        else:
            answer.set_exception(error)

    def run() -> None:
        addresses, failed = None, None
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            addresses = list(dict.fromkeys(str(row[4][0]) for row in rows))
        except Exception as error:  # noqa: BLE001 - handed to whoever asked
            failed = error
        with suppress(RuntimeError):  # the loop has ended, and nobody waits any more
            loop.call_soon_threadsafe(settle, addresses, failed)

    threading.Thread(target=run, name=f"resolve {shown(host)}", daemon=True).start()
    return await answer


class PinnedBackend(httpcore.AsyncNetworkBackend):
    """The network below HTTP. It is asked for every new connection, so that each is vetted anew, redirects included.

    The name stays with HTTP and TLS (Host, SNI, the certificate); only the connection goes to an address.
    """

    def __init__(self, allowed: Allowed, resolver: Resolver) -> None:
        self._allowed, self._resolver = allowed, resolver
        self._sockets = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's interface
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Resolve, vet and connect. Raises BlockedError, NoSuchHostError or UnreachableError."""
        seconds = 5.0 if timeout is None else timeout
        ends = asyncio.get_running_loop().time() + seconds
        addresses = await self._vetted(host, port, seconds)
        last: Exception = OSError("no address")
        for left in range(len(addresses), 0, -1):
            share = max(ends - asyncio.get_running_loop().time(), 0.05) / left
            try:
                return await self._sockets.connect_tcp(addresses[-left], port, share, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                last = error
        raise last

    async def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore.AsyncNetworkStream:
        """Refuse: nothing that is asked is on this machine."""
        raise BlockedError("a socket of this machine is not asked")

    async def sleep(self, seconds: float) -> None:
        """Wait, as httpcore asks."""
        await asyncio.sleep(seconds)

    async def _vetted(self, host: str, port: int, seconds: float) -> list[str]:
        if (host, port) not in self._allowed and (why := why_not_name(host)):
            raise BlockedError(why)
        try:
            async with asyncio.timeout(seconds):
                addresses = await self._resolver(host, port)
        except TimeoutError:
            raise UnreachableError(f"no address for {shown(host)} within {seconds:g} s") from None
        except socket.gaierror as error:
            kind = NoSuchHostError if error.errno in _NO_SUCH_HOST else UnreachableError
            raise kind(f"no address for {shown(host)} ({error.strerror or error})") from None
        except (OSError, ValueError) as error:  # a label that cannot be encoded is a ValueError
            raise UnreachableError(f"no address for {shown(host)} ({error})") from None
        if not addresses:
            raise NoSuchHostError(f"no address for {shown(host)}")
        if (host, port) not in self._allowed and (why := first_denied(addresses, port, self._allowed)):
            raise BlockedError(f"{shown(host)} leads to an address that is not asked: {why}")
        return [unwrapped(address) for address in addresses[:_MOST_ADDRESSES]]
