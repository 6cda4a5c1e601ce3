"""How often the ship gate ships a harmful change and holds a good one, over pairs of runs whose truth is known.

A pipeline is 130 questions in the protocol's shape. Each has a bucket that the pipeline comes to; some are flaky: they come to
a second bucket now and then. A change moves the buckets of a few questions. Both sides are run, and read by a judge
that errs as often as it did against people; of one question it errs alike on both sides, as its answers are alike. The decision is that of
`showable gate` itself, without the tests that stand beside it.

    python benchmarks/gate_simulation.py [--pairs 10000] [--seed 0] [--workers 2]

`--pairs` are shared among the changes, for each number of repeats and each judge. All of them take minutes; `--pairs 500` is a quick look.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from showable.harness.questions.shape import PROTOCOL
from showable.measure.rates import wilson_interval
from showable.measure.repeats import GateRow, pair
from showable.records.record import Category
from showable.records.scorecard import Bucket
from showable.ship_gate import UNKNOWN_CAP, reasons_against

Array = np.ndarray[Any, Any]

BUCKETS: tuple[Bucket, ...] = ("correct", "wrong", "unsupported", "refused", "unknown")
CORRECT, WRONG, UNSUPPORTED, REFUSED, UNKNOWN = range(5)
ACCEPTABLE = -1
CATEGORIES: tuple[Category, ...] = tuple(part.category for part in PROTOCOL for _ in range(part.of_130))
N = len(CATEGORIES)
ANSWERABLE = frozenset({"answerable", "tempt_wrong", "adversarial"})
IS_ANSWERABLE = np.array([category in ANSWERABLE for category in CATEGORIES])

COMES_TO: dict[Category, tuple[float, float, float, float]] = {
    "answerable": (0.80, 0.04, 0.08, 0.08),
    "tempt_wrong": (0.60, 0.20, 0.05, 0.15),
    "tempt_unsupported": (0.0, 0.05, 0.20, 0.75),
    "refusal_due": (0.0, 0.05, 0.10, 0.85),
    "unanswerable": (0.0, 0.10, 0.10, 0.80),
    "adversarial": (0.50, 0.20, 0.10, 0.20),
    "null_retrieval": (0.0, 0.0, 0.05, 0.95),
}
"""Shares of correct, wrong, unsupported, refused of a middling pipeline, by category: an assumption, about 75 % acceptable."""
FLAKY = 0.10
"""Share of questions that do not always come to the same bucket: an assumption."""
OFTEN = (0.55, 0.95)
"""How often a flaky question comes to its usual bucket."""
ALIKE = 0.9
"""How often the judge reads two answers to one question that are in the same true bucket alike: an assumption, as the
embedded judge reads the same words always alike, and two runs word most answers alike."""
REPEATS = (1, 3, 5)


@dataclass(frozen=True, slots=True)
class Reader:
    """How a judge reads each true bucket: rows true (correct, wrong, unsupported, refused), columns read (and unknown)."""

    name: str
    rates: Array


def readers() -> list[Reader]:
    """Give a judge that never errs, and two that err as in docs/validity.md.

    `gold`: the answers have a gold answer. FinanceBench: of 363 correct answers 340 are read as agreeing, of 143
    incorrect ones 131 as not; of 198 refusals 193 are read as such, of 506 answers 10 are read as refusals. What is missed is
    spread over the other buckets. `claims`: no gold; an answer is as good as one claim read by the embedded judge, whose
    macro mean over twelve sets is TPR 71.1, TNR 68.3; refusals as above. Each leaves 2 % unknown.
    """
    unread = 0.02
    return [
        Reader("never errs", np.eye(4, 5)),
        Reader("gold", _rates(missed=23 / 363, passed=12 / 143, unread=unread)),
        Reader("claims", _rates(missed=1 - 0.711, passed=1 - 0.683, unread=unread)),
    ]


def _rates(missed: float, passed: float, unread: float) -> Array:
    declined, asserted = 10 / 506, 5 / 198
    read = [
        [1 - missed, missed / 2, missed / 2, 0.0],
        [passed, (1 - passed) * 0.9, (1 - passed) * 0.1, 0.0],
        [passed, (1 - passed) * 0.1, (1 - passed) * 0.9, 0.0],
        [0.0, 0.0, asserted, 1 - asserted],
    ]
    rates = np.zeros((4, 5))
    rates[:, :4] = read
    rates[:3, :4] *= 1 - declined
    rates[:3, REFUSED] += declined
    rates *= 1 - unread
    rates[:, UNKNOWN] = unread
    return rates


@dataclass(frozen=True, slots=True)
class Scenario:
    """A change: how many questions move from one group of buckets to another."""

    name: str
    should_ship: str
    moves: tuple[tuple[str, int, int], ...]
    """From which questions (a key of `GROUPS`), how many, to which bucket; ACCEPTABLE is what is acceptable there."""


SCENARIOS = (
    Scenario("no change", "yes", ()),
    Scenario("mends 4 (3 %)", "yes", (("bad", 4, ACCEPTABLE),)),
    Scenario("mends 8 (6 %)", "yes", (("bad", 8, ACCEPTABLE),)),
    Scenario("mends 16 (12 %)", "yes", (("bad", 16, ACCEPTABLE),)),
    Scenario("declines 8 it had wrong or unsupported", "yes", (("bad", 8, REFUSED),)),
    Scenario("+1 wrong", "no", (("fine", 1, WRONG),)),
    Scenario("+2 wrong", "no", (("fine", 2, WRONG),)),
    Scenario("+5 wrong", "no", (("fine", 5, WRONG),)),
    Scenario("mends 3 unsupported, +1 wrong", "no", (("unsupported", 3, ACCEPTABLE), ("fine", 1, WRONG))),
    Scenario("declines 8 it had correct", "no", (("answered", 8, REFUSED),)),
)


GROUPS = {
    "bad": (WRONG, UNSUPPORTED),
    "unsupported": (UNSUPPORTED,),
    "fine": (CORRECT, REFUSED),
    "answered": (CORRECT,),
}


@dataclass(frozen=True, slots=True)
class Pipeline:
    """What each question usually comes to, what else, and how often the usual."""

    usual: Array
    other: Array
    often: Array

    def run(self, rng: np.random.Generator, repeats: int) -> Array:
        """Give the true buckets of some runs: one row a run."""
        return np.where(rng.random((repeats, N)) < self.often, self.usual, self.other)


def draw(rng: np.random.Generator, flaky: float = FLAKY) -> Pipeline:
    """Draw a middling pipeline."""
    shares = np.cumsum([COMES_TO[category] for category in CATEGORIES], axis=1)
    usual, other = ((shares < rng.random((N, 1))).sum(axis=1).clip(0, 3) for _ in range(2))
    often = np.where(rng.random(N) < flaky, rng.uniform(*OFTEN, N), 1.0)
    return Pipeline(usual, other, often)


def changed(pipeline: Pipeline, scenario: Scenario, rng: np.random.Generator) -> Pipeline:
    """Apply a change: the questions that move come to their new bucket as steadily as they came to their old one."""
    usual = pipeline.usual.copy()
    for group, count, bucket in scenario.moves:
        among = np.isin(pipeline.usual, GROUPS[group]) & (usual == pipeline.usual)
        chosen = rng.permutation(np.flatnonzero(among))[:count]
        usual[chosen] = np.where(IS_ANSWERABLE[chosen], CORRECT, REFUSED) if bucket == ACCEPTABLE else bucket
    return Pipeline(usual, pipeline.other, pipeline.often)


class Readings:
    """One judge's readings of both sides: on each question and true bucket it has a usual reading, and strays from it."""

    def __init__(self, reader: Reader, rng: np.random.Generator) -> None:
        """Draw the usual readings."""
        self._cumulative = np.cumsum(reader.rates, axis=1)
        self._rng = rng
        self._usual = self._draw(np.tile(np.arange(4), (N, 1)))

    def _draw(self, true: Array) -> Array:
        chance = self._rng.random(true.shape)[..., None]
        return (self._cumulative[true] < chance).sum(axis=-1).clip(0, UNKNOWN)

    def of(self, true: Array) -> Array:
        """Read the true buckets of some runs."""
        usual = self._usual[np.arange(N), true]
        return np.where(self._rng.random(true.shape) < ALIKE, usual, self._draw(true))


