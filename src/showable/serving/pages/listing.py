"""A page of the list of answers, latest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from showable.serving.pages.view import View
from showable.stores.traces.store import AnswerRow, TraceStore

PAGE = 50


@dataclass(frozen=True, slots=True)
class Listing:
    """Some answers, and the id to go on after; None where these are the last."""

    rows: Sequence[AnswerRow]
    after: str | None


def listing_of(store: TraceStore, view: View, now_ns: int) -> Listing:
    """Ask for one page, and for one answer more, to know whether there is a next one."""
    rows = store.answers(view.where(now_ns), limit=PAGE + 1, after=view.after)
    return Listing(rows[:PAGE], rows[PAGE - 1].id if len(rows) > PAGE else None)
