"""Runs over time as one self-contained page that needs no script."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from urllib.parse import quote

from jinja2 import Environment
from markupsafe import Markup

from showable.measure.history import History
from showable.report.history import trends, words
from showable.report.page_templates import page_templates
from showable.report.untrusted import printable

_MOST_NAME, _MOST_LINE, _MOST_LISTED = 80, 400, 1_000


def render_history_page(history: History, *, runs_at: str = ".") -> str:
    """Render the runs of a folder; `runs_at` is the way from where the page will lie to that folder, for its links.

    All text of runs is escaped. The newest sixty runs are drawn, the newest thousand listed.
    """
    environment = _environment()
    style = environment.get_template("history/style.css.j2").render()
    return environment.get_template("history/page.html.j2").render(
        history=history,
        words=words,
        panels=trends.panels_of(history),
        series=trends.series_of(history),
        drawn=len(trends.plotted(history)),
        units=trends,
        listed=history.runs[-_MOST_LISTED:][::-1],
        at=runs_at,
        style=Markup(style),  # noqa: S704 - a file of this package
        style_hash=f"sha256-{b64encode(sha256(style.encode()).digest()).decode()}",
    )


@cache
def _environment() -> Environment:
    return page_templates(line=_line, name=_name, address=_address)


def _line(text: object) -> str:
    return printable(str(text), limit=_MOST_LINE)


def _name(text: str) -> str:
    return printable(text, limit=_MOST_NAME)


def _address(path: str, at: str) -> str:
    """Write a relative address; a colon in it is quoted, so that it names no scheme."""
    return quote(f"{at}/{path}", safe="/", errors="replace")
