"""What calibrating a judge buys on rows that it was not fitted on, per data set, and how that grows with the labels.

For each judge and each set of labelled claims and passages: balanced accuracy at p >= 0.5 and at the cross-fitted threshold
(five folds of whole questions), the difference with its paired 95 % interval, and the expected calibration error of p before
and after cross-fitted isotonic recalibration. Then the macro means. Then a learning curve: thresholds fitted on so many
labels, drawn whole questions at a time, and tried on all other rows of the set.

Every row is decided by its p, an uncertain one too, as `showable validate` does. Sets are cut to 3,000 units drawn by the seed.
What the judges say is kept under build/, so that a second run takes seconds.

Run: nice -n 19 python benchmarks/calibration.py [DATA]      DATA defaults to ../shared/data/entail/dev
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from showable.calibrating.recalibrating import recalibrate
from showable.calibrating.support_rows import SupportRow
from showable.judges.choose import choose
from showable.measure.agreement import Array, Flags, Tables
from showable.measure.calibration_report import Bought
from showable.measure.cross_fit import best_threshold, cross_fitted
from showable.measure.resampling import number_clusters, percentile_interval, resampled_weights
from showable.measure.threshold_fit import fit_thresholds
from showable.records import Judge
from showable.report.validation_words import short_name
from showable.validation.entailment import pair_of
from showable.validation.rows import NEITHER, LabelledPair, read_rows
from showable.validation.units import Unit, gather_units

DATA = Path("../shared/data/entail/dev")
KEPT = Path("build/benchmarks/calibration")
MOST_UNITS = 3_000
SEED = 0
SIZES = (50, 100, 200, 400)
DRAWS = 40
JUDGES = ("lexical", "embedded")
Gain = tuple[float, Array]
"""A gain in balanced accuracy, and the same on resampled questions."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A data set as one judge sees it: people's yes or no, p, and which rows are of one question."""

    name: str
    labels: Flags
    p: Array
    clusters: NDArray[np.int64]

    @property
    def rows(self) -> list[SupportRow]:
        """The same, as calibration takes it."""
        each = zip(self.labels.tolist(), self.p.tolist(), self.clusters.tolist(), strict=True)
        return [SupportRow(y, p >= 0.5, p, "supported", "one", None, cluster) for y, p, cluster in each]


