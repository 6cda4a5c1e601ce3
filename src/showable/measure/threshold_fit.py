"""Thresholds fitted to people's labels: a common one, one for a claim kind that earns it, and what they buy out of sample."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from showable.measure.agreement import Array, Flags
from showable.measure.calibration_report import ALL_KINDS, Bought, Graded, Missing, Refused
from showable.measure.cross_fit import FEWEST_CLUSTERS, best_threshold, dealt_folds
from showable.measure.least_n import LEAST_PER_CLASS, LEAST_PER_CLASS_OF_KIND, missing_labels, missing_said
from showable.measure.paired_gain import decisions_gain
from showable.measure.resampling import number_clusters
from showable.records.signature import Thresholds

NEAREST_TO_EDGE = 1e-6
"""A threshold lies between 0 and 1; the fit's own edges are moved in by so much."""
COMMON = ""
"""The kind of rows without a kind, and of the common threshold among those that may be fitted."""
Clusters = NDArray[np.int64]
NOT_SURELY_BETTER = "no better by more than a standard error on rows that it was not fitted on"


@dataclass(frozen=True, slots=True)
class KindThreshold:
    """A claim kind: the threshold that holds for it, those of the folds, what it buys, and why it has none of its own.

    `bought` is against the earlier threshold on the kind's rows, out of fold. `missing` names the labels that are missing.
    """

    kind: str
    threshold: float
    fold_thresholds: tuple[float, ...] = ()
    fitted: bool = False
    why: str | None = None
    missing: tuple[Missing, ...] = ()
    bought: tuple[Bought, ...] = ()


@dataclass(frozen=True, slots=True)
class ThresholdFit:
    """What was fitted on all rows (`thresholds`), and what the same procedure decides on rows that it did not see (`said`).

    `bought` is what the whole procedure buys over `before`, the decisions at the earlier thresholds; `bought_by_kinds` what
    the kinds' own thresholds buy over the common one alone. `refused` is there where nothing was fitted: `thresholds` are
    then the earlier ones and nothing is bought. `fitted` is False, and `why` says so, where the common threshold stays too.
    """

    thresholds: Thresholds
    before: Flags
    said: Flags
    fold_thresholds: tuple[float, ...] = ()
    fitted: bool = False
    why: str | None = None
    kinds: tuple[KindThreshold, ...] = ()
    bought: tuple[Bought, ...] = ()
    bought_by_kinds: tuple[Bought, ...] = ()
    refused: Refused | None = None


@dataclass(frozen=True, slots=True)
class _Rows:
    labels: Flags
    p: Array
    kinds: NDArray[np.str_]
    clusters: Clusters

    def where(self, kept: Flags) -> _Rows:
        return _Rows(self.labels[kept], self.p[kept], self.kinds[kept], self.clusters[kept])


@dataclass(frozen=True, slots=True)
class _Fitted:
    """A common threshold, those of kinds, which of these were fitted, and whether the common one was."""

    common: float
    own: dict[str, float] = field(default_factory=dict)
    earned: frozenset[str] = frozenset()
    moved: bool = False

    def decide(self, rows: _Rows) -> Flags:
        cuts = np.full(len(rows.p), self.common)
        for kind, threshold in self.own.items():
            cuts[rows.kinds == kind] = threshold
        return np.asarray(rows.p >= cuts, dtype=np.bool_)


_Rule = Callable[[_Rows], float]
"""A way to a threshold: rows to fit on in, threshold out."""


