"""What a retune may change about a judge, each alone and together, fitted on some rows and applied to any."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from showable.judges.embedded.head import StackedHead
from showable.measure.agreement import Array, Flags
from showable.measure.isotonic import fit_isotonic
from showable.measure.least_n import LEAST_PER_CLASS_OF_KIND
from showable.records.calibration import IsotonicMap, Shot
from showable.records.evidence import Verdict
from showable.records.signature import Thresholds

What = Literal["thresholds", "probability", "head", "examples"]
WHATS: tuple[What, ...] = ("thresholds", "probability", "head", "examples")
Rows = NDArray[np.int64]
_DIGITS = 6
_EDGE = 1e-6


@dataclass(frozen=True, slots=True)
class Said:
    """What a judge says of every row, before any map or threshold: p (NaN where it gives none) and its label."""

    p: Array
    labels: tuple[str, ...]

    @classmethod
    def of(cls, verdicts: Sequence[Verdict]) -> Said:
        """Take verdicts; where a calibration has mapped p, what the judge said itself."""
        raw = [verdict.p if verdict.raw_p is None else verdict.raw_p for verdict in verdicts]
        return cls(np.array([np.nan if p is None else p for p in raw]), tuple(verdict.label for verdict in verdicts))

    @property
    def contradicted(self) -> Flags:
        """Rows that no p makes support."""
        return np.array([label == "contradicted" for label in self.labels], dtype=np.bool_)

    @property
    def has_p(self) -> bool:
        """Check whether any row has a p."""
        return not bool(np.isnan(self.p).all())


@dataclass(frozen=True, slots=True)
class Settings:
    """What a version is made of, beside the judge itself."""

    thresholds: Thresholds
    recalibration: IsotonicMap | None = None
    head: StackedHead | None = None
    shots: tuple[Shot, ...] = ()

    def probabilities(self, said: Said) -> Array:
        """Map p, where there is a map."""
        if self.recalibration is None:
            return said.p
        return np.where(np.isnan(said.p), np.nan, np.interp(said.p, self.recalibration.x, self.recalibration.y))

    def decide(self, said: Said, kinds: Sequence[str | None]) -> list[bool | None]:
        """Decide every row: never against a label of contradiction, by p where there is one, else by the label.

        An uncertain row is decided by its p; one that is unknown and has none, not at all.
        """
        found: list[bool | None] = []
        for p, label, kind in zip(self.probabilities(said).tolist(), said.labels, kinds, strict=True):
            if label == "contradicted":
                found.append(False)
            elif not np.isnan(p):
                found.append(p >= self.thresholds.of(kind))
            else:
                found.append(None if label == "unknown" else label == "supported")
        return found


Source = Callable[[Rows], tuple[Said, StackedHead | None]]
"""Gives what a judge says of all rows, when it was fitted on some of them: a head, where it has one to fit."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """A way to a version: what says p (the judge as it is, with a new head, with examples), and what is fitted on it."""

    what: tuple[What, ...]
    source: Source
    shots: tuple[Shot, ...] = ()


@dataclass(frozen=True, slots=True)
class Labelled:
    """The rows of a retune as arrays: people's yes or no, claim kinds, cluster numbers.

    `plain` is what the judge says by itself, `shipped` is how p is decided where nothing was ever retuned, `standing` what the version that stands decides.
    """

    labels: Flags
    kinds: tuple[str | None, ...]
    clusters: Rows
    plain: Said
    shipped: Settings
    standing: tuple[bool | None, ...]

    def kinds_at(self, rows: Rows) -> list[str | None]:
        """Return the kinds of some rows."""
        return [self.kinds[i] for i in rows.tolist()]


def take(said: Said, rows: Rows) -> Said:
    """Return what is said of some rows."""
    return Said(said.p[rows], tuple(said.labels[i] for i in rows.tolist()))


def fit(recipe: Recipe, data: Labelled, rows: Rows) -> tuple[Settings, Said]:
    """Fit a recipe on rows; give the settings, and what the judge then says of all rows."""
    said, head = recipe.source(rows)
    inside, labels, before = take(said, rows), data.labels[rows], data.shipped.thresholds
    usable = ~np.isnan(inside.p) & ~inside.contradicted
    mapped = fit_isotonic(inside.p[usable], labels[usable]) if "probability" in recipe.what and usable.any() else None
    started = Settings(before, mapped, head, recipe.shots)
    if "thresholds" in recipe.what:
        passed = np.array([data.standing[i] is True for i in rows.tolist()], dtype=np.bool_)
        after = Said(started.probabilities(inside), inside.labels)
        thresholds = _fit_thresholds(after, labels, data.kinds_at(rows), passed, before)
    else:
        thresholds = before if mapped is None else _moved(before, mapped, inside.p[usable])
    return Settings(thresholds, mapped, head, recipe.shots), said


def _moved(thresholds: Thresholds, mapped: IsotonicMap, p: Array) -> Thresholds:
    """Move thresholds along with p, so that nothing passes that did not before, even where the map makes values equal."""

    def move(threshold: float) -> float:
        below = p[p < threshold]
        least = mapped(float(below.max())) + _EDGE if len(below) else 0.0
        return _inside(max(mapped(threshold), least))

    return Thresholds(
        support=move(thresholds.support),
        per_kind={kind: move(own) for kind, own in thresholds.per_kind.items()},
    )


def _fit_thresholds(
    said: Said, labels: Flags, kinds: Sequence[str | None], passed: Flags, before: Thresholds
) -> Thresholds:
    """Fit a threshold for every kind that has enough labels of either class, and the common one.

    That is fitted and guarded on the rows that it decides: on those of a kind with a threshold of its own it buys nothing.
    """
    p = np.where(said.contradicted, -1.0, said.p)
    usable = ~np.isnan(p)
    per_kind = dict(before.per_kind)
    for kind in sorted({one for one in kinds if one}):
        inside = usable & np.array([one == kind for one in kinds], dtype=np.bool_)
        if min(int(labels[inside].sum()), int((~labels[inside]).sum())) >= LEAST_PER_CLASS_OF_KIND:
            per_kind[kind] = guarded_threshold(p[inside], labels[inside], passed[inside], before.of(kind))
    shared = usable & np.array([one not in per_kind for one in kinds], dtype=np.bool_)
    support = guarded_threshold(p[shared], labels[shared], passed[shared], before.support)
    return Thresholds(support=support, per_kind=per_kind)


def guarded_threshold(p: Array, labels: Flags, passed: Flags, fallback: float) -> float:
    """Return the threshold with the highest balanced accuracy among those that let no more pass that is not supported.

    `passed` are the rows that pass as things are: on these very rows the TNR may not fall below theirs. An unacceptable
    support costs more than a support missed, so the one is never bought with the other. Of equals the nearest to `fallback`;
    with one class alone, the fallback.
    """
    if labels.all() or not labels.any():
        return fallback
    values = np.unique(p)
    cuts = np.concatenate([(values[1:] + values[:-1]) / 2, [values[-1] + _EDGE, fallback]])
    cuts = np.unique(np.round(cuts[(cuts > 0) & (cuts < 1)], _DIGITS))
    positive, negative = np.sort(p[labels]), np.sort(p[~labels])
    tpr = 1 - np.searchsorted(positive, cuts) / len(positive)
    tnr = np.searchsorted(negative, cuts) / len(negative)
    allowed = tnr >= (~passed[~labels]).mean() - 1e-12
    if not allowed.any():
        return fallback
    gain = np.where(allowed, tpr + tnr, -1.0)
    best = cuts[gain >= gain.max() - 1e-12]
    return _inside(float(best[np.argmin(np.abs(best - fallback))]))


def _inside(p: float) -> float:
    """Keep a threshold between 0 and 1, ends excluded."""
    return round(min(1 - _EDGE, max(_EDGE, p)), _DIGITS)
