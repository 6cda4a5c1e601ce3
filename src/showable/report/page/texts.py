"""Text of records as the page holds it: nothing in it steers the page, and offsets into it stay true."""

from __future__ import annotations

import re
from hashlib import blake2b

from showable.report.untrusted import printable

MOST_OF_NAME = 500
"""Characters of an id or a title."""
_STEERS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # controls, save tab and line ends
    "\u202a-\u202e\u2066-\u2069"  # embeddings, overrides and isolates: they reorder what surrounds them
    "\u200b\ufeff\U000e0000-\U000e007f"  # zero-width space, byte-order mark, tag characters
    "\ud800-\udfff]"  # half characters, which no file can hold
)
_PICTURES, _DELETE, _STAND_IN = 0x2400, "\x7f", "\ufffd"


def held(text: str) -> str:
    """Return a text with every character that is not seen but steers replaced by one that is seen, one for one."""
    return _STEERS.sub(_picture, text) if _STEERS.search(text) else text


def _picture(match: re.Match[str]) -> str:
    """Draw a control as its picture (Unicode block Control Pictures), anything else as the replacement character."""
    character = match[0]
    if character < " ":
        return chr(_PICTURES + ord(character))
    return "\u2421" if character == _DELETE else _STAND_IN


def line(text: str, limit: int = MOST_OF_NAME) -> str:
    """Return a short text on one line, without what steers, cut to `limit` characters."""
    if len(text) <= limit and text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return printable(text, limit=limit)


def code_of(code: str) -> str:
    """Return the code of a finding; a blank one has to be called something."""
    return line(code) or "?"


def name(text: str) -> str:
    """Return an id as the page shows it and links to it; where that is not all of it, a digest tells it from its like."""
    shown = line(text, len(text) + 1)
    if shown == text and len(shown) <= MOST_OF_NAME:
        return shown
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{shown[:MOST_OF_NAME]}…{digest}"


def cut(text: str, limit: int) -> tuple[str, int]:
    """Return the first `limit` characters of a text as it is held, and how many follow."""
    return held(text[:limit]), max(0, len(text) - limit)
