"""Standard output where a person looks at it: what could steer a terminal is written as JSON writes it, by its number."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import TextIO

_STEERING = re.compile(
    "[\x7f-\x9f"  # C1: 0x9b begins what ESC [ does, in terminals of 8 bits (ECMA-48)
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # bidirectional controls
    "\ufeff\U000e0000-\U000e007f]"
)
"""ESC itself is left: colours begin with it. JSON holds none, and reports take it out of what is not theirs."""


def shown(text: str) -> str:
    """Return a text with escapes for what could steer a terminal; JSON stays the same JSON."""
    return _STEERING.sub(lambda found: json.dumps(found[0])[1:-1], text)


class TerminalOutput:
    """A stream to a terminal. Whatever a command prints goes by here, as text or as bytes."""

    def __init__(self, stream: TextIO) -> None:
        """Write to this stream."""
        self._stream = stream
        self.buffer = _Bytes(self)

    def write(self, text: str) -> int:
        """Write a text; returns its length, as streams do."""
        self._stream.write(shown(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


class _Bytes:
    """The same for commands that write bytes, which are UTF-8, whole lines at a time."""

    def __init__(self, output: TerminalOutput) -> None:
        self._output = output

    def write(self, data: bytes) -> int:
        self._output.write(bytes(data).decode("utf-8", "backslashreplace"))
        return len(data)

    def writelines(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        self._output._stream.flush()  # noqa: SLF001 - its other half
