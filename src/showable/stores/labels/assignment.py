"""Who labels what: the shared records of a queue go to everybody, each other record to whoever comes to it first.

A reviewer's own order is the order in which records came to them. It begins with the shared ones.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Any

from showable.errors import SettingError
from showable.stores.labels.label_file import LabelFile, now, written
from showable.stores.labels.queues import Queue, queue_named

_RECENT = 25
"""Records that the pace is taken from: people get quicker."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a reviewer is in a queue.

    `done` of the records are finished by this reviewer; `mine` are or will certainly be theirs (dealt to them, or
    shared); `of` are in the queue; `left` may still come to them, which falls as others take records. `seconds_each` is the
    median time of the latest records, None before the first. `position` is the place in their own order of the record
    to do next, counted from 1, and `mine` + 1 where nothing is left.
    """

    done: int
    mine: int
    of: int
    left: int
    seconds_each: float | None
    position: int

    @property
    def seconds_left(self) -> float | None:
        """Return how long the rest takes at this pace."""
        return None if self.seconds_each is None else self.left * self.seconds_each


def next_record(file: LabelFile, queue: str, reviewer: str, after: str | None = None) -> str | None:
    """Return the record to do next, and make it this reviewer's; None where nothing is left to do.

    It is the first unfinished one of their own order behind `after`, else a new one, else one that was passed over.
    """
    with file.writing():
        held = queue_named(file, queue)
        behind = 0 if after is None else _turn(file, queue, reviewer, after) or 0
        row = file.first(f"{_MINE} AND finished IS NULL AND turn>? ORDER BY turn LIMIT 1", (queue, reviewer, behind))
        if row is None:
            row = _deal(file, held, reviewer)
        if row is None:
            row = file.first(f"{_MINE} AND finished IS NULL ORDER BY turn LIMIT 1", (queue, reviewer))
    return None if row is None else str(row[0])


_MINE = (
    "SELECT record, turn FROM assignments JOIN queue_records USING (queue, position)"
    " WHERE assignments.queue=? AND reviewer=?"
)


def _deal(file: LabelFile, queue: Queue, reviewer: str) -> tuple[str, int] | None:
    """Assign the first record that is still to be had: a shared one that this reviewer has not had, else one nobody has."""
    where = (queue.name, queue.overlap)
    row = file.first(
        "SELECT position, record FROM queue_records q WHERE queue=? AND position<=? AND NOT EXISTS (SELECT 1"
        " FROM assignments a WHERE a.queue=q.queue AND a.reviewer=? AND a.position=q.position) ORDER BY position LIMIT 1",
        (*where, reviewer),
    ) or file.first(
        "SELECT position, record FROM queue_records WHERE queue=? AND position>? AND position NOT IN (SELECT position"
        " FROM assignments WHERE queue=? AND shared=0) ORDER BY position LIMIT 1",
        (*where, queue.name),
    )
    if row is None:
        return None
    position, record = row
    file.write(
        "INSERT INTO assignments (queue, position, reviewer, shared, at) VALUES (?, ?, ?, ?, ?)",
        (queue.name, position, reviewer, int(position <= queue.overlap), written(now())),
    )
    return record, position


def record_at(file: LabelFile, queue: str, reviewer: str, position: int) -> str | None:
    """Return the record at a place of the reviewer's own order (from 1), or None where it does not reach so far."""
    if position < 1:
        return None
    row = file.first(f"{_MINE} ORDER BY turn LIMIT 1 OFFSET ?", (queue, reviewer, position - 1))
    return None if row is None else str(row[0])


def position_of(file: LabelFile, queue: str, reviewer: str, record: str) -> int | None:
    """Return the place of a record in the reviewer's own order (from 1), or None where it is not theirs."""
    with file.reading():
        turn = _turn(file, queue, reviewer, record)
        if turn is None:
            return None
        query = "SELECT COUNT(*) FROM assignments WHERE queue=? AND reviewer=? AND turn<=?"
        return int(file.first(query, (queue, reviewer, turn))[0])


