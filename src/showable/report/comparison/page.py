"""A comparison as one self-contained page that works from disk and needs no script."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256

from jinja2 import Environment
from markupsafe import Markup

from showable.measure.comparison import Comparison
from showable.report.category_table import EXPECTED_NOTE
from showable.report.comparison import charts, scatter, words
from showable.report.decision_words import p_value
from showable.report.page_templates import page_templates
from showable.report.untrusted import printable

_MOST_MOVED = 300
_MOST_NAME, _MOST_LINE, _MOST_LABEL, _MOST_SAID = 80, 400, 30, 2_000


def render_comparison_page(comparison: Comparison) -> str:
    """Render a comparison. All text of runs is escaped; of the questions that the licence moved the worst 300 are named."""
    environment = _environment()
    style = environment.get_template("comparison/style.css.j2").render()
    return environment.get_template("comparison/page.html.j2").render(
        comparison=comparison,
        words=words,
        rows=words.by_number(comparison),
        categories=words.category_names(comparison),
        expects=words.expects(comparison),
        expected_note=EXPECTED_NOTE,
        crossings={(one.baseline, one.candidate): one for one in comparison.gate},
        bars=charts.bars_of(comparison),
        scatter=scatter.scatter_of(comparison),
        plot=scatter,
        charts=charts,
        classed=any(row.model_class != "not said" for row in comparison.rows),
        repeated=any(row.repeats > 1 for row in comparison.rows),
        most_moved=_MOST_MOVED,
        style=Markup(style),  # noqa: S704 - a file of this package
        style_hash=f"sha256-{b64encode(sha256(style.encode()).digest()).decode()}",
    )


@cache
def _environment() -> Environment:
    return page_templates(line=_line, name=_name, short=_short, said=_said, p=p_value)


def _line(text: object) -> str:
    return printable(str(text), limit=_MOST_LINE)


def _said(text: str) -> str:
    return printable(text, limit=_MOST_SAID)


def _name(text: str) -> str:
    return printable(text, limit=_MOST_NAME)


def _short(text: str) -> str:
    return printable(text, limit=_MOST_LABEL)
