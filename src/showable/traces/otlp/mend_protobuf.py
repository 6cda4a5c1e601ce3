"""Put right what a strict parser refuses a whole request for: text that is not UTF-8, and bottomless values.

Used only where upb has refused a body. What it refuses for another reason stays refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor  # type: ignore[import-untyped]

from showable.traces.otlp.decoded import DEEPEST
from showable.traces.otlp.refused import Refused

MOST_MENDED = 16 * 1024 * 1024
MOST_FIELDS = 2_000_000
"""Bytes of a body, and fields in it, that are looked through: this is Python, and slow."""
_ANY_VALUE = "opentelemetry.proto.common.v1.AnyValue"
_NOT_UTF8 = "a text was not UTF-8: what could not be read of it was replaced"
_TOO_DEEP = f"a value was nested deeper than {DEEPEST} levels: cut there"
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_LONGEST_VARINT = 10


@dataclass(slots=True)
class Mended:
    """A body that has been put right. `leaves` says of which spans (counted from 0 as they stand) and how, `everywhere` of all."""

    body: bytes = b""
    leaves: dict[int, list[str]] = field(default_factory=dict)
    everywhere: list[str] = field(default_factory=list)


def mend(body: bytes, request: Descriptor, leaf: str) -> Mended:
    """Look a request through. `leaf` is the full name of the message that problems are told of.

    Raises Refused (400) where the body is no protobuf of this kind at all.
    """
    if len(body) > MOST_MENDED:
        raise Refused(400, f"the body is not an {request.name} in protobuf")
    walk = _Walk(leaf, Mended())
    try:
        new = walk.message(memoryview(body), request, 0)
    except MalformedError:
        raise Refused(400, f"the body is not an {request.name} in protobuf, or is cut off") from None
    if new is None:
        raise Refused(400, f"the body is not an {request.name} in protobuf")
    walk.mended.body = new
    return walk.mended


class MalformedError(Exception):
    """Bytes that are no protobuf."""


@dataclass(slots=True)
class _Walk:
    leaf: str
    mended: Mended
    number: int = 0
    within: int | None = None
    steps: int = 0

    def message(self, data: memoryview, kind: Descriptor, depth: int) -> bytes | None:
        """Write a message again, None where nothing of it changes. `depth` counts the values that it stands within."""
        fields = known_fields(kind)
        out: list[bytes | memoryview] = []
        written = 0
        for number, start, inside, end in split(data):
            self.steps += 1
            if self.steps > MOST_FIELDS:
                raise MalformedError
            wanted = fields.get(number) if inside is not None else None
            if wanted is None:
                continue
            new = self._text(data[inside:end]) if wanted == "text" else self._inner(data[inside:end], wanted, depth)
            if new is not None:
                out += (data[written:start], _varint(number << 3 | _BYTES), _varint(len(new)), new)
                written = end
        return b"".join((*out, data[written:])) if out else None

    def _text(self, raw: memoryview) -> bytes | None:
        try:
            str(raw, "utf-8")
        except UnicodeDecodeError:
            self._say(_NOT_UTF8)
            return str(raw, "utf-8", "replace").encode()
        return None

    def _inner(self, data: memoryview, kind: Descriptor, depth: int) -> bytes | None:
        if kind.full_name == _ANY_VALUE:
            depth += 1
            if depth > DEEPEST:
                self._say(_TOO_DEEP)
                return b""
        if kind.full_name != self.leaf:
            return self.message(data, kind, depth)
        self.within = self.number
        self.number += 1
        new = self.message(data, kind, depth)
        self.within = None
        return new

    def _say(self, words: str) -> None:
        held = self.mended.everywhere if self.within is None else self.mended.leaves.setdefault(self.within, [])
        if words not in held:
            held.append(words)


@cache
def known_fields(kind: Descriptor) -> dict[int, Any]:
    """Return what is known to lie within a message's length-delimited fields: text, or a message. Bytes are left alone."""
    known: dict[int, Any] = {}
    for one in kind.fields:
        if one.type == FieldDescriptor.TYPE_STRING:
            known[one.number] = "text"
        elif one.type == FieldDescriptor.TYPE_MESSAGE:
            known[one.number] = one.message_type
    return known


def split(data: memoryview) -> Iterator[tuple[int, int, int | None, int]]:
    """Yield each field's number, where it starts, where its content starts if it has a length, and where it ends."""
    at, size = 0, len(data)
    while at < size:
        start = at
        tag, at = _read_varint(data, at)
        number, wire = tag >> 3, tag & 7
        inside: int | None = None
        if wire == _VARINT:
            _, at = _read_varint(data, at)
        elif wire == _BYTES:
            length, at = _read_varint(data, at)
            inside, at = at, at + length
        elif wire in {_FIXED64, _FIXED32}:
            at += 8 if wire == _FIXED64 else 4
        else:  # groups, which the standard has none of
            raise MalformedError
        if at > size or not number:
            raise MalformedError
        yield number, start, inside, at


def _read_varint(data: memoryview, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(_LONGEST_VARINT):
        if at >= len(data):
            raise MalformedError
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << 7 * shift
        if byte < 0x80:  # noqa: PLR2004 - the bit that says another byte follows
            return value, at
    raise MalformedError


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:  # noqa: PLR2004 - seven bits a byte
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