@cache
def row(question: int, bucket: int, quality: int, extra: int) -> GateRow:
    """Give what the gate sees of one answer."""
    answerable = bool(IS_ANSWERABLE[question])
    refused = bucket == REFUSED
    cause = ("over_refusal" if answerable else "warranted") if refused else None
    return GateRow(
        id=str(question),
        bucket=BUCKETS[bucket],
        cause=cause,  # type: ignore[arg-type]  # mypy reads a conditional expression of literals as str
        category=CATEGORIES[question],
        answerable=answerable,
        refusal_quality=quality if refused else None,
        extra_claim_count=extra if bucket != UNKNOWN else None,
    )


def side(pipeline: Pipeline, readings: Readings, style: Array, rng: np.random.Generator, repeats: int) -> list[Any]:
    """Run one side and have it read. `style` holds refusal quality and uncited claims of each question, and strays as buckets do."""
    buckets = readings.of(pipeline.run(rng, repeats))
    steady = rng.random((2, repeats, N)) < pipeline.often
    shown = np.where(steady, style[:, None, :], styles(rng, repeats))
    return [
        [row(q, b, k, e) for q, (b, k, e) in enumerate(zip(*columns, strict=True))]
        for columns in zip(buckets.tolist(), shown[0].tolist(), shown[1].tolist(), strict=True)
    ]


