"""Markdown that is put together block by block and never grows beyond its limit: what has no room is left out and counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_ROOM_FOR_MORE = 60


class Comment:
    """Blocks of Markdown, with a blank line between them, of at most `limit` characters in all.

    Characters are counted as UTF-16 does, which is never fewer than Python counts: a limit that somebody else
    checks holds either way.
    """

    def __init__(self, limit: int, *, tail: str = "") -> None:
        """Start empty; `tail` comes last, and its room is kept free if it takes no more than a quarter of all."""
        self._blocks: list[str] = []
        self._tail = tail if tail and _size(tail) <= limit // 4 else ""
        self._left = limit - (_size(self._tail) + 2 if self._tail else 0) - 1

    def block(self, text: str) -> bool:
        """Add a block if there is room for it, and say whether there was."""
        size = _size(text) + 2
        if size > self._left:
            return False
        self._blocks.append(text)
        self._left -= size
        return True

    def rows(self, head: Sequence[str], rows: Iterable[str], *, count: int) -> int:
        """Add lines that belong together, as many of `count` as there is room for, whole, and say how many are left out.

        `head` comes before them, or nothing comes. Gives how many rows were added.
        """
        left = self._left - sum(_size(line) + 1 for line in head) - 2 - _ROOM_FOR_MORE
        lines: list[str] = []
        for row in rows:
            left -= _size(row) + 1
            if left < 0:
                break
            lines.append(row)
        if lines:
            self.block("\n".join([*head, *lines]))
        if len(lines) < count:
            self.block(f"… and {count - len(lines):,} more{'' if lines else ' that find no room here'}.")
        return len(lines)

    def __str__(self) -> str:
        """Return the whole, ending in a line break."""
        return "\n\n".join([*self._blocks, *([self._tail] if self._tail else [])]) + "\n"


def _size(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)
