"""The labels of a run, as everything else sees them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Self

from showable.errors import SettingError
from showable.records.label_guide import GUIDE, guide_digest, guide_text
from showable.records.labels import Label, Target
from showable.stores.labels import assignment, label_log, others_seen, queues, reviewers
from showable.stores.labels.assignment import Progress
from showable.stores.labels.label_file import LabelFile
from showable.stores.labels.queues import Queue
from showable.stores.labels.reviewers import Reviewer

LABELS = "labels.sqlite"
"""The label file of a run folder."""


class LabelStore:
    """An open label file. Any number of threads and processes may have one open; every write is on disk when it returns.

    Whatever the disk, the file or a name refuses is a SettingError of one line.
    """

    def __init__(self, file: LabelFile) -> None:
        """Take an open file; `open` is the way in."""
        self._file = file

    @classmethod
    def open(cls, path: Path, *, run_fingerprint: str | None = None, make: bool = True) -> Self:
        """Open the labels of a run, or make the file unless `make` is off.

        The first `run_fingerprint` (of `run.json`: that of the records) stays with the file; raises SettingError for
        another one, for a file that is damaged, no label file, of a newer schema, or cannot be written.
        """
        if not make and not path.is_file():
            raise SettingError(f"{path}: there are no labels here yet; `showable review RUN` is where they are given")
        store = cls(LabelFile(path))
        try:
            store._belong_to(run_fingerprint)
            store.remember_guides()
        except BaseException:
            store.close()
            raise
        return store

    @property
    def path(self) -> Path:
        """The file."""
        return self._file.path

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, label: Label) -> bool:
        """Write down a word just given. False where the same label (by id) was there; SettingError where another was."""
        return label_log.add(self._file, label)

    def add_many(self, labels: Iterable[Label]) -> int:
        """Write down labels from elsewhere, all or none; gives how many were new.

        The records that they say are held out are pinned, where nothing is pinned here yet. A hold-out that is there stays
        as it is.
        """
        held_out: dict[str, None] = {}

        def each() -> Iterator[Label]:
            for label in labels:
                if label.held_out:
                    held_out[label.record] = None
                yield label

        with self._file.writing():
            new = label_log.add_many(self._file, each())
            if held_out and not self.hold_out():
                self.pin_hold_out(list(held_out))
        return new

    def current(self, reviewer: str | None = None, *, record: str | None = None) -> list[Label]:
        """Return the last word by target and reviewer (and, apart, of adjudicating), those taken back left out."""
        return [label for label in label_log.last_words(self._file, reviewer, record) if label.value is not None]

    def last_words(self) -> list[Label]:
        """Return the last words, those taken back among them: what another store needs to hold the same."""
        return label_log.last_words(self._file)

    def history(self) -> list[Label]:
        """Return every label ever given, words taken back and undone among them, in the order of arrival."""
        return label_log.history(self._file)

    def has_labelled(self, reviewer: str, target: Target) -> bool:
        """Check whether a person ever gave a word on a target, taken back since or not."""
        return label_log.has_labelled(self._file, reviewer, target)

    def records_of_others(self, reviewer: str) -> set[str]:
        """Return the records on which anybody but this person ever gave a word, taken back since or not."""
        return label_log.records_of_others(self._file, reviewer)

    def count(self) -> int:
        """Count the lines of the log: it grows with every change, so a page can tell whether anything happened."""
        return label_log.count(self._file)

    def undo(self, reviewer: str) -> tuple[Label, Label | None] | None:
        """Undo a reviewer's last change given here; gives the change, and what holds now. None where there is none."""
        return label_log.undo(self._file, reviewer)

    def reviewers(self) -> list[Reviewer]:
        """Return the people who label here."""
        return reviewers.all_reviewers(self._file)

    def enter(self, name: str, role: str) -> Reviewer:
        """Take in a person, or know them again. Raises SettingError for a second role under one name."""
        return reviewers.enter(self._file, name, role)

    def make_queue(self, name: str, kind: str, records: Sequence[str], overlap: int = 0, seed: int = 0) -> Queue:
        """Make a queue, or find the same one again. Raises SettingError where another one has the name."""
        return queues.make_queue(self._file, name, kind, records, overlap=overlap, seed=seed)

    def queues(self) -> list[Queue]:
        """Return the queues, in the order in which they were made."""
        return queues.all_queues(self._file)

    def queue(self, name: str) -> Queue:
        """Return one queue. Raises SettingError where there is none of that name."""
        return queues.queue_named(self._file, name)

    def records_of(self, queue: str) -> list[str]:
        """Return the records of a queue in its order."""
        return queues.records_of(self._file, queue)

    def next_record(self, queue: str, reviewer: str, after: str | None = None) -> str | None:
        """Return the record to do next and make it the reviewer's; None where nothing is left."""
        return assignment.next_record(self._file, queue, reviewer, after)

    def record_at(self, queue: str, reviewer: str, position: int) -> str | None:
        """Return the record at a place (from 1) of the reviewer's own order, or None beyond what was given to them."""
        return assignment.record_at(self._file, queue, reviewer, position)

    def position_of(self, queue: str, reviewer: str, record: str) -> int | None:
        """Return the place (from 1) of a record in the reviewer's own order, or None where it is not theirs."""
        return assignment.position_of(self._file, queue, reviewer, record)

    def records_dealt(self, queue: str, reviewer: str) -> list[tuple[str, bool]]:
        """Return the reviewer's own order: each record, and whether it is finished."""
        return assignment.records_dealt(self._file, queue, reviewer)

    def place(self, queue: str, reviewer: str) -> Progress:
        """Return how far a reviewer is in a queue."""
        return assignment.place(self._file, queue, reviewer)

    def finish(self, queue: str, reviewer: str, record: str) -> None:
        """Note that a reviewer is done with a record."""
        assignment.finish(self._file, queue, reviewer, record)

    def reopen(self, queue: str, reviewer: str, record: str) -> None:
        """Note that a reviewer is not done with a record after all."""
        assignment.reopen(self._file, queue, reviewer, record)

    def release(self, queue: str, reviewer: str, record: str | None = None) -> list[str]:
        """Return back the unfinished records that only this reviewer has, or one of them; gives those given back."""
        return assignment.release(self._file, queue, reviewer, record)

    def note_seen(self, reviewer: str, records: Iterable[str]) -> None:
        """Note that a reviewer was shown what others said of these records."""
        others_seen.note_seen(self._file, reviewer, records)

    def seen_by(self, reviewer: str) -> set[str]:
        """Return the records of which a reviewer was shown what others said: their labels on them are blind no more."""
        return others_seen.seen_by(self._file, reviewer)

    def hold_out(self) -> list[str]:
        """Return the records that are held out; none where nothing was pinned."""
        return queues.hold_out(self._file)

    def pin_hold_out(self, records: Sequence[str], topped_up: int = 0) -> None:
        """Pin the hold-out, once; `topped_up` of it were not drawn by chance. Raises SettingError for a second, other one."""
        queues.pin_hold_out(self._file, records, topped_up)

    def hold_out_topped_up(self) -> int:
        """Return how many records of the hold-out were put there as refusals, not drawn by chance, as far as is known here."""
        return queues.hold_out_topped_up(self._file)

    def settle_only(self, reviewer: str) -> None:
        """Note that a reviewer only settles what others disagree on, and labels none of it first; the first time is kept."""
        others_seen.settle_only(self._file, reviewer)

    def settles_only(self, reviewer: str) -> str | None:
        """Say since when a reviewer only settles (UTC), or None."""
        return others_seen.settles_only(self._file, reviewer)

    def records_labelled_by(self, reviewer: str) -> set[str]:
        """Return the records on which a reviewer ever gave a word, taken back since or not."""
        return label_log.records_labelled_by(self._file, reviewer)

    def remember_guides(self) -> None:
        """Keep today's guide texts by digest, so that a label can be read with the words it was given under."""
        texts = [(guide_digest(about), about, guide_text(about)) for about in GUIDE]
        known = {row[0] for row in self._file.rows("SELECT digest FROM guides")}
        if fresh := [row for row in texts if row[0] not in known]:
            with self._file.writing():
                self._file.write_all("INSERT OR IGNORE INTO guides VALUES (?, ?, ?)", fresh)

    def guide_text_of(self, digest: str) -> str | None:
        """Return the text of a guide by its digest, or None where no label was ever given under it here."""
        row = self._file.first("SELECT text FROM guides WHERE digest=?", (digest,))
        return None if row is None else str(row[0])

    def run_fingerprint(self) -> str | None:
        """Return the fingerprint of the run that the labels belong to, or None where none was said."""
        row = self._file.first("SELECT value FROM facts WHERE name='run'")
        return None if row is None else str(row[0])

    def _belong_to(self, fingerprint: str | None) -> None:
        if fingerprint is None or self.run_fingerprint() == fingerprint:
            return
        with self._file.writing():
            held = self.run_fingerprint()
            if held is None:
                self._file.write("INSERT INTO facts VALUES ('run', ?)", (fingerprint,))
            elif held != fingerprint:
                said = f"belongs to the run of records {held}, not to that of {fingerprint}"
                raise SettingError(f"{self.path}: {said}; name another file with --labels")
