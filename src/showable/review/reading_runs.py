"""A run held open for its pages: where each record stands is noted once, and one record is read when it is looked at."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from showable.errors import InputError
from showable.own_files import open_regular
from showable.profiles.load import read_profile_json
from showable.records.evidence import Evidence
from showable.records.lines import explain
from showable.records.profile import Profile
from showable.records.record import Record
from showable.records.scorecard import Scorecard
from showable.records.wire import Wire
from showable.stores.run_folder import EVIDENCE, PROFILE, RECORDS, SCORES, need_finished_run, read_run_lines

_OPENS = b'{"id":'
W = TypeVar("W", bound=Wire)


class LineIndex:
    """Where the lines of one file of a run stand, by the id that each begins with.

    Opening reads every line but parses none; `read` parses one. Raises InputError where a line is none of a run's, or
    where the file is another one by now than it was when it was opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._places: dict[str, tuple[int, int]] = {}
        try:
            self._seen = _stamp(path)
            self._index()
        except FileNotFoundError:
            raise InputError("a file of the run is missing", path=str(path)) from None
        except OSError as error:
            raise InputError(error.strerror or str(error), path=str(path)) from None

    def _index(self) -> None:
        at = 0
        with open_regular(self.path, "rb") as handle:
            for number, raw in enumerate(handle, 1):
                try:
                    key = _id_of(raw)
                except ValueError:
                    said = "no line of a run; was the file damaged?"
                    raise InputError(said, path=str(self.path), line=number) from None
                if key in self._places:
                    raise InputError(f"the id {key!r} stands twice", path=str(self.path), line=number)
                self._places[key] = (at, len(raw))
                at += len(raw)

    def ids(self) -> list[str]:
        """Return the ids in the order of the file."""
        return list(self._places)

    def __contains__(self, key: object) -> bool:
        return key in self._places

    def __len__(self) -> int:
        return len(self._places)

    def read(self, key: str, model: type[W]) -> W:
        """Parse the line of one record; any thread may ask."""
        at, size = self._places[key]
        try:
            with open_regular(self.path, "rb") as handle:
                self.check(os.fstat(handle.fileno()))
                handle.seek(at)
                return model.model_validate_json(handle.read(size))
        except ValidationError as error:
            field, said = explain(error)
            raise InputError(said, path=str(self.path), field=field) from None
        except OSError as error:
            raise InputError(f"cannot be read any more: {error.strerror or error}", path=str(self.path)) from None

    def check(self, now: os.stat_result | None = None) -> None:
        """Raise InputError where the file is not the one that was indexed."""
        if (_stamp(self.path) if now is None else _of(now)) != self._seen:
            said = "changed since the page was opened; stop `showable review` and start it again"
            raise InputError(said, path=str(self.path))


def _id_of(raw: bytes) -> str:
    """Read the id that a line begins with: up to the first quote that ends it, so that nothing else is decoded."""
    if not raw.startswith(_OPENS + b'"') or not raw.endswith(b"\n"):
        raise ValueError
    end = raw.index(b'"', len(_OPENS) + 1)
    while (end - len(raw[:end].rstrip(b"\\"))) % 2:  # an escaped quote goes on
        end = raw.index(b'"', end + 1)
    return str(json.loads(raw[len(_OPENS) : end + 1]))


def _stamp(path: Path) -> tuple[int, int, int]:
    return _of(path.stat())


def _of(stat: os.stat_result) -> tuple[int, int, int]:
    return stat.st_ino, stat.st_size, stat.st_mtime_ns


class OpenRun:
    """A finished run: its ids in order, its profile, and each record with its evidence and its scores when asked for.

    `profile` takes the place of the one that it was scored under: whose labels count is read from it.
    """

    def __init__(self, path: Path, profile: Profile | None = None) -> None:
        run, self.signature = need_finished_run(path)
        self.path, self.name = path, path.resolve().name
        self.fingerprint = str(run.get("fingerprint"))
        self.profile = profile or read_profile_json(path / PROFILE)
        self._records, self._evidence, self._scores = (LineIndex(path / name) for name in (RECORDS, EVIDENCE, SCORES))
        for other in (self._evidence, self._scores):
            if lost := next((key for key in self._records.ids() if key not in other), None):
                raise InputError(
                    f"no line has the id {lost!r} of {RECORDS}; was the run damaged?", path=str(other.path)
                )
        self.ids = self._records.ids()

    def __contains__(self, key: object) -> bool:
        return key in self._records

    def __len__(self) -> int:
        return len(self._records)

    def record(self, key: str) -> Record:
        """Read one record. Raises KeyError where the run has none of this id, InputError where it cannot be read any more."""
        return self._records.read(key, Record)

    def evidence(self, key: str) -> Evidence:
        """Read what judges and registries said about one record; raises as `record`."""
        return self._evidence.read(key, Evidence)

    def card(self, key: str) -> Scorecard:
        """Read what came out for one record; raises as `record`."""
        return self._scores.read(key, Scorecard)

    def cards(self) -> Iterator[Scorecard]:
        """Read all scorecards: what queues are chosen from. Takes a while where there are thousands."""
        self._scores.check()
        return read_run_lines(self._scores.path, Scorecard)
