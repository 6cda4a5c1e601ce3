"""JSON read strictly: a key that stands twice, a bottomless nesting and an endless number are mistakes, said in one line."""

from __future__ import annotations

import json
from typing import Any

from showable.records.lines import plain_name


class JsonError(ValueError):
    """What is wrong with a text that should be JSON; where in it, counted from 1, or 0 for nowhere; and about which key."""

    def __init__(self, message: str, line: int = 0, column: int = 0, key: str = "") -> None:
        super().__init__(message)
        self.line, self.column, self.key = line, column, key

    def told(self) -> str:
        """Say it with the column; the line is for who knows which line of the file the text begins on."""
        return f"{self} at column {self.column}" if self.column else str(self)


def parse_json(text: str) -> Any:
    """Parse one JSON value. Raises JsonError; never another exception."""
    try:
        return json.loads(text, object_pairs_hook=_object)
    except JsonError:
        raise
    except json.JSONDecodeError as error:
        raise JsonError(f"not JSON: {error.msg}", error.lineno, error.colno) from None
    except RecursionError:
        raise JsonError("not read: nested too deeply") from None
    except ValueError as error:  # a number of thousands of digits
        raise JsonError(f"not read: {str(error).partition(';')[0]}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    held = dict(pairs)
    if len(held) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise JsonError(f"the key {plain_name(key)!r} stands twice", key=plain_name(key))
            seen.add(key)
    return held


def decode(raw: bytes) -> str:
    """Decode UTF-8. Raises JsonError naming the first byte that is not."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise JsonError(f"not UTF-8: byte 0x{raw[error.start]:02x} at byte {error.start + 1}") from None
