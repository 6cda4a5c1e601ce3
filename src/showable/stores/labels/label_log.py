"""The log of labels. Nothing in it changes: a new word, one taken back, and an undo are all new lines."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import ValidationError

from showable.records.labels import Label, Target
from showable.stores.labels.label_file import LabelFile, RefusedLabelError, just_after, now, sortable, written
from showable.stores.labels.reviewers import must_agree
from showable.stores.labels.schema import damaged

_KEY = "record=? AND about=? AND claim=? AND citation=? AND reviewer=? AND adjudicated=?"
_INSERT = (
    "INSERT INTO events (id, record, about, claim, citation, reviewer, adjudicated, at, here, undoes, seconds, body)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_SAME = ("record", "about", "claim", "citation", "value", "reviewer", "role", "adjudicated", "rubric", "answer")
"""What two deliveries of one label have in common. A page that posts again may measure other seconds."""


def add(file: LabelFile, label: Label) -> bool:
    """Write down a word that was just given; the clock of an earlier one by the same person never stands above it.

    Where the time of the label is not later than that of the word it replaces (a clock was set back), it is written
    down as given a microsecond after. False where the same label was there already.
    """
    with file.writing():
        if _is_there(file, label):
            return False
        must_agree(file, label.reviewer, label.role)
        row = file.first(f"SELECT MAX(at) FROM events WHERE {_KEY}", _key(label))  # noqa: S608 - our own names
        if row[0] is not None and sortable(label.at) <= row[0]:
            label = label.model_copy(update={"at": just_after(row[0])})
        _append(file, label, here=True)
    return True


def add_many(file: LabelFile, labels: Iterable[Label]) -> int:
    """Write down labels from elsewhere, all or none; gives how many were new. Their times decide which is the last word."""
    new = 0
    with file.writing():
        for label in labels:
            if not _is_there(file, label):
                must_agree(file, label.reviewer, label.role)
                _append(file, label, here=False)
                new += 1
    return new


def last_words(file: LabelFile, reviewer: str | None = None, record: str | None = None) -> list[Label]:
    """Return everybody's last words by target, those taken back among them; of one person or on one record where asked for."""
    wanted = [(name, value) for name, value in (("reviewer", reviewer), ("record", record)) if value is not None]
    where = " AND ".join(f"{name}=?" for name, _ in wanted) or "1"
    key = "record, about, claim, citation, reviewer, adjudicated"
    query = f"SELECT body, MAX(at || id) FROM events WHERE {where} GROUP BY {key} ORDER BY {key}"  # noqa: S608 - our own names
    # of a group, SQLite takes the bare column from the row that holds the maximum
    return _labels(file, file.rows(query, [value for _, value in wanted]))


def history(file: LabelFile) -> list[Label]:
    """Return every line of the log, in the order of arrival."""
    return _labels(file, file.rows("SELECT body FROM events ORDER BY seq"))


def has_labelled(file: LabelFile, reviewer: str, target: Target) -> bool:
    """Check whether a person ever gave a word on a target, taken back since or not; adjudication does not count."""
    claim, citation = (-1 if place is None else place for place in (target.claim, target.citation))
    values = (target.record, target.about, claim, citation, reviewer)
    return file.first(f"SELECT 1 FROM events WHERE {_KEY} LIMIT 1", (*values, 0)) is not None  # noqa: S608 - our own names


def records_of_others(file: LabelFile, reviewer: str) -> set[str]:
    """Return the records on which anybody else ever gave a word; read off an index, so that pages can ask each time."""
    return {row[0] for row in file.rows("SELECT DISTINCT record FROM events WHERE reviewer<>?", (reviewer,))}


def records_labelled_by(file: LabelFile, reviewer: str) -> set[str]:
    """Return the records on which a person ever gave a word."""
    return {row[0] for row in file.rows("SELECT DISTINCT record FROM events WHERE reviewer=?", (reviewer,))}


def count(file: LabelFile) -> int:
    """Count the lines of the log."""
    return int(file.first("SELECT COUNT(*) FROM events")[0])


def undo(file: LabelFile, reviewer: str) -> tuple[Label, Label | None] | None:
    """Take back what a person changed last here and has not undone yet; gives that, and the word that holds now.

    None where there is nothing to undo. Labels that were imported are not undone; nor is what one settled as an
    adjudicator, which is taken back by its case.
    """
    with file.writing():
        row = file.first(
            "SELECT seq, body FROM events e WHERE reviewer=? AND here=1 AND adjudicated=0 AND undoes IS NULL"
            " AND NOT EXISTS (SELECT 1 FROM events u WHERE u.undoes=e.seq) ORDER BY seq DESC LIMIT 1",
            (reviewer,),
        )
        if row is None:
            return None
        undone = _label(file, row[1])
        before = _before(file, row[0], undone)
        last = file.first(f"SELECT MAX(at) FROM events WHERE {_KEY}", _key(undone))[0]  # noqa: S608 - our own names
        fresh = {"id": uuid.uuid4().hex, "at": max(written(now()), just_after(last)), "seconds": None}
        restored = (before or undone).model_copy(update=fresh if before else {**fresh, "value": None})
        _append(file, restored, here=True, undoes=row[0])
    return undone, restored if restored.value is not None else None


def _before(file: LabelFile, seq: int, undone: Label) -> Label | None:
    """Return the word that held before a change: the last one that is neither an undo nor undone."""
    row = file.first(
        f"SELECT body FROM events e WHERE {_KEY} AND seq<>? AND undoes IS NULL"  # noqa: S608 - our own names
        " AND NOT EXISTS (SELECT 1 FROM events u WHERE u.undoes=e.seq) ORDER BY at DESC, id DESC LIMIT 1",
        (*_key(undone), seq),
    )
    return None if row is None else _label(file, row[0])


def _is_there(file: LabelFile, label: Label) -> bool:
    row = file.first("SELECT body FROM events WHERE id=?", (label.id,))
    if row is None:
        return False
    held = _label(file, row[0])
    for name in _SAME:
        if getattr(held, name) != getattr(label, name):
            said = f"{name} is {getattr(held, name)!r} there and {getattr(label, name)!r} here"
            raise RefusedLabelError(f"another label has the id {label.id}: {said}"[:300], "id")
    return True


def _append(file: LabelFile, label: Label, *, here: bool, undoes: int | None = None) -> None:
    body = label.model_dump_json(exclude={"held_out"})  # which records are held out, a store says in one place
    values = (label.id, *_key(label), sortable(label.at), int(here), undoes, label.seconds, body)
    file.write(_INSERT, values)


def _key(label: Label) -> tuple[Any, ...]:
    claim, citation = (-1 if place is None else place for place in (label.claim, label.citation))
    return label.record, label.about, claim, citation, label.reviewer, int(label.adjudicated)


def _labels(file: LabelFile, rows: Sequence[Sequence[Any]]) -> list[Label]:
    return [_label(file, row[0]) for row in rows]


def _label(file: LabelFile, body: str) -> Label:
    try:
        return Label.model_validate_json(body)
    except ValidationError:
        raise damaged(file.path, "a label in it cannot be read") from None
