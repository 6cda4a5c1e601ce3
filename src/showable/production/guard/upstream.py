"""The services that answer: a pool of connections each, read with httptools, behind a circuit breaker."""

from __future__ import annotations

import asyncio
import math
import ssl
from collections import deque
from collections.abc import Callable
from http import HTTPStatus
from typing import Literal
from urllib.parse import urlsplit

import httptools

from showable.production.guard.client_connection import Headers
from showable.production.guard.guard_file import UpstreamTable

CONNECT_S, IDLE_S, MOST_IDLE = 10.0, 4.0, 256
"""Servers of Python close a connection after 5 idle seconds: it is given up before, so that no request meets its end."""
REFUSALS, WINDOW, OPEN_S = 5, 20, 10.0
LARGEST_HEAD = 64 * 1024
_RETRIABLE = frozenset({408, 429})
Failure = Literal["unreachable", "cut", "malformed", "timeout", "open", "too_large"]


class UpstreamError(Exception):
    """A call that an upstream did not answer whole; `kind` says how."""

    def __init__(self, kind: Failure, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Breaker:
    """Stops asking a service that does not answer: after 5 refusals in a row, or half of the last 20 calls failing.

    After 10 seconds one call is let through; if it succeeds, all are.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._refusals = 0
        self._last: deque[bool] = deque(maxlen=WINDOW)
        self._opened: float | None = None
        self._probing = False

    @property
    def open(self) -> bool:
        """Whether calls are stopped."""
        return self._opened is not None

    def admit(self) -> None:
        """Let a call through. Raises UpstreamError where none is."""
        if self._opened is None:
            return
        if self._probing or self._clock() - self._opened < OPEN_S:
            raise UpstreamError("open", "the upstream failed too often, and is not asked for some seconds")
        self._probing = True

    def succeeded(self) -> None:
        """Note a call that was answered."""
        self._refusals = 0
        self._last.append(True)
        if self._opened is not None:
            self._opened, self._probing = None, False
            self._last.clear()

    def failed(self, *, refused: bool = False) -> None:
        """Note a call that failed; `refused` where no connection came about."""
        self._refusals = self._refusals + 1 if refused else 0
        self._last.append(False)
        half = len(self._last) == WINDOW and self._last.count(False) * 2 >= WINDOW
        if self._probing or self._refusals >= REFUSALS or half:
            self._opened, self._probing = self._clock(), False

    def left(self) -> None:
        """Note a call that its client gave up: it says nothing of the upstream."""
        self._probing = False


class UpstreamConnection(asyncio.Protocol):
    """One connection: a request is written, then the head and the parts of the response are waited for."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.transport: asyncio.Transport | None = None
        self._changed: asyncio.Future[None] | None = None
        self.idle_since = 0.0
        self.until = math.inf
        """When an answer has to be whole, by the loop's clock: bytes that drip keep no call open for ever."""
        self._begin()

    def _begin(self) -> None:
        self._parser = httptools.HttpResponseParser(self)
        self.status = 0
        self.headers: Headers = []
        self._head_size = 0
        self._parts: list[bytes] = []
        self._headed = self._complete = False
        self._to_the_end = False
        self._fault: UpstreamError | None = None
        self.reusable = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self.transport = transport  # type: ignore[assignment]

    def connection_lost(self, exc: Exception | None) -> None:
        """End the response: whole where it had no length of its own, else cut."""
        del exc
        if self._headed and self._to_the_end and not self._fault:
            self._complete = True
        elif not self._complete and not self._fault:
            self._fault = UpstreamError("cut", "the upstream closed the connection before its answer was whole")
        self._wake()

    def data_received(self, data: bytes) -> None:
        """Read on; what follows a whole response makes the connection unfit for another."""
        if self._complete or self._fault:
            self.reusable = False
            return
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            if not self._fault:
                self._fault = UpstreamError("malformed", "the upstream's answer is no HTTP/1.1")
        self._wake()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header."""
        self._head_size += len(name) + len(value)
        if self._head_size > LARGEST_HEAD:
            self._fault = UpstreamError("malformed", "the upstream's headers are too large")
            raise self._fault
        self.headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        """Take the head; what is only informational is passed over."""
        self.status = self._parser.get_status_code()
        if self.status < HTTPStatus.OK:
            self.headers = []
            return
        names = {name for name, _ in self.headers}
        self._to_the_end = not names & {b"content-length", b"transfer-encoding"} and self.status not in {204, 304}
        self._headed = True

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        self._parts.append(body)

    def on_message_complete(self) -> None:
        """Note that the response is whole."""
        if self._headed:
            self._complete = True
            self.reusable = self._parser.should_keep_alive() and not self._to_the_end

    def _wake(self) -> None:
        if self._changed is not None and not self._changed.done():
            self._changed.set_result(None)

    async def _wait(self, timeout_s: float) -> None:
        self._changed = self._loop.create_future()
        soon = self._loop.time() + timeout_s
        try:
            async with asyncio.timeout_at(min(soon, self.until)):
                await self._changed
        except TimeoutError:
            said = f"sent nothing for {timeout_s:g} seconds" if soon < self.until else "took too long over its answer"
            raise UpstreamError("timeout", f"the upstream {said}") from None
        finally:
            self._changed = None

    @property
    def failed(self) -> bool:
        """Whether the response is an error."""
        return self.status >= HTTPStatus.BAD_REQUEST

    @property
    def redirects(self) -> bool:
        """Whether the response leads elsewhere."""
        return HTTPStatus.MULTIPLE_CHOICES <= self.status < HTTPStatus.BAD_REQUEST

    def send(self, request: bytes) -> None:
        """Write a request."""
        self._begin()
        if self.transport is not None:
            self.transport.write(request)

    async def head(self, timeout_s: float) -> None:
        """Wait for status and headers. Raises UpstreamError."""
        while not self._headed:
            if self._fault:
                raise self._fault
            await self._wait(timeout_s)

    async def part(self, timeout_s: float) -> bytes:
        """Wait for the next part of the body; empty once it is whole. Raises UpstreamError where it is cut or malformed."""
        while not self._parts:
            if self._fault:
                raise self._fault
            if self._complete:
                return b""
            await self._wait(timeout_s)
        data = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
        self._parts.clear()
        return data

    async def body(self, timeout_s: float, largest: int) -> bytes:
        """Wait for the whole body. Raises UpstreamError, also where it is larger than `largest`."""
        parts, size = [], 0
        while data := await self.part(timeout_s):
            size += len(data)
            if size > largest:
                raise UpstreamError("too_large", f"the answer is larger than {largest} bytes")
            parts.append(data)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def abort(self) -> None:
        """Close at once: the upstream stops generating."""
        if self.transport is not None:
            self.transport.abort()


class Upstream:
    """One service of the config: where it is, its idle connections, and its breaker."""

    def __init__(self, name: str, table: UpstreamTable, credential: str | None = None) -> None:
        parts = urlsplit(table.base_url)
        self.name, self.credential = name, credential
        self.timeout_s, self.longest_s = table.timeout_s, table.longest_s
        self.host, self.secure = parts.hostname or "", parts.scheme == "https"
        self.port = parts.port or (443 if self.secure else 80)
        shown = f"[{self.host}]" if ":" in self.host else self.host
        self.authority = (shown if parts.port is None else f"{shown}:{parts.port}").encode()
        self.prefix = parts.path.rstrip("/").encode()
        self._tls = ssl.create_default_context() if self.secure else None
        self._idle: deque[UpstreamConnection] = deque()
        self._loop = asyncio.get_running_loop()
        self.breaker = Breaker(self._loop.time)

    def same_as(self, other: Upstream) -> bool:
        """Return True for the same service with the same credential."""
        mine, theirs = (
            (one.secure, one.host, one.port, one.prefix, one.timeout_s, one.longest_s, one.credential)
            for one in (self, other)
        )
        return mine == theirs

    async def connect(self) -> UpstreamConnection:
        """Return a connection that is open and idle, or a new one. Raises UpstreamError."""
        self.breaker.admit()
        now = self._loop.time()
        while self._idle:
            kept = self._idle.pop()
            if kept.transport is None or kept.transport.is_closing():
                continue
            if now - kept.idle_since > IDLE_S or not kept.reusable:
                kept.abort()
                continue
            return kept
        try:
            async with asyncio.timeout(CONNECT_S):
                _, made = await self._loop.create_connection(UpstreamConnection, self.host, self.port, ssl=self._tls)
        except (OSError, TimeoutError, ssl.SSLError) as error:
            self.breaker.failed(refused=True)
            raise UpstreamError(
                "unreachable", f"the upstream {self.name} cannot be reached: {type(error).__name__}"
            ) from None
        except asyncio.CancelledError:
            self.breaker.left()
            raise
        return made

    def keep(self, connection: UpstreamConnection) -> None:
        """Keep a connection whose response was read whole, for another call."""
        if connection.reusable and len(self._idle) < MOST_IDLE and connection.transport is not None:
            connection.idle_since = self._loop.time()
            self._idle.append(connection)
        else:
            connection.abort()

    def answered(self, status: int) -> None:
        """Note how a call ended: errors of the client say nothing of the upstream."""
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in _RETRIABLE:
            self.breaker.failed()
        else:
            self.breaker.succeeded()

    def close(self) -> None:
        """Close what is idle."""
        while self._idle:
            self._idle.pop().abort()
