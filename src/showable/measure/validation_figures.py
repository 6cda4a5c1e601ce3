"""From decisions and labels to figures with intervals: of one file, and the mean over several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from showable.measure.agreement import Array, Flags, Tables, weighted_auc
from showable.measure.calibration_error import calibration_errors
from showable.measure.resampling import (
    FEWEST,
    RESAMPLES,
    Interval,
    mean_of_two,
    percentile_interval,
    rate_interval,
    reaching,
    resampled_weights,
)
from showable.measure.smoothed_intervals import A_CELL
from showable.measure.validated import Between, FileFigures, Lead, Macro, Selective

FIGURES = ("balanced_accuracy", "tpr", "tnr", "auc", "kappa", "ece", "f1", "accuracy", "bucket_accuracy")
_BASELINE = "baseline."
_WITH_RATES = ("tpr", "tnr", "balanced_accuracy", "lead")


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a judge is compared with on the same rows: its name, its decisions, and the score behind them if it has one."""

    name: str
    said: Flags
    score: Array | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """Rows that carry a label and a decision. `p` is None where a row has none; `clusters` numbers what is resampled."""

    labels: Flags
    said: Flags
    clusters: NDArray[np.int64]
    p: Array | None = None
    baseline: Baseline | None = None


@dataclass(frozen=True, slots=True)
class Estimates:
    """Figures by name, those that could be measured, with their intervals and the resampled values behind them."""

    values: dict[str, float] = field(default_factory=dict)
    intervals: dict[str, Between] = field(default_factory=dict)
    draws: dict[str, Array] = field(default_factory=dict)

    def figures(self) -> dict[str, Any]:
        """Return the figures of the decisions themselves, None where not measurable."""
        return {name: self.values.get(name) for name in FIGURES}

    def of_baseline(self) -> dict[str, float | None]:
        """Return the figures of the baselines, by name."""
        return {
            name.removeprefix(_BASELINE): value for name, value in self.values.items() if name.startswith(_BASELINE)
        }

    def lead(self, over: str) -> Lead | None:
        """Return the lead in balanced accuracy over the baseline."""
        if "lead" not in self.values:
            return None
        low, high = self.intervals.get("lead") or (None, None)
        return Lead(over=over, balanced_accuracy=self.values["lead"], low=low, high=high)


def estimate(decided: Decided, *, seed: int = 0) -> Estimates:
    """Measure decisions against labels, with 95 % intervals from 1,000 seeded resamples of whole clusters.

    Rates over fewer than ten clusters, or without a single miss or hit, have Wilson's interval, and their mean one made of
    both; below ten clusters the other figures have none. A lead, and a mean over files, count with what a rate without a
    miss may be. No row at all gives no figure.
    """
    n = len(decided.labels)
    if not n:
        return Estimates()
    values = {name: float(found[0]) for name, found in _statistics(decided, np.ones((1, n))).items()}
    batches = [_statistics(decided, weights) for weights in resampled_weights(decided.clusters, seed=seed)]
    draws = {name: np.concatenate([batch[name] for batch in batches]) for name in values}
    known = {name: value for name, value in values.items() if np.isfinite(value)}
    spread = _with_a_spread(known, draws, decided, seed)
    majority = max(decided.labels.mean(), 1 - decided.labels.mean())
    known[f"{_BASELINE}majority_accuracy"] = float(majority)
    if "balanced_accuracy" in known:
        known[f"{_BASELINE}majority_balanced_accuracy"] = 0.5
    intervals = _intervals(known, draws, spread, decided)
    return Estimates(known, intervals, {name: spread[name] for name in known if name in spread})


def _statistics(decided: Decided, weights: Array) -> dict[str, Array]:
    """Return every statistic under each weighting (draws, n) of the rows."""
    labels, baseline = decided.labels, decided.baseline
    table = Tables.of(labels, decided.said, weights)
    found = {name: getattr(table, name) for name in ("balanced_accuracy", "tpr", "tnr", "kappa", "f1", "accuracy")}
    if decided.p is not None:
        found["auc"] = weighted_auc(labels, decided.p, weights)
        found["ece"] = calibration_errors(labels, decided.p, weights)
    if baseline is not None:
        rule = Tables.of(labels, baseline.said, weights)
        name = f"{_BASELINE}{baseline.name}"
        found[f"{name}_balanced_accuracy"] = rule.balanced_accuracy
        found[f"{name}_f1"] = rule.f1
        found["lead"] = table.balanced_accuracy - rule.balanced_accuracy
        if baseline.score is not None:
            found[f"{name}_auc"] = weighted_auc(labels, baseline.score, weights)
    return found


