"""Spans in SQLite: kept once, read in the order in which they came, and dropped when they are old and scored."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from showable.records.spans import Span, SpanEvent
from showable.stores.traces.span_rows import (
    body_of,
    bounded,
    clean,
    event_body,
    event_from,
    id_from,
    kept_from,
    key_of,
    span_from,
    with_events,
)
from showable.stores.traces.sqlite_file import SqliteFile

_ADD = (
    "INSERT INTO spans (trace, span, parent, at_ns, service, name, body) VALUES (?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (trace, span) DO NOTHING"
)
_SMALL = 2_000
"""Rows deleted in one transaction, so that a receiver never waits long for the lock."""
_HELD = ("spans", "")
_DIGITS, _LAST = frozenset("0123456789abcdef"), "\U0010ffff"
"""What an id that is kept as bytes is written with; and the last of all characters."""
Addressed = tuple[str, str, SpanEvent]


def add_spans(file: SqliteFile, spans: Sequence[Span]) -> int:
    """Keep spans, with the events that waited for them; gives how many were new."""
    now = time.time_ns()
    rows = [_row(span, now) for span in spans]  # before the lock: writing JSON takes the longest
    with file.writing():
        if file.first("SELECT 1 FROM waiting_events LIMIT 1"):
            for n, span in _with_waiting(file, spans):
                rows[n] = _row(span, now)
        new = file.write_all(_ADD, rows)
        if new:
            file.count({_HELD: new})
    return new


def _row(span: Span, now: int) -> tuple[Any, ...]:
    parent = None if span.parent_id is None else key_of(span.parent_id)
    at = bounded(kept_from(span, now))
    return key_of(span.trace_id), key_of(span.span_id), parent, at, clean(span.service), clean(span.name), body_of(span)


def _with_waiting(file: SqliteFile, spans: Sequence[Span]) -> list[tuple[int, Span]]:
    """Return the spans that events waited for, with these and their place, and stop those from waiting."""
    found = []
    for n, span in enumerate(spans):
        key = (key_of(span.trace_id), key_of(span.span_id))
        waiting = file.rows("SELECT body FROM waiting_events WHERE trace=? AND span=? ORDER BY at_ns", key)
        if waiting:
            file.write("DELETE FROM waiting_events WHERE trace=? AND span=?", key)
            found.append((n, with_events(span, [event_from(body) for (body,) in waiting])))
    return found


def add_events(file: SqliteFile, events: Sequence[Addressed]) -> int:
    """Keep events that came apart from their spans; gives how many were new.

    A span that is held gets them and moves to the end, so that whoever reads on sees it again, whole. Others wait for their span.
    """
    addressed: dict[tuple[bytes | str, bytes | str], list[SpanEvent]] = {}
    for trace_id, span_id, event in events:
        addressed.setdefault((key_of(trace_id), key_of(span_id)), []).append(event)
    with file.writing():
        return sum(_keep_events(file, key, of_span) for key, of_span in addressed.items())


def _keep_events(file: SqliteFile, key: tuple[bytes | str, bytes | str], events: list[SpanEvent]) -> int:
    held = file.first("SELECT position, parent, at_ns, service, name, body FROM spans WHERE trace=? AND span=?", key)
    if held is None:
        now = time.time_ns()
        rows = [(*key, event_body(event), bounded(event.at_ns) or now) for event in events]
        return file.write_all("INSERT INTO waiting_events VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", rows)
    position, *columns, body = held
    span = span_from(id_from(key[0]), id_from(key[1]), body)
    whole = with_events(span, events)
    new = len(whole.events) - len(span.events)
    if new:
        file.write("DELETE FROM spans WHERE position=?", (position,))
        file.write(_ADD, (*key, *columns, body_of(whole)))
    return new


def spans_after(file: SqliteFile, position: int, limit: int) -> list[tuple[int, Span]]:
    """Return spans in the order in which they were stored, each with its position."""
    rows = file.rows(
        "SELECT position, trace, span, body FROM spans WHERE position>? ORDER BY position LIMIT ?", (position, limit)
    )
    return [(at, span_from(id_from(trace), id_from(span), body)) for at, trace, span, body in rows]


def spans_of(file: SqliteFile, trace_id: str) -> list[Span]:
    """Return the spans of a trace, by their start."""
    rows = file.rows("SELECT span, body FROM spans WHERE trace=?", (key_of(trace_id),))
    return sorted(
        (span_from(trace_id, id_from(span), body) for span, body in rows), key=lambda s: (s.start_ns, s.span_id)
    )


def traces_like(file: SqliteFile, prefix: str, limit: int) -> list[str]:
    """Return ids of traces that begin so, in their order: a range of the key of spans for each of the two forms that an id is kept in."""
    ranges: list[tuple[bytes | str, bytes | str | None]] = [(clean(prefix), clean(prefix) + _LAST)]
    if not set(prefix) - _DIGITS:
        ranges.append(_hex_range(prefix))
    found = [id_from(trace) for start, end in ranges for (trace,) in _traces_between(file, start, end, limit)]
    return sorted(found)[:limit]


def _hex_range(prefix: str) -> tuple[bytes, bytes | None]:
    """Return the first id of digits that can begin so, and the first behind all that do; None: there is none."""
    half = len(prefix) % 2
    most = bytes.fromhex(prefix + "f" * half).rstrip(b"\xff")
    return bytes.fromhex(prefix + "0" * half), most[:-1] + bytes([most[-1] + 1]) if most else None


def _traces_between(file: SqliteFile, start: bytes | str, end: bytes | str | None, limit: int) -> list[Any]:
    until, values = ("", (start,)) if end is None else (" AND trace<?", (start, end))
    query = f"SELECT DISTINCT trace FROM spans WHERE trace>=?{until} ORDER BY trace LIMIT ?"  # noqa: S608 - our own words
    return file.rows(query, (*values, limit))


_OLD = (
    "SELECT position FROM spans WHERE at_ns<?1 AND NOT EXISTS (SELECT 1 FROM spans later WHERE later.trace=spans.trace"
    " AND later.position>?2) ORDER BY at_ns LIMIT ?3"
)


def prune_spans(file: SqliteFile, before_ns: int, checkpoint: int, limit: int) -> int:
    """Delete old spans of traces that are scored to their last span, and old events whose span never came."""
    gone = 0
    while gone < limit:
        most = min(_SMALL, limit - gone)
        with file.writing():
            file.write("DELETE FROM waiting_events WHERE at_ns<?", (before_ns,))
            n = file.write(f"DELETE FROM spans WHERE position IN ({_OLD})", (before_ns, checkpoint, most))  # noqa: S608 - our own words
            file.count({_HELD: -n})
        gone += n
        if n < most:
            break
    return gone
