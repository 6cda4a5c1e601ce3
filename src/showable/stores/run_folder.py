"""A run is a folder: append-only while running, resumed by the same command, and never judged twice.

`run.json` says what was run, `profile.json` under which rules; `records.jsonl`, `evidence.jsonl` and `scores.jsonl` grow by one line a
record, in this order; `summary.json` and `report.html` are written at the end. A record whose evidence
is on disk is judged; one without a score (a kill between two writes) is graded again from that evidence. A power cut
may lose the ends of the three files unevenly: a score without evidence is dropped, and its record judged again.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Self, TypeVar

from pydantic import ValidationError

from showable.errors import InputError, SettingError, ShowableError
from showable.own_files import open_regular, read_regular, replacing
from showable.records.evidence import Evidence
from showable.records.lines import explain
from showable.records.record import Record
from showable.records.scorecard import Scorecard
from showable.records.signature import Signature
from showable.records.wire import Wire

RECORDS, EVIDENCE, SCORES = "records.jsonl", "evidence.jsonl", "scores.jsonl"
PROFILE = "profile.json"
_SYNC_EVERY = 0.2
"""Seconds between fsyncs. A killed process loses nothing that was written; a power cut at most this much."""
_CHUNK = 1 << 16

W = TypeVar("W", bound=Wire)


class RunFolder:
    """An open run folder, held by this process alone until it is closed."""

    def __init__(self, path: Path, run: dict[str, Any]) -> None:
        self.path, self.run = path, run
        self._handles: dict[str, IO[bytes]] = {}
        self._found: dict[str, set[str]] = {}
        self._lock: IO[str] | None = None
        self._synced = time.monotonic()

    @classmethod
    def open(cls, path: Path, signature: Signature, source: str, fingerprint: str, **facts: Any) -> Self:
        """Create the folder, or take up the run that stands in it. `facts` is what else `run.json` is to say.

        Raises SettingError where the folder cannot be written, is held by another process, or holds
        a run of another input or another signature; nothing in it is changed then.
        """
        run = {"signature": str(signature), "source": source, "fingerprint": fingerprint, "finished": False, **facts}
        folder = cls(path, run)
        try:
            path.mkdir(parents=True, exist_ok=True)
            folder._lock = hold_folder(path)
            folder._agree()
            folder.write_json("run.json", run)
            for name in (RECORDS, EVIDENCE, SCORES):
                drop_torn_line(path / name)
                folder._handles[name] = open_regular(path / name, "ab", buffering=0)
                folder._found[name] = set(_ids(path / name))
            folder._drop_scores_without_evidence()
        except OSError as error:
            folder.close()
            raise SettingError(f"{path}: cannot be written: {error.strerror or error}") from None
        except ShowableError:
            folder.close()
            raise
        return folder

    def _agree(self) -> None:
        before = read_run(self.path)
        if before is None:
            if any(_holds_something(self.path / name) for name in (RECORDS, EVIDENCE, SCORES)):
                raise SettingError(f"{self.path}: holds files that are no run of showable; give another --out")
            return
        if before.get("fingerprint") != self.run["fingerprint"]:
            said = f"holds a run of {before.get('source')}, whose records differ from {self.run['source']}"
            raise SettingError(f"{self.path}: {said}; give another --out")
        mine, theirs = Signature.parse(self.run["signature"]), Signature.parse(str(before.get("signature")))
        if different := theirs.differences(mine):
            raise SettingError(
                f"{self.path}: holds a run of another signature ({'; '.join(different)}); give another --out"
            )

    def _drop_scores_without_evidence(self) -> None:
        """Take back the scores of records whose evidence a power cut lost: they are judged again, which gives them another."""
        if lost := self._found[SCORES] - self._found[EVIDENCE]:
            self._drop(SCORES, lost)

    def forget(self, ids: set[str]) -> None:
        """Take back scores and evidence of records that are to be judged again; a kill in between loses nothing else."""
        for name in (SCORES, EVIDENCE):
            self._drop(name, ids)

    def _drop(self, name: str, ids: set[str]) -> None:
        """Write one of the files anew without the lines of some records."""
        file = self.path / name
        self._handles.pop(name).close()
        with open_regular(file, "rb") as held, replacing(file) as handle:
            handle.writelines(line for line, one in zip(held, _ids(file), strict=True) if one not in ids)
        self._handles[name] = open_regular(file, "ab", buffering=0)
        self._found[name] -= ids

    def found(self, name: str) -> set[str]:
        """Return the ids that one of the three files held when the folder was opened."""
        return self._found[name]

    def read(self, name: str, model: type[W]) -> Iterator[W]:
        """Yield the lines of one of the three files."""
        return read_run_lines(self.path / name, model)

    def append(self, record: Record, evidence: Evidence, scorecard: Scorecard) -> None:
        """Write one record down for good, but for the lines of it that an earlier run left here.

        Raises OSError where the disk is full; what was written before stays whole.
        """
        parts = ((RECORDS, record), (EVIDENCE, evidence), (SCORES, scorecard))
        lines = [(name, _line(name, value)) for name, value in parts if record.id not in self._found[name]]
        for name, line in lines:  # all three were written out before the first is put down
            self._append(name, line)
        if time.monotonic() - self._synced > _SYNC_EVERY:
            self.sync()

    def append_line(self, name: str, value: Wire) -> None:
        """Append one value to one file, whole or not at all."""
        self._append(name, _line(name, value))

    def _append(self, name: str, line: bytes) -> None:
        handle = self._handles[name]
        before = handle.seek(0, os.SEEK_END)
        view = memoryview(line)
        try:
            while view:
                view = view[handle.write(view) :]
        except OSError:
            with suppress(OSError):  # the next run cuts a torn line where this could not
                handle.truncate(before)
            raise

    def sync(self) -> None:
        """Make what was appended survive a power cut."""
        for handle in self._handles.values():
            os.fsync(handle.fileno())
        self._synced = time.monotonic()

    def try_sync(self) -> None:
        """Sync while another error is on its way to the user, which must not be replaced by this one."""
        with suppress(OSError):
            self.sync()

    def write_json(self, name: str, value: Any) -> None:
        """Replace a small file in one step, so that no reader sees half of it."""
        self.write_text(name, json.dumps(value, ensure_ascii=False, indent=2) + "\n")

    def write_text(self, name: str, text: str) -> None:
        """Replace a text file in one step."""
        replace_text(self.path / name, text)

    def close(self) -> None:
        """Let go of the folder."""
        for handle in self._handles.values():
            handle.close()
        self._handles.clear()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def hold_folder(path: Path) -> IO[str]:
    """Hold a folder for this process until what is given back is closed. Raises SettingError where another one has it."""
    lock = open_regular(path / ".lock", "a+", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        holder = lock.read().strip() or "another process"
        lock.close()
        raise SettingError(f"{path}: in use by {holder}; wait for it, or give another --out") from None
    lock.truncate(0)
    lock.write(f"process {os.getpid()}")
    lock.flush()
    return lock


def replace_text(path: Path, text: str) -> None:
    """Replace a text file in one step, so that no reader sees half of it."""
    with replacing(path) as handle:
        handle.write(text.encode())


def read_run(path: Path) -> dict[str, Any] | None:
    """Give `run.json` of a folder, or None where it holds no run. Raises InputError where it cannot be read."""
    return read_facts(path / "run.json")


def read_facts(path: Path) -> dict[str, Any] | None:
    """Return the object in a small file of a run, or None where there is none. Raises InputError where it cannot be read."""
    try:
        facts = read_json(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InputError(
            f"cannot be read as a run: {getattr(error, 'strerror', None) or error}", path=str(path)
        ) from None
    if not isinstance(facts, dict):
        raise InputError("expected an object", path=str(path))
    return facts


def read_json(path: Path) -> Any:
    """Return the JSON value in a file of ours. Raises OSError, and ValueError for what is none or is nested too deeply."""
    try:
        return json.loads(read_regular(path).decode())
    except RecursionError:
        raise ValueError("nested too deeply") from None


def need_finished_run(path: Path) -> tuple[dict[str, Any], Signature]:
    """Give `run.json` and its signature. Raises InputError where the folder holds no run, or half of one."""
    run = read_run(path)
    if run is None:
        raise InputError("holds no run (no run.json); `showable score FILE --out DIR` makes one", path=str(path))
    if not run.get("finished"):
        said = f"holds a run that is not finished ({run.get('scored', 0)} of {run.get('records', '?')} records scored)"
        raise InputError(f"{said}; the command that began it goes on from there", path=str(path))
    return run, Signature.parse(str(run.get("signature")))


def raw_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a run's file, however long, as they are. Raises InputError where it cannot be read."""
    try:
        with open_regular(path, "rb") as handle:
            yield from handle
    except FileNotFoundError:
        raise InputError("a file of the run is missing", path=str(path)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=str(path)) from None


