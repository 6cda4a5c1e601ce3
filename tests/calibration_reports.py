"""Calibration reports made by hand: a full one, one that was refused, one without any label."""

from scorecards import SIGNATURE

from showable.measure.calibration_error import ReliabilityBin
from showable.measure.calibration_report import (
    Agreement,
    Bought,
    CalibrationReport,
    CorrectedRate,
    InterRater,
    KindFit,
    LeastN,
    Missing,
    Refused,
)
from showable.measure.judge_agreement import agreement, graded_agreement
from showable.measure.rates import wilson_interval
from showable.records.signature import Thresholds

JUDGE = "embedded@2026-01"
HOSTILE = "<img/src=x>\x1b[31m"


def yes_no(rubric="support", *, kind="all", tp=80, fn=12, fp=9, tn=71, kappa=0.75, half=0.07, **more):
    """An agreement about yes and no, its rates from its counts."""
    tpr, tnr = tp / (tp + fn), tn / (tn + fp)
    bacc = (tpr + tnr) / 2
    intervals = {
        "balanced_accuracy": (max(0, bacc - half), min(1, bacc + half)),
        "tpr": wilson_interval(tpr, tp + fn),
        "tnr": wilson_interval(tnr, tn + fp),
        "kappa": (kappa - 2 * half, min(1, kappa + 2 * half)),
        "ac1": (kappa - 2 * half + 0.01, min(1, kappa + 2 * half + 0.01)),
    }
    yes, no = ("supported", "not supported") if rubric == "support" else ("acceptable", "not acceptable")
    fields = {
        "rubric": rubric,
        "kind": kind,
        "n": tp + fn + fp + tn,
        "positives": tp + fn,
        "negatives": fp + tn,
        "confusion": {yes: {yes: tp, no: fn}, no: {yes: fp, no: tn}},
        "balanced_accuracy": bacc,
        "tpr": tpr,
        "tnr": tnr,
        "kappa": kappa,
        "ac1": kappa + 0.01,
        "intervals": intervals,
    }
    return Agreement(**{**fields, **more})


def bins(points):
    made = []
    for low, n, mean_p, observed in points:
        below, above = wilson_interval(observed, n)
        made.append(
            ReliabilityBin(low=low, high=round(low + 0.1, 1), n=n, mean_p=mean_p, observed=observed,
                           observed_low=below, observed_high=above)
        )  # fmt: skip
    return tuple(made)


