"""How many labels it takes to say something: stated minima, and what a half-width asks for."""

from __future__ import annotations

from math import ceil

from showable.measure.calibration_report import ALL_KINDS, Agreement, Graded, LeastN, Missing
from showable.measure.rates import Z_95
from showable.measure.validated import Between

LEAST_PER_CLASS = 30
"""Labels of the rarer class before a threshold or a map of p is fitted: a rate of 30 is known to about ± 0.15."""
LEAST_PER_CLASS_OF_KIND = 30
"""Labels of the rarer class of a claim kind before it may have a threshold of its own."""
FIT = "fit a threshold"
KAPPA_WITHIN = 0.10
BALANCED_ACCURACY_WITHIN = 0.05
_STEPS = 20
CLASSES: dict[Graded, tuple[str, str]] = {
    "support": ("supported", "not supported"),
    "bucket": ("acceptable", "not acceptable"),
    "refusal": ("refused", "answered"),
}
"""What yes and no are called, where a rubric has them."""


def missing_labels(
    rubric: Graded, kind: str, positives: int, negatives: int, need: int = LEAST_PER_CLASS
) -> tuple[Missing, ...]:
    """Say of which class there are too few labels, how many there are and how many it takes; empty where there are enough."""
    named = zip(CLASSES.get(rubric, ("yes", "no")), (positives, negatives), strict=True)
    return tuple(
        Missing(rubric=rubric, kind=kind, label=label, have=have, need=need) for label, have in named if have < need
    )


def missing_said(missing: tuple[Missing, ...]) -> str:
    """Say it in words: ``12 of 30 labels "not supported"``."""
    return ", ".join(f'{one.have} of {one.need} labels "{one.label}"' for one in missing)


def n_for_kappa(half_width: float, *, kappa: float, share: float, design_effect: float = 1.0) -> int:
    """Return how many labels put kappa within ± `half_width` at 95 %, `share` of them yes on both sides.

    From the large-sample variance under equal margins (Donner & Eliasziw 1992, Stat. Med. 11: 1511). A `design_effect`
    above 1 is what labels of one question cost that go together.
    """
    spread = 2 * share * (1 - share)
    variance = (1 - kappa) * ((1 - kappa) * (1 - 2 * kappa) + kappa * (2 - kappa) / spread)
    return ceil(design_effect * variance * (Z_95 / half_width) ** 2)


def n_for_balanced_accuracy(
    half_width: float, *, tpr: float, tnr: float, share: float, design_effect: float = 1.0
) -> int:
    """Return how many labels put balanced accuracy within ± `half_width` at 95 %, `share` of them yes."""
    variance = (tpr * (1 - tpr) / share + tnr * (1 - tnr) / (1 - share)) / 4
    return ceil(design_effect * variance * (Z_95 / half_width) ** 2)


def enough(agreement: Agreement) -> bool:
    """Check whether there are as many labels as a fit asks for: of each class where there are two, else so many of both."""
    if agreement.positives is None or agreement.negatives is None:
        return agreement.n >= 2 * LEAST_PER_CLASS
    return min(agreement.positives, agreement.negatives) >= LEAST_PER_CLASS


def least_n(agreement: Agreement) -> tuple[LeastN, ...]:
    """Return how many labels it takes to fit a threshold, and to know balanced accuracy and kappa closely.

    `have` and `need` are labels of the rarer class for the fit, labels in all for the half-widths. For these the interval
    measured is drawn out: its half-width falls as the root of n, whatever the labels' skew and clusters. While there are
    too few labels to fit on, no fewer are asked for than it takes in the worst case that the intervals allow: a grader that
    errs nowhere on four labels is not known to be without error. What is enough already is left out.
    """
    rubric, kind = agreement.rubric, agreement.kind
    least = LEAST_PER_CLASS if kind == ALL_KINDS else LEAST_PER_CLASS_OF_KIND
    found = [
        LeastN(rubric=rubric, kind=kind, says=f'{FIT}: labels "{one.label}"', have=one.have, need=one.need)
        for one in missing_labels(rubric, kind, agreement.positives or 0, agreement.negatives or 0, least)
        if agreement.positives is not None
    ]
    for figure, said, within, worst in (
        ("balanced_accuracy", "balanced accuracy", BALANCED_ACCURACY_WITHIN, _for_balanced_accuracy),
        ("kappa", "kappa", KAPPA_WITHIN, _for_kappa),
    ):
        between = agreement.intervals.get(figure)
        half = (between[1] - between[0]) / 2 if between else None
        if half is not None and half > within:
            drawn_out = ceil(agreement.n * (half / within) ** 2)
            need = drawn_out if enough(agreement) else max(drawn_out, worst(agreement))
            found.append(
                LeastN(rubric=rubric, kind=kind, says=f"{said} within ± {within:.2f}", have=agreement.n, need=need)
            )
    return tuple(found)


def _for_balanced_accuracy(agreement: Agreement) -> int:
    """Plan with each rate at the value of its interval that is nearest to one half."""
    tpr, tnr = (_nearest_to_half(agreement.intervals.get(name)) for name in ("tpr", "tnr"))
    return n_for_balanced_accuracy(BALANCED_ACCURACY_WITHIN, tpr=tpr, tnr=tnr, share=_share(agreement))


def _nearest_to_half(between: Between) -> float:
    low, high = between or (0.0, 1.0)
    return min(max(0.5, low), high)


def _for_kappa(agreement: Agreement) -> int:
    """Plan with the kappa of its interval that takes the most labels."""
    low, high = agreement.intervals.get("kappa") or (0.0, 1.0)
    steps = (low + (high - low) * step / _STEPS for step in range(_STEPS + 1))
    share = _share(agreement)
    return max(n_for_kappa(KAPPA_WITHIN, kappa=one, share=share) for one in steps)


def _share(agreement: Agreement) -> float:
    """Return the share of yes among the labels; one half where there are not two classes."""
    if not agreement.positives or not agreement.negatives:
        return 0.5
    return agreement.positives / agreement.n
