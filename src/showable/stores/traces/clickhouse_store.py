"""A trace store in ClickHouse. Spans have one writer (the receiver, or an import); answers may be written by several processes."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from showable.records.spans import Span, SpanEvent
from showable.records.traced import LiveScore
from showable.stores.traces import clickhouse_lists
from showable.stores.traces.clickhouse_answers import Answers, in_parts
from showable.stores.traces.clickhouse_engine import Engine
from showable.stores.traces.clickhouse_spans import Spans
from showable.stores.traces.span_rows import clean
from showable.stores.traces.store import AnswerRow, By, Count, Dimension, Holdings, RouteCount, Where


class ClickHouseTraceStore:
    """See `TraceStore`, with two differences.

    ClickHouse has no transactions: a call that is cut short may have kept a part, and is made whole by making it again, as everything is idempotent. And what a call
    returned survives the death of this process; whether it survives a power cut of the server is the server's setting (`fsync_after_insert`).
    """

    def __init__(self, engine: Engine) -> None:
        """Take a database that has its tables (`clickhouse_opening`)."""
        self.engine = engine
        self._spans, self._answers = Spans(engine), Answers(engine)

    def add_spans(self, spans: Sequence[Span]) -> int:
        """Keep spans; gives how many were new: exact where one process writes, as what is held is asked for first."""
        return self._spans.add(spans) if spans else 0

    def add_events(self, events: Sequence[tuple[str, str, SpanEvent]]) -> int:
        """Keep events that came apart from their spans; gives how many were new."""
        return self._spans.add_events(events) if events else 0

    def spans_after(self, position: int, limit: int) -> Sequence[tuple[int, Span]]:
        """Return spans in the order in which they were stored; one that events came for stands under both its positions."""
        return self._spans.after(position, limit)

    def spans_of(self, trace_id: str) -> Sequence[Span]:
        """Return the spans of a trace."""
        return self._spans.of(trace_id)

    def traces_like(self, prefix: str, limit: int) -> Sequence[str]:
        """Return ids of traces that begin so."""
        return self._spans.traces_like(prefix, limit)

    def checkpoint(self) -> int:
        """Return the position that scoring has come to."""
        return int(self.engine.first("SELECT argMax(value, version) FROM marks WHERE name = 'checkpoint'")[0])

    def add_scores(self, scores: Sequence[LiveScore], *, checkpoint: int | None = None) -> None:
        """Keep scored answers, then the checkpoint: cut short in between, they are scored once more."""
        self._answers.add(scores)
        if checkpoint is not None:
            row: dict[str, list[Any]] = {
                "name": ["checkpoint"],
                "value": [checkpoint],
                "version": [self._answers.version()],
            }
            self.engine.insert("marks", row)

    def scores(self, ids: Collection[str]) -> Sequence[LiveScore]:
        """Return scored answers whole."""
        return self._answers.scores(ids)

    def scores_of(self, trace_id: str) -> Sequence[LiveScore]:
        """Return the scored answers of a trace."""
        return self._answers.scores_of(trace_id)

    def to_judge(self, limit: int) -> Sequence[LiveScore]:
        """Return answers that wait for the judge."""
        return self._answers.to_judge(limit)

    def to_export(self, limit: int) -> Sequence[LiveScore]:
        """Return answers that wait to be sent on."""
        return self._answers.to_export(limit)

    def mark_exported(self, scores: Sequence[LiveScore]) -> None:
        """Note that these scores were sent on."""
        self._answers.mark_exported(scores)

    def answers(self, where: Where, *, limit: int, after: str | None = None) -> Sequence[AnswerRow]:
        """Return answers in brief, latest first."""
        return clickhouse_lists.answers(self.engine, where, limit, after)

    def counts(
        self, where: Where, *, dimensions: Collection[Dimension], by: By | None = None, step_ns: int | None = None
    ) -> Sequence[Count]:
        """Count answers by time, group and value."""
        return clickhouse_lists.counts(self.engine, where, dimensions, by, step_ns)

    def values(self, by: By) -> Sequence[str]:
        """Return the values that answers have there."""
        return clickhouse_lists.values_of(self.engine, by)

    def not_retrieved(self, where: Where, *, limit: int) -> Sequence[tuple[str, Sequence[str]]]:
        """Return answers that cite ids their retrieval log does not hold."""
        return clickhouse_lists.not_retrieved(self.engine, where, limit)

    def routes(self, where: Where) -> Sequence[RouteCount]:
        """Return what became of guarded answers, by route."""
        return clickhouse_lists.routes(self.engine, where)

    def add_texts(self, texts: Mapping[str, str]) -> None:
        """Keep passages by their source id."""
        if texts:
            ids, held = [clean(source_id) for source_id in texts], [clean(text) for text in texts.values()]
            columns: dict[str, list[Any]] = {
                "source_id": ids,
                "text": held,
                "version": [self._answers.version()] * len(ids),
            }
            self.engine.insert("texts", columns)

    def texts(self, ids: Collection[str]) -> Mapping[str, str]:
        """Return the passages that are known among these ids."""
        found: dict[str, str] = {}
        for some in in_parts([clean(source_id) for source_id in ids]):
            query = "SELECT source_id, text FROM texts FINAL WHERE source_id IN ?"
            found.update((source_id, text) for source_id, text in self.engine.rows(query, (some,)))
        return found

    def set_gauges(self, process: str, gauges: Mapping[str, float]) -> None:
        """Keep what a process says of itself."""
        row: dict[str, list[Any]] = {
            "process": [clean(process)],
            "gauges": [json.dumps(dict(gauges))],
            "version": [self._answers.version()],
        }
        self.engine.insert("gauges", row)

    def gauges(self) -> Mapping[str, Mapping[str, float]]:
        """Return what each process last said of itself."""
        return {
            process: json.loads(said) for process, said in self.engine.rows("SELECT process, gauges FROM gauges FINAL")
        }

    def holdings(self) -> Holdings:
        """Return how much is held: two counts over columns of a byte or two a row."""
        (spans,) = self.engine.first("SELECT countIf(again = 0) FROM spans")
        answers, to_judge, to_export = self.engine.first(
            "SELECT count(), countIf(chosen AND NOT judged), countIf(exported_ns = 0) FROM answers FINAL"
        )
        parts = "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = ?"
        (size,) = self.engine.first(parts, (self.engine.database,))
        return Holdings(spans=spans, answers=answers, to_judge=to_judge, to_export=to_export, bytes=size)

    def prune(self, before_ns: int, *, limit: int = 50_000) -> int:  # noqa: ARG002 - ClickHouse drops days, not rows
        """Delete what is old; whole days are dropped at once, whatever the limit."""
        return self._answers.prune(before_ns) + self._spans.prune(before_ns, self.checkpoint())

    def close(self) -> None:
        """Close it; a second time does nothing."""
        self.engine.close()
