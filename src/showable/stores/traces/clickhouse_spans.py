"""Spans in ClickHouse. One process writes them (the receiver, or an import): it gives each its position, and asks what is held first."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby

from showable.records.spans import Span, SpanEvent
from showable.stores.traces.clickhouse_engine import Engine
from showable.stores.traces.clickhouse_schema import DAY_NS
from showable.stores.traces.span_rows import (
    body_of,
    bounded,
    clean,
    event_body,
    event_from,
    kept_from,
    span_from,
    with_events,
)

Key = tuple[str, str]
Addressed = tuple[str, str, SpanEvent]
_WHOLE = "SELECT span_id, body FROM spans WHERE trace_id = ? ORDER BY position"


class Spans:
    """The spans of a store, and the position that the next one gets: the clock in nanoseconds, and always beyond the last."""

    def __init__(self, engine: Engine) -> None:
        """Begin behind what is held."""
        self.engine = engine
        self._last = int(engine.first("SELECT max(position) FROM spans")[0])

    def add(self, spans: Sequence[Span]) -> int:
        """Keep spans that are not held, with the events that waited for them; gives how many were new."""
        now = time.time_ns()
        with self.engine.held():
            held = self._held(spans, now)
            new = [span for key, span in {_key(s): s for s in reversed(spans)}.items() if key not in held]
            new.reverse()
            waiting = self._waiting(new)
            whole = [with_events(span, waiting.get(_key(span), ())) for span in new]
            self._insert([(span, bounded(kept_from(span, now))) for span in whole], again=False)
            self._stop_waiting(waiting)
        return len(new)

    def _held(self, spans: Sequence[Span], now: int) -> set[Key]:
        """Return the keys that are held already. A span delivered twice has one start, so that few granules are read."""
        traces = list({clean(span.trace_id) for span in spans})
        starts = [kept_from(span, 0) for span in spans]
        between: list[int] = []
        if all(starts) and max(starts) <= now:
            between = [min(starts), max(starts)]
        narrow = " AND at_ns BETWEEN ? AND ?" if between else ""
        query = f"SELECT trace_id, span_id FROM spans WHERE trace_id IN ?{narrow}"  # noqa: S608 - our own words
        return {(trace, span) for trace, span in self.engine.rows(query, (traces, *between))}

    def _insert(self, spans: Iterable[tuple[Span, int]], *, again: bool) -> None:
        """Add spans day by day: each insert is of one partition, and what is read on never shows a gap that is filled later."""
        by_day = sorted(spans, key=lambda pair: pair[1] // DAY_NS)
        for _, of_day in groupby(by_day, key=lambda pair: pair[1] // DAY_NS):
            rows = list(of_day)
            first = max(self._last + 1, time.time_ns())
            self._last = first + len(rows) - 1
            self.engine.insert(
                "spans",
                {
                    "position": list(range(first, first + len(rows))),
                    "trace_id": [clean(span.trace_id) for span, _ in rows],
                    "span_id": [clean(span.span_id) for span, _ in rows],
                    "parent_id": [clean(span.parent_id or "") for span, _ in rows],
                    "at_ns": [at for _, at in rows],
                    "service": [clean(span.service) for span, _ in rows],
                    "name": [clean(span.name) for span, _ in rows],
                    "again": [int(again)] * len(rows),
                    "body": [body_of(span).decode() for span, _ in rows],
                },
            )

    def add_events(self, events: Sequence[Addressed]) -> int:
        """Keep events that came apart from their spans; gives how many were new. A span that gets some stands at the end once more."""
        addressed: dict[Key, list[SpanEvent]] = {}
        for trace_id, span_id, event in events:
            addressed.setdefault((clean(trace_id), clean(span_id)), []).append(event)
        with self.engine.held():
            held = self._latest({trace for trace, _ in addressed})
            moved, new = [], 0
            for key, (span, at) in held.items():
                whole = with_events(span, addressed.pop(key, ()))
                if len(whole.events) > len(span.events):
                    new += len(whole.events) - len(span.events)
                    moved.append((whole, at))
            self._insert(moved, again=True)
            return new + self._wait(addressed)

    def _latest(self, traces: Collection[str]) -> dict[Key, tuple[Span, int]]:
        query = "SELECT trace_id, span_id, body, at_ns FROM spans WHERE trace_id IN ? ORDER BY position"
        rows = self.engine.rows(query, (list(traces),))
        return {(trace, span): (span_from(trace, span, body), at) for trace, span, body, at in rows}

    def _wait(self, addressed: Mapping[Key, Sequence[SpanEvent]]) -> int:
        now = time.time_ns()
        waiting = self._waiting_for(addressed)
        new = [
            (key, body, bounded(event.at_ns) or now)
            for key, events in addressed.items()
            for event in events
            if (body := event_body(event).decode()) not in waiting.get(key, ())
        ]
        rows = list({(key, body): (key, body, at) for key, body, at in new}.values())
        if rows:
            self.engine.insert(
                "waiting_events",
                {
                    "trace_id": [key[0] for key, _, _ in rows],
                    "span_id": [key[1] for key, _, _ in rows],
                    "body": [body for _, body, _ in rows],
                    "at_ns": [at for _, _, at in rows],
                },
            )
        return len(rows)

    def _waiting(self, spans: Sequence[Span]) -> dict[Key, list[SpanEvent]]:
        if not spans or not self.engine.first("SELECT count() FROM waiting_events")[0]:
            return {}
        waiting = self._waiting_for({_key(span) for span in spans})
        return {key: [event_from(body) for body in bodies] for key, bodies in waiting.items()}

    def _waiting_for(self, keys: Collection[Key]) -> dict[Key, list[str]]:
        found: dict[Key, list[str]] = {}
        query = "SELECT trace_id, span_id, body FROM waiting_events FINAL WHERE trace_id IN ? ORDER BY at_ns"
        for trace, span, body in self.engine.rows(query, (list({trace for trace, _ in keys}),)):
            if (trace, span) in keys:
                found.setdefault((trace, span), []).append(body)
        return found

    def _stop_waiting(self, waiting: Collection[Key]) -> None:
        if waiting:
            spans = list({span for _, span in waiting})
            traces = list({trace for trace, _ in waiting})
            self.engine.command("DELETE FROM waiting_events WHERE trace_id IN ? AND span_id IN ?", (traces, spans))

    def after(self, position: int, limit: int) -> list[tuple[int, Span]]:
        """Return spans in the order in which they were stored, each with its position."""
        query = "SELECT position, trace_id, span_id, body FROM spans WHERE position > ? ORDER BY position LIMIT ?"
        rows = self.engine.rows(query, (position, limit))
        return [(at, span_from(trace, span, body)) for at, trace, span, body in rows]

    def of(self, trace_id: str) -> list[Span]:
        """Return the spans of a trace, by their start."""
        latest = {span: span_from(trace_id, span, body) for span, body in self.engine.rows(_WHOLE, (clean(trace_id),))}
        return sorted(latest.values(), key=lambda span: (span.start_ns, span.span_id))

    def traces_like(self, prefix: str, limit: int) -> list[str]:
        """Return ids of traces that begin so. No key begins with them, so their column is read as a whole."""
        query = "SELECT DISTINCT trace_id FROM spans WHERE startsWith(trace_id, ?) ORDER BY trace_id LIMIT ?"
        return [trace for (trace,) in self.engine.rows(query, (clean(prefix), limit))]

    def prune(self, before_ns: int, checkpoint: int) -> int:
        """Delete old spans of traces that are scored to their last span, whole days at once where all of a day goes."""
        old = "at_ns < ? AND trace_id NOT IN (SELECT trace_id FROM spans WHERE position > ?)"
        self.engine.command("DELETE FROM waiting_events WHERE at_ns < ?", (before_ns,))
        count = (
            f"SELECT intDiv(at_ns, {DAY_NS}) AS day, countIf({old}), count() FROM spans WHERE at_ns < ? GROUP BY day"  # noqa: S608 - our own words
        )
        gone, left = 0, False
        for day, n, of in self.engine.rows(count, (before_ns, checkpoint, before_ns)):
            gone += n
            if n == of and (day + 1) * DAY_NS <= before_ns:
                self.engine.command(f"ALTER TABLE spans DROP PARTITION {int(day)}")
            else:
                left = left or n > 0
        if left:
            self.engine.command(f"DELETE FROM spans WHERE {old}", (before_ns, checkpoint))  # noqa: S608 - our own words
        return gone


def _key(span: Span) -> Key:
    return clean(span.trace_id), clean(span.span_id)
