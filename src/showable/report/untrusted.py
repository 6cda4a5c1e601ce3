"""Text that came from elsewhere (ids, claims, passages), made safe to look at."""

from __future__ import annotations

import re

_ESCAPE_SEQUENCES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor movements (ECMA-48)
    r"|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)"  # OSC and other strings: titles, links
)
_NOT_SHOWN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, save tab and newline
    "\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069"  # bidirectional controls: they reorder what surrounds them
    "\ufeff\U000e0000-\U000e007f]"  # byte-order mark, tag characters
)
_SURROGATES = re.compile("[\ud800-\udfff]")


def printable(text: str, *, limit: int | None = None, one_line: bool = True) -> str:
    """Strip what could steer a terminal or a page: escape sequences, controls, bidirectional overrides.

    Half characters (lone surrogates), which no file can hold, become U+FFFD. With `one_line` runs of white
    space become one space. With `limit` the text is cut to that many characters, the last of which is ``…``.
    """
    shown = _ESCAPE_SEQUENCES.sub("", text.replace("\r\n", "\n"))
    shown = _SURROGATES.sub("\ufffd", _NOT_SHOWN.sub("", shown))
    if one_line:
        shown = " ".join(shown.split())
    return shown if limit is None or len(shown) <= limit else f"{shown[: limit - 1]}…"
