"""OTLP in files: one message of protobuf, or many of them, each with its length in front, as exporters to files write them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from showable.errors import InputError
from showable.traces.files.json_items import MOST_BYTES
from showable.traces.files.opening import opened
from showable.traces.otlp.decode_json import spans_of
from showable.traces.otlp.decode_protobuf import decode_spans
from showable.traces.otlp.decoded import Decoded
from showable.traces.otlp.refused import Refused

_FIRST_FIELD = 0x0A
"""The tag that a TracesData begins with. As a length in front it would be of a message too short to hold a span."""
_MOST_MESSAGE = 64 * 1024 * 1024
_BATCHES = ("resourceSpans", "batches")
"""What a request calls its groups, and what Tempo's API calls them."""


def is_otlp(value: dict[str, Any]) -> bool:
    """Tell a request in JSON by its one field."""
    return any(name in value for name in _BATCHES)


def json_spans(value: dict[str, Any]) -> Decoded:
    """Read a request in JSON. Raises InputError naming the field that is not as expected."""
    held = value.get("resourceSpans", value.get("batches"))
    try:
        return spans_of({"resourceSpans": held})
    except Refused as refused:
        field, _, said = refused.reason.partition(": ")
        raise InputError(said or field, field=field if said else "") from None


def protobuf_messages(path: Path) -> Iterator[tuple[int, Decoded]]:
    """Yield each message's number, from 1, and its spans. Raises InputError saying which message is not as expected."""
    with opened(path) as handle:
        one = handle.peek(1)[:1] if hasattr(handle, "peek") else b""
        messages = _whole(handle, path) if one == bytes((_FIRST_FIELD,)) else _delimited(handle, path)
        for number, body in enumerate(messages, 1):
            try:
                yield number, decode_spans(body, None)
            except Refused as refused:
                said = refused.reason.replace("the body", f"message {number}")
                raise InputError(f"{said}: expected OTLP", path=str(path)) from None


def _whole(handle: IO[bytes], path: Path) -> Iterator[bytes]:
    body = handle.read(MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        said = f"one message of more than {MOST_BYTES >> 30} GiB: write many, each with its length in front"
        raise InputError(said, path=str(path))
    yield body


def _delimited(handle: IO[bytes], path: Path) -> Iterator[bytes]:
    number = 0
    while first := handle.read(1):
        number += 1
        length = _length(first[0], handle)
        body = b"" if length is None or length > _MOST_MESSAGE else handle.read(length)
        if length is None or len(body) != length:
            said = f"message {number} is cut off, or the file is none that holds spans in protobuf"
            raise InputError(said, path=str(path))
        yield body


def _length(first: int, handle: IO[bytes]) -> int | None:
    value, shift, byte = first & 0x7F, 7, first
    while byte & 0x80:
        more = handle.read(1)
        if not more or shift > 28:  # noqa: PLR2004 - five bytes of seven bits hold any length that is taken
            return None
        byte = more[0]
        value |= (byte & 0x7F) << shift
        shift += 7
    return value