def _with_a_spread(values: dict[str, float], draws: dict[str, Array], decided: Decided, seed: int) -> dict[str, Array]:
    """Draw a rate that no resample moves from Jeffreys' posterior over its clusters, with what it is a part of.

    That every yes was found says that nearly all are: resampled, such a rate would seem to be known exactly.
    """
    found = dict(draws)
    for name, rows in (("tpr", decided.labels), ("tnr", ~decided.labels)):
        if name not in values or percentile_interval(draws[name]) is not None:
            continue
        count = len(np.unique(decided.clusters[rows]))
        hits = values[name] * count
        rng = np.random.default_rng([seed, name == "tnr"])
        found[name] = rng.beta(hits + A_CELL, count - hits + A_CELL, size=len(draws[name]))
        for whole in ("balanced_accuracy", "lead"):
            if whole in values:
                found[whole] = found[whole] + (found[name] - values[name]) / 2
    return found


def _intervals(
    values: dict[str, float], draws: dict[str, Array], spread: dict[str, Array], decided: Decided
) -> dict[str, Between]:
    """Read an interval off each figure's draws, by the rules that `estimate` states; `spread` is what `_with_a_spread` gives."""
    positive = len(np.unique(decided.clusters[decided.labels]))
    negative = len(np.unique(decided.clusters[~decided.labels]))
    enough = min(positive, negative) >= FEWEST
    found: dict[str, Between] = {
        name: percentile_interval(spread[name]) if enough else None for name in values if name in draws
    }
    rates: dict[str, Interval] = {
        name: rate_interval(values[name], draws[name], clusters)
        for name, clusters in (("tpr", positive), ("tnr", negative))
        if name in values
    }
    found |= rates
    if "accuracy" in values:
        found["accuracy"] = rate_interval(values["accuracy"], draws["accuracy"], int(decided.clusters.max()) + 1)
    resampled = enough and all(spread[name] is draws[name] for name in rates)
    if "balanced_accuracy" in values and not resampled:
        found["balanced_accuracy"] = mean_of_two(values["tpr"], values["tnr"], rates["tpr"], rates["tnr"])
    if "lead" in values:
        found["lead"] = reaching(found["lead"], values["lead"])
    return found


def macro_mean(files: Sequence[FileFigures], estimates: Sequence[Estimates]) -> Macro:
    """Average over files, each counting alike, with the interval of that mean: files are independent of one another.

    A figure that a file does not have is averaged over the others; `over` says how many.
    """
    names = sorted({name for one in estimates for name in one.values})
    values, over, intervals = {}, {}, {}
    for name in names:
        having = [one for one in estimates if name in one.values]
        values[name] = float(np.mean([one.values[name] for one in having]))
        over[name] = len(having)
        with_draws = [one.draws[name] for one in having if name in one.draws]
        if len(with_draws) == len(having):
            intervals[name] = _mean_interval(having, with_draws, name)
    mean = Estimates(values, intervals)
    leads = [one.lead for one in files if one.lead is not None]
    return Macro(
        files=len(files),
        n=sum(one.n for one in files),
        **mean.figures(),
        ms_per_pair=_mean([one.ms_per_pair for one in files]),
        selective=Selective(
            coverage=_mean([one.selective.coverage for one in files]),
            balanced_accuracy=_mean([one.selective.balanced_accuracy for one in files]),
        ),
        baseline=mean.of_baseline(),
        intervals=intervals,
        lead=mean.lead(leads[0].over) if leads else None,
        over=over,
    )


def _mean_interval(having: Sequence[Estimates], draws: Sequence[Array], name: str) -> Between:
    """Average the draws of the files, draw by draw; of one file it is the file's own interval."""
    if len(having) == 1:
        return having[0].intervals.get(name)
    if any(one.intervals.get(name) is None for one in having):
        return None
    # Every file is resampled under the same seed: shuffled, so that draws of unlike files are put together by chance.
    shuffled = [np.random.default_rng(i).permutation(one) for i, one in enumerate(draws)]
    if len(draws[0]) != RESAMPLES:
        return None
    found = percentile_interval(np.mean(shuffled, axis=0))
    return reaching(found, float(np.mean([one.values[name] for one in having]))) if name in _WITH_RATES else found


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None
