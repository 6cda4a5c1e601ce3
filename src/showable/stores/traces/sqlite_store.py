"""A trace store in one SQLite file, for one machine: several processes write and read it at once."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from showable.records.spans import Span, SpanEvent
from showable.records.traced import LiveScore
from showable.stores.traces import sqlite_answers, sqlite_lists, sqlite_spans
from showable.stores.traces.span_rows import clean
from showable.stores.traces.sqlite_file import SqliteFile
from showable.stores.traces.store import AnswerRow, By, Count, Dimension, Holdings, RouteCount, Where

_FREED = 500
"""Pages given back to the disk in one transaction, so that a receiver never waits long for the lock."""


class SqliteTraceStore:
    """See `TraceStore`. Threads may share one; a process started from this one opens its own."""

    def __init__(self, path: str | Path, *, make: bool = True) -> None:
        """Open it, or make it. Raises StoreError."""
        self.path = Path(path)
        self.file = SqliteFile(self.path, make=make)

    def add_spans(self, spans: Sequence[Span]) -> int:
        """Keep spans; gives how many were new."""
        return sqlite_spans.add_spans(self.file, spans) if spans else 0

    def add_events(self, events: Sequence[tuple[str, str, SpanEvent]]) -> int:
        """Keep events that came apart from their spans; gives how many were new."""
        return sqlite_spans.add_events(self.file, events) if events else 0

    def spans_after(self, position: int, limit: int) -> Sequence[tuple[int, Span]]:
        """Return spans in the order in which they were stored."""
        return sqlite_spans.spans_after(self.file, position, limit)

    def spans_of(self, trace_id: str) -> Sequence[Span]:
        """Return the spans of a trace."""
        return sqlite_spans.spans_of(self.file, trace_id)

    def traces_like(self, prefix: str, limit: int) -> Sequence[str]:
        """Return ids of traces that begin so."""
        return sqlite_spans.traces_like(self.file, prefix, limit)

    def checkpoint(self) -> int:
        """Return the position that scoring has come to."""
        return sqlite_answers.marked(self.file, "checkpoint")

    def add_scores(self, scores: Sequence[LiveScore], *, checkpoint: int | None = None) -> None:
        """Keep scored answers and the checkpoint, all or nothing."""
        sqlite_answers.add_scores(self.file, scores, checkpoint)

    def scores(self, ids: Collection[str]) -> Sequence[LiveScore]:
        """Return scored answers whole."""
        return sqlite_answers.scores(self.file, ids)

    def scores_of(self, trace_id: str) -> Sequence[LiveScore]:
        """Return the scored answers of a trace."""
        return sqlite_answers.scores_of(self.file, trace_id)

    def to_judge(self, limit: int) -> Sequence[LiveScore]:
        """Return answers that wait for the judge."""
        return sqlite_answers.to_judge(self.file, limit)

    def to_export(self, limit: int) -> Sequence[LiveScore]:
        """Return answers that wait to be sent on."""
        return sqlite_answers.to_export(self.file, limit)

    def mark_exported(self, scores: Sequence[LiveScore]) -> None:
        """Note that these scores were sent on."""
        sqlite_answers.mark_exported(self.file, scores)

    def answers(self, where: Where, *, limit: int, after: str | None = None) -> Sequence[AnswerRow]:
        """Return answers in brief, latest first."""
        return sqlite_lists.answers(self.file, where, limit, after)

    def counts(
        self, where: Where, *, dimensions: Collection[Dimension], by: By | None = None, step_ns: int | None = None
    ) -> Sequence[Count]:
        """Count answers by time, group and value."""
        return sqlite_lists.counts(self.file, where, dimensions, by, step_ns)

    def values(self, by: By) -> Sequence[str]:
        """Return the values that answers have there."""
        return sqlite_lists.values_of(self.file, by)

    def not_retrieved(self, where: Where, *, limit: int) -> Sequence[tuple[str, Sequence[str]]]:
        """Return answers that cite ids their retrieval log does not hold."""
        return sqlite_lists.not_retrieved(self.file, where, limit)

    def routes(self, where: Where) -> Sequence[RouteCount]:
        """Return what became of guarded answers, by route."""
        return sqlite_lists.routes(self.file, where)

    def add_texts(self, texts: Mapping[str, str]) -> None:
        """Keep passages by their source id."""
        rows = [(clean(source_id), clean(text)) for source_id, text in texts.items()]
        with self.file.writing():
            self.file.write_all("INSERT OR REPLACE INTO texts (source_id, text) VALUES (?, ?)", rows)

    def texts(self, ids: Collection[str]) -> Mapping[str, str]:
        """Return the passages that are known among these ids."""
        wanted = json.dumps([clean(source_id) for source_id in ids])
        query = "SELECT source_id, text FROM texts WHERE source_id IN (SELECT value FROM json_each(?))"
        return dict(self.file.rows(query, (wanted,)))

    def set_gauges(self, process: str, gauges: Mapping[str, float]) -> None:
        """Keep what a process says of itself."""
        with self.file.writing():
            row = (clean(process), json.dumps(dict(gauges)))
            self.file.write("INSERT OR REPLACE INTO gauges (process, gauges) VALUES (?, ?)", row)

    def gauges(self) -> Mapping[str, Mapping[str, float]]:
        """Return what each process last said of itself."""
        return {process: json.loads(said) for process, said in self.file.rows("SELECT process, gauges FROM gauges")}

    def holdings(self) -> Holdings:
        """Return how much is held, from counters."""
        held = {name: self.file.counted(name).get("", 0) for name in ("spans", "answers", "to_judge", "to_export")}
        return Holdings(**held, bytes=self._bytes())

    def prune(self, before_ns: int, *, limit: int = 50_000) -> int:
        """Delete what is old, at most `limit` rows of spans and as many answers, and give room back to the disk."""
        gone = sqlite_answers.prune_answers(self.file, before_ns, limit)
        gone += sqlite_spans.prune_spans(self.file, before_ns, self.checkpoint(), limit)
        for _ in range(0, gone, _FREED):  # a span takes less than a page
            self.file.vacuum(_FREED)
        return gone

    def close(self) -> None:
        """Close it; a second time does nothing."""
        self.file.close()

    def _bytes(self) -> int:
        beside = [self.path.with_name(self.path.name + end) for end in ("", "-wal")]
        return sum(file.stat().st_size for file in beside if file.exists())
