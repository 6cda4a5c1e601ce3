"""The bars of a comparison in SVG units: acceptable answers against unacceptable ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from showable.measure.comparison import Comparison, Row
from showable.report.comparison import words

WIDTH = 400
STEP, BAR, TOP = 42, 16, 8
"""Height of a row, of the bar in it, and the room above."""
_EDGE = 6
_RIGHT, _LEFT = ("correct", "refused"), ("wrong", "unsupported", "unknown")


@dataclass(frozen=True, slots=True)
class Piece:
    """One bucket of a bar."""

    bucket: str
    x: float
    width: float
    count: int
    said: str


@dataclass(frozen=True, slots=True)
class Bar:
    """One run: acceptable answers to the right of the axis, unacceptable and undecided ones to the left."""

    row: Row
    y: float
    pieces: tuple[Piece, ...]
    said: str


@dataclass(frozen=True, slots=True)
class Bars:
    """All bars, around an axis at `axis`; the picture is `height` high."""

    axis: float
    height: float
    bars: tuple[Bar, ...]


def bars_of(comparison: Comparison) -> Bars:
    """Lay the bars out; one scale for all of them, so that lengths may be compared."""
    right = max((_sum(row, _RIGHT) for row in comparison.rows), default=0)
    left = max((_sum(row, _LEFT) for row in comparison.rows), default=0)
    scale = (WIDTH - 2 * _EDGE) / max(1, right + left)
    axis = _EDGE + left * scale
    bars = tuple(_bar(row, TOP + place * STEP, axis, scale) for place, row in enumerate(comparison.rows))
    return Bars(axis, TOP + STEP * len(bars), bars)


def _bar(row: Row, y: float, axis: float, scale: float) -> Bar:
    pieces: list[Piece] = []
    for side, sign in ((_RIGHT, 1), (_LEFT, -1)):
        at = axis
        for bucket in side:
            count = row.buckets[bucket].count
            width = count * scale
            x = at if sign > 0 else at - width
            at += sign * width
            if count:
                pieces.append(Piece(bucket, x, width, count, f"{row.name}: {count} {bucket}"))
    counts = ", ".join(f"{row.buckets[bucket].count} {bucket}" for bucket in words.BUCKETS)
    return Bar(row, y, tuple(pieces), f"{row.number} {row.name}: {counts}")


def _sum(row: Row, buckets: Sequence[str]) -> int:
    return sum(row.buckets[bucket].count for bucket in buckets)
