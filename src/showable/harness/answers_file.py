"""What was asked, on disk: `answers.jsonl` grows by one Record an answer, `asking.json` says of which run it is.

The same command on the same folder goes on with the questions that are not in the file yet. Of a question that was asked
again, after a failure, the last line counts until the file is put in order.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Self

from showable.errors import SettingError
from showable.own_files import open_regular
from showable.records.asking import PipelineFacts
from showable.records.record import Question, Record
from showable.stores.run_folder import (
    EVIDENCE,
    PROFILE,
    RECORDS,
    SCORES,
    drop_torn_line,
    hold_folder,
    read_facts,
    read_run_lines,
    replace_text,
)

ANSWERS, ASKING = "answers.jsonl", "asking.json"
_SCORED = (SCORES, EVIDENCE, RECORDS, PROFILE, "summary.json", "report.html", "run.json")
_NOT_COMPARED = frozenset({"at", "repeats"})
"""Facts that may differ when a run is taken up: when it began, and how many repeats there are to be."""
_WORDS = {
    "name": "pipeline",
    "label": "label",
    "model": "model",
    "model_class": "model class",
    "prompt": "prompt",
    "refusal_licence": "refusal licence",
    "questions": "question set",
    "questions_fingerprint": "questions",
    "repeat": "repeat",
    "corpus": "corpus",
}


class AnswersFile:
    """The answers of one run, open for more, its folder held by this process alone."""

    def __init__(self, folder: Path, facts: PipelineFacts, records: Iterable[Record], lock: IO[str]) -> None:
        self.folder, self.facts = folder, facts
        self.answered: dict[str, Record] = {}
        self._lines = 0
        for record in records:
            self._keep(record)
        self._lock = lock
        self._handle = open_regular(folder / ANSWERS, "ab", buffering=0)

    @classmethod
    def open(cls, folder: Path, facts: PipelineFacts, corpus: str | None) -> Self:
        """Begin in a folder, or take up what stands there; `facts` are then the first run's, with when it began.

        Raises SettingError where the folder cannot be written, is held by another process, or holds a run of another
        pipeline, other questions or another corpus, naming what differs.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = hold_folder(folder)
        except OSError as error:
            raise SettingError(f"{folder}: cannot be written: {error.strerror or error}") from None
        try:
            facts = _agree(folder, facts, corpus)
            drop_torn_line(folder / ANSWERS)
            path = folder / ANSWERS
            return cls(folder, facts, read_run_lines(path, Record) if path.exists() else (), lock)
        except BaseException:
            lock.close()
            raise

    def append(self, record: Record) -> None:
        """Write one answer down for good, whole or not at all. It counts in place of an earlier one to the same question.

        What was scored of the answers goes before one of them is replaced, and not sooner.
        Raises SettingError where the disk is full.
        """
        line = memoryview(record.model_dump_json(exclude_defaults=True).encode() + b"\n")
        if record.id in self.answered:
            self._unscore()
        before = self._handle.seek(0, os.SEEK_END)
        try:
            while line:
                line = line[self._handle.write(line) :]
        except OSError as error:
            self._handle.truncate(before)
            said = f"cannot be written: {error.strerror or error}; {len(self.answered)} answers are safe there"
            raise SettingError(f"{self.folder}: {said}, and the same command goes on from them") from None
        self._keep(record)

    def _keep(self, record: Record) -> None:
        self.answered[record.id] = record
        self._lines += 1

    def _unscore(self) -> None:
        """Take away what was scored of these answers. `run.json` goes last, for it says whose it is."""
        for name in _SCORED:
            (self.folder / name).unlink(missing_ok=True)

    def in_order(self, questions: Sequence[Question]) -> None:
        """Put the answers of a whole set into its order, in one step, so that who reads them need not care who was faster."""
        ordered = [self.answered[question.id] for question in questions]
        if self._lines == len(ordered) and list(self.answered) == [record.id for record in ordered]:
            return
        text = "".join(record.model_dump_json(exclude_defaults=True) + "\n" for record in ordered)
        replace_text(self.folder / ANSWERS, text)
        self.answered, self._lines = {record.id: record for record in ordered}, len(ordered)

    def close(self) -> None:
        """Let go of the folder."""
        os.fsync(self._handle.fileno())
        self._handle.close()
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def unfinished(folder: Path, facts: PipelineFacts, corpus: str | None) -> bool | None:
    """Return whether a folder holds a run of just this kind that is not finished; None where it is finished, or no such run."""
    held = read_facts(folder / ASKING)
    if held is None or list(_differences(held, facts, corpus)):
        return None
    run = read_facts(folder / "run.json")
    return None if run is not None and run.get("finished") else True


def _agree(folder: Path, facts: PipelineFacts, corpus: str | None) -> PipelineFacts:
    held = read_facts(folder / ASKING)
    if held is None:
        if any((folder / name).exists() for name in (ANSWERS, "run.json")):
            raise SettingError(f"{folder}: holds a run that no pipeline was asked for; give another --out")
        fresh: dict[str, Any] = {"pipeline": facts.model_dump(mode="json"), "corpus": corpus}
        replace_text(folder / ASKING, _as_json(fresh))
        return facts
    if different := list(_differences(held, facts, corpus)):
        raise SettingError(f"{folder}: holds another run ({'; '.join(different)}); give another --out")
    return facts.model_copy(update={"at": held["pipeline"].get("at")})


def _differences(held: dict[str, Any], facts: PipelineFacts, corpus: str | None) -> Iterator[str]:
    theirs = held.get("pipeline")
    if not isinstance(theirs, dict):
        yield f"{ASKING} cannot be read"
        return
    mine = facts.model_dump(mode="json") | {"corpus": corpus}
    theirs = theirs | {"corpus": held.get("corpus")}
    for name, value in mine.items():
        if name not in _NOT_COMPARED and theirs.get(name) != value:
            yield f"{_WORDS.get(name, name)} {_said(theirs.get(name))}, now {_said(value)}"


def _said(value: object) -> str:
    words = {None: "not given", True: "yes", False: "no"}
    return words[value] if value is None or isinstance(value, bool) else str(value)


def _as_json(value: dict[str, Any]) -> str:
    import json  # noqa: PLC0415 - once a run

    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
