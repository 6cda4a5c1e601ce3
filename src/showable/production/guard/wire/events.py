"""Server-sent events as bytes: cut at blank lines, wherever the network cut them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_BLANK_LINE = re.compile(rb"(?>\r\n|\n|\r)(?>\r\n|\n|\r)+")
_LINE = re.compile(rb"\r\n|\n|\r")
_BOM = b"\xef\xbb\xbf"


class Event(NamedTuple):
    """One event: its bytes with the blank line after it, its name, and its data; a comment alone has no data."""

    raw: bytes
    name: str
    data: bytes | None


class Events:
    """Cuts a stream of bytes into events (WHATWG HTML, §9.2.6). What follows the last blank line stays in `rest`."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._searched = 0

    @property
    def rest(self) -> bytes:
        """The bytes of an event that is not complete."""
        return bytes(self._held)

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """Yield the events that are complete with this chunk."""
        self._held += chunk
        start = 0
        while (end := _BLANK_LINE.search(self._held, max(start, self._searched))) is not None:
            if end.end() == len(self._held) and self._held[-1:] == b"\r":  # its line feed may be still to come
                break
            yield _event(bytes(self._held[start : end.end()]))
            start = end.end()
            self._searched = start
        del self._held[:start]
        self._searched = max(0, len(self._held) - 3)

    def close(self) -> Iterator[Event]:
        """Yield the last event where its blank line ended with a carriage return, which then needs no line feed."""
        if self._held.endswith((b"\r\r", b"\n\r")):
            yield _event(bytes(self._held))
            self._held.clear()


def _event(raw: bytes) -> Event:
    name, data = "", None
    for line in _LINE.split(raw.removeprefix(_BOM)):
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            data = value if data is None else data + b"\n" + value
        elif field == b"event":
            name = value.decode("utf-8", "replace")
    return Event(raw, name, data)


def data_event(data: bytes, name: str = "") -> bytes:
    """Return an event as bytes; `data` is one line."""
    return (b"event: " + name.encode() + b"\n" if name else b"") + b"data: " + data + b"\n\n"