def fit_thresholds(  # noqa: PLR0917 - the columns of one table, in the order in which callers hold them
    labels: Sequence[bool] | Flags,
    p: Sequence[float] | Array,
    kinds: Sequence[str | None],
    clusters: Sequence[Hashable] | Clusters,
    fallback: float | Thresholds = 0.5,
    seed: int = 0,
    *,
    rubric: Graded = "support",
) -> ThresholdFit:
    """Fit the common threshold and those of claim kinds by balanced accuracy, and say what they buy out of sample.

    All four have n entries; rows without a kind keep the common threshold. With fewer than 30 labels of a class, or labels
    of fewer than ten questions, nothing is fitted (`refused`). A fitted threshold replaces the one that stands only if it
    beats it by more than a standard error of the difference, cross-fitted within the rows at hand: the one-standard-error
    rule (Breiman et al. 1984, §3.4.3), by which the simpler of two models stands unless the other is surely better. What
    stands for a kind is the threshold that the earlier ones (`fallback`) give it by name, else the common one. With fewer
    than 30 labels of a class it stays, for a kind as for all that have the common one; kinds with a threshold of their own
    so far take no part in fitting that.
    What is bought is measured by five folds of whole questions, the rule applied anew in each, against the earlier
    thresholds, with paired intervals by question.
    """
    earlier = fallback if isinstance(fallback, Thresholds) else Thresholds(support=fallback)
    rows = _Rows(
        np.asarray(labels, dtype=np.bool_),
        np.asarray(p, dtype=np.float64),
        np.array([kind or "" for kind in kinds], dtype=np.str_),
        number_clusters([*clusters]),
    )
    before = _Fitted(earlier.support, earlier.per_kind).decide(rows)
    if refused := _refused(rows, rubric):
        return ThresholdFit(earlier, before, before, refused=refused)
    lacking = {kind: _lacking(rows.where(rows.kinds == kind), kind, rubric) for kind in _named(rows)}
    eligible = [kind for kind, missing in lacking.items() if not missing]
    if not _lacking(rows.where(_sharing(rows, earlier)), ALL_KINDS, rubric):
        eligible.append(COMMON)
    final = _fit(rows, eligible, earlier, seed)
    said, common, folds = _out_of_fold(rows, eligible, earlier, seed)
    return ThresholdFit(
        thresholds=Thresholds(support=final.common, per_kind=final.own),
        before=before,
        said=said,
        fold_thresholds=tuple(fold.common for fold in folds),
        fitted=final.moved,
        why=None if final.moved else f"keeps the earlier threshold: {_why_stays(eligible)}",
        kinds=tuple(
            _kind(kind, final, folds, lacking[kind], (rows, before, said), earlier=earlier, seed=seed)
            for kind in lacking
        ),
        bought=decisions_gain(rows.labels, before, said, rows.clusters, seed=seed),
        bought_by_kinds=decisions_gain(rows.labels, common, said, rows.clusters, seed=seed) if any(eligible) else (),
    )


def _why_stays(eligible: Sequence[str]) -> str:
    few = "too few labels of claims without a threshold of their own"
    return f"a fitted one is {NOT_SURELY_BETTER}" if COMMON in eligible else few


def _named(rows: _Rows) -> list[str]:
    return [str(kind) for kind in np.unique(rows.kinds) if kind]


def _refused(rows: _Rows, rubric: Graded) -> Refused | None:
    positives = int(rows.labels.sum())
    missing = missing_labels(rubric, ALL_KINDS, positives, len(rows.labels) - positives, LEAST_PER_CLASS)
    if missing:
        return Refused(reason=f"too few labels to fit a threshold: {missing_said(missing)}", missing=missing)
    questions = int(rows.clusters.max()) + 1
    if questions < FEWEST_CLUSTERS:
        said = f"labels of {questions} questions only: at least {FEWEST_CLUSTERS} are needed to hold some out"
        return Refused(reason=said)
    return None


def _lacking(rows: _Rows, kind: str, rubric: Graded) -> tuple[Missing, ...]:
    positives = int(rows.labels.sum())
    return missing_labels(rubric, kind, positives, len(rows.labels) - positives, LEAST_PER_CLASS_OF_KIND)


def _fit(rows: _Rows, eligible: Sequence[str], earlier: Thresholds, seed: int) -> _Fitted:
    """Fit the common threshold, and each eligible kind's own; each only where it beats what it would replace."""
    stays, common = _stays(earlier.support), _fits(earlier)
    shared = _sharing(rows, earlier)
    moves = COMMON in eligible and _beats(rows, shared, stays, common, seed)
    common = common if moves else stays
    own = dict(earlier.per_kind)
    earned = set()
    for kind in (one for one in eligible if one != COMMON):
        standing = _stays(earlier.per_kind[kind]) if kind in earlier.per_kind else common
        if _beats(rows, rows.kinds == kind, standing, _own(standing, kind), seed):
            own[kind] = _own(standing, kind)(rows)
            earned.add(kind)
    return _Fitted(common(rows), own, frozenset(earned), moves)


