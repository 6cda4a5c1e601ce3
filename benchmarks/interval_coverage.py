"""How often the 95 % intervals of agreement hold the truth, over made-up labels whose truth is known.

Every row has a true label, a judge's word on it, and the words of two people. Skewed labels are 85 % yes; graders are
middling or good. In clustered
sets four rows share a question, whose rates are its own (beta-distributed, so that rows of one question correlate by
0.2). A figure that is refused (too few questions, one class alone, a judge no better than chance) is counted beside, not as
a hit or a miss. Each cell is a share of sets with its own Monte-Carlo error, and the mean width of the interval.

    python benchmarks/interval_coverage.py [--sets 1000] [--seed 0] [--workers 2]
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import product
from math import sqrt
from typing import Any

import numpy as np

from showable.measure.corrected_rate import corrected_rate, design_effect
from showable.measure.judge_agreement import agreement
from showable.measure.rater_agreement import inter_rater
from showable.records.labels import Target

Array = np.ndarray[Any, Any]

SIZES = (30, 50, 100, 400)
YES_SHARES = {"balanced": 0.5, "skewed": 0.85}
GRADERS = {"middling": (0.85, 0.80, 0.90), "good": (0.97, 0.95, 0.98)}
"""TPR and TNR of the judge, and how often a person's word is the true label, whichever it is."""
ROWS_A_QUESTION = 4
CORRELATION = 0.2
OBSERVED = 1_000
"""Rows that the judge decides and nobody labels, whose rate is corrected."""
FIGURES = ("kappa", "ac1", "balanced_accuracy", "tpr", "alpha", "corrected")


@dataclass(slots=True)
class Tally:
    """How often an interval held the truth, missed it, and was not given; and how wide they were together."""

    held: int = 0
    missed: int = 0
    refused: int = 0
    width: float = 0.0

    def add(self, between: tuple[float, float] | None, truth: float) -> None:
        if between is None:
            self.refused += 1
            return
        self.width += between[1] - between[0]
        if between[0] <= truth <= between[1]:
            self.held += 1
        else:
            self.missed += 1

    @property
    def given(self) -> int:
        return self.held + self.missed

    def __str__(self) -> str:
        if self.given < (self.given + self.refused) / 10:
            return "refused"
        share = self.held / self.given
        error = sqrt(share * (1 - share) / self.given)
        beside = f", {100 * self.refused / (self.given + self.refused):.0f} % refused" if self.refused else ""
        return f"{100 * share:.1f} ± {100 * error:.1f} (width {self.width / self.given:.2f}{beside})"


@dataclass(frozen=True, slots=True)
class Setting:
    """One kind of set: how many labelled rows, whether they come four to a question, what share is yes, how good the graders are."""

    n: int
    clustered: bool
    yes: float
    grader: str = "middling"


@dataclass(slots=True)
class Drawn:
    """One set: labels, the judge's words, what belongs together, and two people's words."""

    labels: Array
    said: Array
    clusters: Array
    raters: tuple[Array, Array]
    seen: int = field(default=0)


def _rates(mean: float, questions: int, setting: Setting, rng: np.random.Generator) -> Array:
    """Give each question's own rate: the mean of all where rows are independent."""
    if not setting.clustered:
        return np.full(questions, mean)
    strength = 1 / CORRELATION - 1
    return rng.beta(mean * strength, (1 - mean) * strength, questions)


def draw(setting: Setting, rng: np.random.Generator) -> Drawn:
    """Make one set."""
    size = ROWS_A_QUESTION if setting.clustered else 1
    clusters = np.arange(setting.n) // size
    questions = int(clusters.max()) + 1
    means = (setting.yes, *GRADERS[setting.grader])
    yes, tpr, tnr, hits = (_rates(mean, questions, setting, rng)[clusters] for mean in means)
    labels = rng.random(setting.n) < yes
    said = rng.random(setting.n) < np.where(labels, tpr, 1 - tnr)
    raters = tuple(np.where(rng.random(setting.n) < hits, labels, ~labels) for _ in range(2))
    return Drawn(labels, said, clusters, (raters[0], raters[1]), int(rng.binomial(OBSERVED, _seen(setting))))


