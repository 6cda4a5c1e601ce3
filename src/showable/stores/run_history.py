"""List the runs of a folder: when, what answered, what came out, and which baselines are pinned."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Literal

from showable.errors import InputError, ShowableError
from showable.measure.contender import is_in, share_of
from showable.measure.flaky import flaky
from showable.measure.history import History, LeftOut, PastRun
from showable.measure.repeats import questions_fingerprint
from showable.measure.summary import BUCKETS
from showable.stores.baselines import read_pins
from showable.stores.run_folder import read_run
from showable.stores.run_sides import RunSide, read_side
from showable.stores.runs_of import holds_runs

REPORT = "report.html"


def read_history(folder: Path) -> History:
    """Read all runs of a folder, the oldest first. A run that cannot be told of is left out, and why is said.

    Raises InputError where there is no such folder, where it is a run itself, or where its pins cannot be read.
    """
    if not folder.is_dir():
        said = "is a file" if folder.exists() else "no such folder"
        raise InputError(
            f"{said}; expected a folder that holds runs: `showable runs .` lists those in this folder", path=str(folder)
        )
    if holds_runs(folder):
        raise InputError("is a run itself; give the folder that it is in", path=str(folder))
    pins = read_pins(folder)
    runs: list[PastRun] = []
    left_out: list[LeftOut] = []
    found = sorted(each for each in folder.iterdir() if holds_runs(each))
    for each in found:
        pinned = tuple(sorted(name for name, run in pins.items() if run == each.name))
        try:
            runs.append(_past_run(folder, each, pinned))
        except ShowableError as error:
            why = str(error).removeprefix(f"{each}: ").removeprefix(f"{each}/")
            left_out.append(LeftOut(folder=each.name, why=why, pinned=pinned))
    names = {each.name for each in found}
    return History(
        folder=str(folder),
        runs=tuple(sorted(runs, key=lambda run: (run.when, run.folder))),
        left_out=tuple(left_out),
        missing={name: run for name, run in pins.items() if run not in names},
    )


def _past_run(folder: Path, path: Path, pinned: Sequence[str]) -> PastRun:
    side = read_side(path)
    rows = side.folded
    when, when_from = _when(side)
    signature = str(side.signature)
    return PastRun(
        folder=path.name,
        name=side.name,
        when=when,
        when_from=when_from,
        pipeline=side.pipeline,
        questions=_questions(side),
        questions_fingerprint=questions_fingerprint(rows),
        n=len(rows),
        repeats=len(side.runs),
        flaky=len(flaky(side.runs)),
        buckets={bucket: share_of(rows, is_in(bucket)) for bucket in BUCKETS},
        acceptable=share_of(rows, lambda row: row.acceptable),
        signature=side.signature,
        signature_short=sha256(signature.encode()).hexdigest()[:8],
        reports=tuple(str((each / REPORT).relative_to(folder)) for each in side.folders if (each / REPORT).exists()),
        pinned=tuple(pinned),
    )


def _when(side: RunSide) -> tuple[str, Literal["run", "files"]]:
    """Return when a run began, as it says itself; else when its last file was written, to the second."""
    if side.pipeline is not None and side.pipeline.at:
        return side.pipeline.at, "run"
    written = max((folder / "run.json").stat().st_mtime for folder in side.folders)
    return datetime.fromtimestamp(written, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), "files"


def _questions(side: RunSide) -> str:
    """Name the question set; of a file that was scored, the file."""
    if side.pipeline is not None:
        return side.pipeline.questions
    run = read_run(side.folders[0]) or {}
    return Path(str(run.get("source", "?"))).name
