"""Sends one request and reads its one answer, within its times, whatever the other side does."""

from __future__ import annotations

import asyncio
import ssl
import zlib
from collections.abc import AsyncIterable, Iterable

import httpcore

from showable.registries.web.asking import OddReplyError, Reply, TroubleError, UnreachableError
from showable.registries.web.limits import Limits
from showable.registries.web.request import Asking
from showable.registries.web.retrying import LostError


async def exchanged(
    pool: httpcore.AsyncConnectionPool, asking: Asking, limits: Limits, deadline: float, largest: int
) -> Reply:
    """Ask once. Raises LostError for what another try may mend, another TroubleError for what it will not."""
    given = min(limits.total_s, max(0.0, deadline - asyncio.get_running_loop().time()))
    try:
        async with asyncio.timeout(given):
            return await _streamed(pool, asking, limits, largest)
    except TimeoutError:
        raise LostError(f"no whole answer within {given:.3g} s") from None
    except TroubleError:
        raise
    except httpcore.ConnectTimeout:
        raise LostError(f"no connection within {limits.connect_s:g} s") from None
    except httpcore.TimeoutException:
        raise LostError(f"no answer within {limits.read_s:g} s") from None
    except httpcore.ConnectError as error:
        kind = "TLS: " if _is_tls(error) else "no connection: "
        raise UnreachableError(f"{kind}{error or type(error).__name__}") from None
    except (httpcore.NetworkError, httpcore.RemoteProtocolError) as error:
        raise LostError(f"the connection broke off: {error or type(error).__name__}") from None
    except httpcore.LocalProtocolError:  # it quotes the header that cannot be sent, which may be a key
        raise OddReplyError("a header or an address that no request may have") from None
    except (httpcore.ProtocolError, httpcore.UnsupportedProtocol) as error:
        raise OddReplyError(f"no HTTP: {error}") from None
    except (OSError, RuntimeError) as error:
        raise UnreachableError(f"no connection: {error or type(error).__name__}") from None


async def _streamed(pool: httpcore.AsyncConnectionPool, asking: Asking, limits: Limits, largest: int) -> Reply:
    try:
        request = asking.built()
    except (
        ValueError
    ):  # half a character, or a sign that no header has; what is sent may be a secret, so it is not shown
        raise OddReplyError("what is asked for cannot be written as a request") from None
    times = {"connect": limits.connect_s, "read": limits.read_s, "write": limits.read_s, "pool": limits.total_s}
    url = httpcore.URL(
        scheme=request.url.raw_scheme, host=request.url.raw_host, port=request.url.port, target=request.url.raw_path
    )
    async with pool.stream(
        request.method, url, headers=request.headers.raw, content=request.content or None, extensions={"timeout": times}
    ) as answer:
        headers = _read_headers(answer.headers)
        body = b""
        if asking.method != "HEAD":
            body = await read_body(answer.aiter_stream(), headers.get("content-encoding", ""), largest)
        return Reply(status=answer.status, url=str(asking.url), body=body, headers=headers)


def _read_headers(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Put headers under lower-case names; those given more than once are joined, as RFC 9110 section 5.3 has it."""
    read: dict[str, str] = {}
    for name, value in raw:
        key, said = name.decode("ascii", "replace").lower(), value.decode("latin-1")
        read[key] = f"{read[key]}, {said}" if key in read else said
    return read


def _is_tls(error: BaseException) -> bool:
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, ssl.SSLError):
            return True
        seen = seen.__cause__ or seen.__context__
    return False


# Reads a body as it arrives and stops at its cap, which holds for what comes out of decompression, not what goes in.


_GZIP, _ZLIB, _RAW = 16 + zlib.MAX_WBITS, zlib.MAX_WBITS, -zlib.MAX_WBITS
_AS_IT_IS = frozenset({"", "identity"})
_FRAMING = 65_536
"""Bytes that a compressed body may have beyond its cap: it can be a little larger than what it holds, not much."""


async def read_body(chunks: AsyncIterable[bytes], coding: str, largest: int) -> bytes:
    """Read a body of at most `largest` bytes.

    Raises UnreachableError where it is larger, OddReplyError where it is damaged or of a coding that was not
    asked for: a layered or an unknown one is never unpacked.
    """
    named = coding.strip().lower()
    if named in _AS_IT_IS:
        return await _plain(chunks, largest)
    if named in {"gzip", "x-gzip"}:
        return await _unpacked(chunks, _Inflater(_GZIP), largest)
    if named == "deflate":
        return await _unpacked(chunks, _Inflater(_ZLIB), largest)
    raise OddReplyError(f"a body coded as {named[:40]!r}, which was not asked for")


async def _plain(chunks: AsyncIterable[bytes], largest: int) -> bytes:
    body = bytearray()
    async for chunk in chunks:
        body += chunk
        if len(body) > largest:
            raise _too_large(largest)
    return bytes(body)


async def _unpacked(chunks: AsyncIterable[bytes], inflater: _Inflater, largest: int) -> bytes:
    body, arrived = bytearray(), 0
    async for chunk in chunks:
        arrived += len(chunk)
        if arrived > largest + _FRAMING:
            raise _too_large(largest)
        inflater.feed(chunk, body, largest)
    inflater.finish(arrived)
    return bytes(body)


class _Inflater:
    """Decompresses with never more than one byte beyond the cap in memory."""

    def __init__(self, window: int) -> None:
        self._window = window
        self._engine = zlib.decompressobj(window)
        self._begun = False

    def feed(self, data: bytes, body: bytearray, largest: int) -> None:
        while data:
            if self._engine.eof:
                if self._window != _GZIP:
                    return  # whatever follows the end of a deflate stream is no part of it
                self._engine = zlib.decompressobj(_GZIP)  # RFC 1952 section 2.2: members follow one another
            piece = self._inflate(data, largest - len(body) + 1)
            body += piece
            if len(body) > largest:
                raise _too_large(largest)
            data = self._engine.unused_data if self._engine.eof else self._engine.unconsumed_tail

    def finish(self, arrived: int) -> None:
        if arrived and not self._engine.eof:
            raise OddReplyError("a compressed body that ends too early")

    def _inflate(self, data: bytes, most: int) -> bytes:
        try:
            piece = self._engine.decompress(data, most)
        except zlib.error:
            if self._begun or self._window != _ZLIB:
                raise OddReplyError("a compressed body that is damaged") from None
            # Some servers send raw deflate for "deflate", RFC 9110 section 8.4.1.2.
            self._window, self._begun = _RAW, True
            self._engine = zlib.decompressobj(_RAW)
            return self._inflate(data, most)
        self._begun = True
        return piece


def _too_large(largest: int) -> UnreachableError:
    return UnreachableError(f"an answer of more than {largest} bytes")
