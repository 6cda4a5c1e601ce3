"""A validation as one self-contained HTML page: a forest plot, every figure with its interval, reliability diagrams."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment

from showable.measure.calibration_error import ReliabilityBin
from showable.measure.validated import FileFigures, Macro, Validation
from showable.report.page_templates import page_templates
from showable.report.untrusted import printable
from showable.report.validation_text import COLUMNS
from showable.report.validation_words import YES, caveats, headline, lead_in_words, meaning, short_names, spent

SIDE, LEFT, TOP, FOOT = 220, 44, 12, 74
"""Reliability diagram, in SVG units: side of the plot, its left and upper margin, and the room below for counts and labels."""
_COUNTS = 30
_EXPLAINED = {
    "balanced_accuracy": "balanced accuracy",
    "tpr": "TPR",
    "tnr": "TNR",
    "auc": "AUC",
    "kappa": "kappa",
    "ece": "ECE",
    "f1": "F1",
    "bucket_accuracy": "same bucket",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure ready to be laid out: percent, and its interval in percent, each None where there is none."""

    head: str
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Point:
    """One bin of a reliability diagram in SVG units, and what a reader is told of it."""

    x: float
    y: float
    low: float
    high: float
    left: float
    width: float
    bar: float
    n: int
    said: str


@dataclass(frozen=True, slots=True)
class Line:
    """One file, or the mean over files."""

    name: str
    figures: FileFigures | Macro
    first: Cell
    cells: tuple[Cell, ...]
    baseline: float | None
    lead: str | None


def render_validation_html(found: Validation) -> str:
    """Render a validation as a page that loads nothing and needs no script. All text that came from files is escaped."""
    names = short_names(found.files)
    lines = [_line(names[file.file], file, found.task) for file in found.files]
    mean = [_line("mean over files", found.macro, found.task)] if len(found.files) > 1 else []
    return (
        _environment()
        .get_template("validation.html.j2")
        .render(
            found=found,
            title=headline(found),
            meaning=meaning(found),
            caveats=caveats(found),
            spent=spent(found),
            yes=YES[found.task],
            lines=[*lines, *mean],
            files=[(line, points(line.figures.reliability)) for line in lines if isinstance(line.figures, FileFigures)],
            side=SIDE,
            left=LEFT,
            top=TOP,
            foot=FOOT,
        )
    )


@cache
def _environment() -> Environment:
    return page_templates(line=printable, points=_points, percent=_percent)


def _points(fraction: float | None) -> str:
    return "–" if fraction is None else f"{100 * fraction:.1f}"


def _percent(fraction: float | None) -> str:
    return "not measurable" if fraction is None else f"{_points(fraction)} %"


def _line(name: str, figures: FileFigures | Macro, task: str) -> Line:
    cells = [_cell(figures, column.name) for column in COLUMNS[task] if column.interval]
    baseline = figures.baseline.get("coverage_balanced_accuracy", figures.baseline.get("usual_words_balanced_accuracy"))
    lead = None if figures.lead is None else lead_in_words(figures.lead)
    return Line(name, figures, cells[0], tuple(cells), None if baseline is None else 100 * baseline, lead)


def _cell(figures: FileFigures | Macro, name: str) -> Cell:
    value: float | None = getattr(figures, name)
    low, high = figures.intervals.get(name) or (None, None)
    return Cell(_EXPLAINED[name], *(None if one is None else 100 * one for one in (value, low, high)))


def points(bins: Sequence[ReliabilityBin]) -> tuple[Point, ...]:
    """Place bins in the diagram: p to the right, the observed share upwards, the counts as bars below."""
    most = max((one.n for one in bins), default=1)
    return tuple(
        Point(
            x=LEFT + SIDE * one.mean_p,
            y=_up(one.observed),
            low=_up(one.observed_low),
            high=_up(one.observed_high),
            left=LEFT + SIDE * one.low,
            width=SIDE * (one.high - one.low),
            bar=_COUNTS * one.n / most,
            n=one.n,
            said=f"p {one.low:.1f} to {one.high:.1f}: {one.n} rows, mean p {100 * one.mean_p:.1f} %, people say yes to "
            f"{100 * one.observed:.1f} % (95 % CI {100 * one.observed_low:.1f}–{100 * one.observed_high:.1f})",
        )
        for one in bins
    )


def _up(share: float) -> float:
    return TOP + SIDE * (1 - share)
