"""Take the compression off a request's body, never making more of it than is allowed."""

from __future__ import annotations

import zlib

from showable.traces.otlp.refused import Refused

_CHUNK = 64 * 1024
"""What is handed to zlib at once, so that what it hands back unread is short."""
_MOST_MEMBERS = 1000
"""A gzip body may be several, one behind the other (RFC 1952, 2.2); no sender of spans writes so many."""
_GZIP, _ZLIB, _RAW = 16 + zlib.MAX_WBITS, zlib.MAX_WBITS, -zlib.MAX_WBITS
_ZLIB_METHOD = 8


def unpack(body: bytes, encoding: str | None, most: int) -> bytes:
    """Return a body as it was before `Content-Encoding` (RFC 9110, 8.4.1): identity, gzip or deflate.

    `most` is in bytes, for what comes out. Raises Refused: 413 where it would be more, 400 where the body is damaged,
    cut off, or followed by something else, 415 for another encoding.
    """
    name = (encoding or "identity").strip().casefold()
    if name in {"identity", ""}:
        if len(body) > most:
            raise _too_long(most)
        return body
    if name in {"gzip", "x-gzip"}:
        return _inflated(body, _GZIP, most)
    if name == "deflate":
        # The standard means zlib's frame; some senders leave it out.
        framed = len(body) > 1 and body[0] & 15 == _ZLIB_METHOD and int.from_bytes(body[:2], "big") % 31 == 0
        return _inflated(body, _ZLIB if framed else _RAW, most)
    raise Refused(415, "the content encoding is not one of identity, gzip and deflate")


def _inflated(body: bytes, bits: int, most: int) -> bytes:
    view, out, left = memoryview(body), [], most
    stream, members, at = zlib.decompressobj(bits), 1, 0
    while at < len(view):
        if stream.eof:
            members += 1
            if bits != _GZIP or members > _MOST_MEMBERS:
                raise Refused(400, "something stands behind the end of the compressed body")
            stream = zlib.decompressobj(bits)
        chunk = view[at : at + _CHUNK]
        try:
            part = stream.decompress(chunk, left + 1)
        except zlib.error:
            raise Refused(400, _damaged(members)) from None
        left -= len(part)
        if left < 0:
            raise _too_long(most)
        out.append(part)
        at += len(chunk) - len(stream.unused_data)
    if not stream.eof:
        raise Refused(400, "the compressed body is cut off")
    return b"".join(out)


def _damaged(members: int) -> str:
    if members > 1:
        return "something stands behind the end of the compressed body"
    return "the body is not compressed as its content encoding says, or is damaged"


def _too_long(most: int) -> Refused:
    return Refused(413, f"the body is longer than {most} bytes when unpacked")