def read_run_lines(path: Path, model: type[W]) -> Iterator[W]:
    """Yield the lines of a run's file, however long; raise InputError at one that cannot be read."""
    for number, raw in enumerate(raw_lines(path), 1):
        try:
            value = model.model_validate_json(raw)
        except ValidationError as error:
            field, said = explain(error)
            raise InputError(said, path=str(path), line=number, field=field) from None
        yield value


def _ids(path: Path) -> Iterator[str]:
    """Read ids alone: every line we write begins with ``{"id":"…"``, so the rest need not be parsed."""
    decoder = json.JSONDecoder()
    with open_regular(path, "r", encoding="utf-8", errors="replace") as handle:
        for number, line in enumerate(handle, 1):
            try:
                yield decoder.raw_decode(line, len('{"id":'))[0]
            except (ValueError, RecursionError):
                raise InputError("no line of a run; was the file damaged?", path=str(path), line=number) from None


def _line(name: str, value: Wire) -> bytes:
    return value.model_dump_json(exclude_defaults=name == RECORDS).encode() + b"\n"


def _holds_something(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def drop_torn_line(path: Path) -> None:
    """Cut a last line that a kill left without its newline."""
    if not os.path.lexists(path):
        return
    with open_regular(path, "r+b") as handle:
        end = handle.seek(0, os.SEEK_END)
        while end > 0:
            start = max(0, end - _CHUNK)
            handle.seek(start)
            block = handle.read(end - start)
            if (at := block.rfind(b"\n")) >= 0:
                handle.truncate(start + at + 1)
                return
            end = start
        handle.truncate(0)
