"""The window of answers that a batch is built from: a whole run, or the last days of a store."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from showable.production.feed.answers import Answered, answers_of_run, answers_of_store
from showable.production.feed.dimensions import Plan
from showable.production.feed.facts import Facts, facts_of
from showable.production.feed.issues import Window
from showable.production.feed.items import Item, standing
from showable.production.feed.trend import DAY_NS
from showable.records.signature import Thresholds
from showable.records.spans import Span
from showable.stores.run_folder import need_finished_run
from showable.stores.traces.opening import open_trace_store
from showable.stores.traces.store import TraceStore, Where
from showable.traces.conventions.read import read_span

_MOST_PLANS = 5_000
"""Failing answers whose spans are read for what the trace says of them."""


def read_run_window(path: Path) -> Window:
    """Return all answers of a run. Raises InputError where it holds none, or half of one."""
    _, signature = need_finished_run(path)
    return Window([facts_of(one, signature.thresholds) for one in answers_of_run(path)])


def read_store_window(store: TraceStore, now_ns: int, days: int, held: Mapping[str, Item]) -> Window:
    """Return the answers of the last days of a store, up to now; `held` are items that were read before. Raises StoreError as the store does."""
    since, until = now_ns - days * DAY_NS, now_ns
    found: list[Facts] = []
    plans = 0
    for one in answers_of_store(store, Where(since_ns=since, until_ns=until)):
        plan = None
        if plans < _MOST_PLANS and standing(one.card) == "failing" and one.traced is not None and one.traced.complete:
            plan, plans = _plan(store.spans_of(one.trace)), plans + 1
        found.append(facts_of(one, Thresholds(), plan, held.get(one.card.id)))
    return Window(found, since, until)


def _plan(spans: Sequence[Span]) -> Plan:
    """Return what the spans of a trace say of how its answer came about."""
    facts = [read_span(span) for span in spans]
    searches = [one.input_text for one in facts if one.kind in {"RETRIEVER", "VECTOR_DB"} and one.input_text]
    return Plan(errors=sum(span.status == "error" for span in spans), repeated=len(searches) - len(set(searches)))


def read_answers(run: Path | None, store: str | None, days: int) -> list[Answered]:
    """Return the answers of a run, or of the last days of a store. Raises InputError or StoreError as those do."""
    if run is not None:
        return list(answers_of_run(run))
    held = open_trace_store(str(store), make=False)
    try:
        now = time.time_ns()
        return list(answers_of_store(held, Where(since_ns=now - days * DAY_NS, until_ns=now)))
    finally:
        held.close()
