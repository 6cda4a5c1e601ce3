"""What a SARIF log has room for: GitHub refuses one of more than 25,000 results, or of more than 10 MB compressed."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

Level = Literal["error", "warning", "none"]
LEVELS: tuple[Level, ...] = ("error", "warning", "none")
"""From the gravest."""
MOST_RESULTS = 25_000
MOST_BYTES = 9_000_000
"""Bytes of results and answers once compressed, by the quickest way, which is not the smallest: what is uploaded is less."""
_MOST_PLAIN = 100_000_000
"""Bytes of answers before they are compressed: they are kept in memory until all results are written."""


class Room:
    """Takes results while there is room, and keeps it for the gravest: how many there are of each is known before."""

    def __init__(self, expected: Mapping[Level, int], most_results: int, most_bytes: int) -> None:
        """Start empty."""
        self._expected, self._most_results, self._most = expected, most_results, most_bytes
        self._used = self._plain = 0
        self._results, self._answers = zlib.compressobj(1), zlib.compressobj(1)  # in the file they stand far apart
        self._seen: Counter[Level] = Counter()
        self._taken: Counter[Level] = Counter()

    @property
    def seen(self) -> int:
        """All the results that were asked for."""
        return self._seen.total()

    def take(self, level: Level, result: str, answer: str = "") -> bool:
        """Take one result as it is to be written, with its answer where that is not written yet, or count it as left out."""
        self._seen[level] += 1
        graver = self._to_come(LEVELS[: LEVELS.index(level)])
        most = self._most // 2 if graver else self._most
        if self._taken.total() + graver >= self._most_results or self._used >= most:
            return False
        used = self._used + _squeezed(result, self._results) + _squeezed(answer, self._answers)
        if used > most or self._plain + len(answer) > _MOST_PLAIN:
            return False
        self._used, self._plain = used, self._plain + len(answer)
        self._taken[level] += 1
        return True

    def _to_come(self, levels: Sequence[Level]) -> int:
        return sum(max(0, self._expected[level] - self._seen[level]) for level in levels)

    def left_out(self) -> dict[Level, int]:
        """Give how many results of each level were left out, where any were."""
        return {level: left for level in LEVELS if (left := self._seen[level] - self._taken[level])}


def _squeezed(text: str, into: zlib._Compress) -> int:
    """Count the bytes that a text takes after what went before it; up to 32 KB come to light only with the next ones."""
    return len(into.compress(text.encode("utf-8", "replace")))
