"""What the page of one trace is made of, worked out where the store is asked: a long trace takes a while."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from showable.serving.pages.answers import AnswerShown, answer_of
from showable.serving.pages.tree import MOST_OF_ALL, MOST_ROWS, TreeShown, tree_of
from showable.stores.traces.store import TraceStore

MOST_ANSWERS = 40
"""Answers of one trace that are laid out; a trace with more says how many there are."""


@dataclass(frozen=True, slots=True)
class TraceShown:
    """A trace: its tree (None: the store holds no span of it any more), its answers, and how many more there are."""

    tree: TreeShown | None
    answers: Sequence[AnswerShown]
    more: int


def trace_of(store: TraceStore, trace_id: str, *, every: bool) -> TraceShown | None:
    """Lay a trace out, with `every` span of it or those that matter; None where the store does not have it."""
    spans, scores = store.spans_of(trace_id), store.scores_of(trace_id)
    if not spans and not scores:
        return None
    answering = {score.answer.span_id for score in scores}
    return TraceShown(
        tree_of(spans, answering, most=MOST_OF_ALL if every else MOST_ROWS) if spans else None,
        [answer_of(number, score) for number, score in enumerate(scores[:MOST_ANSWERS], 1)],
        max(0, len(scores) - MOST_ANSWERS),
    )
