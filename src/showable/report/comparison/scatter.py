"""Refusals right against over-refusals in SVG units: a point a place, and labels that keep out of each other's way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import hypot

from showable.measure.comparison import Comparison, Row, Share

PLOT, MARGIN_LEFT, MARGIN_TOP, MARGIN_FOOT = 320, 56, 14, 48
"""Side of the plot, and the room around it."""
INSET = 14
"""From the frame to 0 and to 100 %, so that a point in a corner stands inside."""
RADIUS = 5.0
_SAME_PLACE = 4.0
_LETTER, _LINE, _NAMED = 7.0, 13.0, 4
_DISTANCES = (9.0, 20.0, 32.0, 46.0, 62.0, 80.0, 104.0, 130.0)
_LEAD = 12.0
_DIRECTIONS = ((1, -1), (1, 1), (-1, -1), (-1, 1), (1, 0), (-1, 0), (0, -1), (0, 1))
"""Between the lines of the intervals first, which run straight across and up."""
_ON_TOP, _ON_A_LINE = 20.0, 1.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, in SVG units."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: Box) -> float:
        """Return the area that two boxes share."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across * down if across > 0 and down > 0 else 0.0

    def within(self, other: Box) -> bool:
        """Check whether this box lies wholly in another."""
        return (
            other.left <= self.left
            and other.top <= self.top
            and self.right <= other.right
            and self.bottom <= other.bottom
        )


@dataclass(frozen=True, slots=True)
class Dot:
    """One run, or several at one place, with the intervals of the first of them.

    `label` has their numbers, the first four where they are more; it stands in `box`, and `led` tells that it is so far
    off that a line should lead to it.
    """

    x: float
    y: float
    across: tuple[float, float]
    up: tuple[float, float]
    label: str
    box: Box
    led: bool
    said: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Scatter:
    """Refusals right (up) against over-refusals (to the right); `left_out` are rows without such questions."""

    dots: tuple[Dot, ...]
    left_out: tuple[int, ...]

    @property
    def shortened(self) -> list[Dot]:
        """The dots whose label does not name all of their runs."""
        return [dot for dot in self.dots if len(dot.numbers) > _NAMED]


FRAME = Box(MARGIN_LEFT, MARGIN_TOP, MARGIN_LEFT + PLOT, MARGIN_TOP + PLOT)


def scatter_of(comparison: Comparison) -> Scatter:
    """Lay the points out. Runs at the same place share one, and no label covers a point or another label if it need not."""
    shown: list[Row] = []
    left_out: list[Row] = []
    for row in comparison.rows:
        measured = row.refusals.right.share is not None and row.refusals.over.share is not None
        (shown if measured else left_out).append(row)
    groups = _by_place(shown)
    points = [Box(x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS) for x, y in (_place(group[0]) for group in groups)]
    lines = [line for group in groups for line in _lines(group[0])]
    labels: list[Box] = []
    dots = []
    for group in groups:
        dot = _dot(group, [*points, *labels], lines)
        labels.append(dot.box)
        dots.append(dot)
    return Scatter(tuple(dots), tuple(row.number for row in left_out))


def across(share: float) -> float:
    """Return where a share stands from left to right."""
    return MARGIN_LEFT + INSET + (PLOT - 2 * INSET) * share


def up(share: float) -> float:
    """Return where a share stands from bottom to top."""
    return MARGIN_TOP + INSET + (PLOT - 2 * INSET) * (1.0 - share)


def _by_place(rows: Sequence[Row]) -> list[list[Row]]:
    groups: list[list[Row]] = []
    for row in rows:
        near = next((group for group in groups if _distance(group[0], row) < _SAME_PLACE), None)
        if near is None:
            groups.append([row])
        else:
            near.append(row)
    return groups


def _dot(group: Sequence[Row], solid: Sequence[Box], lines: Sequence[Box]) -> Dot:
    first = group[0]
    x, y = _place(first)
    numbers = tuple(row.number for row in group)
    label = ", ".join(map(str, numbers[:_NAMED]))
    label += f" +{len(numbers) - _NAMED}" if len(numbers) > _NAMED else ""
    distance, box = min(_spots(x, y, label), key=lambda spot: _cost(spot[0], spot[1], solid, lines))
    sideways, upwards = (_ends(share) for share in (first.refusals.over, first.refusals.right))
    return Dot(
        x=x,
        y=y,
        across=(across(sideways[0]), across(sideways[1])),
        up=(up(upwards[1]), up(upwards[0])),
        label=label,
        box=box,
        led=distance > _LEAD,
        said="; ".join(_said(row) for row in group),
        numbers=numbers,
    )


def _spots(x: float, y: float, label: str) -> Iterator[tuple[float, Box]]:
    """Yield where a label could stand, the nearest first; those in the frame, or all where it is too long for that."""
    wide, high = _LETTER * len(label) + 2, _LINE
    every = []
    for distance in _DISTANCES:
        for right, down in _DIRECTIONS:
            far = distance / hypot(right, down)
            centre = x + right * (far + wide / 2), y + down * (far + high / 2)
            box = Box(centre[0] - wide / 2, centre[1] - high / 2, centre[0] + wide / 2, centre[1] + high / 2)
            every.append((distance, box))
    yield from [spot for spot in every if spot[1].within(FRAME)] or every


def _cost(distance: float, box: Box, solid: Sequence[Box], lines: Sequence[Box]) -> float:
    covered = sum(map(box.overlap, solid))
    return distance + _ON_TOP * covered + _ON_A_LINE * sum(map(box.overlap, lines))


def _lines(row: Row) -> Iterator[Box]:
    """Yield the intervals of a row as boxes as wide as their line."""
    x, y = _place(row)
    (left, right), (low, high) = _ends(row.refusals.over), _ends(row.refusals.right)
    yield Box(across(left), y - 1, across(right), y + 1)
    yield Box(x - 1, up(high), x + 1, up(low))


def _ends(share: Share) -> tuple[float, float]:
    return share.low or 0.0, 1.0 if share.high is None else share.high


def _said(row: Row) -> str:
    right, over = row.refusals.right, row.refusals.over
    return f"{row.number} {row.name}: {right.count} of {right.n} due refusals, {over.count} over-refusals of {over.n}"


def _place(row: Row) -> tuple[float, float]:
    return across(row.refusals.over.share or 0.0), up(row.refusals.right.share or 0.0)


def _distance(one: Row, other: Row) -> float:
    (ax, ay), (bx, by) = _place(one), _place(other)
    return max(abs(ax - bx), abs(ay - by))
