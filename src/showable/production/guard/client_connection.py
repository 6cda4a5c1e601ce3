"""Requests as clients send them, over HTTP/1.1: read with httptools, with all refused that the guard cannot vouch for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus

import httptools
import orjson

MOST_HEADERS, LARGEST_HEAD = 100, 64 * 1024
HEADER_S, BODY_IDLE_S, IDLE_S = 10.0, 60.0, 75.0
REQUESTS_A_CONNECTION = 10_000
"""Connections that live for ever stay with the worker that took them: SO_REUSEPORT balances new ones alone."""
Headers = list[tuple[bytes, bytes]]


@dataclass(slots=True)
class Request:
    """A whole request: method, target, headers with names in lower case, and body."""

    method: str = ""
    target: bytes = b""
    headers: Headers = field(default_factory=list)
    body: bytes = b""
    keep_alive: bool = True

    def header(self, name: bytes) -> bytes | None:
        """Return the first value of a header, None where it is not there."""
        return next((value for given, value in self.headers if given == name), None)


class RefusedError(Exception):
    """A request that is not read on; the connection is closed after the answer."""

    def __init__(self, status: HTTPStatus, kind: str, message: str) -> None:
        super().__init__(message)
        self.status, self.kind = status, kind


Handler = Callable[["ClientConnection", Request], Awaitable[None]]


class ClientConnection(asyncio.Protocol):
    """One client's connection: a task that takes request after request until either side leaves.

    A client that leaves cancels the task, and with it the call to the upstream.
    """

    def __init__(self, handle: Handler, connections: set[ClientConnection], largest_body: int) -> None:
        self._handle, self._connections, self._largest = handle, connections, largest_body
        self._request = Request()
        self._parser = httptools.HttpRequestParser(self)
        self._chunks: list[bytes] = []
        self._head_size = self._body_size = self._served = 0
        self._waiting: asyncio.Future[Request] | None = None
        self._ready: Request | None = None
        self._refused: RefusedError | None = None
        self._writable: asyncio.Future[None] | None = None
        self._transport: asyncio.Transport | None = None
        self._task: asyncio.Task[None] | None = None
        self._loop = asyncio.get_running_loop()
        self.busy = self.begun = self.closing = self.answered = False
        self.at = self._loop.time()

    # asyncio.Protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to take requests."""
        self._transport = transport  # type: ignore[assignment]
        self._connections.add(self)
        self._task = self._loop.create_task(self._serve())

    def connection_lost(self, exc: Exception | None) -> None:
        """End the task: nobody reads what it would write."""
        del exc
        self._connections.discard(self)
        self.closing = True
        if self._task is not None:
            self._task.cancel()

    def data_received(self, data: bytes) -> None:
        """Read on. What follows a request before it is answered is refused."""
        self.at = self._loop.time()
        if self._refused is not None:
            return
        if self.busy or self._ready is not None:
            self._refuse(RefusedError(HTTPStatus.BAD_REQUEST, "pipelining_refused", "requests are answered one by one"))
            return
        self.begun = True
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self._refuse(RefusedError(HTTPStatus.NOT_IMPLEMENTED, "upgrade_refused", "the guard speaks HTTP/1.1 alone"))
        except httptools.HttpParserCallbackError as error:
            cause = error.__context__
            self._refuse(cause if isinstance(cause, RefusedError) else _malformed("the request cannot be read"))
        except httptools.HttpParserError as error:
            self._refuse(_malformed(f"the request is no HTTP/1.1: {error}"))

    def pause_writing(self) -> None:
        """Wait until the client has read."""
        self._writable = self._loop.create_future()

    def resume_writing(self) -> None:
        """Write on."""
        if self._writable is not None and not self._writable.done():
            self._writable.set_result(None)
        self._writable = None

    # httptools

    def on_url(self, url: bytes) -> None:
        """Take a part of the target."""
        self._grow(len(url))
        self._request.target += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header."""
        self._grow(len(name) + len(value) + 4)
        if len(self._request.headers) >= MOST_HEADERS:
            raise RefusedError(
                HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "too_many_headers", f"more than {MOST_HEADERS} headers"
            )
        self._request.headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        """Refuse what llhttp lets pass."""
        request = self._request
        request.method = self._parser.get_method().decode()
        request.keep_alive = self._parser.should_keep_alive()
        _check_head(request, self._parser.get_http_version(), self._largest)
        if (request.header(b"expect") or b"").strip().lower() == b"100-continue":
            self.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        self._body_size += len(body)
        if self._body_size > self._largest:
            raise _too_large(self._largest)
        self._chunks.append(body)

    def on_message_complete(self) -> None:
        """Hand the request to the task."""
        if self._ready is not None:
            raise RefusedError(HTTPStatus.BAD_REQUEST, "pipelining_refused", "requests are answered one by one")
        self._request.body = self._chunks[0] if len(self._chunks) == 1 else b"".join(self._chunks)
        self._ready, self._request = self._request, Request()
        self._chunks, self._head_size, self._body_size, self.begun = [], 0, 0, False
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(self._ready)

    def _grow(self, size: int) -> None:
        self._head_size += size
        if self._head_size > LARGEST_HEAD:
            raise RefusedError(
                HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "headers_too_large", f"more than {LARGEST_HEAD} bytes"
            )

    # the task

    async def _serve(self) -> None:
        while not self.closing:
            request = await self._next()
            if request is None:
                break
            self._served += 1
            if self._served >= REQUESTS_A_CONNECTION:
                request.keep_alive = False
            try:
                await self._handle(self, request)
            finally:
                self.busy = False
            if not request.keep_alive or self._refused is not None:
                break
        self.close()

    async def _next(self) -> Request | None:
        """Wait for a whole request; None where it was refused, after the answer that says so."""
        if self._ready is None and self._refused is None:
            self._waiting = self._loop.create_future()
            await self._waiting
        if self._refused is not None:
            refused = self._refused
            body = orjson.dumps({"error": {"type": refused.kind, "message": str(refused)}})
            self.write(
                response_head(refused.status, [(b"content-type", b"application/json")], len(body), keep_alive=False)
                + body
            )
            return None
        self.busy, self.answered = True, False
        request, self._ready = self._ready, None
        return request

    def _refuse(self, refused: RefusedError) -> None:
        self._refused = refused
        if self.busy:  # the answer on its way is finished first
            return
        self._ready = None
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(Request())

    def close_if_idle(self, now: float) -> None:
        """Close a connection that keeps the guard waiting: for a head, a body, another request, or to be read."""
        waited = now - self.at
        if self.closing and waited > IDLE_S and self._transport is not None:
            self._transport.abort()  # what was to be sent is not read
        longest = IDLE_S if not self.begun else BODY_IDLE_S if self._body_size else HEADER_S
        if not self.busy and waited > longest:
            self.close()

    # what handlers use

    def write(self, data: bytes) -> None:
        """Send bytes."""
        self.answered = True
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    async def drained(self) -> None:
        """Wait while the client does not read what was sent."""
        if self._writable is not None:
            await self._writable

    def close(self) -> None:
        """Close once everything is sent."""
        self.closing = True
        if self._transport is not None:
            self._transport.close()


def _check_head(request: Request, version: str, largest: int) -> None:
    """Refuse several hosts or none, absolute targets, codings other than one chunked, and bodies that are too large."""
    hosts = sum(name == b"host" for name, _ in request.headers)
    if hosts != 1 and not (hosts == 0 and version == "1.0"):
        raise _malformed("expected one Host header")
    if not request.target.startswith(b"/") or request.target.startswith(b"//"):
        raise _malformed("expected a target that begins with one /")
    codings = [value.strip().lower() for name, value in request.headers if name == b"transfer-encoding"]
    if codings not in ([], [b"chunked"]):
        raise _malformed("transfer-encoding: expected chunked, once")
    length = request.header(b"content-length")
    if length is not None and int(length) > largest:
        raise _too_large(largest)


def _malformed(message: str) -> RefusedError:
    return RefusedError(HTTPStatus.BAD_REQUEST, "malformed_request", message)


def _too_large(largest: int) -> RefusedError:
    return RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "request_too_large", f"more than {largest} bytes")


_PHRASES = {status.value: status.phrase.encode() for status in HTTPStatus}


def response_head(status: int, headers: Headers, length: int | None, *, keep_alive: bool = True) -> bytes:
    """Write the head of a response: with its length, or chunked where that is not known."""
    lines = [b"HTTP/1.1 %d %b\r\n" % (status, _PHRASES.get(status, b"Unknown"))]
    lines += [b"%b: %b\r\n" % header for header in headers]
    lines.append(b"transfer-encoding: chunked\r\n" if length is None else b"content-length: %d\r\n" % length)
    lines.append(b"\r\n" if keep_alive else b"connection: close\r\n\r\n")
    return b"".join(lines)


def chunk(data: bytes) -> bytes:
    """Write a part of a chunked body; the empty one ends it."""
    return b"%x\r\n%b\r\n" % (len(data), data)
