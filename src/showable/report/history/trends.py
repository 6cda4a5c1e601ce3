"""The trend of each bucket over runs, in SVG units. Only runs of the same questions, measured alike, are joined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from showable.measure.comparison import Share
from showable.measure.history import History, PastRun
from showable.report.history import words
from showable.report.untrusted import printable

WIDTH, HEIGHT = 420, 190
LEFT, RIGHT, TOP, FOOT = 40, 12, 16, 34
MOST_PLOTTED = 60
SHAPES = ("circle", "square", "triangle", "diamond")
"""Series differ by shape, not by colour; a fifth series takes the first shape again, and its line tells it apart."""
CEILINGS = (10, 20, 50, 100)
"""Percent at which the axis of a panel may end: the first that no interval goes beyond."""
_LETTER, _GAP, _MOST_FLAG, _LEVELS = 6.2, 8.0, 20, 3


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
class Flag:
    """The names of the baselines at `at`, written around `x`, on a `level` where no other name stands (0 is the lowest)."""

    at: float
    x: float
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Panel:
    """One bucket, or the acceptable answers. The axis ends at `ceiling` percent."""

    name: str
    ceiling: int
    marks: tuple[Mark, ...]
    lines: tuple[Line, ...]
    flags: tuple[Flag, ...]

    @property
    def above(self) -> float:
        """How much room the names take above the panel."""
        return 12.0 * max((flag.level for flag in self.flags), default=0)


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
    """Return the runs that are drawn: the newest sixty that hold questions."""
    return [run for run in history.runs if run.n][-MOST_PLOTTED:]


def _series(runs: Sequence[PastRun]) -> list[tuple[str, str]]:
    return list(dict.fromkeys(run.series for run in runs))


def _panel(name: str, runs: Sequence[PastRun], shares: Sequence[Share], shapes: dict[tuple[str, str], str]) -> Panel:
    ceiling = _ceiling(shares)
    marks = [
        _mark(_across(place, len(runs)), run, share, shapes[run.series], ceiling)
        for place, (run, share) in enumerate(zip(runs, shares, strict=True))
    ]
    last: dict[tuple[str, str], Mark] = {}
    lines = []
    for run, mark in zip(runs, marks, strict=True):
        if (before := last.get(run.series)) is not None:
            lines.append(Line(before.x, before.y, mark.x, mark.y))
        last[run.series] = mark
    return Panel(name, ceiling, tuple(marks), tuple(lines), tuple(_flags(marks)))


def _across(place: int, of: int) -> float:
    inner = WIDTH - LEFT - RIGHT
    return LEFT + inner / 2 if of == 1 else LEFT + 12 + (inner - 24) * place / (of - 1)


def _ceiling(shares: Sequence[Share]) -> int:
    highest = max((100 * share.high for share in shares if share.high is not None), default=100.0)
    return next(end for end in CEILINGS if highest <= end or end == CEILINGS[-1])


def _flags(marks: Sequence[Mark]) -> Iterator[Flag]:
    """Yield the names of baselines, each on the lowest level with room for it; one that finds none is only told on its mark."""
    ends = [float(LEFT)] * _LEVELS
    for mark in marks:
        if not mark.pinned:
            continue
        text = printable(mark.pinned, limit=_MOST_FLAG)
        half = _LETTER * len(text) / 2
        x = min(max(mark.x, LEFT + half), WIDTH - half)
        level = next((level for level, end in enumerate(ends) if x - half >= end), None)
        yield Flag(mark.x, x, level or 0, "" if level is None else text)
        if level is not None:
            ends[level] = x + half + _GAP


def _mark(x: float, run: PastRun, share: Share, shape: str, ceiling: int) -> Mark:
    value, low, high = share.share or 0.0, share.low or 0.0, 1.0 if share.high is None else share.high
    between = f"95 % interval {100 * low:.1f}–{100 * high:.1f} %"
    pinned = ", ".join(run.pinned)
    said = f"{words.moment(run)} {run.folder}: {share.count} of {share.n}, {between}"
    if pinned:
        said += f", pinned as {pinned}"
    y, foot, top = (_up(one, ceiling) for one in (value, low, high))
    return Mark(x, y, foot, top, shape, run.when[5:10], pinned, said)


def _up(share: float, ceiling: int) -> float:
    return TOP + (HEIGHT - TOP - FOOT) * (1.0 - 100 * share / ceiling)
