"""Stretches of a text that do not overlap: to ask how much of another lies in them, or to write them anew."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import accumulate

from showable.read.marker import Span


class Stretches:
    """Spans taken together, however they lie; each question costs the logarithm of their number."""

    def __init__(self, spans: Iterable[Span]) -> None:
        merged: list[Span] = []
        for start, end in sorted(spans):
            if merged and start <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
            else:
                merged.append((start, end))
        self._starts = [start for start, _ in merged]
        self._ends = [end for _, end in merged]
        self._sizes = [0, *accumulate(end - start for start, end in merged)]

    def covered(self, span: Span) -> int:
        """Count the characters of a span that lie in any of the stretches."""
        return max(0, self._before(span[1]) - self._before(span[0]))

    def rewritten(self, text: str, write: Callable[[str], str]) -> str:
        """Return a text in which each stretch is written anew, in linear time."""
        pieces: list[str] = []
        at = 0
        for start, end in zip(self._starts, self._ends, strict=True):
            pieces += (text[at:start], write(text[start:end]))
            at = end
        return "".join((*pieces, text[at:]))

    def _before(self, at: int) -> int:
        known = bisect_right(self._starts, at)
        return self._sizes[known] - (max(0, self._ends[known - 1] - at) if known else 0)
