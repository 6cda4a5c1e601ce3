"""What `validate` found, as it is written down: figures of a judge against people's labels, one set a file."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from showable.measure.calibration_error import ReliabilityBin
from showable.measure.not_measured import MAX_FAILURES
from showable.measure.rates import Rate
from showable.measure.summary import SignatureLine
from showable.records.calls import Calls
from showable.records.evidence import Cost
from showable.records.wire import Many, Wire

Task = Literal["entailment", "refusal", "factuality"]
ThresholdMode = Literal["fixed", "per-file"]
Between = tuple[float, float] | None
NEAR_CHANCE = 0.55


class Selective(Wire):
    """The rows on which the judge itself did not say `unknown`: their share, and the balanced accuracy on them."""

    coverage: float | None = None
    balanced_accuracy: float | None = None


class HighCoverage(Wire):
    """Rows whose passage holds nearly all words of the claim, where words alone cannot tell: n, and both rates."""

    above: float
    n: int = 0
    positives: int = 0
    negatives: int = 0
    tpr: float | None = None
    tnr: float | None = None


class MostConfident(Wire):
    """The half of the rows on which p is the farthest from the threshold."""

    n: int = 0
    balanced_accuracy: float | None = None


class Lead(Wire):
    """Balanced accuracy above the baseline's on the same rows, with its paired bootstrap interval."""

    over: str
    balanced_accuracy: float
    low: float | None = None
    high: float | None = None


class Figures(Wire):
    """Figures of decisions against labels, fractions 0-1 (kappa may be below 0), None where not measurable.

    `intervals` holds the 95 % interval of each by name; None where there are too few rows for one.
    """

    n: int
    balanced_accuracy: float | None = None
    tpr: float | None = None
    tnr: float | None = None
    auc: float | None = None
    kappa: float | None = None
    ece: float | None = None
    f1: float | None = None
    accuracy: float | None = None
    bucket_accuracy: float | None = None
    ms_per_pair: float | None = None
    selective: Selective = Selective()
    baseline: dict[str, float | None] = Field(default_factory=dict)
    intervals: dict[str, Between] = Field(default_factory=dict)
    lead: Lead | None = None

    @property
    def near_chance(self) -> bool:
        """Check whether the interval of the balanced accuracy reaches down to 55 %."""
        interval = self.intervals.get("balanced_accuracy")
        return interval is not None and interval[0] <= NEAR_CHANCE


_WITHHELD: dict[str, object] = {
    **dict.fromkeys(("balanced_accuracy", "tpr", "tnr", "auc", "kappa", "ece", "f1", "accuracy", "bucket_accuracy")),
    "selective": Selective(),
    "baseline": {},
    "intervals": {},
    "lead": None,
}


class FileFigures(Figures):
    """The figures of one file.

    `n` rows are measured (of a group of chunks, one); `excluded` carry a label that says neither yes nor no, or
    none; `undecided` are those on which the judge gave nothing to decide by. `pairs` is what was judged. `threshold`
    is the p that decides (the mean of `fold_thresholds` where those were fitted). `notes` says what is missing, and why.
    """

    file: str
    excluded: int = 0
    undecided: int = 0
    positives: int = 0
    negatives: int = 0
    pairs: int = 0
    threshold: float | None = None
    fold_thresholds: Many[float] = ()
    high_coverage: HighCoverage | None = None
    most_confident_half: MostConfident | None = None
    verdicts: dict[str, int] = Field(default_factory=dict)
    reliability: Many[ReliabilityBin] = ()
    confusion: dict[str, dict[str, int]] | None = None
    recall: dict[str, Rate] | None = None
    notes: Many[str] = ()


class Macro(Figures):
    """The mean over files, each counting alike; `over` says of how many files each figure is the mean."""

    files: int
    over: dict[str, int] = Field(default_factory=dict)


def without_figures(found: FileFigures | Macro) -> Any:
    """Return counts without figures: what is left where the judge failed too often is a sample of nothing."""
    if not isinstance(found, FileFigures):
        return found.model_copy(update=_WITHHELD | {"over": {}})
    shares = {"rate": None, "low": None, "high": None}
    recall = found.recall and {label: rate.model_copy(update=shares) for label, rate in found.recall.items()}
    of_file = {"high_coverage": None, "most_confident_half": None, "reliability": (), "recall": recall}
    return found.model_copy(update=_WITHHELD | of_file)


class CascadeShare(Wire):
    """Of all judged pairs, about how many a cascade's second judge was asked, and how many it was saved."""

    pairs: int
    asked: int
    saved: int


class UnderCalibration(Wire):
    """The calibration that a judge was measured under: on how many labels it was fitted, and whether it maps p.

    `in_sample` says that its labels are those of the very files that are measured.
    """

    label: str
    labels: int
    mapped: bool = False
    in_sample: bool = False


class Validation(Wire):
    """All of it: the files, their mean, what judging cost, and the signature of what was measured.

    `calls` counts what the judge was asked; where more than `max_failures` of that failed, `not_measured` says so in a line,
    and there are counts alone.
    """

    task: Task
    judge: str
    signature: SignatureLine
    threshold: ThresholdMode
    at: float
    files: Many[FileFigures]
    macro: Macro
    cost: Cost = Cost()
    cascade: CascadeShare | None = None
    calibration: UnderCalibration | None = None
    not_measured: str | None = None
    calls: Calls = Calls()
    max_failures: float = MAX_FAILURES


class ValidatedRow(Wire):
    """One row as it was decided: `decision` is None where there was nothing to decide by."""

    id: str
    file: str
    label: float | str | None
    p: float | None
    verdict: str
    coverage: float | None = None
    decision: bool | None = None
    reason: str | None = None
