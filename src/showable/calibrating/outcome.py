"""What calibrating comes to: the report that is shown, and the file that is written where something was fitted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from showable.calibrating.support_fit import SupportFit
from showable.calibrating.support_rows import SupportRow, agreement_on
from showable.measure.calibration_report import (
    ALL_KINDS,
    Agreement,
    Bought,
    CalibrationReport,
    KindFit,
    LeastN,
    Missing,
    Refused,
)
from showable.measure.judge_agreement import agreement
from showable.measure.least_n import CLASSES, FIT, least_n
from showable.measure.threshold_fit import KindThreshold
from showable.records.calibration import Calibration, FittedOn
from showable.records.signature import Signature

_SUPPORTED = f': labels "{CLASSES["support"][0]}"'
NO_GAIN = (
    "the calibration buys nothing on labels that it was not fitted on: it leaves every verdict and every p as it is"
)


@dataclass(frozen=True, slots=True)
class Calibrated:
    """The report, and the calibration; None where nothing was fitted (`report.refused` says why)."""

    report: CalibrationReport
    calibration: Calibration | None


@dataclass(frozen=True, slots=True)
class FittedFrom:
    """What a calibration is written down with: its name, the profile, what it rests on, and the one it began from."""

    name: str
    profile: str
    signature: Signature
    digest: str
    reviewers: int | None
    rubrics: tuple[str, ...] = ()
    began: Calibration | None = None


def calibration_of(fit: SupportFit, rows: Sequence[SupportRow], given: FittedFrom) -> Calibration | None:
    """Write down what was fitted; None where nothing was. A head and worked examples are taken over from where it began."""
    if fit.refused:
        return None
    positives = sum(row.label for row in rows)
    return Calibration(
        name=given.name,
        judge=given.began.judge if given.began else given.signature.judge,
        prompt=given.began.prompt if given.began else given.signature.prompt,
        profile=given.profile,
        thresholds=fit.thresholds,
        recalibration=fit.recalibration.mapping,
        head=given.began.head if given.began else None,
        shots=given.began.shots if given.began else (),
        fitted_on=FittedOn(
            n=len(rows),
            positives=positives,
            negatives=len(rows) - positives,
            reviewers=given.reviewers,
            labels=given.digest,
            rubrics=given.rubrics,
            at=datetime.now(UTC).isoformat(timespec="seconds"),
        ),
        bought={one.figure: _figures(one) for one in in_force(fit)},
    )


def not_measured(report: CalibrationReport, headline: str) -> Calibrated:
    """Return a report that fits and says nothing, because too many calls of the judge failed."""
    kept = {"signature", "judge", "source", "labels", "reviewers", "by_role", "not_counted", "stale", "cost", "notes"}
    counted = {name: getattr(report, name) for name in kept}
    before = report.refused or Refused(reason="")
    reason = "; ".join(said for said in (headline, before.reason) if said)
    return Calibrated(CalibrationReport(refused=Refused(reason=reason, missing=before.missing), **counted), None)


def in_force(fit: SupportFit) -> tuple[Bought, ...]:
    """Return what the parts buy that were taken over."""
    thresholds = fit.bought if fit.adopted else ()
    return (*thresholds, *(fit.recalibration.bought if fit.recalibration.mapping is not None else ()))


def _figures(one: Bought) -> dict[str, float | None]:
    return {"before": one.before, "after": one.after, "low": one.low, "high": one.high}


def kind_fits(rows: Sequence[SupportRow], fit: SupportFit) -> list[KindFit]:
    """Return a row for each claim kind that people labelled: how the judge does on it, and what holds for it."""
    by_kind = {one.kind: one for one in fit.kinds}
    return [
        _kind_fit(agreement_on(rows, kind), by_kind.get(kind), fit)
        for kind in sorted({row.kind for row in rows if row.kind})
    ]


def _kind_fit(found: Agreement, one: KindThreshold | None, fit: SupportFit) -> KindFit:
    if one is None:
        return KindFit(
            kind=found.kind, agreement=found, threshold=None if fit.refused else fit.thresholds.of(found.kind)
        )
    return KindFit(
        kind=found.kind,
        agreement=found,
        threshold=one.threshold,
        fold_thresholds=one.fold_thresholds,
        fitted=one.fitted,
        bought=one.bought,
        refused=None if one.why is None else Refused(reason=_reason(one.why, one.missing), missing=one.missing),
    )


def _reason(why: str, missing: Sequence[Missing]) -> str:
    """Leave out of a reason what `missing` says."""
    return f"{why.partition(':')[0]}: too few labels" if missing else why


def held_out_agreement(rows: Sequence[SupportRow], fit: SupportFit) -> Agreement | None:
    """Measure the judge under the calibration on pairs that nothing was fitted on; None where there are none."""
    if not rows:
        return None
    mapping = fit.recalibration.mapping
    found = agreement(
        "support",
        ALL_KINDS,
        [row.label for row in rows],
        [row.under(fit.thresholds, mapping) for row in rows],
        p=[row.p_under(mapping) for row in rows],
        clusters=[row.cluster for row in rows],
    )
    before = agreement_on(rows).balanced_accuracy
    if not fit.anything or before is None:
        return found
    note = f"as calibrated; without the calibration balanced accuracy is {100 * before:.1f} % on the same pairs"
    return found.model_copy(update={"notes": (note, *found.notes)})


def all_least_n(agreements: Sequence[Agreement]) -> tuple[LeastN, ...]:
    """Say of every agreement how many labels would say more, each once. Only a judge of support has thresholds to fit."""
    found = (one for agreed in agreements for one in least_n(agreed) if _takes_labels(one, agreed))
    return tuple(dict.fromkeys(found))


def _takes_labels(one: LeastN, agreed: Agreement) -> bool:
    """Check whether it is labels that are missing: more of them fit nothing where a judge leaves those undecided that there are."""
    if not one.says.startswith(FIT):
        return True
    if one.rubric != "support":
        return False
    of_class = agreed.confusion.get("yes" if one.says.endswith(_SUPPORTED) else "no", {})
    return sum(of_class.values()) < one.need