def styles(rng: np.random.Generator, repeats: int) -> Array:
    """Draw refusal quality (mostly 2 or 3) and claims without a citation (mostly none)."""
    quality = rng.choice([1, 2, 3], (repeats, N), p=[0.1, 0.4, 0.5])
    return np.stack([quality, rng.choice([0, 1, 2], (repeats, N), p=[0.9, 0.08, 0.02])])


GRADED = frozenset({"refusal_quality", "extra_claim_count"})
"""The rules on a mean and on a sum; the others count answers."""


@dataclass(slots=True)
class Cell:
    """What came out for one scenario, one judge and one number of repeats."""

    pairs: int = 0
    shipped: int = 0
    on_counts: int = 0
    """How many would ship if refusal quality and uncited claims only informed."""
    held_by: Counter[str] = field(default_factory=Counter)

    def share(self, count: int) -> str:
        """Print a share with its Wilson interval, in percent."""
        low, high = wilson_interval(count / self.pairs, self.pairs)
        return f"{100 * count / self.pairs:.1f} [{100 * low:.1f}, {100 * high:.1f}]"


@dataclass(frozen=True, slots=True)
class Setting:
    """What a cell is made with. The same one draws the same pipelines, changes and readings."""

    scenario: Scenario
    reader: Reader
    repeats: int
    pairs: int
    seed: int
    cap: float = UNKNOWN_CAP
    flaky: float = FLAKY


def trials(setting: Setting) -> Iterator[tuple[list[Any], list[Any]]]:
    """Yield both sides of every pair."""
    rng = np.random.default_rng((setting.seed, SCENARIOS.index(setting.scenario), setting.repeats))
    for _ in range(setting.pairs):
        before = draw(rng, setting.flaky)
        after = changed(before, setting.scenario, rng)
        readings, style = Readings(setting.reader, rng), styles(rng, 1)[:, 0, :]
        yield tuple(side(one, readings, style, rng, setting.repeats) for one in (before, after))  # type: ignore[misc]  # mypy does not count a generator


def simulate(setting: Setting) -> Cell:
    """Put pairs of runs before the gate."""
    cell = Cell()
    for baseline, candidate in trials(setting):
        reasons = reasons_against(pair(baseline, candidate), setting.cap)
        cell.pairs += 1
        broken = {reason.partition(":")[0] for reason in reasons}
        cell.shipped += not broken
        cell.on_counts += broken <= GRADED
        cell.held_by.update(broken)
    return cell


Run = Callable[[Iterable[Setting]], Iterable[Cell]]


