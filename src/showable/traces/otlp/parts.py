"""Refuse a body that is nearly all structure: parsed, it would take a hundred times its size."""

from __future__ import annotations

from google.protobuf.descriptor import Descriptor  # type: ignore[import-untyped]

from showable.traces.otlp.mend_protobuf import MOST_FIELDS, MalformedError, known_fields, split
from showable.traces.otlp.refused import Refused

MOST_PARTS = 500_000
"""Messages within a request: twice what a collector's batch of 8192 spans has with a dozen attributes each."""
_LEAST_BYTES = 2
"""Of a message within another: its tag and its length."""
_TAGS = (b"\x0a", b"\x12", b"\x22", b"\x2a", b"\x32", b"\x4a", b"\x5a", b"\x6a", b"\x7a")
"""The bytes that a message within another begins with, in all messages of spans and log records."""


def few_parts(body: bytes, request: Descriptor) -> None:
    """See that a protobuf body has no more messages than are taken. Raises Refused (413).

    Nearly every body is let through by its length, or by how often the bytes stand in it that a message begins with; only another
    is walked, up to the bound.
    """
    if len(body) <= _LEAST_BYTES * MOST_PARTS or sum(map(body.count, _TAGS)) <= MOST_PARTS:
        return
    left, parts, steps = [(memoryview(body), request)], 0, 0
    while left:
        data, kind = left.pop()
        fields = known_fields(kind)
        try:
            for number, _, inside, end in split(data):
                inner = fields.get(number) if inside is not None else None
                steps += 1
                if isinstance(inner, Descriptor):
                    parts += 1
                if parts > MOST_PARTS or steps > MOST_FIELDS:
                    raise Refused(413, f"the body has more than {MOST_PARTS} parts: send fewer spans at once")
                if isinstance(inner, Descriptor):
                    left.append((data[inside:end], inner))
        except MalformedError:
            return  # upb says so, and mends or refuses it


def few_brackets(body: bytes) -> None:
    """See that a JSON body has no more objects and lists than are taken. Raises Refused (413). Brackets in texts count too."""
    if len(body) > 2 * MOST_PARTS and body.count(b"{") + body.count(b"[") > 2 * MOST_PARTS:
        raise Refused(413, f"the body has more than {2 * MOST_PARTS} objects and lists: send fewer spans at once")
