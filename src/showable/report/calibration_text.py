"""A calibration on the terminal: what the judge can be trusted with, the figures behind it, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap

from rich.console import Console
from rich.table import Table
from rich.text import Text

from showable.measure.calibration_report import Agreement, Bought, CalibrationReport, CorrectedRate, KindFit, RiskBound
from showable.report import calibration_fit_words as fit_words
from showable.report import calibration_words as words
from showable.report.calibration_figures import (
    GRADED,
    Figure,
    among_people,
    before_and_after,
    corrected_figures,
    figures,
    gain,
    in_units,
)
from showable.report.cost_words import cost_in_words
from showable.report.untrusted import printable

WIDTH = 100
_NARROWEST, _WIDE = 60, 96
_NAME_LIMIT = 40
_MOST_MISSING = 20
_STYLES: dict[words.Standing, str] = {"trusted": "green", "watched": "yellow", "chance": "red", "unsaid": "magenta"}


def render_calibration(report: CalibrationReport, *, console: Console) -> None:
    """Print a calibration, 100 columns wide in a log and on any terminal that is as wide, else as wide as the terminal."""
    width = max(_NARROWEST, min(WIDTH, console.width)) if console.is_terminal else WIDTH
    if not console.is_terminal:
        console.width = width  # rich would cut tables off at the 80 columns that it takes a log to have
    page = _Page(console, width)
    page.say(words.headline(report), style="bold")
    if (overall := words.overall_figure(report)) is not None:
        page.say(str(overall))
    page.say(words.lead(report), style="dim")
    if report.refused:
        page.head("Nothing was fitted", style="bold magenta")
        page.say(printable(report.refused.reason))
    _risk(report.risk, page)
    _standings(report, page)
    _missing(report, page)
    if report.agreement:
        _agreement(report, page)
    if report.per_kind:
        _kinds(report, page)
    held_out = [*([report.held_out] if report.held_out else []), *report.held_out_answers.values()]
    if held_out:
        page.head("On the hold-out, which nothing was fitted on")
    for one in held_out:
        page.say(_sentence(one), indent="  ")
        for note in one.notes:
            page.say(printable(note), style="dim", indent="  ")
    if report.thresholds or report.bought:
        _bought(report, page)
    _corrected(report, page)
    _outside(report, page)
    _foot(report, page)


class _Page:
    """Where lines go, and how wide they are."""

    def __init__(self, console: Console, width: int) -> None:
        self.console, self.width = console, width

    def say(self, text: str, *, style: str = "", indent: str = "") -> None:
        """Print a paragraph, wrapped; further lines begin with `indent`."""
        kept = words.unbroken(text)
        for line in wrap(kept, self.width, break_on_hyphens=False, break_long_words=False, subsequent_indent=indent):
            self.console.print(Text(line.replace(words.HARD_SPACE, " "), style=style), soft_wrap=True)

    def item(self, text: str) -> None:
        """Print a point of a list."""
        self.say(f"- {text}", indent="  ")

    def head(self, text: str, *, style: str = "bold") -> None:
        """Print a heading with an empty line before it."""
        self.console.print()
        self.say(text, style=style)

    def table(self, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Print a table; the first column gives way, the others are as wide as what they hold."""
        table = Table(box=None, pad_edge=False, padding=(0, 2 if self.width >= _WIDE else 1, 0, 0), width=self.width)
        for number, head in enumerate(heads):
            table.add_column(
                Text(head, style="dim"),
                justify="right" if number else "left",
                no_wrap=bool(number),
                overflow="fold",
                ratio=None if number else 1,
            )
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))
        self.console.print(table, width=self.width, soft_wrap=False)


def _risk(found: RiskBound | None, page: _Page) -> None:
    """Report from which probability on answers may be shown, and what every threshold tried would show, if that was asked."""
    if found is None:
        return
    page.head(f"At most {found.risk:.0%} of what is shown bad, with {found.confidence:.0%} confidence")
    if found.threshold is not None:
        page.say(f"Answers whose probability is {found.threshold:g} or more may be shown.")
    rows = [(f"{s.threshold:g}", f"{s.shown:,}", f"{s.bad:,}", f"{s.p_value:.4f}") for s in found.tested]
    page.table((f"shown from p, of {found.questions:,} questions", "shown", "bad", "p-value"), rows)


