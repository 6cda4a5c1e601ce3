"""Scored answers in ClickHouse: the row with the highest version counts, and every question asks for it (FINAL)."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from typing import Any, TypeVar

from showable.records.traced import LiveScore
from showable.stores.traces.clickhouse_engine import Engine
from showable.stores.traces.clickhouse_schema import DAY_NS
from showable.stores.traces.score_rows import ScoreRow, row_of, score_from
from showable.stores.traces.span_rows import bounded, clean

T = TypeVar("T")
_FLAGS = {"chosen", "judged", "failing", "complete"}
_COLUMNS = (*ScoreRow._fields, "retrieval_logged")
_WHOLE = "SELECT id, record, scorecard, rest FROM answers FINAL"
_MANY = 2_000
"""Ids in one question: they travel in its address."""


class Answers:
    """The scored answers of a store; the version that the next row gets is the clock, and always beyond the last of this process."""

    def __init__(self, engine: Engine) -> None:
        """Begin behind nothing: other processes write too, and the clock decides between them."""
        self.engine = engine
        self._last = 0

    def version(self) -> int:
        """Return a version above all before."""
        self._last = max(self._last + 1, time.time_ns())
        return self._last

    def add(self, scores: Sequence[LiveScore]) -> None:
        """Keep scored answers in place of earlier ones; of several of one answer the last counts."""
        rows = list({row.id: row for row in map(row_of, scores)}.values())
        if not rows:
            return
        with self.engine.held():
            self._forget_moved(rows)
            columns: dict[str, list[Any]] = {name: [_plain(row, name) for row in rows] for name in _COLUMNS}
            columns["exported_ns"] = [0] * len(rows)
            columns["version"] = [self.version()] * len(rows)
            self.engine.insert("answers", columns)

    def _forget_moved(self, rows: Sequence[ScoreRow]) -> None:
        """Delete rows of these answers under another start: rows replace each other only where it is the same."""
        starts = {row.id: row.started_ns for row in rows}
        for ids in in_parts(list(starts)):
            held = self.engine.rows("SELECT DISTINCT id, started_ns FROM answers WHERE id IN ?", (ids,))
            moved = [identifier for identifier, started in held if starts[identifier] != started]
            if moved:
                self.engine.command("DELETE FROM answers WHERE id IN ?", (moved,))

    def scores(self, ids: Collection[str]) -> list[LiveScore]:
        """Return scored answers whole, in the order in which their ids are given."""
        wanted = list(dict.fromkeys(ids))
        held: dict[str, LiveScore] = {}
        for some in in_parts([clean(identifier) for identifier in wanted]):
            held.update((score.id, score) for score in self._read(f"{_WHOLE} WHERE id IN ?", (some,)))
        return [held[identifier] for identifier in wanted if identifier in held]

    def scores_of(self, trace_id: str) -> list[LiveScore]:
        """Return the scored answers of a trace, by their start."""
        return self._read(f"{_WHOLE} WHERE trace_id = ? ORDER BY started_ns, id", (clean(trace_id),))

    def to_judge(self, limit: int) -> list[LiveScore]:
        """Return answers that were chosen and are not judged, oldest first."""
        return self._oldest("chosen AND NOT judged", limit)

    def to_export(self, limit: int) -> list[LiveScore]:
        """Return answers whose latest scores were not sent on, oldest first."""
        return self._oldest("exported_ns = 0", limit)

    def _oldest(self, condition: str, limit: int) -> list[LiveScore]:
        """Find the keys in the narrow columns first: FINAL reads all columns that it is asked for, of every row."""
        query = f"SELECT started_ns, id FROM answers FINAL WHERE {condition} ORDER BY started_ns, id LIMIT ?"  # noqa: S608 - our own words
        return self._of_keys(self.engine.rows(query, (limit,)))

    def _of_keys(self, keys: Sequence[Sequence[Any]]) -> list[LiveScore]:
        if not keys:
            return []
        starts, ids = [key[0] for key in keys], [key[1] for key in keys]
        query = f"{_WHOLE} WHERE started_ns IN ? AND id IN ? ORDER BY started_ns, id"
        return self._read(query, (starts, ids))

    def _read(self, query: str, values: Sequence[Any]) -> list[LiveScore]:
        return [score_from(*row) for row in self.engine.rows(query, values)]

    def mark_exported(self, sent: Sequence[LiveScore]) -> None:
        """Note that these scores, by id and time, were sent on.

        Each row is written again just above the version that was read: one that is scored anew meanwhile stands above both.
        """
        kept = ", ".join(name for name in _COLUMNS)
        query = (
            f"INSERT INTO answers ({kept}, exported_ns, version) SELECT {kept}, ?, version + 1 FROM answers FINAL"  # noqa: S608 - our own names
            " WHERE started_ns IN ? AND id IN ? AND has(arrayZip(?, ?), (id, scored_ns)) AND exported_ns = 0"
        )
        for some in in_parts(sent):
            ids = [clean(score.id) for score in some]
            starts = [bounded(score.answer.started_ns) for score in some]
            times = [bounded(score.scored_ns) for score in some]
            self.engine.command(query, (time.time_ns(), starts, ids, ids, times))

    def prune(self, before_ns: int) -> int:
        """Delete answers that began before, whole days at once; of one whose start is unknown, the time of its score counts."""
        old = "started_ns < ? AND (started_ns > 0 OR scored_ns < ?)"
        count = (
            f"SELECT intDiv(started_ns, {DAY_NS}) AS day, countIf({old}), count() FROM answers FINAL"  # noqa: S608 - our own words
            " WHERE started_ns < ? GROUP BY day"
        )
        gone, left = 0, False
        for day, n, of in self.engine.rows(count, (before_ns, before_ns, before_ns)):
            gone += n
            if n == of and (day + 1) * DAY_NS <= before_ns:
                self.engine.command(f"ALTER TABLE answers DROP PARTITION {int(day)}")
            else:
                left = left or n > 0
        if left:
            self.engine.command(f"DELETE FROM answers WHERE {old}", (before_ns, before_ns))  # noqa: S608 - our own words
        return gone


def in_parts(values: Sequence[T]) -> Iterable[list[T]]:
    """Yield values in lists that a question can carry."""
    for start in range(0, len(values), _MANY):
        yield list(values[start : start + _MANY])


def _plain(row: ScoreRow, name: str) -> Any:
    if name == "retrieval_logged":
        return int(row.retrieved_ids is not None)
    if name == "retrieved_ids":
        return row.retrieved_ids or []
    value = getattr(row, name)
    return int(value) if name in _FLAGS else value