def main() -> None:
    """Judge, fit, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=DATA)
    data = parser.parse_args().data
    files = sorted(data.glob("*.jsonl.gz")) if data.is_dir() else []
    if not files:
        print(f"skipped: no labelled data at {data}")
        return
    for spec in JUDGES:
        judge = choose(spec)
        sets = [judged(path, judge) for path in files]
        print_fits(judge.name, sets)
        print_curve(judge.name, sets)


def judged(path: Path, judge: Judge) -> Judged:
    """Give a set with what the judge says of it, from what was kept where that is there."""
    rows = read_rows(path, LabelledPair, path.name)
    kept = _sample(rows)
    digest = hashlib.blake2b(
        f"{judge.name} {MOST_UNITS} {SEED}".encode() + path.read_bytes(), digest_size=8
    ).hexdigest()
    file = KEPT / f"{short_name(path.name)}-{digest}.json"
    if not file.exists():
        print(f"judging {len(kept)} pairs of {short_name(path.name)} with {judge.name}", file=sys.stderr)
        verdicts = asyncio.run(judge.verdicts([pair_of(row) for _, row in kept]))
        units = gather_units(kept, verdicts, [0.0] * len(kept), 0.5)
        KEPT.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps([[one.label, one.p, repr(one.cluster)] for one in units if _counts(one)]))
    held = json.loads(file.read_text())
    labels = np.array([label == 1.0 for label, _, _ in held], dtype=np.bool_)
    p = np.array([p for _, p, _ in held], dtype=np.float64)
    return Judged(short_name(path.name), labels, p, number_clusters([cluster for _, _, cluster in held]))


def _counts(unit: Unit) -> bool:
    return unit.label != NEITHER and unit.p is not None


def _sample(rows: list[tuple[int, LabelledPair]]) -> list[tuple[int, LabelledPair]]:
    """Draw whole units (all chunks of a source and claim) by the seed, and give their rows in the order of the file."""
    names = [(row.group, row.claim) if row.group is not None else number for number, row in rows]
    units = sorted(dict.fromkeys(names), key=lambda name: hashlib.blake2b(f"{SEED} {name}".encode()).digest())
    drawn = {*units[:MOST_UNITS]}
    return [entry for entry, name in zip(rows, names, strict=True) if name in drawn]


def print_fits(judge: str, sets: list[Judged]) -> None:
    """Print one line a set, then the mean over sets; then the mean where a fitted threshold is always taken."""
    print(f"\n{judge}\n")
    print(
        "| set | n | yes | threshold | bal. acc. at 0.5 | fitted | difference [95 %] | ECE | recalibrated | difference [95 %] |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    figures: list[tuple[float, ...]] = []
    by_rule: list[Gain] = []
    always: list[Gain] = []
    for one in sets:
        fit = fit_thresholds(one.labels, one.p, [None] * len(one.p), one.clusters, 0.5)
        head = f"| {one.name} | {len(one.p)} | {one.labels.mean() * 100:.0f} % "
        if fit.refused is not None:
            print(f"{head}| – | {fit.refused.reason} | | | | | |")
            continue
        gain = next(each for each in fit.bought if each.figure == "balanced_accuracy")
        ece = next(each for each in recalibrate(one.rows, fit=True).bought if each.figure == "ece")
        figures.append(
            tuple(value or 0.0 for each in (gain, ece) for value in (each.before, each.after, each.difference))
        )
        by_rule.append(_gain(one, fit.before, fit.said))
        always.append(_gain(one, fit.before, cross_fitted(one.labels, one.p, one.clusters, 0.5)[0]))
        at = f"{fit.thresholds.support:.2f}" if fit.fitted else "stays"
        print(
            f"{head}| {at} | {figures[-1][0] * 100:.1f} | {figures[-1][1] * 100:.1f} | {_points(gain, 100, 1)}"
            f" | {figures[-1][3]:.3f} | {figures[-1][4]:.3f} | {_points(ece, 1, 3)} |"
        )
    mean = np.mean(figures, axis=0)
    print(
        f"| **mean of {len(figures)} sets** | | | | {mean[0] * 100:.1f} | {mean[1] * 100:.1f} | **{_mean(by_rule)}**"
        f" | {mean[3]:.3f} | {mean[4]:.3f} | {mean[5]:+.3f} |"
    )
    print(f"| *fitted threshold always taken* | | | | | | {_mean(always)} | | | |")


def _points(one: Bought, scale: int, digits: int) -> str:
    """Write a difference with its interval; one without a width is of decisions that did not change."""
    if one.difference is None or one.low is None or one.high is None:
        return "no change" if one.difference == 0 else "–"
    value, low, high = (each * scale for each in (one.difference, one.low, one.high))
    return f"{value:+.{digits}f} [{low:+.{digits}f}, {high:+.{digits}f}]"


def _mean(gains: list[Gain]) -> str:
    """Write the mean over sets in points, with its interval: sets are independent, so their draws are put together by chance."""
    mixed = [np.random.default_rng(n).permutation(draws) for n, (_, draws) in enumerate(gains)]
    low, high = percentile_interval(np.mean(mixed, axis=0)) or (float("nan"), float("nan"))
    return f"{np.mean([gain for gain, _ in gains]) * 100:+.1f} [{low * 100:+.1f}, {high * 100:+.1f}]"


def _gain(one: Judged, before: Flags, after: Flags) -> Gain:
    """Give what decisions gain in balanced accuracy over earlier ones, and the same on resampled questions."""
    drawn = [np.ones((1, len(one.p))), *resampled_weights(one.clusters, seed=SEED)]
    sides = [[Tables.of(one.labels, said, weights).balanced_accuracy for weights in drawn] for said in (before, after)]
    values = np.concatenate(sides[1]) - np.concatenate(sides[0])
    return float(values[0]), values[1:]


def print_curve(judge: str, sets: list[Judged]) -> None:
    """Print the mean gain over 0.5, over sets and draws, of thresholds fitted on so many labels and tried on the rest."""
    print(
        f"\n{judge}, thresholds fitted on so many labels of a set and tried on its other rows: gain over 0.5, {DRAWS} draws a set\n"
    )
    print("| labels | sets | mean gain | middle 80 % of the draws | draws that lose |\n|---|---|---|---|---|")
    for size in SIZES:
        fitting = [one for one in sets if len(one.p) >= size + 100]
        gains = [gain for one in fitting for gain in _gains(one, size)]
        if gains:
            low, high = np.quantile(gains, [0.1, 0.9]) * 100
            lost = float(np.mean(np.array(gains) < 0)) * 100
            print(
                f"| {size} | {len(fitting)} | {np.mean(gains) * 100:+.1f} | {low:+.1f} to {high:+.1f} | {lost:.0f} % |"
            )


def _gains(one: Judged, size: int) -> list[float]:
    rng = np.random.default_rng(SEED)
    found = []
    for _ in range(DRAWS):
        order = rng.permutation(int(one.clusters.max()) + 1)[one.clusters].argsort(kind="stable")
        train, test = order[:size], order[size:]
        test = test[~np.isin(one.clusters[test], one.clusters[train])]
        threshold = best_threshold(one.labels[train], one.p[train], 0.5)
        weights = np.ones((1, len(test)))
        was, now = (
            float(Tables.of(one.labels[test], one.p[test] >= at, weights).balanced_accuracy[0])
            for at in (0.5, threshold)
        )
        if np.isfinite(was) and np.isfinite(now):
            found.append(now - was)
    return found


if __name__ == "__main__":
    main()
