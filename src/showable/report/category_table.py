"""Categories of question on the terminal: what each called for, and what came of it."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from showable.measure.expectations import UNCATEGORISED, Expected
from showable.measure.rates import percent, wilson_interval
from showable.measure.summary import Summary
from showable.report.untrusted import printable

_COLUMNS = (
    ("correct", "correct"),
    ("refused", "refused"),
    ("wrong", "wrong"),
    ("unsupported", "unsup."),
    ("unknown", "unknown"),
)
_WIDE, _WITH_INTERVALS = 80, 92
"""Columns of the terminal from which counts stand in columns, and from which intervals stand beside them."""
EXPECTED_NOTE = (
    "As expected: in a bucket that the question calls for, of those decided. Refusing what can be answered may be shown,"
    " and is not as expected."
)


def category_table(summary: Summary, width: int) -> Table | None:
    """Lay out a row a category, for a terminal so many columns wide; None where the questions have no categories."""
    if set(summary.categories) <= {UNCATEGORISED}:
        return None
    return _in_columns(summary, intervals=width >= _WITH_INTERVALS) if width >= _WIDE else _in_words(summary)


def _in_columns(summary: Summary, *, intervals: bool) -> Table:
    asked = ["as expected", *(["95 %"] if intervals else [])] if summary.expected else []
    heads = ["", "n", *asked, *(head for _, head in _COLUMNS)]
    table = Table.grid(padding=(0, 2, 0, 0))
    for place, _ in enumerate(heads):
        table.add_column(justify="right" if place else "left", no_wrap=bool(place), overflow="fold")
    table.add_row(*(Text(head, style="dim") for head in heads))
    for name, buckets in summary.categories.items():
        met = _met(summary.expected.get(name))[: len(asked)]
        counts = [str(buckets[bucket]) for bucket, _ in _COLUMNS]
        table.add_row(*map(Text, [printable(name, limit=40), str(sum(buckets.values())), *met, *counts]))
    return table


def _in_words(summary: Summary) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, overflow="fold")
    table.add_column(overflow="fold")
    for name, buckets in summary.categories.items():
        met = f"{_met(summary.expected[name])[0]} as expected: " if name in summary.expected else ""
        counts = ", ".join(f"{buckets[bucket]} {bucket}" for bucket, _ in _COLUMNS if buckets[bucket])
        table.add_row(Text(printable(name, limit=40)), Text(f"{met}{counts}"))
    return table


def _met(expected: Expected | None) -> list[str]:
    """Return how many of those decided are as expected, and the interval of their share."""
    if expected is None:
        return ["–", ""]
    decided = expected.met + expected.missed
    if not decided:
        return ["none decided", ""]
    low, high = wilson_interval(expected.met / decided, decided)
    return [f"{expected.met}/{decided}", f"{percent(low)}–{percent(high)}"]