def records_dealt(file: LabelFile, queue: str, reviewer: str) -> list[tuple[str, bool]]:
    """Return the reviewer's own order: each record that came to them, and whether it is finished."""
    query = f"{_MINE.replace('turn', 'finished IS NOT NULL')} ORDER BY turn"
    return [(record, bool(done)) for record, done in file.rows(query, (queue, reviewer))]


def place(file: LabelFile, queue: str, reviewer: str) -> Progress:
    """Return how far a reviewer is in a queue."""
    with file.reading():
        held = queue_named(file, queue)
        dealt, done, shared_dealt = file.first(
            "SELECT COUNT(*), COUNT(finished), COALESCE(SUM(shared), 0) FROM assignments WHERE queue=? AND reviewer=?",
            (queue, reviewer),
        )
        (taken,) = file.first("SELECT COUNT(*) FROM assignments WHERE queue=? AND shared=0", (queue,))
        unseen = held.overlap - shared_dealt
        undealt = held.n - held.overlap - taken
        mine = dealt + unseen
        first = file.first(f"{_MINE} AND finished IS NULL ORDER BY turn LIMIT 1", (queue, reviewer))
        at = position_of(file, queue, reviewer, first[0]) if first else dealt + 1
        return Progress(done, mine, held.n, mine - done + undealt, _pace(file, queue, reviewer), int(at or 1))


def _pace(file: LabelFile, queue: str, reviewer: str) -> float | None:
    """Return the median seconds that the latest finished records took; None where no time was measured."""
    rows = file.rows(
        "SELECT SUM(e.seconds) FROM (SELECT position, finished FROM assignments WHERE queue=?1 AND reviewer=?2"
        " AND finished IS NOT NULL ORDER BY finished DESC LIMIT ?3) a JOIN queue_records q ON q.queue=?1 AND q.position=a.position"
        " JOIN events e ON e.reviewer=?2 AND e.record=q.record AND e.adjudicated=0 GROUP BY q.record",
        (queue, reviewer, _RECENT),
    )
    measured = [row[0] for row in rows if row[0] is not None]
    return statistics.median(measured) if measured else None


def finish(file: LabelFile, queue: str, reviewer: str, record: str) -> None:
    """Note that a reviewer is done with a record; twice is once. Raises SettingError where it is not theirs."""
    _note(file, queue, reviewer, record, "COALESCE(finished, ?)", written(now()))


def reopen(file: LabelFile, queue: str, reviewer: str, record: str) -> None:
    """Note that a reviewer is not done with a record after all. Raises SettingError where it is not theirs."""
    _note(file, queue, reviewer, record, "NULL")


def _note(file: LabelFile, queue: str, reviewer: str, record: str, finished: str, *values: Any) -> None:
    with file.writing():
        turn = _turn(file, queue, reviewer, record)
        if turn is None:
            queue_named(file, queue)
            raise SettingError(f"record {record[:60]!r} of queue {queue} was not given to {reviewer}")
        file.write(f"UPDATE assignments SET finished={finished} WHERE turn=?", (*values, turn))  # noqa: S608 - our own words


def release(file: LabelFile, queue: str, reviewer: str, record: str | None = None) -> list[str]:
    """Return back what a reviewer took and did not finish, or one record of it; gives the records that others may now have.

    Shared records stay everybody's. Labels that were given on a record stay where they are.
    """
    with file.writing():
        queue_named(file, queue)
        rows = file.rows(f"{_MINE} AND shared=0 AND finished IS NULL ORDER BY turn", (queue, reviewer))
        given = [row for row in rows if record is None or row[0] == record]
        file.write_all("DELETE FROM assignments WHERE turn=?", [(turn,) for _, turn in given])
    return [name for name, _ in given]


def _turn(file: LabelFile, queue: str, reviewer: str, record: str) -> int | None:
    row = file.first(f"{_MINE} AND record=?", (queue, reviewer, record))
    return None if row is None else int(row[1])