def _standings(report: CalibrationReport, page: _Page) -> None:
    """Report what the judge can be trusted with, what not, and what nobody can say yet."""
    for standing, said in words.standings(report).items():
        if said:
            page.head(f"{words.STANDINGS[standing]}:", style=f"bold {_STYLES[standing]}")
        for one in said:
            page.item(f"{one.subject}: {one.why}")
    if report.agreement:
        page.console.print()
        page.say(words.BAR, style="dim")


def _missing(report: CalibrationReport, page: _Page) -> None:
    said = words.all_missing(report)
    if said:
        page.head("What is missing")
    for one in said[:_MOST_MISSING]:
        page.item(one)
    if len(said) > _MOST_MISSING:
        page.item(f"and {len(said) - _MOST_MISSING} more: see --json")


def _agreement(report: CalibrationReport, page: _Page) -> None:
    """Print the figures by question, the intervals below them, people's own agreement on the last line of each."""
    page.head("Beside people, question by question")
    rates = [one for one in report.agreement.values() if one.rubric not in GRADED]
    if rates:
        page.table(_HEADS, (row for one in rates for row in _rows(words.subject_of(one.rubric, one.kind), one)))
    page.say(
        "In percent; kappa and AC1 beyond chance (0 is chance, 1 always alike). Below: the 95 % interval, and what it rests on.",
        style="dim",
    )
    for one in report.agreement.values():
        if one.rubric in GRADED:
            page.say(_sentence(one), indent="  ")
    for found in report.inter_rater:
        people = "; ".join(str(figure) for figure in among_people(found))
        page.say(f"People among themselves on {found.about.replace('_', ' ')} ({found.raters}): {people}.", indent="  ")
    notes = [(one.rubric.replace("_", " "), one.notes) for one in report.agreement.values()]
    notes += [(f"people on {one.about.replace('_', ' ')}", one.notes) for one in report.inter_rater]
    for said in words.by_note(notes):
        page.say(said, style="dim", indent="  ")
    for said, rubrics in _told_apart(report).items():
        page.say(f"{said} ({', '.join(rubrics)})", indent="  ")


def _told_apart(report: CalibrationReport) -> dict[str, list[str]]:
    """Return what is said of the judge beside people, and on which questions."""
    told: dict[str, list[str]] = {}
    for one in report.agreement.values():
        people = words.people_figure(one.rubric, report.inter_rater)
        if people is not None:
            judge = next(each for each in figures(one) if each.name == "kappa")
            told.setdefault(words.beside_people(judge, people), []).append(one.rubric.replace("_", " "))
    return told


_HEADS = ("", "n", "bal. acc.", "TPR", "TNR", "kappa", "AC1")
_NAMES = ("balanced_accuracy", "tpr", "tnr", "kappa", "ac1")


def _rows(name: str, found: Agreement) -> list[tuple[str, ...]]:
    """Lay one agreement out: the values, their intervals, and what each rests on."""
    by_name = {one.name: one for one in figures(found)}
    cells = [by_name[one] for one in _NAMES]
    shown = name[:1].upper() + name[1:]
    values = (shown, f"{found.n:,}", *(_bare(one) for one in cells))
    if all(one.value is None for one in cells):
        return [values]
    below = ("", "", *(_between(one) for one in cells))
    return [values, below, ("", "", *(f"n={one.n:,}" if one.value is not None else "" for one in cells))]


def _bare(figure: Figure) -> str:
    return "–" if figure.value is None else in_units(figure.value, figure.scale, bare=True)


def _between(figure: Figure) -> str:
    if figure.value is None:
        return ""
    if figure.interval is None:
        return "no CI"
    low, high = figure.interval
    if figure.scale == "kappa":
        return f"{low:.2f}–{high:.2f}".replace("-", "−").replace("0.", ".")
    return f"{100 * low:.0f}–{100 * high:.0f}"


def _sentence(found: Agreement) -> str:
    subject = words.subject_of(found.rubric, found.kind)
    return f"{subject[:1].upper()}{subject[1:]}: {'; '.join(str(one) for one in figures(found))}."


