"""A calibration as one self-contained HTML page: what the judge can be trusted with first, then every figure behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment
from markupsafe import Markup

from showable.measure.calibration_report import (
    ALL_KINDS,
    Agreement,
    Bought,
    CalibrationReport,
    Graded,
    KindFit,
)
from showable.records.signature import Thresholds
from showable.report import calibration_fit_words as fit_words
from showable.report import calibration_words as words
from showable.report.calibration_figures import (
    Figure,
    among_people,
    before_and_after,
    bounds,
    corrected_figures,
    figures,
    gain,
)
from showable.report.page_templates import page_templates
from showable.report.untrusted import printable
from showable.report.validation_html import FOOT, LEFT, SIDE, TOP, Point, points

_ID_LIMIT = 80


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a confusion table: what people say, then the counts, then how many there are."""

    label: str
    cells: tuple[tuple[str, int, bool], ...]
    n: int


@dataclass(frozen=True, slots=True)
class Confusion:
    """People's words down, the tool's across."""

    heads: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Beside:
    """What people reach among themselves on the same question, and how the judge compares."""

    figures: tuple[Figure, ...]
    raters: int
    said: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gain:
    """What a fit buys in one figure: before, after, and the difference with its interval."""

    before: str
    after: str
    figure: Figure
    settled: str


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that the tool decides, of one kind of claim or of all."""

    title: str
    standing: words.Said
    found: Agreement
    figures: tuple[Figure, ...]
    confusion: Confusion | None
    beside: Beside | None
    fit: KindFit | None = None
    gains: tuple[Gain, ...] = ()
    corrected: tuple[Figure, Figure] | None = None

    @property
    def measured(self) -> bool:
        """Check whether any figure could be."""
        return any(one.value is not None for one in self.figures)


@dataclass(frozen=True, slots=True)
class Diagram:
    """One reliability diagram: its heading, its bins placed, and how many rows it rests on."""

    head: str
    dots: tuple[Point, ...]
    n: int


def render_calibration_html(report: CalibrationReport) -> str:
    """Render a calibration as a page that loads nothing and needs no script. All text that came from files is escaped."""
    return _environment().get_template("page.html.j2").render(body=calibration_body(report), judge=report.judge)


def calibration_body(report: CalibrationReport) -> Markup:
    """Render what stands on the page, without its head: for another page to hold. Its style is `calibration_style`."""
    body = _environment().get_template("body.html.j2")
    return Markup(body.render(**_view(report)))  # noqa: S704 - the template escapes all that it is given


def calibration_style() -> str:
    """Return the style sheet that the body is made for."""
    return _environment().get_template("style.css.j2").render()


@cache
def _environment() -> Environment:
    return page_templates(
        "templates/calibration", line=printable, drawn=drawn, head=_head, whole=words.unbroken, capital=_capital
    )


def _head(text: str) -> str:
    """Write a heading that came from a file: short, and with a capital where it is prose."""
    shown = printable(text.replace("_", " "), limit=_ID_LIMIT)
    return shown[:1].upper() + shown[1:]


def _capital(text: str) -> str:
    """Begin a sentence that came from elsewhere with a capital, and end it without its full stop."""
    shown = printable(text).removesuffix(".")
    return shown[:1].upper() + shown[1:]


def _view(report: CalibrationReport) -> dict[str, object]:
    return {
        "report": report,
        "words": words,
        "fit_words": fit_words,
        "overall": words.overall_figure(report),
        "standings": words.standings(report),
        "parts": [_part(found, report) for found in report.agreement.values()],
        "kinds": [_kind(one, report) for one in report.per_kind],
        "gains": [(said, _gains(one, _n_of_support(report))) for said, one in fit_words.gains_of(report)],
        "thresholds": _thresholds(report),
        "diagrams": _diagrams(report),
        "corrected": [(_named(name), one, corrected_figures(one)) for name, one in report.corrected.items()],
        "held_out": [_part(one, report, people=False) for one in _held_out(report)],
        "units": {"width": WIDTH, "height": HEIGHT, "side": SIDE, "left": LEFT, "top": TOP, "foot": FOOT},
    }


def _named(rate: str) -> str:
    known: dict[str, Graded] = {name: name for name in words.SUBJECTS}
    return words.SUBJECTS[known[rate]] if rate in known else rate.replace("_", " ")


def _n_of_support(report: CalibrationReport) -> int:
    support = report.agreement.get("support")
    return 0 if support is None else support.n


def _held_out(report: CalibrationReport) -> list[Agreement]:
    """Return what was measured on the hold-out: the judge, then the other graders."""
    return [*([report.held_out] if report.held_out else []), *report.held_out_answers.values()]


def _part(found: Agreement, report: CalibrationReport, *, people: bool = True) -> Part:
    beside = _beside(found, report) if people and found.kind == ALL_KINDS else None
    return Part(
        title=words.subject_of(found.rubric, found.kind),
        standing=words.standing_of(found),
        found=found,
        figures=figures(found),
        confusion=confusion_of(found),
        beside=beside,
    )


def _kind(fit: KindFit, report: CalibrationReport) -> Part:
    part = _part(fit.agreement, report)
    return Part(
        title=part.title,
        standing=part.standing,
        found=part.found,
        figures=part.figures,
        confusion=part.confusion,
        beside=None,
        fit=fit,
        gains=_gains(fit.bought, fit.agreement.n),
        corrected=corrected_figures(fit.corrected) if fit.corrected else None,
    )


def confusion_of(found: Agreement) -> Confusion | None:
    """Lay out the counts: every word that either side used, in the order in which they come."""
    if not found.confusion:
        return None
    heads = list(dict.fromkeys(head for counts in found.confusion.values() for head in counts))
    rows = [
        Row(
            label=label,
            cells=tuple((head, counts.get(head, 0), head == label) for head in heads),
            n=sum(counts.values()),
        )
        for label, counts in found.confusion.items()
    ]
    return Confusion(tuple(heads), tuple(rows))


def _beside(found: Agreement, report: CalibrationReport) -> Beside | None:
    people = words.people_for(found.rubric, report.inter_rater)
    if people is None:
        return None
    judge = next(one for one in figures(found) if one.name == "kappa")
    figure = words.people_figure(found.rubric, report.inter_rater)
    said = "" if figure is None else words.beside_people(judge, figure)
    return Beside(among_people(people), people.raters, said, people.notes)


def _gains(bought: Sequence[Bought], n: int) -> tuple[Gain, ...]:
    made = []
    for one in bought:
        before, after = before_and_after(one)
        figure = gain(one, n)
        made.append(Gain(before, after, figure, _settled(one)))
    return tuple(made)


def _settled(one: Bought) -> str:
    """Return whether the difference is one."""
    if one.low is None or one.high is None:
        return "too few labels to say"
    less_is_better = one.figure in {"ece", "brier"}
    if one.low > 0 or one.high < 0:
        return "better" if (one.low > 0) != less_is_better else "worse"
    return "not told apart from no change"


def _thresholds(report: CalibrationReport) -> list[tuple[str, float, str]]:
    """Return what each threshold is for, where it lies, and on which scale that is."""
    found: Thresholds | None = report.thresholds
    if found is None:
        return []
    common = ("all other kinds" if found.per_kind else "all claims", found.support, fit_words.own_scale(report))
    return [common, *((kind, at, fit_words.own_scale(report, kind)) for kind, at in sorted(found.per_kind.items()))]


def _diagrams(report: CalibrationReport) -> list[Diagram]:
    after = (
        "After recalibration" if "recalibration" in report.taken else "After a recalibration that was not taken over"
    )
    both = (("As the judge states it", report.reliability), (after, report.reliability_after))
    return [Diagram(head, points(bins), sum(one.n for one in bins)) for head, bins in both if bins]


# Where the marks of a calibration's charts stand, in SVG units. Drawn on the server; no script moves them.


WIDTH, MARGIN, HEIGHT = 220.0, 8.0, 18.0
"""A range: the whole width, the margin on each side so that a mark at the end is whole, and the height."""


@dataclass(frozen=True, slots=True)
class Range:
    """A figure on its scale: the mark, the ends of its interval, and where chance lies; None where there is none."""

    at: float
    low: float | None
    high: float | None
    chance: float | None
    said: str


def drawn(figure: Figure, beside: Sequence[Figure] = ()) -> Range | None:
    """Place a figure on the scale that it shares with those beside it; None where it was not measurable."""
    if figure.value is None:
        return None
    ends = bounds(figure, beside)
    low, high = (None, None) if figure.interval is None else (_across(one, ends) for one in figure.interval)
    chance = None if figure.chance is None else _across(figure.chance, ends)
    return Range(_across(figure.value, ends), low, high, chance, str(figure))


def _across(value: float, ends: tuple[float, float]) -> float:
    """Place a value; what lies outside the scale stands at its end."""
    share = (value - ends[0]) / (ends[1] - ends[0])
    return MARGIN + (WIDTH - 2 * MARGIN) * min(1.0, max(0.0, share))
