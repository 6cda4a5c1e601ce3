"""--calibration: the judge and the thresholds of a calibration file, and what does not go with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from showable.records.calibration import Calibration, Shot
    from showable.records.evidence import Judge
    from showable.records.profile import Profile

CalibrationOption = Annotated[
    Path | None,
    typer.Option(
        "--calibration",
        help="Thresholds and recalibration fitted on people's labels, a file of `showable calibrate`.",
        metavar="FILE",
    ),
]


def open_calibration(path: Path | None, *, threshold: object = None, option: str = "--threshold") -> Calibration | None:
    """Read the file of --calibration, if one is given. Raises SettingError beside an option that cuts p elsewhere."""
    from showable.calibrating.calibration_file import read_calibration
    from showable.errors import SettingError
    from showable.report.untrusted import printable
    from showable.stores.judge_versions import kept_aside

    if path is None:
        return None
    if threshold is not None:
        raise SettingError(f"--calibration and {option} both say where p is cut; give one of them")
    if why := kept_aside(path):
        typer.echo(f"showable: --calibration: {printable(why)}", err=True)
    return read_calibration(path)


def shots_of(calibration: Calibration | None) -> tuple[Shot, ...]:
    """Give the worked examples that a chat judge's prompt is to hold."""
    return () if calibration is None else calibration.shots


def judge_under(calibration: Calibration | None, judge: Judge) -> Judge:
    """Put a judge under a calibration. Raises SettingError where it was fitted for another judge or prompt."""
    from showable.errors import SettingError
    from showable.judges.calibrated import CalibratedJudge, refuse_another_judge
    from showable.judges.origin import origin

    if calibration is None:
        return judge
    if calibration.head is not None:
        with_head = getattr(judge, "with_head", None)
        if with_head is None:
            said = f"holds a head for {calibration.judge}, and {judge.name} takes none"
            raise SettingError(f"calibration {calibration.label}: {said}")
        refuse_another_judge(calibration, *origin(judge))  # another version may not know this head's features
        judge = with_head(calibration.head)
    return CalibratedJudge(judge, calibration)


def rules_under(calibration: Calibration | None, rules: Profile) -> Profile:
    """Give the rules with the thresholds of a calibration.

    Raises SettingError where it was fitted under another profile, or where the profile has since been given a threshold for
    a kind that the calibration knows nothing of: that kind would silently be cut at the common one.
    """
    from showable.errors import SettingError

    if calibration is None:
        return rules
    if calibration.profile != rules.name:
        said = f"was fitted under the profile {calibration.profile}, these answers are scored under {rules.name}"
        raise SettingError(f"calibration {calibration.label}: {said}; calibrate with --profile, or score under its own")
    unknown = sorted(set(rules.thresholds.per_kind) - set(calibration.thresholds.per_kind))
    if unknown:
        said = f"has no threshold for {', '.join(unknown)}, and the profile {rules.name} sets one; calibrate anew"
        raise SettingError(f"calibration {calibration.label}: {said}")
    return rules.at(calibration.thresholds)
