"""What the first page says of the answers: rates over time and by group, and what can be filtered by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from showable.serving.pages.charts import Panel, panel_of
from showable.serving.pages.rates import BUCKETS, DIMENSIONS, MEASURES, RUBRICS, Figure, figure_of, table_of
from showable.serving.pages.view import BY_WORDS, BYS, View
from showable.serving.pages.words import group_name
from showable.stores.traces.store import By, TraceStore

MOST_GROUPS = 20
MOST_FAILURES = 8


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A row of the table: a group, its answers, how many were judged, and every rate."""

    name: str
    value: str | None
    answers: int
    judged: int
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Rates:
    """All rates of a window."""

    rubrics: tuple[Panel, ...]
    buckets: tuple[Panel, ...]
    rows: tuple[GroupRow, ...]
    more_groups: int
    answers: int
    judged: int


def rates_of(store: TraceStore, view: View, now_ns: int) -> Rates:
    """Ask for the counts of the window and lay them out."""
    step = view.stretch.step_ns
    counts = store.counts(view.where(now_ns), dimensions=DIMENSIONS, by=view.compare, step_ns=step)
    table = table_of(counts)
    window = (view.since(now_ns), now_ns)
    panels = {one.name: panel_of(one, table, window, step) for one in MEASURES}
    groups: list[str | None] = [*table.groups[:MOST_GROUPS]] if view.compare else []
    rows = []
    for group in [*groups, None]:
        answers, judged = table.answers(group)
        name = "all answers" if group is None else group_name(group)
        figures = tuple(figure_of(one, table.rows(one.dimension, group)) for one in MEASURES)
        rows.append(GroupRow(name, group, answers, judged, figures))
    answers, judged = table.answers()
    return Rates(
        tuple(panels[one.name] for one in RUBRICS),
        tuple(panels[one.name] for one in BUCKETS),
        tuple(rows),
        max(0, len(table.groups) - MOST_GROUPS) if view.compare else 0,
        answers,
        judged,
    )


def choices_of(store: TraceStore) -> dict[By, Sequence[str]]:
    """Return the values that can be filtered by; what all answers have alike is no choice."""
    return {by: store.values(by) for by in BYS}


def filter_words(view: View) -> str:
    """Return in words what is filtered by; "" where nothing is."""
    return ", ".join(f"{BY_WORDS[by]} {group_name(value)}" for by, value in view.filters.items())