def table(reader: Reader, pairs: int, seed: int, run: Run) -> str:
    """Lay out, for one judge, how often each change ships, by number of repeats, and how often by the counts of answers alone."""
    heads = "".join(f" {_runs(r)} a side |" for r in REPEATS)
    lines = [f"| change | should ship |{heads}", "|---|---|" + "---|" * len(REPEATS)]
    cells = iter(run([Setting(s, reader, r, pairs, seed) for s in SCENARIOS for r in REPEATS]))
    for scenario in SCENARIOS:
        mine = [cell for _, cell in zip(REPEATS, cells, strict=False)]
        shown = " | ".join(f"{cell.share(cell.shipped)}; {cell.share(cell.on_counts)}" for cell in mine)
        lines.append(f"| {scenario.name} | {scenario.should_ship} | {shown} |")
    return "\n".join(lines)


def blame(reader: Reader, pairs: int, seed: int, run: Run) -> str:
    """Lay out which rules hold a candidate that changes nothing."""
    cells = list(run([Setting(SCENARIOS[0], reader, r, pairs, seed) for r in REPEATS]))
    lines = ["| rule |" + "".join(f" {_runs(r)} |" for r in REPEATS), "|---|" + "---|" * len(REPEATS)]
    names = sorted({name for cell in cells for name in cell.held_by})
    lines += [f"| {name} | " + " | ".join(cell.share(cell.held_by[name]) for cell in cells) + " |" for name in names]
    return "\n".join(lines)


FEW = tuple(SCENARIOS[n] for n in (0, 3, 5, 7))


def caps(reader: Reader, pairs: int, seed: int, run: Run) -> str:
    """Lay out what the cap on the unknown share does."""
    levels = (0.0, 0.02, UNKNOWN_CAP, 1.0)
    cells = iter(run([Setting(s, reader, 3, pairs, seed, cap=cap) for cap in levels for s in FEW]))
    return _grid("cap on unknown", levels, cells)


def flakiness(reader: Reader, pairs: int, seed: int, run: Run) -> str:
    """Lay out what it is worth that a pipeline answers alike each time."""
    levels = (0.0, 0.02, 0.05, FLAKY, 0.2)
    cells = iter(run([Setting(s, reader, 3, pairs, seed, flaky=flaky) for flaky in levels for s in FEW]))
    return _grid("flaky questions", levels, cells)


def _grid(name: str, levels: Iterable[float], cells: Iterator[Cell]) -> str:
    lines = [f"| {name} |" + "".join(f" {s.name} |" for s in FEW), "|---|" + "---|" * len(FEW)]
    for level in levels:
        shown = " | ".join(cell.share(cell.shipped) for _, cell in zip(FEW, cells, strict=False))
        lines.append(f"| {100 * level:g} % | {shown} |")
    return "\n".join(lines)


def _runs(repeats: int) -> str:
    return "1 run" if repeats == 1 else f"{repeats} runs"


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--pairs", type=int, default=10_000, help="pairs of runs, for a judge and a number of repeats")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--workers", type=int, default=2)
    chosen = options.parse_args()
    each, seed = max(1, chosen.pairs // len(SCENARIOS)), chosen.seed
    print(f"{each:,} pairs of runs a cell, {N} questions; 95 % Wilson intervals; seed {seed}")
    print("percent shipped; then percent that would ship if refusal quality and uncited claims only informed")
    with ProcessPoolExecutor(chosen.workers) as pool:

        def run(settings: Iterable[Setting]) -> Iterable[Cell]:
            return pool.map(simulate, settings)

        for reader in readers():
            print(f"\njudge: {reader.name}\n\n{table(reader, each, seed, run)}", flush=True)
        gold = readers()[1]
        for title, lay_out in (
            ("which rules hold a candidate that changes nothing", blame),
            ("percent shipped by the cap on unknown, 3 runs a side", caps),
            ("percent shipped by the share of flaky questions, 3 runs a side", flakiness),
        ):
            print(f"\n{title} (judge: {gold.name})\n\n{lay_out(gold, each, seed, run)}", flush=True)


if __name__ == "__main__":
    main()
