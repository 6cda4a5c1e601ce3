"""A path as the runs behind it: a run folder is one run, a folder of repeats (`repeat-1`, `repeat-2` …) is several."""

from __future__ import annotations

import re
from pathlib import Path

from showable.errors import InputError

_REPEAT = re.compile(r"repeat-([1-9][0-9]*)")


def runs_of(path: Path) -> list[Path]:
    """Return the run folder itself, or the repeats in it in order of their number.

    Whether each run is whole is for its reader to say. Raises InputError where the folder holds neither a run nor
    repeats, or a repeat is missing between others.
    """
    if not path.is_dir():
        said = "no such folder" if not path.exists() else "expected a run folder, and this is a file"
        raise InputError(said, path=str(path))
    if (path / "run.json").exists():
        return [path]
    repeats = _repeats(path)
    if not repeats:
        raise InputError(
            "holds no run (no run.json) and no repeats (repeat-1, repeat-2 …);"
            " `showable run` and `showable score FILE --out DIR` make a run",
            path=str(path),
        )
    if missing := sorted(set(range(1, max(repeats) + 1)) - repeats.keys()):
        raise InputError(
            f"holds repeat-{max(repeats)} but no repeat-{missing[0]}; was a repeat taken away?", path=str(path)
        )
    return [repeats[number] for number in sorted(repeats)]


def one_run(path: Path) -> Path:
    """Return the folder of a single run. Raises InputError where there is none, or where there are repeats, each with a report."""
    folders = runs_of(path)
    if folders != [path]:
        said = (
            f"holds {len(folders)} repeats of a run, and each has a report of its own: give one, such as {folders[0]}"
        )
        more = "`showable compare` and `showable gate` take the folder as one side"
        raise InputError(f"{said}; {more}", path=str(path))
    return path


def holds_runs(path: Path) -> bool:
    """Check whether a folder holds a run or repeats of one, whole or not."""
    return path.is_dir() and ((path / "run.json").exists() or bool(_repeats(path)))


def _repeats(path: Path) -> dict[int, Path]:
    found = ((_REPEAT.fullmatch(each.name), each) for each in path.iterdir() if each.is_dir())
    return {int(match[1]): each for match, each in found if match}
