"""Scored answers in SQLite: kept, replaced, waiting for a judge or to be sent on, and dropped when they are old."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, get_args

from showable.records.traced import LiveScore
from showable.stores.traces.score_rows import ScoreRow, as_lists, row_of, score_from
from showable.stores.traces.span_rows import bounded, clean
from showable.stores.traces.sqlite_file import SqliteFile
from showable.stores.traces.store import By

_TEXTS = ("question", "answer", "record", "scorecard", "rest")
_NARROW = tuple(name for name in ScoreRow._fields if name not in _TEXTS)
_LISTS = {"retrieved_ids", "cited_ids", "loss_codes"}
_FACETS = get_args(By)
_COUNTED = (*_FACETS, "chosen", "judged", "exported_ns")
_KEEP = (
    f"INSERT INTO answers ({', '.join(_NARROW)}) VALUES ({', '.join('?' * len(_NARROW))}) ON CONFLICT (id) DO UPDATE SET"  # noqa: S608 - our own names
    f" exported_ns=NULL, {', '.join(f'{name}=excluded.{name}' for name in _NARROW if name != 'id')}"
)
_KEEP_TEXTS = (
    "INSERT OR REPLACE INTO answer_texts (row, question, answer, record, scorecard, rest)"
    " SELECT row, ?, ?, ?, ?, ? FROM answers WHERE id=?"
)
_WHOLE = "SELECT id, record, scorecard, rest FROM answers JOIN answer_texts USING (row)"
_IN = "IN (SELECT value FROM json_each(?))"
_SMALL = 2_000


def add_scores(file: SqliteFile, scores: Sequence[LiveScore], checkpoint: int | None) -> None:
    """Keep scored answers in place of earlier scores of the same answers, and the checkpoint with them; the last of several counts."""
    rows = list({row.id: row for row in map(row_of, scores)}.values())
    narrow = [tuple(_plain(row, name) for name in _NARROW) for row in rows]
    with file.writing():
        changes = _counted(file, [row.id for row in rows], -1)
        file.write_all(_KEEP, narrow)
        file.write_all(_KEEP_TEXTS, [(*(getattr(row, name) for name in _TEXTS), row.id) for row in rows])
        for row in rows:
            _count(
                changes,
                tuple(getattr(row, name) for name in _FACETS),
                row.chosen and not row.judged,
                exported=False,
                by=1,
            )
        file.count(changes)
        if checkpoint is not None:
            mark(file, "checkpoint", checkpoint)


def mark(file: SqliteFile, name: str, value: int) -> None:
    """Keep a number by its name. Only inside `writing`."""
    file.write("INSERT OR REPLACE INTO marks (name, value) VALUES (?, ?)", (name, value))


def marked(file: SqliteFile, name: str) -> int:
    """Return a number that was kept, 0 where none was."""
    row = file.first("SELECT value FROM marks WHERE name=?", (name,))
    return 0 if row is None else int(row[0])


def _plain(row: ScoreRow, name: str) -> Any:
    return as_lists(getattr(row, name)) if name in _LISTS else getattr(row, name)


def _counted(file: SqliteFile, ids: Collection[str], by: int) -> Counter[tuple[str, str]]:
    """Count what is held of these answers, with a sign."""
    changes: Counter[tuple[str, str]] = Counter()
    held = f"SELECT {', '.join(_COUNTED)} FROM answers WHERE id {_IN}"  # noqa: S608 - our own names
    for *facets, chosen, judged, exported in file.rows(held, (as_lists(list(ids)),)):
        _count(changes, facets, bool(chosen and not judged), exported=exported is not None, by=by)
    return changes


def _count(changes: Counter[tuple[str, str]], facets: Sequence[str], waiting: bool, *, exported: bool, by: int) -> None:  # noqa: FBT001 - one of four counts
    changes["answers", ""] += by
    changes["to_judge", ""] += by * waiting
    changes["to_export", ""] += by * (not exported)
    for name, value in zip(_FACETS, facets, strict=True):
        changes[name, value] += by


def scores(file: SqliteFile, ids: Collection[str]) -> list[LiveScore]:
    """Return scored answers whole, in the order in which their ids are given."""
    wanted = as_lists([clean(identifier) for identifier in ids])
    rows = file.rows(f"{_WHOLE} WHERE id {_IN}", (wanted,))
    held = {score.id: score for score in _read(rows)}
    return [held[identifier] for identifier in dict.fromkeys(ids) if identifier in held]


def scores_of(file: SqliteFile, trace_id: str) -> list[LiveScore]:
    """Return the scored answers of a trace, by their start."""
    return _read(file.rows(f"{_WHOLE} WHERE trace_id=? ORDER BY started_ns, id", (clean(trace_id),)))


def to_judge(file: SqliteFile, limit: int) -> list[LiveScore]:
    """Return answers that were chosen and are not judged, oldest first."""
    return _read(file.rows(f"{_WHOLE} WHERE chosen=1 AND judged=0 ORDER BY started_ns, id LIMIT ?", (limit,)))


def to_export(file: SqliteFile, limit: int) -> list[LiveScore]:
    """Return answers whose latest scores were not sent on, oldest first."""
    return _read(file.rows(f"{_WHOLE} WHERE exported_ns IS NULL ORDER BY started_ns, id LIMIT ?", (limit,)))


def _read(rows: list[tuple[str, str, str, str]]) -> list[LiveScore]:
    return [score_from(*row) for row in rows]


def mark_exported(file: SqliteFile, sent: Sequence[LiveScore]) -> None:
    """Note that these scores, by id and time, were sent on; one that was replaced meanwhile still has to be."""
    now = time.time_ns()
    rows = [(now, clean(score.id), bounded(score.scored_ns)) for score in sent]
    with file.writing():
        n = file.write_all("UPDATE answers SET exported_ns=? WHERE id=? AND scored_ns=? AND exported_ns IS NULL", rows)
        file.count({("to_export", ""): -n})


def prune_answers(file: SqliteFile, before_ns: int, limit: int) -> int:
    """Delete answers that began before; of one whose start is unknown, the time of its score counts."""
    old = "SELECT id FROM answers WHERE started_ns<?1 AND (started_ns>0 OR scored_ns<?1) ORDER BY started_ns LIMIT ?2"
    gone = 0
    while gone < limit:
        most = min(_SMALL, limit - gone)
        with file.writing():
            ids = [row[0] for row in file.rows(old, (before_ns, most))]
            changes = _counted(file, ids, -1)
            listed = (as_lists(ids),)
            file.write(f"DELETE FROM answer_texts WHERE row IN (SELECT row FROM answers WHERE id {_IN})", listed)  # noqa: S608 - our own words
            file.write(f"DELETE FROM answers WHERE id {_IN}", listed)  # noqa: S608 - our own words
            file.count(changes)
        gone += len(ids)
        if len(ids) < most:
            break
    return gone
