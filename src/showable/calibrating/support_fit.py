"""Thresholds and recalibration fitted on people's labels of support, and taken over only where they are shown to be better."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from showable.calibrating.recalibrating import Recalibration, recalibrate, shortest
from showable.calibrating.support_rows import NOBODY, UNKNOWN, Columns, SupportRow, columns
from showable.calibrating.undecided import first_reason, missing_decided, missing_decided_said
from showable.measure.agreement import Array
from showable.measure.calibration_report import ALL_KINDS, Bought, Refused, Taken
from showable.measure.least_n import LEAST_PER_CLASS
from showable.measure.threshold_fit import NEAREST_TO_EDGE, KindThreshold, ThresholdFit, fit_thresholds
from showable.records.calibration import IsotonicMap
from showable.records.signature import Thresholds

NO_P = "the judge gives labels without a probability: there is nothing to cut and nothing to recalibrate"


@dataclass(frozen=True, slots=True)
class SupportFit:
    """What is taken over. `thresholds` cut p as `recalibration` maps it; where nothing is shown to be better they are as before.

    `bought` is what the fitted thresholds buy on rows that they were not fitted on, taken over or not (`adopted`);
    `refused` says why nothing was fitted. `own` gives the thresholds on the judge's own scale, where a map moves it.
    """

    thresholds: Thresholds
    recalibration: Recalibration
    kinds: tuple[KindThreshold, ...] = ()
    bought: tuple[Bought, ...] = ()
    adopted: bool = False
    refused: Refused | None = None
    notes: tuple[str, ...] = ()
    own: Thresholds | None = None

    @property
    def anything(self) -> bool:
        """Check whether the calibration moves anything."""
        return bool(self.taken)

    @property
    def taken(self) -> tuple[Taken, ...]:
        """Name what is taken over."""
        mapped: tuple[Taken, ...] = () if self.recalibration.mapping is None else ("recalibration",)
        return ("thresholds", *mapped) if self.adopted else mapped


def fit_support(
    rows: Sequence[SupportRow],
    earlier: Thresholds,
    *,
    least: int = LEAST_PER_CLASS,
    judges: Collection[str] = (),
    seed: int = 0,
) -> SupportFit:
    """Fit on rows that people settled. `earlier` are the thresholds so far, of the judge's own p.

    New thresholds are taken over only where `fit_thresholds` finds them surely better (by more than a standard error), and
    where what they buy on rows that they were not fitted on is above 0. A kind for which none is found keeps the threshold
    that the profile sets for it, else has the common one. `judges` are those that the calibration will be used on, beside
    those of the rows: a map is of one judge's p alone.
    """
    cuttable = [(row, cut) for row in rows if (cut := row.cut) is not None]
    data = columns([row for row, _ in cuttable], [cut for _, cut in cuttable])
    if refused := _refused(rows, data, least):
        return SupportFit(earlier, recalibrate(rows, fit=False), refused=refused, notes=_left_out(rows))
    fit = fit_thresholds(data.labels, data.p, data.kinds, data.clusters, earlier, seed)
    if fit.refused:
        return SupportFit(earlier, recalibrate(rows, fit=False), refused=fit.refused, notes=_left_out(rows))
    adopted = _is_better(fit)
    recalibration = recalibrate(rows, fit=True, judges=judges, seed=seed)
    fitted = {*(one.kind for one in fit.kinds if one.fitted), *([ALL_KINDS] if fit.fitted else [])}
    chosen, moved = (fit.thresholds, fitted) if adopted else (earlier, set[str]())
    thresholds = _in_force(chosen, moved, recalibration.mapping, data)
    notes = [*_left_out(rows), *([recalibration.why] if recalibration.why else ())]
    if not adopted:
        notes.append(_stay(fit))
    kinds = tuple(_kind(one, earlier, thresholds, adopted=adopted) for one in fit.kinds)
    own = None if recalibration.mapping is None else _in_force(chosen, moved, None, data)
    return SupportFit(thresholds, recalibration, kinds, fit.bought, adopted, notes=tuple(notes), own=own)


def _refused(rows: Sequence[SupportRow], data: Columns, least: int) -> Refused | None:
    spoken = [row for row in rows if row.verdict != UNKNOWN]
    if spoken and all(row.p is None for row in spoken):
        return Refused(reason=NO_P)
    positives, labelled = int(data.labels.sum()), sum(row.label for row in rows)
    missing = missing_decided((positives, len(data.labels) - positives), (labelled, len(rows) - labelled), least)
    if not missing:
        return None
    lost = all((one.given or 0) >= one.need for one in missing)
    few = "too few of the labels can be fitted on" if lost else "too few labels to fit a threshold"
    why = "".join(f"; {said}" for said in _undecided(rows))
    return Refused(reason=f"{few}: {missing_decided_said(missing)}{why}", missing=missing)


def _undecided(rows: Sequence[SupportRow]) -> list[str]:
    """Return how many rows there is nothing to decide by, and what the judge said of the first: an error, as a rule."""
    open_ones = [row for row in rows if row.undecided]
    if not open_ones:
        return []
    asked = [row for row in open_ones if row.judge != NOBODY]  # what a judge says tells more than that none was asked
    why = first_reason(row.reason for row in asked or open_ones)
    return [f"the judge left {len(open_ones)} of {len(rows)} labelled pairs undecided, the first of them: {why}"]


def _is_better(fit: ThresholdFit) -> bool:
    """Check whether anything is to be taken over: it beat what stands by the fit's own rule, and gains out of fold."""
    gain = next(one for one in fit.bought if one.figure == "balanced_accuracy").difference
    return (fit.fitted or any(one.fitted for one in fit.kinds)) and gain is not None and gain > 0


