"""Baselines pinned by name: `baselines.json` of a folder of runs says which of them a name stands for."""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from showable.errors import InputError, SettingError
from showable.stores.run_folder import read_json, replace_text
from showable.stores.runs_of import holds_runs

PINS = "baselines.json"
RUNS = Path("runs")
"""Where runs go when nobody says where."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def read_pins(folder: Path) -> dict[str, str]:
    """Return the pinned names of a folder of runs, each with the run it stands for, as it is called there.

    A folder without pins has none. Raises InputError where the file cannot be read.
    """
    file = folder / PINS
    try:
        held = read_json(file)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read as pinned baselines: {said}", path=str(file)) from None
    if not isinstance(held, dict):
        raise InputError("expected an object of name and run folder", path=str(file))
    for name, run in held.items():
        if not isinstance(run, str) or not run or run in {".", ".."} or Path(run).name != run:
            raise InputError("expected the name of a run folder beside this file", path=str(file), field=name)
    return held


def pin(name: str, run: Path) -> Path:
    """Let a name stand for a run, in the folder that holds the run; give the file that says so.

    A name that stands for another run is moved. Raises SettingError where the name is none or cannot be written
    down, InputError where the folder holds no run.
    """
    if not _NAME.fullmatch(name):
        raise SettingError(f"{name!r}: a name is made of letters, digits, and . _ - after the first, at most 64 in all")
    if not holds_runs(run):
        raise InputError("holds no run to pin (no run.json, no repeat-1)", path=str(run))
    real = run.resolve()
    if holds_runs(Path(name)) or holds_runs(real.parent / name):
        raise SettingError(f"{name!r} is the name of a run folder itself; take another")
    with _held(real.parent):
        return _write(real.parent, read_pins(real.parent) | {name: real.name})


def unpin(name: str, folder: Path = RUNS) -> str:
    """Take a name away and give the run it stood for. The run stays. Raises SettingError where nothing is pinned so."""
    with _held(folder):
        pins = read_pins(folder)
        if name not in pins:
            raise SettingError(f"{folder}: no baseline is pinned as {name!r}; {_listed(pins)}")
        _write(folder, {other: run for other, run in pins.items() if other != name})
    return pins[name]


def resolve_run(given: str | Path) -> Path:
    """Return the folder that a path or the name of a pinned baseline stands for.

    A folder of that path comes first, if it holds a run or a part of one: a folder that only happens to be called like a
    baseline does not stand in its way. Then ``NAME`` is looked for among the pins of ``runs`` and of the folder one is
    in, ``DIR/NAME`` among those of DIR. Raises SettingError, with the names there are, where it is found nowhere.
    """
    path = Path(given)
    if holds_runs(path):
        return path
    bare = path.name == str(path)
    for folder in (RUNS, Path()) if bare else (path.parent,):
        pinned = read_pins(folder).get(path.name)
        if pinned is not None:
            return _pinned(folder, path.name, pinned)
    if path.exists():
        return path  # what is the matter with it is for its reader to say
    pins = read_pins(RUNS if bare else path.parent)
    raise SettingError(f"{path}: no such folder, and no baseline is pinned by that name; {_listed(pins)}")


def told_as(given: Path, found: Path) -> str:
    """Return which run was taken: the path, and where it was found by a pinned name, that name too."""
    return str(found) if given == found else f"{given} ({found})"


def _pinned(folder: Path, name: str, run: str) -> Path:
    if not holds_runs(folder / run):
        raise InputError(
            f"the baseline {name!r} stands for {run}, and there is no run of that name", path=str(folder / PINS)
        )
    return folder / run


def _listed(pins: dict[str, str]) -> str:
    return f"pinned are {', '.join(sorted(pins))}" if pins else "`showable runs pin NAME RUN` pins one"


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Let nobody else change the pins of a folder meanwhile: of two who pin at once neither loses his name."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise SettingError(f"{folder}: cannot be read: {error.strerror or error}") from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)  # which lets go of it


def _write(folder: Path, pins: dict[str, str]) -> Path:
    """Replace the file in one step, so that nobody reads half of it."""
    file, text = folder / PINS, _as_text(dict(sorted(pins.items())))
    try:
        replace_text(file, text)
    except OSError as error:
        raise SettingError(f"{file}: cannot be written: {error.strerror or error}") from None
    return file


def _as_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
