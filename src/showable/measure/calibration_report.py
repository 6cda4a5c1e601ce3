"""What `calibrate` found, as it is written down: a judge beside people, per rubric and claim kind, and what was fitted."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from showable.measure.calibration_error import ReliabilityBin
from showable.measure.summary import SignatureLine
from showable.measure.validated import Between
from showable.records.evidence import Cost
from showable.records.label_guide import About
from showable.records.signature import Thresholds
from showable.records.wire import Many, Wire

Graded = Literal["support", "bucket", "refusal", "refusal_quality", "extra_claims"]
"""What of the tool is held against people: its judge, its buckets, its reader of refusals, its grader of them, its counter."""
ALL_KINDS = "all"
Taken = Literal["thresholds", "recalibration"]


class Missing(Wire):
    """Labels that are missing before something may be said: of which class, how many there are, how many it takes.

    `given` is there where people gave more than the `have` that count, since the judge left the others undecided.
    """

    rubric: Graded
    kind: str = ALL_KINDS
    label: str
    have: int
    need: int
    given: int | None = None


class Refused(Wire):
    """Why nothing was fitted, or nothing said, and what is missing for it."""

    reason: str
    missing: Many[Missing] = ()


class Agreement(Wire):
    """A grader of the tool beside people's word on the same things; fractions 0-1, None where not measurable.

    `confusion` counts people's label (first) against the grader's; `undecided` are things that people labelled and the
    grader left unknown, `unsettled` those on which people disagree and nobody adjudicated, `cannot_tell` those that they
    could not tell. The rates are about yes and no: of the four buckets acceptable against not, of refusal quality and
    extra claims none. `intervals` holds the 95 % interval of each figure by name, resampled by question.
    """

    rubric: Graded
    kind: str = ALL_KINDS
    n: int
    positives: int | None = None
    negatives: int | None = None
    undecided: int = 0
    unsettled: int = 0
    cannot_tell: int = 0
    confusion: dict[str, dict[str, int]] = Field(default_factory=dict)
    balanced_accuracy: float | None = None
    tpr: float | None = None
    tnr: float | None = None
    kappa: float | None = None
    ac1: float | None = None
    auc: float | None = None
    ece: float | None = None
    exact: float | None = None
    mean_difference: float | None = None
    intervals: dict[str, Between] = Field(default_factory=dict)
    notes: Many[str] = ()


class InterRater(Wire):
    """People beside people on the same things: what a judge can be held to at most.

    `n` things were labelled by two or more of `raters`; `exact` is the share of pairs of people that say the same. kappa is
    Cohen's, of more than two raters the mean over their pairs (Light 1971); alpha is Krippendorff's.
    """

    about: About
    n: int
    raters: int
    level: Literal["nominal", "ordinal", "interval"] = "nominal"
    exact: float | None = None
    kappa: float | None = None
    alpha: float | None = None
    intervals: dict[str, Between] = Field(default_factory=dict)
    notes: Many[str] = ()


class Bought(Wire):
    """What a fit buys on rows that it was not fitted on (cross-fitted): a figure before, after, and the difference.

    What one buys that was not taken over (`CalibrationReport.taken`) it would have bought.
    """

    figure: str
    before: float | None = None
    after: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None


class KindFit(Wire):
    """One claim kind: its agreement, the threshold fitted for it, those of the folds, and what it buys.

    `fitted` is False where there were too few labels of a class: the kind then keeps the common threshold. `corrected` is
    the share of supported pairs among all that the judge decided, with its errors taken out (Rogan & Gladen 1978).
    """

    kind: str
    rubric: Graded = "support"
    agreement: Agreement
    threshold: float | None = None
    fold_thresholds: Many[float] = ()
    fitted: bool = False
    bought: Many[Bought] = ()
    corrected: CorrectedRate | None = None
    refused: Refused | None = None


class CorrectedRate(Wire):
    """A rate as a judge saw it, and as it is likely to be once the judge's errors are taken out, each with its interval."""

    observed: float
    observed_low: float
    observed_high: float
    n: int
    rate: float | None = None
    low: float | None = None
    high: float | None = None
    reason: str | None = None


class LeastN(Wire):
    """How many more labels would make a statement possible: of which class, and for what."""

    rubric: Graded
    kind: str = ALL_KINDS
    says: str
    have: int
    need: int


class RiskStep(Wire):
    """One threshold tried: how many labelled answers it would show, how many of them are bad, and the test's p-value."""

    threshold: float
    shown: int
    bad: int
    p_value: float


class RiskBound(Wire):
    """From which probability on answers may be shown, so that with `confidence` at most `risk` of what is shown is bad.

    `threshold` is None where no threshold tried holds; `missing` then says how many labelled answers more it would take,
    None where the shares that were seen are no better than `risk`. Of `answers` that count one a question was drawn.
    """

    risk: float
    confidence: float
    threshold: float | None
    questions: int
    answers: int
    tested: Many[RiskStep] = ()
    missing: int | None = None


class CalibrationReport(Wire):
    """All of it. `agreement` is by rubric; `per_kind` has a row for each claim kind and for each basis of refusals.

    `refused` is there where nothing was fitted; the agreement is reported all the same. `file` is the calibration file
    written, `calibration` its label as a signature names it. `stale` counts labels that were given on another answer, or under another text
    of the rubric, and take no part; `reviewers` is None where the labels do not say who gave them; `by_role` counts the labels by role, `not_counted` those that the profile leaves out.
    `taken` names what of the fit was taken over. Under a recalibration `thresholds` cut the mapped p, and `own_thresholds` says where
    that is on the judge's own scale; without one it is None.
    `held_out` is the judge under the new calibration on the records held out, `held_out_answers` the other graders there, by rubric.
    `risk` is there where a bound on the bad ones among the answers shown was asked for; nothing else is fitted then.
    `cost` is what judging rows without a run cost; of a run nothing is judged anew.
    """

    signature: SignatureLine
    judge: str
    source: str
    labels: int
    reviewers: int | None
    by_role: dict[str, int] = Field(default_factory=dict)
    not_counted: int = 0
    stale: int = 0
    agreement: dict[str, Agreement] = Field(default_factory=dict)
    inter_rater: Many[InterRater] = ()
    per_kind: Many[KindFit] = ()
    thresholds: Thresholds | None = None
    own_thresholds: Thresholds | None = None
    taken: Many[Taken] = ()
    bought: Many[Bought] = ()
    reliability: Many[ReliabilityBin] = ()
    reliability_after: Many[ReliabilityBin] = ()
    corrected: dict[str, CorrectedRate] = Field(default_factory=dict)
    least_n: Many[LeastN] = ()
    held_out: Agreement | None = None
    held_out_answers: dict[str, Agreement] = Field(default_factory=dict)
    risk: RiskBound | None = None
    refused: Refused | None = None
    calibration: str | None = None
    file: str | None = None
    cost: Cost = Cost()
    notes: Many[str] = ()


KindFit.model_rebuild()
