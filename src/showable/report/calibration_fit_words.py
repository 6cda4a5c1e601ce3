"""What was fitted, in plain words: on which scale a threshold lies, and what was taken over of what a fit buys."""

from __future__ import annotations

from showable.measure.calibration_report import Bought, CalibrationReport, KindFit, Taken

_OF_P = {"ece", "brier"}
_GAINS: dict[Taken, tuple[str, str]] = {
    "thresholds": ("What the thresholds buy", "What fitted thresholds would have bought; they were not taken over"),
    "recalibration": ("What the recalibration buys", "What a recalibration would have bought; it was not taken over"),
}


def own_scale(report: CalibrationReport, kind: str | None = None) -> str:
    """Say on which scale a threshold of the report lies, where that is not the judge's own; and whether it is as before."""
    before = "" if "thresholds" in report.taken else "as before"
    if report.own_thresholds is None:
        return f" ({before})" if before else ""
    own = report.own_thresholds.of(kind)
    shown = f"{own:.2f}" if round(own, 2) == own else f"{own:.3g}"
    return f" after recalibration (the judge's own {shown}{f', {before}' if before else ''})"


def folds(fit: KindFit, report: CalibrationReport) -> str:
    """Say between what the thresholds of the folds lie: always on the judge's own scale."""
    if not fit.fold_thresholds:
        return ""
    scale = "" if report.own_thresholds is None else ", on the judge's own scale"
    return f" (fitted on parts of the labels{scale}: {min(fit.fold_thresholds):.3g} to {max(fit.fold_thresholds):.3g})"


def gains_of(report: CalibrationReport) -> list[tuple[str, list[Bought]]]:
    """Part what a fit buys into thresholds and recalibration, and say of each whether it was taken over."""
    found = []
    for part, (bought, would_have) in _GAINS.items():
        gains = [one for one in report.bought if (one.figure in _OF_P) is (part == "recalibration")]
        if gains:
            found.append((bought if part in report.taken else would_have, gains))
    return found


def kinds_gain(report: CalibrationReport) -> str:
    """Return what the gains of a claim kind are of."""
    return _GAINS["thresholds"][0 if "thresholds" in report.taken else 1]
