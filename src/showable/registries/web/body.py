"""Reads a body as it arrives and stops at its cap, which holds for what comes out of decompression, not what goes in."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterable

from showable.registries.web.asking import OddReplyError, UnreachableError

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
