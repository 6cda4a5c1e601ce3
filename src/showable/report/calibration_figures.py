"""The figures of a calibration, each with its interval, what it counts, and the scale it is drawn on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from showable.measure.calibration_report import Agreement, Bought, CorrectedRate, InterRater
from showable.measure.validated import Between

Scale = Literal["share", "error", "kappa", "difference", "points"]
"""A share (0-1), an error (0-1, the less the better), chance-corrected (-1 to 1, chance at 0), a difference in units, in points."""

_NAMES: dict[str, tuple[str, Scale]] = {
    "balanced_accuracy": ("balanced accuracy", "share"),
    "tpr": ("TPR", "share"),
    "tnr": ("TNR", "share"),
    "exact": ("same word", "share"),
    "mean_difference": ("mean difference", "difference"),
    "kappa": ("kappa", "kappa"),
    "ac1": ("AC1", "kappa"),
    "alpha": ("alpha", "kappa"),
    "auc": ("AUC", "share"),
    "ece": ("ECE", "error"),
    "brier": ("Brier score", "error"),
}
_ALWAYS = ("balanced_accuracy", "tpr", "tnr", "kappa", "ac1")
_OF_GRADES = ("exact", "mean_difference", "kappa", "ac1")
_WHERE_THERE = ("auc", "ece", "exact")
_CHANCE = {"balanced_accuracy", "auc"}
GRADED = {"refusal_quality", "extra_claims"}
"""What is not about yes and no: the rates do not apply there."""
_WIDEST_DIFFERENCE = 1.0
_WIDEST_POINTS = 0.1
_TWO = 2


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure: its name, its value and 95 % interval (None where not measurable), and how many things it rests on."""

    name: str
    label: str
    value: float | None
    interval: Between
    n: int
    scale: Scale
    of: str = ""
    chance: float | None = None

    @property
    def written(self) -> str:
        """Write the value in the units of its scale."""
        return "not measurable" if self.value is None else in_units(self.value, self.scale)

    @property
    def between(self) -> str:
        """Write the interval, or say that there is none."""
        if self.value is None:
            return ""
        if self.interval is None:
            return "no interval"
        low, high = (in_units(one, self.scale, bare=True) for one in self.interval)
        return f"{low} to {high}" if low.startswith(("−", "+")) or high.startswith(("−", "+")) else f"{low}–{high}"

    @property
    def counted(self) -> str:
        """Write how many things it rests on."""
        return f"n = {self.n:,}{f' {self.of}' if self.of else ''}"

    def __str__(self) -> str:
        """Write all of it: ``balanced accuracy 81.2 % (95 % CI 74.0–86.9, n = 180)``."""
        if self.value is None:
            return f"{self.label} not measurable ({self.counted})"
        between = f"95 % CI {self.between}" if self.interval else self.between
        return f"{self.label} {self.written} ({between}, {self.counted})"


def in_units(value: float, scale: Scale, *, bare: bool = False) -> str:
    """Write a fraction as percent, a chance-corrected figure with two decimals, a difference with its sign."""
    if scale == "kappa":
        return f"{value:.2f}".replace("-", "−")
    if scale == "difference":
        return f"{value:+.2f}".replace("-", "−")
    if scale == "points":
        return f"{100 * value:+.1f}{'' if bare else ' points'}".replace("-", "−")
    return f"{100 * value:.1f}{'' if bare else ' %'}"


def figures(found: Agreement) -> tuple[Figure, ...]:
    """Return the figures of one agreement: those that apply always, the others where they were measured."""
    names = _OF_GRADES if found.rubric in GRADED else _ALWAYS
    there = [name for name in _WHERE_THERE if name not in names and getattr(found, name) is not None]
    return tuple(_figure(found, name) for name in (*names, *there))


def figure_of(found: Agreement, name: str) -> Figure:
    """Return one figure by its name."""
    return _figure(found, name)


def _figure(found: Agreement, name: str) -> Figure:
    label, scale = _NAMES[name]
    n, of = found.n, ""
    if name == "tpr" and found.positives is not None:
        n, of = found.positives, "yes"
    if name == "tnr" and found.negatives is not None:
        n, of = found.negatives, "no"
    value: float | None = getattr(found, name)
    chance = 0.5 if name in _CHANCE else 0.0 if scale in {"kappa", "difference"} else None
    return Figure(name, label, value, found.intervals.get(name), n, scale, of, chance)


def among_people(found: InterRater) -> tuple[Figure, ...]:
    """Return what people reach among themselves; kappa only where it was measurable."""
    names = [name for name in ("exact", "kappa", "alpha") if name != "kappa" or found.kappa is not None]
    return tuple(
        Figure(
            name,
            "mean kappa of pairs" if name == "kappa" and found.raters > _TWO else _NAMES[name][0],
            getattr(found, name),
            found.intervals.get(name),
            found.n,
            _NAMES[name][1],
            chance=None if name == "exact" else 0.0,
        )
        for name in names
    )


def people_beside(found: InterRater) -> Figure:
    """Return the one figure of people that stands beside a judge's kappa: their kappa, or alpha where there is none."""
    by_name = {one.name: one for one in among_people(found)}
    kappa = by_name.get("kappa")
    return kappa if kappa is not None and kappa.value is not None else by_name["alpha"]


def gain(bought: Bought, n: int) -> Figure:
    """Return what a fit changed in one figure, as a difference with its interval."""
    label, scale = _NAMES.get(bought.figure, (bought.figure.replace("_", " "), "share"))
    interval = None if bought.low is None or bought.high is None else (bought.low, bought.high)
    return Figure(
        bought.figure, label, bought.difference, interval, n, "difference" if scale == "kappa" else "points", chance=0.0
    )


def before_and_after(bought: Bought) -> tuple[str, str]:
    """Write a figure before a fit and after it."""
    scale = _NAMES.get(bought.figure, ("", "share"))[1]
    before, after = ("not measurable" if one is None else in_units(one, scale) for one in (bought.before, bought.after))
    return before, after


def corrected_figures(found: CorrectedRate) -> tuple[Figure, Figure]:
    """Return a rate as the judge saw it, and as it is likely to be."""
    seen = (found.observed_low, found.observed_high)
    likely = None if found.low is None or found.high is None else (found.low, found.high)
    return (
        Figure("observed", "as the judge saw it", found.observed, seen, found.n, "share"),
        Figure("rate", "with its errors taken out", found.rate, likely, found.n, "share"),
    )


def bounds(drawn: Figure, beside: Sequence[Figure] = ()) -> tuple[float, float]:
    """Return the ends of the scale that a figure is drawn on; differences reach as far as the widest of those beside."""
    if drawn.scale in {"share", "error"}:
        return 0.0, 1.0
    if drawn.scale == "kappa":
        return -1.0, 1.0
    least = _WIDEST_DIFFERENCE if drawn.scale == "difference" else _WIDEST_POINTS
    far = max([least, *(abs(one) for one in _reaches([drawn, *beside], drawn.scale))])
    return -far, far


def _reaches(several: Iterable[Figure], scale: Scale) -> Iterable[float]:
    for one in several:
        if one.scale == scale and one.value is not None:
            yield from (one.value, *(one.interval or ()))
