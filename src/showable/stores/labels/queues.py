"""Queues: lists of records to be labelled, in an order of their own, made once and never changed. And the pinned hold-out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from showable.errors import SettingError
from showable.stores.labels.label_file import LabelFile, now, written

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_TOPPED_UP = "hold_out_topped_up"


@dataclass(frozen=True, slots=True)
class Queue:
    """A list of records to label. The first `overlap` go to everybody, each of the others to one reviewer. `n` is how many."""

    name: str
    kind: str
    overlap: int
    seed: int
    at: str
    n: int


def make_queue(file: LabelFile, name: str, kind: str, records: Sequence[str], *, overlap: int, seed: int) -> Queue:
    """Make a queue, or find it again where the same one stands. An overlap above the number of records is all of them.

    Raises SettingError for a bad name, for no records, for one that comes twice, and where another queue has the name.
    """
    _check(name, records, overlap)
    overlap = min(overlap, len(records))
    with file.writing():
        row = file.first("SELECT kind, overlap, seed FROM queues WHERE name=?", (name,))
        if row is None:
            values = (name, kind, seed, overlap, written(now()))
            file.write("INSERT INTO queues (name, kind, seed, overlap, at) VALUES (?, ?, ?, ?, ?)", values)
            rows = [(name, position, record) for position, record in enumerate(records, 1)]
            file.write_all("INSERT INTO queue_records VALUES (?, ?, ?)", rows)
        elif row != (kind, overlap, seed) or records_of(file, name) != list(records):
            raise SettingError(f"queue {name}: there is one of that name, of other records; give this one another name")
        return queue_named(file, name)


def all_queues(file: LabelFile) -> list[Queue]:
    """Return the queues, in the order in which they were made."""
    rows = file.rows(
        "SELECT name, kind, overlap, seed, at, (SELECT COUNT(*) FROM queue_records WHERE queue=name)"
        " FROM queues ORDER BY at, name"
    )
    return [Queue(*row) for row in rows]


def queue_named(file: LabelFile, name: str) -> Queue:
    """Return one queue. Raises SettingError where there is none of that name."""
    row = file.first(
        "SELECT name, kind, overlap, seed, at, (SELECT COUNT(*) FROM queue_records WHERE queue=name)"
        " FROM queues WHERE name=?",
        (name,),
    )
    if row is None:
        raise SettingError(f"queue {name[:40]!r}: there is none of that name")
    return Queue(*row)


def records_of(file: LabelFile, queue: str) -> list[str]:
    """Return the records of a queue in its order."""
    return [row[0] for row in file.rows("SELECT record FROM queue_records WHERE queue=? ORDER BY position", (queue,))]


def hold_out(file: LabelFile) -> list[str]:
    """Return the records that are held out; none where nothing was pinned yet."""
    return [row[0] for row in file.rows("SELECT record FROM hold_out ORDER BY position")]


def hold_out_topped_up(file: LabelFile) -> int:
    """Return how many records of the hold-out were not drawn by chance, as far as whoever pinned it said so."""
    row = file.first("SELECT value FROM facts WHERE name=?", (_TOPPED_UP,))
    return 0 if row is None else int(row[0])


def pin_hold_out(file: LabelFile, records: Sequence[str], topped_up: int = 0) -> None:
    """Pin the hold-out, once. The same records again change nothing; raises SettingError for any others."""
    if not records or len(set(records)) != len(records):
        raise SettingError("hold-out: expected at least one record, and each once")
    with file.writing():
        held = hold_out(file)
        if not held:
            file.write_all("INSERT INTO hold_out VALUES (?, ?)", list(enumerate(records, 1)))
            if topped_up:
                file.write("INSERT OR REPLACE INTO facts VALUES (?, ?)", (_TOPPED_UP, str(topped_up)))
        elif set(held) != set(records):
            said = f"{len(held)} records are pinned already, of which {len(set(held) & set(records))} are among these"
            raise SettingError(f"hold-out: {said}; it is pinned once, so that nothing is ever fitted on it")


def _check(name: str, records: Sequence[str], overlap: int) -> None:
    if not _NAME.fullmatch(name):
        raise SettingError(f"queue {name[:40]!r}: expected a name of small letters, digits, - and _, of at most 40")
    if not records:
        raise SettingError(f"queue {name}: no record belongs in it")
    if len(set(records)) != len(records):
        raise SettingError(f"queue {name}: a record comes twice in it")
    if overlap < 0:
        raise SettingError(f"queue {name}: overlap: expected 0 or more, got {overlap}")
