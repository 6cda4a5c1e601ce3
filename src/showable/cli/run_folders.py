"""Where a run of a pipeline is kept: one folder, or one a repeat; by default a new one, unless one waits to be finished."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path

from showable.errors import SettingError
from showable.harness.answers_file import unfinished
from showable.records.asking import PipelineFacts

_NAME = re.compile(r"[^a-z0-9]+")
_LONGEST = 40


def repeats_in(out: Path, repeats: int) -> list[Path]:
    """Return the folders of a run: `out` itself, or ``repeat-1`` … in it.

    Raises SettingError where `out` holds one run and repeats are asked for, or the other way round, or more repeats.
    """
    single, several = (out / "run.json").exists() or (out / "asking.json").exists(), (out / "repeat-1").exists()
    if repeats > 1 and single:
        raise SettingError(
            f"{out}: holds a single run, and --repeats {repeats} wants a folder of its own; give another --out"
        )
    if repeats == 1 and several:
        raise SettingError(f"{out}: holds repeats of a run; say how many with --repeats, or give another --out")
    if repeats > 1 and _holds_more(out, repeats):
        said = f"holds more than {repeats} repeats of a run, and all of them count"
        raise SettingError(f"{out}: {said}; say how many with --repeats, or give another --out")
    return [out] if repeats == 1 else [out / f"repeat-{number}" for number in range(1, repeats + 1)]


def default_out(facts: PipelineFacts, corpus: str | None, repeats: int, root: Path = Path("runs")) -> Path:
    """Name a folder: that of a run of just this kind which was stopped, else a new one.

    A finished run is never taken for the answer to a new one: what is behind a pipeline's name may have changed.
    """
    stem = f"{_short(facts.questions)}-{_short(facts.label or facts.name)}"
    numbers = _taken(root, stem)
    for number in sorted(numbers, reverse=True):
        out = root / f"{stem}-{number}"
        if repeats == 1 and unfinished(out, facts, corpus):
            return out
        if repeats > 1 and _some_unfinished(out, facts, corpus, repeats):
            return out
    return root / f"{stem}-{next(number for number in count(1) if number not in numbers)}"


def _holds_more(out: Path, repeats: int) -> bool:
    return (out / f"repeat-{repeats + 1}").exists()


def _some_unfinished(out: Path, facts: PipelineFacts, corpus: str | None, repeats: int) -> bool:
    first = out / "repeat-1"
    if _holds_more(out, repeats) or not (first / "asking.json").exists():
        return False
    marks = [
        unfinished(out / f"repeat-{n}", facts.model_copy(update={"repeat": n}), corpus) for n in range(1, repeats + 1)
    ]
    return any(marks)


def _taken(root: Path, stem: str) -> set[int]:
    if not root.is_dir():
        return set()
    named = (one.name.removeprefix(f"{stem}-") for one in root.iterdir() if one.name.startswith(f"{stem}-"))
    return {int(number) for number in named if number.isdecimal()}


def _short(name: str) -> str:
    return _NAME.sub("-", name.lower()).strip("-")[:_LONGEST].strip("-") or "run"
