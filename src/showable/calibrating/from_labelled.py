"""Calibrate a judge on labelled claims and passages, without a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from showable.calibrating.outcome import (
    NO_GAIN,
    Calibrated,
    FittedFrom,
    all_least_n,
    calibration_of,
    kind_fits,
    not_measured,
)
from showable.calibrating.said_by_run import decided
from showable.calibrating.support_fit import SupportFit, fit_support
from showable.calibrating.support_rows import SupportRow, agreement_on
from showable.evaluation import close_judge, sign
from showable.judges.budget import BudgetJudge
from showable.measure.calibration_report import CalibrationReport
from showable.measure.least_n import LEAST_PER_CLASS
from showable.measure.not_measured import MAX_FAILURES, FailureTally
from showable.records.calibration import Calibration
from showable.records.evidence import Cost, Judge, Verdict
from showable.records.profile import Profile
from showable.records.signature import Signature, Thresholds
from showable.validation.entailment import pair_of
from showable.validation.judging import Told, judge_pairs
from showable.validation.once import Once, keep_once
from showable.validation.rows import NEITHER, LabelledPair, read_rows
from showable.validation.units import NumberedRow, Unit, digest_of_labels, gather_units, order_by_content

FileUnit = tuple[str, Unit]
"""A unit and the file that it is of."""


@dataclass(frozen=True, slots=True)
class LabelledRows:
    """A file of labelled claims and passages, read whole before a judge is asked about the first."""

    name: str
    rows: list[NumberedRow]

    @classmethod
    def read(cls, path: Path, name: str) -> LabelledRows:
        """Read it. Raises InputError (file, line, field) at the first line that is none."""
        return cls(name, read_rows(path, LabelledPair, name))


async def calibrate_labelled(
    files: Sequence[LabelledRows],
    judge: Judge,
    profile: Profile,
    told: Told,
    *,
    name: str,
    least: int = LEAST_PER_CLASS,
    concurrency: int = 8,
    max_cost: float | None = None,
    max_failures: float = MAX_FAILURES,
) -> Calibrated:
    """Judge every row, and fit what the labels bear.

    Chunks of one source count as one, by the chunk with the highest p; rows of one question are held out together. A label
    given twice, in one file or in two, counts once. What the judge leaves unknown stays open, as in scoring; where more than
    `max_failures` of its calls failed, nothing is fitted. Raises BudgetReachedError before a call that might pass `max_cost`.
    """
    signature = sign(judge, profile)
    asked = judge if max_cost is None else BudgetJudge(judge, max_cost)
    units: list[FileUnit] = []
    cost, tally = Cost(), FailureTally(max_failures)
    try:
        for file in files:
            judged = await judge_pairs(asked, [pair_of(row) for _, row in file.rows], told, at_once=concurrency)
            cost += judged.cost
            for calls in judged.calls:
                tally.add_calls(calls)
            coverages = [0.0] * len(file.rows)  # not looked at here
            at = profile.thresholds
            found = gather_units(file.rows, judged.verdicts, coverages, at.support, at.per_kind)
            units += [(file.name, unit) for unit in found]
    finally:
        await close_judge(judge)
    labelled = _once([(file, unit) for file, unit in units if unit.label != NEITHER])
    rows = _rows(labelled.kept, profile.thresholds)
    fit = fit_support(rows, profile.thresholds, least=least)
    given = FittedFrom(name, profile.name, signature, _labels(files), reviewers=None)
    calibration = calibration_of(fit, rows, given)
    neither = sum(unit.label == NEITHER for _, unit in units)
    report = _report(files, signature, rows, fit, calibration, neither=neither, labelled=labelled)
    report = report.model_copy(update={"cost": cost})
    headline = tally.headline("rows")
    return Calibrated(report, calibration) if headline is None else not_measured(report, headline)


def _once(units: Sequence[FileUnit]) -> Once[FileUnit]:
    return keep_once(
        units,
        key=lambda one: one[1].key,
        label=lambda one: one[1].label,
        rank=lambda one: (not one[1].of_question, one[1].digest),
    )


def _rows(units: Sequence[FileUnit], thresholds: Thresholds) -> list[SupportRow]:
    """Return what is fitted on, in an order that the labels alone decide: folds are dealt out and clusters drawn in it."""
    rows = [_row(file, unit, thresholds) for file, unit in units]
    return [rows[i] for i in order_by_content([unit.digest for _, unit in units], [row.cluster for row in rows])]


def _row(file: str, unit: Unit, thresholds: Thresholds) -> SupportRow:
    verdict = Verdict.model_construct(label=unit.verdict, judge=unit.judge, p=unit.p)  # type: ignore[arg-type]
    return SupportRow(
        label=unit.label == 1.0,
        said=decided(verdict, thresholds.of(unit.kind)),
        p=unit.p,
        verdict=unit.verdict,
        judge=unit.judge,
        kind=unit.kind,
        cluster=unit.cluster if unit.in_any_file else (file, unit.cluster),
        reason=unit.reason,
    )


def _report(
    files: Sequence[LabelledRows],
    signature: Signature,
    rows: list[SupportRow],
    fit: SupportFit,
    calibration: Calibration | None,
    *,
    neither: int,
    labelled: Once[FileUnit],
) -> CalibrationReport:
    found = agreement_on(rows, unsettled=labelled.unsettled)
    per_kind = kind_fits(rows, fit)
    notes = [f"{neither} rows are labelled neither yes nor no, and take no part"] if neither else []
    notes += [*labelled.notes(), *fit.notes, *([] if fit.refused or fit.anything else [NO_GAIN])]
    return CalibrationReport(
        signature=signature,
        judge=signature.judge,
        source=", ".join(file.name for file in files),
        labels=len(rows) + neither,
        reviewers=None,
        agreement={"support": found},
        per_kind=tuple(per_kind),
        thresholds=None if fit.refused else fit.thresholds,
        own_thresholds=fit.own,
        taken=fit.taken,
        bought=(*fit.bought, *fit.recalibration.bought),
        reliability=fit.recalibration.before,
        reliability_after=fit.recalibration.after,
        least_n=all_least_n([found, *(one.agreement for one in per_kind)]),
        refused=fit.refused,
        calibration=None if calibration is None else calibration.label,
        notes=tuple(notes),
    )


def _labels(files: Sequence[LabelledRows]) -> str:
    return digest_of_labels([row for file in files for row in file.rows])
