"""What `drift anchor` freezes and checks: labelled rows of a file or a run, and where p is cut on them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from showable.cli.options import input_file, read_thresholds
from showable.cli.reading import tell_labels

if TYPE_CHECKING:
    from showable.drifting.anchor_file import Anchor
    from showable.drifting.anchors import Labelled
    from showable.records.signature import Thresholds

_GIVE = "give --calibration, or say with --threshold where p is cut without one"


def read_labelled(file: Path, labels: Path | None) -> Labelled:
    """Read what is to be frozen: a labelled run, or a file of labelled rows."""
    from showable.drifting.anchors import Labelled
    from showable.errors import InputError, SettingError
    from showable.validation.rows import LabelledPair, read_rows

    if file.is_dir():
        from showable.drifting.labelled_runs import LabelledRun
        from showable.stores.runs_of import one_run

        return LabelledRun.read(one_run(file), labels).anchor_rows()
    if labels is not None:
        raise SettingError("--labels goes with a run folder; a file of labelled rows has its own")
    with input_file(file) as path:
        rows = read_rows(path, LabelledPair, str(file))
    tell_labels(row for _, row in rows)
    found = Labelled(str(file), "general", rows).decided().once()
    if not found.rows:
        raise InputError("holds no row labelled 1 or 0 that no other contradicts", path=str(file))
    return found


def cut_of(rows: Labelled, threshold: str | None) -> Thresholds:
    """Return where p is cut without a calibration: where --threshold says, else where the run of the rows was cut.

    Raises SettingError where that was the mapped p of a calibration, which the judge by itself does not give.
    """
    from showable.errors import SettingError

    if threshold is not None or rows.under is None:
        return read_thresholds(threshold)
    if rows.under.calibration is not None:
        raise SettingError(f"{rows.source}: was scored under the calibration {rows.under.calibration}; {_GIVE}")
    return rows.under.thresholds


def judge_of(rows: Labelled) -> str | None:
    """Name the judge where --judge does not: of a run its own. Raises SettingError where its name does not say how to reach it."""
    from showable.cli.run_judge import judge_of_runs

    return judge_of_runs([] if rows.under is None else [rows.under.judge], wanted="it")


def refuse_another_p(path: Path, frozen: Anchor) -> None:
    """Raise SettingError where an anchor's p was mapped: the judge's own p, cut where that was, would move for nothing."""
    from showable.errors import SettingError

    if frozen.calibration is not None:
        raise SettingError(f"{path}: was frozen under the calibration {frozen.calibration}; {_GIVE}")
