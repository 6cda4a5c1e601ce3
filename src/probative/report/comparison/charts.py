"""The two charts of a comparison in SVG units: acceptable against unacceptable, and refusals right against over-refusals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probative.measure.comparison import Comparison, Row
from probative.report.comparison import words

WIDTH = 400
STEP, BAR, TOP = 42, 16, 8
"""Of the bars: height of a row, of the bar in it, and the room above."""
_EDGE = 6
_RIGHT, _LEFT = ("correct", "refused"), ("unsupported", "wrong", "unknown")
PLOT, MARGIN_LEFT, MARGIN_TOP, MARGIN_FOOT = 300, 60, 14, 48
"""Of the scatter: side of the plot, and the room around it."""
_NEAR = 11.0


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


@dataclass(frozen=True, slots=True)
class Dot:
    """One or several runs at one place, with the intervals of the first of them; `label` has their numbers.

    Where there are several, all but the first stand `beside` it in words, so far below that neighbours do not meet.
    """

    x: float
    y: float
    left: float
    right: float
    top: float
    bottom: float
    label: str
    beside: float
    said: str


@dataclass(frozen=True, slots=True)
class Scatter:
    """Refusals right (up) against over-refusals (to the right); `left_out` are rows without such questions."""

    dots: tuple[Dot, ...]
    left_out: tuple[int, ...]


def bars_of(comparison: Comparison) -> Bars:
    """Lay the bars out; one scale for all of them, so that lengths may be compared."""
    right = max((_sum(row, _RIGHT) for row in comparison.rows), default=0)
    left = max((_sum(row, _LEFT) for row in comparison.rows), default=0)
    scale = (WIDTH - 2 * _EDGE) / max(1, right + left)
    axis = _EDGE + left * scale
    bars = tuple(_bar(row, TOP + place * STEP, axis, scale) for place, row in enumerate(comparison.rows))
    return Bars(axis, TOP + STEP * len(bars), bars)


def scatter_of(comparison: Comparison) -> Scatter:
    """Lay the points out; runs at the same place share one."""
    groups: list[list[Row]] = []
    left_out: list[int] = []
    for row in comparison.rows:
        if row.refusals.right.share is None or row.refusals.over.share is None:
            left_out.append(row.number)
            continue
        near = next((group for group in groups if _distance(group[0], row) < _NEAR), None)
        if near is None:
            groups.append([row])
        else:
            near.append(row)
    shared = [group for group in groups if len(group) > 1]
    dots = (_dot(group, shared.index(group) % 3 if group in shared else 0) for group in groups)
    return Scatter(tuple(dots), tuple(left_out))


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


def _dot(group: list[Row], line: int) -> Dot:
    first = group[0]
    over, right = first.refusals.over, first.refusals.right
    x, y = _place(first)
    return Dot(
        x=x,
        y=y,
        left=_across(over.low or 0.0),
        right=_across(1.0 if over.high is None else over.high),
        top=_up(1.0 if right.high is None else right.high),
        bottom=_up(right.low or 0.0),
        beside=y + 17 + 13 * line,
        label=", ".join(str(row.number) for row in group),
        said="; ".join(_said(row) for row in group),
    )


def _said(row: Row) -> str:
    right, over = row.refusals.right, row.refusals.over
    return f"{row.number} {row.name}: {right.count} of {right.n} due refusals, {over.count} over-refusals of {over.n}"


def _place(row: Row) -> tuple[float, float]:
    return _across(row.refusals.over.share or 0.0), _up(row.refusals.right.share or 0.0)


def _across(share: float) -> float:
    return MARGIN_LEFT + PLOT * share


def _up(share: float) -> float:
    return MARGIN_TOP + PLOT * (1.0 - share)


def _distance(one: Row, other: Row) -> float:
    (ax, ay), (bx, by) = _place(one), _place(other)
    return max(abs(ax - bx), abs(ay - by))
