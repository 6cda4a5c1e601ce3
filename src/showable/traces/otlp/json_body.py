"""Parse a body that should be JSON, with what real senders get wrong in text put right."""

from __future__ import annotations

import re
from typing import Any

import orjson

from showable.traces.otlp.refused import Refused

NOT_UTF8 = "a text was not UTF-8, or half of a character pair: what could not be read of it was replaced"
MOST_HALVES = 100_000
"""Replaced in a body; one with more of them is refused, as each takes a hundred times its size while it is replaced."""
REPLACED = "\ufffd"
_HALF = re.compile(
    rb"(?<!\\)((?:\\\\)*+)(?:\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    rb"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2})"
)
"""One half of a surrogate pair without the other, escaped, as cutting a JavaScript string leaves it; behind any escaped backslashes.

Their run is matched possessively: else each of a million of them would be remembered, to be given up again."""


def parse_body(body: bytes) -> tuple[Any, bool]:
    """Return the value, and whether text had to be replaced (with U+FFFD) to read it. Raises Refused (400).

    orjson goes 1024 levels deep and refuses what goes deeper.
    """
    try:
        return orjson.loads(body), False
    except orjson.JSONDecodeError as first:
        mended = _HALF.sub(rb"\1\\ufffd", body.decode("utf-8", "replace").encode(), MOST_HALVES)
        if mended == body:
            raise Refused(400, _why(first)) from None
    try:
        return orjson.loads(mended), True
    except orjson.JSONDecodeError as error:
        raise Refused(400, _why(error)) from None


def _why(error: orjson.JSONDecodeError) -> str:
    what = "is nested too deeply" if "ecursion" in error.msg or "depth" in error.msg else "is not JSON"
    return f"the body {what} (line {error.lineno}, column {error.colno})"


def mark(raw: Any) -> bool:
    """Check whether a part of a body that was mended holds replaced text. However deep it is: nothing here calls itself."""
    left = [raw]
    while left:
        held = left.pop()
        if isinstance(held, str):
            if REPLACED in held:
                return True
        elif isinstance(held, dict):
            left += held
            left += held.values()
        elif isinstance(held, list):
            left += held
    return False