def _kinds(report: CalibrationReport, page: _Page) -> None:
    page.head("Kind by kind")
    rates = [one for one in report.per_kind if one.rubric not in GRADED]
    page.table(_HEADS, (row for one in rates for row in _rows(_kind_name(one), one.agreement)))
    for one in report.per_kind:
        if one.rubric in GRADED:
            page.say(_sentence(one.agreement), indent="  ")
        for said in _kind_said(one, report):
            page.say(f"{printable(one.kind, limit=_NAME_LIMIT)}: {said}", indent="  ")
    for said in words.by_note((_kind_name(one), one.agreement.notes) for one in report.per_kind):
        page.say(said, style="dim", indent="  ")


def _kind_name(one: KindFit) -> str:
    name = words.kind_name(one.rubric, one.kind)[:_NAME_LIMIT]
    return f"{name} (refusals)" if one.rubric.startswith("refusal") else name


def _kind_said(one: KindFit, report: CalibrationReport) -> list[str]:
    said = []
    if one.threshold is not None:
        at = f"p ≥ {one.threshold:.3g}{fit_words.own_scale(report, one.kind)}"
        said.append(
            f"threshold {at}{fit_words.folds(one, report)}" if one.fitted else f"none fitted for it, {at} holds"
        )
    if one.bought:
        gains = "; ".join(_gain_said(each, one.agreement.n) for each in one.bought)
        said.append(f"{fit_words.kinds_gain(report).lower()}: {gains}")
    if one.corrected:
        said.append(_corrected_said(one.corrected))
    if one.refused:
        missing = "; ".join(words.missing_in_words(each) for each in one.refused.missing)
        said.append(printable(one.refused.reason) + (f": {missing}" if missing else ""))
    return said


def _gain_said(one: Bought, n: int) -> str:
    before, after = before_and_after(one)
    figure = gain(one, n)
    return f"{figure.label} {before} → {after} on labels not fitted on: {_difference(figure)}"


def _difference(figure: Figure) -> str:
    if figure.value is None:
        return f"no difference measurable ({figure.counted})"
    between = f"95 % CI {figure.between}" if figure.interval else figure.between
    return f"{figure.written} ({between}, {figure.counted})"


def _bought(report: CalibrationReport, page: _Page) -> None:
    page.head("Thresholds and recalibration")
    if report.thresholds:
        common = f"p ≥ {report.thresholds.support:.3g}{fit_words.own_scale(report)}"
        own = sorted(report.thresholds.per_kind.items())
        kinds = "".join(f"; {printable(kind)}: p ≥ {at:.3g}{fit_words.own_scale(report, kind)}" for kind, at in own)
        page.say(f"A passage supports a claim at {common}{kinds}.", indent="  ")
    support = report.agreement.get("support")
    for said, gains in fit_words.gains_of(report):
        page.say(f"{said}:")
        for one in gains:
            page.item(_gain_said(one, support.n if support else 0))


def _corrected(report: CalibrationReport, page: _Page) -> None:
    if report.corrected:
        page.head("Rates with the judge's errors taken out (Rogan & Gladen 1978)")
    for name, one in report.corrected.items():
        page.item(f"{printable(name.replace('_', ' '))}: {_corrected_said(one)}")


def _corrected_said(one: CorrectedRate) -> str:
    seen, likely = corrected_figures(one)
    reason = f" ({printable(one.reason)})" if one.reason else ""
    return f"{seen}; {likely}{reason}"


def _outside(report: CalibrationReport, page: _Page) -> None:
    for head, said in (
        ("What took no part", words.outside(report)),
        ("To read the figures by", [printable(note) for note in report.notes]),
    ):
        if said:
            page.head(head)
        for one in said:
            page.item(one)


def _foot(report: CalibrationReport, page: _Page) -> None:
    page.console.print()
    if report.calibration:
        written = f", written to {printable(report.file)}" if report.file else ""
        page.say(f"calibration {printable(report.calibration)}{written}")
    if report.cost.calls:
        page.say(cost_in_words(report.cost))
    page.console.print(Text(f"signature {printable(str(report.signature))}", style="dim"), soft_wrap=True)
