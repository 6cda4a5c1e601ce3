"""Who has looked at what others said, or at figures made of it: what they label after that is no longer blind."""

from __future__ import annotations

from collections.abc import Iterable

from showable.stores.labels.label_file import LabelFile, now, written


def note_seen(file: LabelFile, reviewer: str, records: Iterable[str]) -> None:
    """Note that others' labels on these records were shown to a person; the first time is kept."""
    fresh = set(records) - seen_by(file, reviewer)
    if fresh:
        with file.writing():
            at = written(now())
            rows = [(reviewer, record, at) for record in sorted(fresh)]
            file.write_all("INSERT OR IGNORE INTO others_seen VALUES (?, ?, ?)", rows)


def settle_only(file: LabelFile, reviewer: str) -> None:
    """Note that a person settles disagreements and labels nothing first; a second time changes nothing."""
    with file.writing():
        file.write("INSERT OR IGNORE INTO settle_only VALUES (?, ?)", (reviewer, written(now())))


def settles_only(file: LabelFile, reviewer: str) -> str | None:
    """Say since when a person only settles, or None."""
    row = file.first("SELECT since FROM settle_only WHERE reviewer=?", (reviewer,))
    return None if row is None else str(row[0])


def seen_by(file: LabelFile, reviewer: str) -> set[str]:
    """Return the records of which a person has seen what others said."""
    return {row[0] for row in file.rows("SELECT record FROM others_seen WHERE reviewer=?", (reviewer,))}
