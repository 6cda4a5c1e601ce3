"""The changes that a request's body may undergo on its way: the guard's own field is cut out, usage of streams asked for."""

from __future__ import annotations

import orjson

from showable.production.guard.retrieval import FIELD
from showable.production.guard.wire.asked import Json

_MOST_PLACES = 4
_QUOTED = f'"{FIELD}"'.encode()


def upstream_body(raw: bytes, body: Json, *, with_usage: bool) -> bytes:
    """Return the body that the upstream gets: as it came where nothing is to be changed.

    The field is cut out of the bytes where it stands last; the rest is then byte for byte what the client wrote.
    """
    changed = raw
    if FIELD in body:
        rest = {key: value for key, value in body.items() if key != FIELD}
        changed = _without_last(raw, rest) or orjson.dumps(rest)
        body = rest
    if with_usage:
        options = body.get("stream_options")
        if options is None and "stream_options" not in body:
            end = changed.rindex(b"}")
            comma = b"," if body else b""
            changed = changed[:end] + comma + b'"stream_options":{"include_usage":true}}'
        else:
            given = options if isinstance(options, dict) else {}
            changed = orjson.dumps(body | {"stream_options": given | {"include_usage": True}})
    return changed


def _without_last(raw: bytes, rest: Json) -> bytes | None:
    """Cut the field out where it is the last of the body; None where it is not. The result is read again to be sure."""
    at = -1
    for _ in range(_MOST_PLACES):
        at = raw.find(_QUOTED, at + 1)
        if at < 0:
            break
        cut = raw[:at].rstrip().removesuffix(b",") + b"}"
        try:
            if orjson.loads(cut) == rest:
                return cut
        except ValueError:  # the name stood inside a text: the next place may be the field
            continue
    return None
