"""The trend of each bucket over runs, in SVG units. Only runs of the same questions, measured alike, are joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probative.measure.comparison import Share
from probative.measure.history import History, PastRun
from probative.report.history import words

WIDTH, HEIGHT = 420, 190
LEFT, RIGHT, TOP, FOOT = 40, 12, 16, 34
MOST_PLOTTED = 60
SHAPES = ("circle", "square", "triangle", "diamond")
"""Series differ by shape, not by colour; a fifth series takes the first shape again, and its line tells it apart."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One run in a panel, with the interval of its share. `pinned` are the baselines that stand for it."""

    x: float
    y: float
    low: float
    high: float
    shape: str
    label: str
    pinned: str
    said: str


@dataclass(frozen=True, slots=True)
class Line:
    """Two runs that follow one another in a series."""

    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True, slots=True)
class Panel:
    """One bucket, or the acceptable answers."""

    name: str
    marks: tuple[Mark, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """Runs that may be compared: their shape, their question set and signature, and how many there are."""

    shape: str
    questions: str
    fingerprint: str
    signature: str
    count: int


def panels_of(history: History) -> list[Panel]:
    """Lay out a panel a bucket, and one for the acceptable answers first, over the newest sixty runs."""
    runs = plotted(history)
    shapes = {one: SHAPES[place % len(SHAPES)] for place, one in enumerate(_series(runs))}
    panels = [_panel("acceptable", runs, [run.acceptable for run in runs], shapes)]
    return panels + [_panel(name, runs, [run.buckets[name] for run in runs], shapes) for name in words.BUCKETS]


def series_of(history: History) -> list[Series]:
    """Describe the series in the order in which they first appear."""
    runs = plotted(history)
    described = []
    for place, key in enumerate(_series(runs)):
        mine = [run for run in runs if run.series == key]
        described.append(Series(SHAPES[place % len(SHAPES)], mine[0].questions, key[0], key[1], len(mine)))
    return described


def plotted(history: History) -> Sequence[PastRun]:
    """Give the runs that are drawn: the newest sixty that hold questions."""
    return [run for run in history.runs if run.n][-MOST_PLOTTED:]


def _series(runs: Sequence[PastRun]) -> list[tuple[str, str]]:
    return list(dict.fromkeys(run.series for run in runs))


def _panel(name: str, runs: Sequence[PastRun], shares: Sequence[Share], shapes: dict[tuple[str, str], str]) -> Panel:
    marks = [
        _mark(place, len(runs), run, share, shapes[run.series])
        for place, (run, share) in enumerate(zip(runs, shares, strict=True))
    ]
    last: dict[tuple[str, str], Mark] = {}
    lines = []
    for run, mark in zip(runs, marks, strict=True):
        if (before := last.get(run.series)) is not None:
            lines.append(Line(before.x, before.y, mark.x, mark.y))
        last[run.series] = mark
    return Panel(name, tuple(marks), tuple(lines))


def _mark(place: int, of: int, run: PastRun, share: Share, shape: str) -> Mark:
    inner = WIDTH - LEFT - RIGHT
    x = LEFT + inner / 2 if of == 1 else LEFT + 12 + (inner - 24) * place / (of - 1)
    value, low, high = share.share or 0.0, share.low or 0.0, 1.0 if share.high is None else share.high
    between = f"95 % interval {100 * low:.1f}–{100 * high:.1f} %"
    pinned = ", ".join(run.pinned)
    said = f"{words.moment(run)} {run.folder}: {share.count} of {share.n}, {between}"
    if pinned:
        said += f", pinned as {pinned}"
    return Mark(x, _up(value), _up(low), _up(high), shape, run.when[5:10], pinned, said)


def _up(share: float) -> float:
    return TOP + (HEIGHT - TOP - FOOT) * (1.0 - share)