GRADES = Agreement(
    rubric="refusal_quality",
    n=41,
    exact=0.63,
    mean_difference=-0.17,
    kappa=0.58,
    ac1=0.55,
    confusion={
        "0": {"0": 5, "1": 2, "2": 0, "3": 0},
        "1": {"0": 1, "1": 8, "2": 4, "3": 0},
        "2": {"0": 0, "1": 2, "2": 9, "3": 3},
        "3": {"0": 0, "1": 0, "2": 3, "3": 4},
    },
    intervals={"exact": (0.48, 0.76), "mean_difference": (-0.42, 0.07), "kappa": (0.38, 0.74), "ac1": (0.33, 0.72)},
    unsettled=2,
)
AGREEMENT = {
    "support": yes_no(auc=0.91, ece=0.06, undecided=3, unsettled=4, cannot_tell=5),
    "bucket": yes_no("bucket", tp=30, fn=8, fp=9, tn=17, kappa=0.44, half=0.11, confusion={
        "correct": {"correct": 21, "wrong": 1, "unsupported": 6, "refused": 0},
        "wrong": {"correct": 4, "wrong": 5, "unsupported": 1, "refused": 0},
        "unsupported": {"correct": 5, "wrong": 1, "unsupported": 10, "refused": 0},
        "refused": {"correct": 0, "wrong": 0, "unsupported": 1, "refused": 9},
    }),
    "refusal": yes_no("refusal", tp=10, fn=0, fp=1, tn=53, kappa=0.94, half=0.05),
    "refusal_quality": GRADES,
    "extra_claims": Agreement(rubric="extra_claims", n=6, exact=0.5, mean_difference=0.33, notes=("6 answers are too few for an interval",)),
}  # fmt: skip
KINDS = (
    KindFit(
        kind="holding",
        agreement=yes_no(kind="holding", tp=40, fn=4, fp=4, tn=38, kappa=0.8),
        threshold=0.61,
        fold_thresholds=(0.58, 0.6, 0.63),
        fitted=True,
        bought=(
            Bought(figure="balanced_accuracy", before=0.84, after=0.89, difference=0.05, low=0.01, high=0.09),
            Bought(figure="tnr", before=0.81, after=0.83, difference=0.02, low=-0.03, high=0.07),
        ),
        corrected=CorrectedRate(observed=0.51, observed_low=0.41, observed_high=0.61, n=86, rate=0.5, low=0.38, high=0.62),
    ),
    KindFit(
        kind="dosage",
        agreement=yes_no(kind="dosage", tp=30, fn=5, fp=8, tn=10, kappa=0.43, half=0.14),
        threshold=0.47,
        refused=Refused(reason="too few labels for a threshold of its own",
                        missing=(Missing(rubric="support", kind="dosage", label="not supported", have=18, need=30),)),
        corrected=CorrectedRate(observed=0.72, observed_low=0.58, observed_high=0.82, n=53, reason="TPR + TNR is not shown to lie above 1"),
    ),
    KindFit(kind=HOSTILE, agreement=Agreement(rubric="support", kind=HOSTILE, n=2, positives=2, negatives=0),
            refused=Refused(reason="no label of one class", missing=(Missing(rubric="support", kind=HOSTILE, label="not supported", have=0, need=30),))),
    KindFit(kind="scope", rubric="refusal", agreement=Agreement(rubric="refusal", kind="scope", n=0)),
)  # fmt: skip
FULL = CalibrationReport(
    signature=SIGNATURE,
    judge=JUDGE,
    source="runs/contracts",
    labels=412,
    reviewers=3,
    by_role={"senior": 260, "reviewer": 120, "engineer": 32},
    not_counted=32,
    stale=7,
    agreement=AGREEMENT,
    inter_rater=(
        InterRater(about="support", n=60, raters=2, exact=0.9, kappa=0.79, alpha=0.79,
                   intervals={"exact": (0.81, 0.95), "kappa": (0.66, 0.9), "alpha": (0.65, 0.9)}),
        InterRater(about="bucket", n=22, raters=3, exact=0.77, kappa=0.66, alpha=0.68, notes=("kappa of 3 people is the mean of Cohen's kappa over their pairs (Light 1971)",),
                   intervals={"exact": (0.6, 0.9), "kappa": (0.4, 0.85), "alpha": (0.44, 0.86)}),
        InterRater(about="refusal_quality", n=9, raters=2, level="ordinal", exact=0.67, kappa=0.6, alpha=0.61),
    ),
    per_kind=KINDS,
    thresholds=Thresholds(support=0.47, per_kind={"holding": 0.61}),
    own_thresholds=Thresholds(support=0.4, per_kind={"holding": 0.6125}),
    taken=("thresholds", "recalibration"),
    bought=(
        Bought(figure="balanced_accuracy", before=0.85, after=0.88, difference=0.03, low=0.004, high=0.056),
        Bought(figure="ece", before=0.11, after=0.06, difference=-0.05, low=-0.09, high=-0.01),
        Bought(figure="kappa", before=0.7, after=0.69, difference=-0.01, low=-0.06, high=0.04),
    ),
    reliability=bins([(0.0, 30, 0.04, 0.13), (0.2, 14, 0.25, 0.36), (0.4, 12, 0.46, 0.42), (0.6, 18, 0.66, 0.5), (0.8, 22, 0.85, 0.68), (0.9, 76, 0.97, 0.9)]),
    reliability_after=bins([(0.1, 38, 0.12, 0.13), (0.3, 20, 0.37, 0.35), (0.5, 18, 0.54, 0.56), (0.7, 26, 0.71, 0.69), (0.9, 70, 0.92, 0.91)]),
    corrected={"support": CorrectedRate(observed=0.52, observed_low=0.44, observed_high=0.59, n=172, rate=0.53, low=0.43, high=0.63)},
    least_n=(
        LeastN(rubric="support", kind="dosage", says="a threshold of its own", have=18, need=30),
        LeastN(rubric="extra_claims", says="an interval", have=6, need=20),
    ),
    held_out=yes_no(tp=22, fn=3, fp=4, tn=20, kappa=0.71, half=0.1),
    calibration="contracts@1a2b3c4d",
    file="contracts.calibration.json",
    notes=("the run was scored with another seed than the labels' queue",),
)  # fmt: skip
KEPT_ASIDE = FULL.model_copy(
    update={
        "thresholds": Thresholds(support=0.874, per_kind={"holding": 0.9}),
        "own_thresholds": Thresholds(support=0.5, per_kind={"holding": 0.6}),
        "taken": ("recalibration",),
    }
)
"""The map alone was taken over: the thresholds are as before, on another scale."""
NOTHING_TAKEN = FULL.model_copy(update={"own_thresholds": None, "taken": ()})
FEW = FULL.model_copy(
    update={
        "labels": 8,
        "per_kind": (),
        "agreement": {
            "support": agreement("support", "all", [True, False] * 2, [True, False] * 2),
            "refusal_quality": graded_agreement("refusal_quality", [0, 3, 1, 2], [0, 3, 1, 2]),
        },
    }
)
"""Everything is right, on four labels."""
REFUSED = FULL.model_copy(
    update={
        "labels": 23,
        "reviewers": 1,
        "by_role": {"reviewer": 23},
        "not_counted": 0,
        "agreement": {"support": yes_no(tp=11, fn=1, fp=3, tn=8, kappa=0.65, half=0.18)},
        "inter_rater": (),
        "per_kind": (),
        "thresholds": None,
        "own_thresholds": None,
        "taken": (),
        "bought": (),
        "reliability": (),
        "reliability_after": (),
        "corrected": {},
        "least_n": (),
        "held_out": None,
        "calibration": None,
        "file": None,
        "notes": (),
        "refused": Refused(
            reason="too few labels of each class to fit a threshold",
            missing=(
                Missing(rubric="support", label="supported", have=12, need=30),
                Missing(rubric="support", label="not supported", have=11, need=30),
            ),
        ),
    }
)
EMPTY = CalibrationReport(signature=SIGNATURE, judge=JUDGE, source="runs/contracts", labels=0, reviewers=0)
