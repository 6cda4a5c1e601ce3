"""The calibration file of a version, and what its test said it buys."""

from __future__ import annotations

from showable.calibrating.candidates import Settings
from showable.calibrating.retune_report import RetuneReport
from showable.calibrating.retune_rows import LabelledClaims
from showable.measure.acceptance import VersionTest
from showable.records.calibration import Calibration, FittedOn
from showable.stores.judge_versions import JudgeVersion


def write_up(version: JudgeVersion, settings: Settings, report: RetuneReport, claims: LabelledClaims) -> Calibration:
    """Make the calibration file of a version."""
    rubrics = {f"support@{row.rubric}" for row in claims.rows if row.rubric is not None}
    return Calibration(
        name=version.name,
        judge=version.judge,
        prompt=version.prompt,
        profile=version.profile,
        thresholds=settings.thresholds,
        recalibration=settings.recalibration,
        head=None if settings.head is None else settings.head.model_dump(mode="json"),
        shots=settings.shots,
        fitted_on=FittedOn(
            n=version.fitting,
            positives=report.fitting.positives,
            negatives=report.fitting.negatives,
            reviewers=claims.reviewers,
            labels=version.labels,
            rubrics=tuple(sorted(rubrics)),
            at=version.at,
        ),
        bought={} if version.test is None else _bought(version.test),
    )


def _bought(test: VersionTest) -> dict[str, dict[str, float | None]]:
    gained: dict[str, float | None] = {
        "before": test.before,
        "after": test.after,
        "difference": test.difference,
        "low": test.low,
        "high": test.high,
    }
    tnr: dict[str, float | None] = {
        "before": test.tnr_before,
        "after": test.tnr_after,
        "difference": test.tnr_after - test.tnr_before,
        "low": test.tnr_low,
        "high": test.tnr_high,
    }
    return {test.measured: gained, "tnr": tnr}