def _sharing(rows: _Rows, earlier: Thresholds) -> Flags:
    """Return which rows the common threshold decides so far."""
    return ~np.isin(rows.kinds, [*earlier.per_kind])


def _stays(threshold: float) -> _Rule:
    return lambda _rows: threshold


def _fits(earlier: Thresholds) -> _Rule:
    return lambda rows: _threshold(rows.where(_sharing(rows, earlier)), earlier.support)


def _own(standing: _Rule, kind: str) -> _Rule:
    return lambda rows: _threshold(rows.where(rows.kinds == kind), standing(rows))


def _threshold(rows: _Rows, fallback: float) -> float:
    found = best_threshold(rows.labels, rows.p, fallback)
    return min(1 - NEAREST_TO_EDGE, max(NEAREST_TO_EDGE, found))


def _beats(rows: _Rows, where: Flags, simpler: _Rule, finer: _Rule, seed: int) -> bool:
    """Check whether a finer rule beats a simpler one by more than a standard error on the rows of `where`, cross-fitted."""
    fold = dealt_folds(_renumbered(rows.clusters), seed=seed + 1)
    if fold is None:
        return False
    with_simpler, with_finer = np.zeros(len(fold), dtype=np.bool_), np.zeros(len(fold), dtype=np.bool_)
    for number in np.unique(fold):
        held, train = where & (fold == number), rows.where(fold != number)
        with_simpler[held] = rows.p[held] >= simpler(train)
        with_finer[held] = rows.p[held] >= finer(train)
    gain, error = _gain(rows.where(where), with_simpler[where], with_finer[where])
    return gain > error


def _gain(rows: _Rows, before: Flags, after: Flags) -> tuple[float, float]:
    """Return the gain in balanced accuracy and its standard error by question, the classes' sizes taken as given."""
    positives = max(1, int(rows.labels.sum()))
    negatives = max(1, len(rows.labels) - positives)
    moved = after.astype(np.float64) - before
    each = np.where(rows.labels, moved / positives, -moved / negatives) / 2
    of_cluster = np.bincount(_renumbered(rows.clusters), weights=each)
    count = len(of_cluster)
    spread = of_cluster - of_cluster.mean()
    return float(each.sum()), sqrt(float(spread @ spread) * count / max(1, count - 1))


def _renumbered(clusters: Clusters) -> Clusters:
    return np.asarray(np.unique(clusters, return_inverse=True)[1], dtype=np.int64)


def _out_of_fold(
    rows: _Rows, eligible: Sequence[str], earlier: Thresholds, seed: int
) -> tuple[Flags, Flags, tuple[_Fitted, ...]]:
    """Decide each fold by what was fitted on the others; give decisions, those at the common threshold, and the fits."""
    fold = dealt_folds(rows.clusters, seed=seed)
    if fold is None:  # refused before
        raise AssertionError("fewer clusters than folds need")
    said, common, fits = np.zeros(len(fold), dtype=np.bool_), np.zeros(len(fold), dtype=np.bool_), []
    for number in np.unique(fold):
        held = fold == number
        fitted = _fit(rows.where(~held), eligible, earlier, seed)
        said[held] = fitted.decide(rows.where(held))
        common[held] = rows.p[held] >= fitted.common
        fits.append(fitted)
    return said, common, tuple(fits)


def _kind(
    kind: str,
    final: _Fitted,
    folds: Sequence[_Fitted],
    missing: tuple[Missing, ...],
    decided: tuple[_Rows, Flags, Flags],
    *,
    earlier: Thresholds,
    seed: int,
) -> KindThreshold:
    """Write down one kind: what holds for it, why, and what it buys."""
    rows, before, said = decided
    mine = rows.kinds == kind
    why = None
    if kind not in final.earned:
        which = "threshold that the profile sets for it" if kind in earlier.per_kind else "common threshold"
        why = f"keeps the {which}: {missing_said(missing) or f'its own is {NOT_SURELY_BETTER}'}"
    return KindThreshold(
        kind=kind,
        threshold=final.own.get(kind, final.common),
        fold_thresholds=tuple(fold.own.get(kind, fold.common) for fold in folds),
        fitted=kind in final.earned,
        why=why,
        missing=missing,
        bought=decisions_gain(
            rows.labels[mine],
            before[mine],
            said[mine],
            _renumbered(rows.clusters[mine]),
            seed=seed,
        ),
    )