def _seen(setting: Setting) -> float:
    tpr, tnr, _ = GRADERS[setting.grader]
    return setting.yes * tpr + (1 - setting.yes) * (1 - tnr)


def truths(setting: Setting) -> dict[str, float]:
    """Give every figure of the population that the sets are drawn from."""
    yes, seen = setting.yes, _seen(setting)
    tpr, tnr, hits = GRADERS[setting.grader]
    alike = yes * tpr + (1 - yes) * tnr
    chance = yes * seen + (1 - yes) * (1 - seen)
    share = (yes + seen) / 2
    of_ac1 = 2 * share * (1 - share)
    # Two people agree where both are right or both are wrong: E[h² + (1 - h)²] over the questions' own hit rates h.
    spread = CORRELATION * hits * (1 - hits) if setting.clustered else 0.0
    same = 1 - 2 * (hits * (1 - hits) - spread)
    rated = yes * hits + (1 - yes) * (1 - hits)
    by_chance = rated**2 + (1 - rated) ** 2
    return {
        "kappa": (alike - chance) / (1 - chance),
        "ac1": (alike - of_ac1) / (1 - of_ac1),
        "balanced_accuracy": (tpr + tnr) / 2,
        "tpr": tpr,
        "alpha": 1 - (1 - same) / (1 - by_chance),
        "corrected": yes,
    }


def intervals(drawn: Drawn) -> dict[str, tuple[float, float] | None]:
    """Give the intervals that the package gives to one set."""
    found = agreement("support", "all", drawn.labels.tolist(), drawn.said.tolist(), clusters=drawn.clusters.tolist())
    units = {
        Target(str(cluster), "support", 0, at): {"a": str(first), "b": str(second)}
        for at, (cluster, first, second) in enumerate(zip(drawn.clusters, *drawn.raters, strict=True))
    }
    people = inter_rater("support", units)
    yes, no = found.confusion["yes"], found.confusion["no"]
    effect = design_effect(drawn.labels == drawn.said, drawn.clusters)
    table = yes["yes"], yes["no"], no["yes"], no["no"]
    corrected = corrected_rate(drawn.seen, OBSERVED, *table, design_effect=effect)
    between = {name: found.intervals.get(name) for name in FIGURES}
    between["alpha"] = people.intervals.get("alpha")
    if corrected.low is not None and corrected.high is not None:
        between["corrected"] = (corrected.low, corrected.high)
    return between


def measure(setting: Setting, sets: int, seed: int) -> dict[str, Tally]:
    """Draw so many sets of one kind and tally each figure."""
    rng = np.random.default_rng(
        [seed, setting.n, setting.clustered, round(100 * setting.yes), list(GRADERS).index(setting.grader)]
    )
    tallies: dict[str, Tally] = defaultdict(Tally)
    truth = truths(setting)
    for _ in range(sets):
        for name, between in intervals(draw(setting, rng)).items():
            tallies[name].add(between, truth[name])
    return dict(tallies)


def settings() -> Iterator[Setting]:
    """Give every kind of set, in the order in which they are printed."""
    for grader, clustered, yes, n in product(GRADERS, (False, True), YES_SHARES.values(), SIZES):
        yield Setting(n, clustered, yes, grader)


def _lines(found: dict[Setting, dict[str, Tally]]) -> Iterator[str]:
    yield "| rows | n | " + " | ".join(FIGURES) + " |"
    yield "|---|---|" + "---|" * len(FIGURES)
    names = {share: name for name, share in YES_SHARES.items()}
    for setting, tallies in found.items():
        rows = f"{setting.grader}, {names[setting.yes]}, {'four a question' if setting.clustered else 'independent'}"
        yield f"| {rows} | {setting.n} | " + " | ".join(str(tallies[name]) for name in FIGURES) + " |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    every = list(settings())
    with ProcessPoolExecutor(asked.workers) as pool:
        results = pool.map(measure, every, [asked.sets] * len(every), [asked.seed] * len(every))
        for line in _lines(dict(zip(every, results, strict=True))):
            print(line)


if __name__ == "__main__":
    main()