def _stay(fit: ThresholdFit) -> str:
    """Report that nothing is taken over, and what fitting came to out of fold."""
    gain = next(one for one in fit.bought if one.figure == "balanced_accuracy")
    came = "not measurable" if gain.difference is None else f"{100 * gain.difference:+.1f} points of balanced accuracy"
    between = (
        ""
        if gain.low is None or gain.high is None
        else f", 95 % interval {100 * gain.low:+.1f} to {100 * gain.high:+.1f}"
    )
    why = fit.why or "no fitted one is surely better on labels that it was not fitted on"
    return f"thresholds stay as they were: {why} (fitting would have bought {came}{between})".replace("-", "−")


def _left_out(rows: Sequence[SupportRow]) -> tuple[str, ...]:
    """Return which rows no threshold was fitted on, and why."""
    bare = sum(row.p is None and row.verdict != UNKNOWN for row in rows)
    open_ended = sum(row.p is not None and row.said is None for row in rows)
    weaker = sum(row.weight != 1.0 for row in rows)
    found = _undecided(rows)
    if bare and bare < len(rows):
        found.append(f"{bare} of {len(rows)} pairs have no probability and are decided by the judge's label")
    if open_ended:
        found.append(
            f"{open_ended} verdicts are left open by the judge whatever their p; no threshold is fitted on them"
        )
    if weaker:
        found.append(
            f"{weaker} pairs cite a source of a weaker tier, whose threshold is higher; none is fitted on them"
        )
    return tuple(found)


def _in_force(chosen: Thresholds, fitted: Collection[str], mapping: IsotonicMap | None, data: Columns) -> Thresholds:
    """Put thresholds of the judge's own p on the scale of the mapped one, in as few decimals as decide the same.

    Without a map those that were not fitted stay as they were written.
    """
    kinds = np.array([kind or "" for kind in data.kinds], dtype=np.str_)

    def moved(kind: str, threshold: float, p: Array) -> float:
        if mapping is not None:
            return shortest(_inside(mapping(threshold)), np.interp(p, mapping.x, mapping.y))
        return shortest(threshold, p) if kind in fitted else threshold

    common = data.p[~np.isin(kinds, [*chosen.per_kind])]
    own = {kind: moved(kind, threshold, data.p[kinds == kind]) for kind, threshold in chosen.per_kind.items()}
    return Thresholds(support=moved(ALL_KINDS, chosen.support, common), per_kind=own)


def _inside(threshold: float) -> float:
    return min(1 - NEAREST_TO_EDGE, max(NEAREST_TO_EDGE, threshold))


def _kind(one: KindThreshold, earlier: Thresholds, in_force: Thresholds, *, adopted: bool) -> KindThreshold:
    """Write a kind down as it will be decided; what a fit that it keeps aside came to in the folds is not said of it."""
    at = in_force.of(one.kind)
    if one.kind in earlier.per_kind and not one.fitted:
        return replace(one, threshold=at, fold_thresholds=(), bought=())
    if not adopted:
        which = "its" if one.kind in earlier.per_kind else "the common"
        why = one.why or f"keeps {which} threshold: the fitted ones are not shown to be better"
        return replace(one, threshold=at, fitted=False, why=why)
    return replace(one, threshold=at)
