"""Where the marks of the dashboard's charts stand, in SVG units. Drawn on the server; no script moves them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from showable.serving.pages.rates import Figure, Measure, Table, figure_of
from showable.serving.pages.words import moment, share_of_axis

WIDTH, HEIGHT, LEFT, RIGHT, TOP, FOOT = 340.0, 170.0, 42.0, 10.0, 10.0, 24.0
MOST_DRAWN = 4
"""Groups drawn in one panel: more lines than these cannot be told apart."""
CEILINGS = (0.05, 0.1, 0.2, 0.5, 1.0)
_ENOUGH_LABELS = 4
_WIDEST_BAND = 0.6
"""An interval wider than this says next to nothing, and does not stretch the axis."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One measured step of one group."""

    x: float
    y: float
    low: float
    high: float
    said: str


@dataclass(frozen=True, slots=True)
class Line:
    """A group's steps: marks, and the paths of its line and of the band of its intervals, broken where nothing was measured."""

    group: str
    number: int
    marks: tuple[Mark, ...]
    path: str
    band: str


@dataclass(frozen=True, slots=True)
class Row:
    """A step in words, for the table that stands in for the chart."""

    at_ns: int
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """One rate over time."""

    measure: Measure
    whole: Figure
    lines: tuple[Line, ...]
    ticks: tuple[tuple[float, str], ...]
    labels: tuple[tuple[float, str, str], ...]
    rows: tuple[Row, ...]
    groups: tuple[str, ...]

    @property
    def measured(self) -> bool:
        """Check whether there is anything to draw."""
        return any(line.marks for line in self.lines)


@dataclass(frozen=True, slots=True)
class _Frame:
    since_ns: int
    until_ns: int
    step_ns: int
    ceiling: float

    def x(self, at_ns: int) -> float:
        """Place the middle of a step."""
        share = (at_ns + self.step_ns / 2 - self.since_ns) / max(1, self.until_ns - self.since_ns)
        return LEFT + (WIDTH - LEFT - RIGHT) * min(1.0, max(0.0, share))

    def y(self, share: float) -> float:
        """Place a share; above the ceiling it stands at it."""
        return TOP + (HEIGHT - TOP - FOOT) * (1 - min(1.0, share / self.ceiling))


def panel_of(measure: Measure, table: Table, window: tuple[int, int], step_ns: int) -> Panel:
    """Draw one rate over the window (its first and last nanosecond), a line for each of the largest groups."""
    groups = table.groups[:MOST_DRAWN]
    steps = range(window[0], window[1], step_ns)
    figures = {
        (group, at): figure_of(measure, table.rows(measure.dimension, group, at)) for group in groups for at in steps
    }
    frame = _Frame(window[0], steps[-1] + step_ns, step_ns, _ceiling(list(figures.values())))
    lines = tuple(
        _line(group, number, [(at, figures[group, at]) for at in steps], frame) for number, group in enumerate(groups)
    )
    rows = tuple(Row(at, tuple(figures[group, at] for group in groups)) for at in steps)
    return Panel(
        measure,
        figure_of(measure, table.rows(measure.dimension)),
        lines,
        tuple((frame.y(frame.ceiling * part), share_of_axis(frame.ceiling * part)) for part in (0.0, 0.5, 1.0)),
        _labels(steps, frame),
        tuple(row for row in rows if any(one.of for one in row.figures)),
        groups,
    )


def _ceiling(figures: Sequence[Figure]) -> float:
    """Choose the top of the axis: above every rate, and above the intervals that say something."""
    tops = [
        one.high
        for one in figures
        if one.low is not None and one.high is not None and one.high - one.low <= _WIDEST_BAND
    ]
    if not tops:
        return 1.0
    top = max([*tops, *(one.share for one in figures if one.share is not None)])
    return next((one for one in CEILINGS if one >= top), 1.0)


def _line(group: str, number: int, steps: Sequence[tuple[int, Figure]], frame: _Frame) -> Line:
    runs: list[list[Mark]] = [[]]
    for at, figure in steps:
        if figure.share is None or figure.low is None or figure.high is None:
            runs.append([])
            continue
        said = f"{moment(at)}: {figure.said}"
        mark = Mark(frame.x(at), frame.y(figure.share), frame.y(figure.low), frame.y(figure.high), said)
        runs[-1].append(mark)
    whole = [run for run in runs if run]
    return Line(
        group,
        number,
        tuple(mark for run in whole for mark in run),
        "".join(_open_path([(mark.x, mark.y) for mark in run]) for run in whole),
        "".join(_band(run) for run in whole),
    )


def _open_path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _band(run: Sequence[Mark]) -> str:
    """Close the band around a run; a single step gets a narrow upright bar."""
    if len(run) == 1:
        only = run[0]
        return f"M{only.x - 2:.1f} {only.high:.1f}h4V{only.low:.1f}h-4z"
    above = [(mark.x, mark.high) for mark in run]
    below = [(mark.x, mark.low) for mark in reversed(run)]
    return _open_path([*above, *below]) + "z"


def _labels(steps: Sequence[int], frame: _Frame) -> tuple[tuple[float, str, str], ...]:
    """Write the time under some of the steps: where, what, and how the text is anchored there."""
    every = max(1, len(steps) // _ENOUGH_LABELS)
    long = frame.until_ns - frame.since_ns > 2 * 24 * 3_600_000_000_000
    return tuple(
        (frame.x(at), moment(at)[5:10] if long else moment(at)[11:16], "middle")
        for at in list(steps)[every // 2 :: every]
    )
