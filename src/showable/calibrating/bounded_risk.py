"""Find from which probability on the answers of a run may be shown, by the labels that people gave to whole answers."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from showable.calibrating.answer_rows import answer_rows
from showable.calibrating.from_run import LabelledRun, open_labelled
from showable.calibrating.outcome import Calibrated, not_measured
from showable.calibrating.people import CHOSEN_QUEUES
from showable.errors import SettingError
from showable.measure.bucket_agreement import ACCEPTABLE
from showable.measure.calibration_report import CalibrationReport, Refused, RiskBound
from showable.measure.risk_control import LabelledAnswer, bound_risk
from showable.records.calibration import Calibration, FittedOn
from showable.records.shown_from import ShownFrom
from showable.stores.run_reading import read_summary

EXCHANGEABLE = (
    "the bound holds for questions like these, drawn alike and answered by the same pipeline; of a question with several"
    " labelled answers one counts, drawn by a seed"
)


def bound_run(run: Path, labels: Path | None, *, name: str, risk: float) -> Calibrated:
    """Bound the share of bad ones among the answers shown; what the run was scored under stays as it is.

    Raises SettingError or InputError where the run or its labels cannot be read, or where the calibration that the run was
    scored under was fitted on these very labels: on others it does less well.
    """
    opened = open_labelled(run, labels)
    people, began = opened.people, opened.run.began
    if began is not None and began.fitted_on.labels == people.digest:
        said = f"its calibration {began.label} was fitted on these very labels; a bound takes labels of other answers"
        raise SettingError(f"{run}: {said}")
    rows = [
        *answer_rows(people, opened.run.said.answers, "bucket"),
        *answer_rows(people, opened.run.said.answers, "bucket", held_out=True),
    ]
    shown = [
        LabelledAnswer(-1.0 if (p := row.answer.shown_p) is None else p, row.value in ACCEPTABLE, row.answer.question)
        for row in rows
    ]
    found = bound_risk(shown, risk)
    refused = _refused(found, sorted({kind for kind in people.queues if kind in CHOSEN_QUEUES}))
    calibration = None if refused else _calibration(opened, name, found, shown)
    report = CalibrationReport(
        signature=opened.run.signed,
        judge=opened.run.signed.judge,
        source=people.source,
        labels=len(people.labels),
        reviewers=people.reviewers,
        by_role=people.by_role,
        risk=found,
        refused=refused,
        calibration=None if calibration is None else calibration.label,
        notes=(EXCHANGEABLE,),
    )
    if (headline := read_summary(run).not_measured) is not None:
        return not_measured(report, headline)
    return Calibrated(report, calibration)


def _refused(found: RiskBound, chosen: list[str]) -> Refused | None:
    if chosen:
        said = f"some labels come from queues chosen by what the tool said ({', '.join(chosen)}); a bound takes labels drawn by chance"
        return Refused(reason=said)
    if found.threshold is not None:
        return None
    if found.missing is not None:
        said = f"at the shares seen so far, labels on about {found.missing:,} more questions would do"
    else:
        said = "of what would be shown, no smaller share is bad: more labels of answers like these would not help"
    return Refused(
        reason=f"no threshold shows at most {found.risk:.0%} bad answers with {found.confidence:.0%} confidence: {said}"
    )


def _calibration(opened: LabelledRun, name: str, found: RiskBound, rows: list[LabelledAnswer]) -> Calibration:
    began, signed = opened.run.began, opened.run.signed
    good = sum(row.good for row in rows)
    fresh = Calibration(
        name=name,
        judge=signed.judge,
        prompt=signed.prompt,
        profile=opened.run.profile.name,
        thresholds=opened.run.profile.thresholds,
        fitted_on=FittedOn(
            n=len(rows),
            positives=good,
            negatives=len(rows) - good,
            reviewers=opened.people.reviewers,
            labels=opened.people.digest,
            at=datetime.now(UTC).isoformat(timespec="seconds"),
        ),
    )
    kept = fresh if began is None else began.model_copy(update={"name": name})
    bound = ShownFrom(p=found.threshold or 1.0, risk=found.risk, confidence=found.confidence, questions=found.questions)
    return kept.model_copy(update={"shown_from": bound})
