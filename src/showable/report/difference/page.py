"""A difference of two runs as one self-contained page: the gate on top, then what moved, both answers side by side."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from showable.measure.decision import Decision
from showable.report.category_table import EXPECTED_NOTE
from showable.report.decision_words import label_of, reasons_of, verdict_of
from showable.report.difference.changes import Change, Compared, Foremost, folded
from showable.report.difference.sides import anchor_of, question_of
from showable.report.difference.tables import (
    IN_ORDER,
    bucket_lines,
    category_keys,
    category_rows,
    cause_rows,
    finder,
    flow_rows,
    rules,
)
from showable.report.flaky_words import flaky_sides, repeats_in_words
from showable.report.page_templates import page_templates
from showable.report.rate_words import RATES_NOTE, change_said, rate_sides
from showable.report.released_words import released_in_words
from showable.report.run_view import Entry
from showable.report.untrusted import printable

MOST_BYTES = 13_000_000
"""The page stays below this many bytes: questions beyond it are named alone, as those beyond the caps of `changes` are."""
MOST_ANSWERS_BYTES = 2_000_000
"""Of these, at most so many for other answers with the same outcome."""
_MOST_LINE = 600
_MOST_ID = 160
_MOST_NAME = 80
_MOST_LISTED = 2_000


@dataclass(frozen=True, slots=True)
class _Laid:
    """Questions as they stand on the page, and the ids of those that are named alone or counted alone."""

    articles: tuple[Markup, ...]
    named: tuple[str, ...]
    unnamed: int


def render_difference(decision: Decision, runs: Compared) -> str:
    """Render what moved between two runs, and the gate's decision on them, as one page that works from disk.

    Of questions that moved the worst come first; those left out are named or counted. All text of records is escaped.
    Where the gate folded repeats, the answers shown are of the runs given.
    """
    changes = runs.changes
    keys = category_keys(changes)
    answers, spent = _within(
        changes.other_answer, _render(changes.other_answer, runs.before, keys, "other"), MOST_ANSWERS_BYTES
    )
    outcomes, _ = _within(
        changes.other_outcome, _render(changes.other_outcome, runs.before, keys, "moved"), MOST_BYTES - spent
    )
    return _page(decision, runs, outcomes, answers)


def _render(
    kept: Foremost[Change], entries: Mapping[str, Entry], keys: Mapping[str, str], macro: str
) -> Iterator[Markup]:
    module: Any = _environment().get_template("difference/question.html.j2").module
    lay_out = getattr(module, macro)
    for change in kept.kept():
        yield Markup(lay_out(question_of(change, entries[change.id]), keys[change.category]))  # noqa: S704 - a macro's output


def _within(kept: Foremost[Change], rendered: Iterator[Markup], budget: int) -> tuple[_Laid, int]:
    """Take what fits into the budget, from the first on; name the rest, and count what is not named."""
    articles: list[Markup] = []
    spent = 0
    for article in rendered:
        size = len(article.encode())
        if spent + size > budget:
            break
        articles.append(article)
        spent += size
    named = kept.names()[len(articles) :][:_MOST_LISTED]
    return _Laid(tuple(articles), tuple(named), kept.count - len(articles) - len(named)), spent


def _page(decision: Decision, runs: Compared, outcomes: _Laid, answers: _Laid) -> str:
    changes = runs.changes
    first = changes.other_outcome.kept()[: len(outcomes.articles)]
    then = changes.other_answer.kept()[: len(answers.articles)]
    anchors = {change.id: anchor_of(change.id) for change in (*first, *then)}
    find = finder([(change, anchors[change.id]) for change in first], category_keys(changes))
    environment = _environment()
    style = environment.get_template("difference/style.css.j2").render()
    script = environment.get_template("difference/script.js.j2").render()
    return environment.get_template("difference/page.html.j2").render(
        decision=decision,
        baseline=runs.baseline,
        candidate=runs.candidate,
        changes=changes,
        verdict=verdict_of(decision, identical=changes.identical),
        reasons=reasons_of(decision),
        buckets=bucket_lines(changes, IN_ORDER),
        flow_sums=bucket_lines(changes),
        expected_note=EXPECTED_NOTE,
        rules=rules(decision.lines, anchors),
        flows=flow_rows(changes, find),
        categories=category_rows(changes, decision, anchors, find),
        rates=[
            (change.name, *rate_sides(change), change_said(change)) for change in decision.rates if change.questions
        ],
        rates_note=RATES_NOTE,
        causes=cause_rows(changes, find),
        outcomes=outcomes,
        answers=answers,
        several=folded(decision, changes),
        repeats=repeats_in_words(decision),
        released=released_in_words(decision),
        flaky=flaky_sides(decision),
        style=Markup(style),  # noqa: S704 - a file of this package
        script=Markup(script),  # noqa: S704 - a file of this package
        hashes=(_hash(style), _hash(script)),
    )


def _hash(text: str) -> str:
    """Name a text as a Content-Security-Policy does (CSP level 3, 2.3.1)."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def _environment() -> Environment:
    return page_templates(
        line=_line, key=_key, name=_name, text=_text, words=_words, label=label_of, capfirst=_capfirst
    )


def _line(text: object) -> str:
    return printable(str(text), limit=_MOST_LINE)


def _key(text: str) -> str:
    return printable(text, limit=_MOST_ID)


def _name(text: str) -> str:
    return printable(text, limit=_MOST_NAME)


def _text(text: str) -> str:
    return printable(text, one_line=False)


def _words(code: str) -> str:
    return code.replace("_", " ")


def _capfirst(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
