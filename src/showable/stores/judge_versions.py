"""The versions of a judge: a folder for version control, one calibration file a version, and why each was taken or not.

`versions.jsonl` has a line a version, in order; `split.json` says of every labelled pair, by its digest, whether it was fitted
on or kept unseen, and how often the unseen ones were looked at. Neither holds a text. What was kept aside stays, and is used
only by who names its file.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from showable.errors import InputError, SettingError
from showable.measure.acceptance import VersionTest
from showable.records.calibration import Calibration
from showable.records.lines import explain
from showable.records.wire import Many, Wire
from showable.stores.run_folder import read_run_lines, replace_text

VERSIONS, SPLIT = "versions.jsonl", "split.json"
FOLDER = Path("judge-versions")
"""Where versions go when nobody says where."""
Part = Literal["fitting", "unseen"]


class Tried(Wire):
    """A candidate as cross-validation on the fitting part saw it: differences to the judge as it ships, fractions 0-1."""

    what: Many[str]
    balanced_accuracy: float
    tnr: float
    brier: float | None = None


class JudgeVersion(Wire):
    """One version: what was retuned, from which labels, and whether it was accepted or kept aside, and why.

    `key` is a digest of all that decides what comes out: the judge, the labels, what may change, and the seed. `parent` is
    the version that stood before; `test` is None where the unseen labels were not looked at.
    """

    name: str
    outcome: Literal["accepted", "aside"]
    why: str
    what: Many[str]
    judge: str
    prompt: str | None = None
    profile: str
    parent: str | None = None
    at: str
    labels: str
    fitting: int
    unseen: int
    unseen_labels: str
    test: VersionTest | None = None
    tried: Many[Tried] = ()
    seed: int = 0
    key: str

    @property
    def file(self) -> str:
        """The name of its calibration file."""
        return f"{self.name}.json"


class Split(Wire):
    """What `split.json` holds: digests of the pairs fitted on, and of those kept unseen with how often they were looked at."""

    fitting: Many[str] = ()
    unseen: dict[str, int] = Field(default_factory=dict)


class JudgeVersions:
    """A folder of versions as it was when it was opened; what is added is on disk before the call returns."""

    def __init__(self, path: Path) -> None:
        """Read the folder; one that is not there holds nothing. Raises InputError at a line that cannot be read."""
        self.path = path
        if path.exists() and not path.is_dir():
            raise SettingError(f"{path}: is a file; expected a folder for the versions")
        file = path / VERSIONS
        self.entries = list(read_run_lines(file, JudgeVersion)) if file.exists() else []
        self.split = _read_split(path / SPLIT)

    @property
    def parts(self) -> dict[str, Part]:
        """Return the part of every pair that was ever in one, by its digest."""
        fitting: dict[str, Part] = dict.fromkeys(self.split.fitting, "fitting")
        return fitting | dict.fromkeys(self.split.unseen, "unseen")

    def standing(self, judge: str, prompt: str | None, profile: str) -> JudgeVersion | None:
        """Return the version accepted last for this very judge, prompt and profile."""
        ours = (
            one for one in reversed(self.entries) if (one.judge, one.prompt, one.profile) == (judge, prompt, profile)
        )
        return next((one for one in ours if one.outcome == "accepted"), None)

    def with_key(self, key: str) -> JudgeVersion | None:
        """Return the version that the same labels and settings came to before."""
        return next((one for one in self.entries if one.key == key), None)

    def calibration_of(self, version: JudgeVersion) -> Calibration:
        """Read a version's file. Raises InputError where it is missing or damaged."""
        file = self.path / version.file
        try:
            return Calibration.model_validate_json(file.read_bytes())
        except OSError as error:
            raise InputError(error.strerror or str(error), path=str(file)) from None
        except ValidationError as error:
            field, said = explain(error)
            raise InputError(said, path=str(file), field=field) from None

    def next_name(self, stem: str) -> str:
        """Return the name of the next version: the stem, and a number that no version and no file has."""
        taken = {one.name for one in self.entries}
        number = 1
        while f"{stem}-v{number}" in taken or (self.path / f"{stem}-v{number}.json").exists():
            number += 1
        return f"{stem}-v{number}"

    def remember(self, parts: Mapping[str, Part], looked_at: Iterable[str] = ()) -> None:
        """Write down which pairs are in which part, and count a look at some; before anybody knows what it showed."""
        unseen = {key: n for key, n in self.split.unseen.items() if parts.get(key) != "fitting"}
        unseen |= {key: unseen.get(key, 0) for key, part in parts.items() if part == "unseen"}
        for key in looked_at:
            unseen[key] = unseen.get(key, 0) + 1
        fitting = {key for key, part in parts.items() if part == "fitting"} | set(self.split.fitting)
        self.split = Split(fitting=tuple(sorted(fitting)), unseen=dict(sorted(unseen.items())))
        self._write(SPLIT, json.dumps(self.split.model_dump(mode="json"), indent=0) + "\n")

    def add(self, version: JudgeVersion, calibration: Calibration) -> None:
        """Write a version's file, then its line."""
        self._write(version.file, json.dumps(calibration.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n")
        self.entries.append(version)
        self._write(VERSIONS, "".join(f"{one.model_dump_json()}\n" for one in self.entries))

    def _write(self, name: str, text: str) -> None:
        try:
            replace_text(self.path / name, text)
        except OSError as error:
            raise SettingError(f"{self.path / name}: cannot be written: {error.strerror or error}") from None


@contextmanager
def open_versions(path: Path) -> Iterator[JudgeVersions]:
    """Open a folder to add to it; nobody else may meanwhile. It is made where it is missing, and stays if anything was added.

    Raises SettingError where it cannot be used.
    """
    made = not path.exists()
    try:
        path.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDONLY)
    except OSError as error:
        raise SettingError(f"{path}: cannot be used: {error.strerror or error}") from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield JudgeVersions(path)
    except BlockingIOError:
        raise SettingError(f"{path}: another retune is writing to it; wait for it, or give another folder") from None
    finally:
        os.close(handle)
        if made:
            with suppress(OSError):  # it holds something now
                path.rmdir()


def kept_aside(file: Path) -> str | None:
    """Return why a calibration file is of a version that was not accepted; None for any other file."""
    versions = file.parent / VERSIONS
    if not versions.is_file():
        return None
    found = next((one for one in read_run_lines(versions, JudgeVersion) if one.file == file.name), None)
    return None if found is None or found.outcome == "accepted" else f"{found.name} was kept aside: {found.why}"


def stem_of(judge: str, profile: str) -> str:
    """Make the first part of a version's name of a judge's name, and of a profile where it is not the general one."""
    known = judge.partition("@")[0].partition("(")[0]
    short = known.partition(":")[0] if known.startswith("scripted:") else known
    parts = [short, *([] if profile == "general" else [profile.partition("@")[0]])]
    return re.sub(r"[^A-Za-z0-9._]+", "-", "-".join(parts)).strip("-._")[:48] or "judge"


def _read_split(file: Path) -> Split:
    try:
        return Split.model_validate_json(file.read_bytes())
    except FileNotFoundError:
        return Split()
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(file)) from None
    except ValidationError as error:
        field, said = explain(error)
        raise InputError(said, path=str(file), field=field) from None
