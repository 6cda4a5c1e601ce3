"""How soon `showable drift` alarms when something has changed, and how often when nothing has.

Three parts, each printed as a table. `anchor`: a judge that is right on 80 % of the rows, held against itself after its verdicts
were flipped, its threshold moved, or nothing was done to it. `stream`: answers of which a seventh are refused, watched after
a number of them. `data`: real judges on the labelled rows of ../shared/data/entail/dev, where they are there. All alarms
are those of the package itself.

    python benchmarks/drift_simulation.py [--part anchor|stream|data] [--streams 2000] [--seed 0] [--workers 2]
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from showable.judges.choose import choose
from showable.measure.drift.anchor import AnchorRow, compare_judges
from showable.measure.drift.answers import ScoredAnswer
from showable.measure.drift.stream import StreamSetting, watch_stream
from showable.measure.rates import wilson_interval
from showable.validation.entailment import pair_of
from showable.validation.rows import NEITHER, LabelledPair, read_rows
from showable.validation.units import gather_units

Array = np.ndarray[Any, Any]
Run = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]

SIZES = (100, 200, 400, 800, 1600)
RIGHT = 0.8
"""How often the simulated judge is right, on either label; half of the rows are labelled yes."""
DATA = Path(__file__).parents[1].parent / "shared" / "data" / "entail" / "dev"
MOST_ROWS = 200
RESAMPLED = 200


@dataclass(frozen=True, slots=True)
class JudgeChange:
    """What is done to a judge: a share of its verdicts flipped, its threshold moved, or noise on both occasions."""

    name: str
    flips: float = 0.0
    shift: float = 0.0
    noise: float = 0.0


JUDGE_CHANGES = (
    JudgeChange("none, the same answers"),
    JudgeChange("none; 2 % of answers differ each time", noise=0.02),
    JudgeChange("none; 10 % of answers differ each time", noise=0.10),
    JudgeChange("5 % of verdicts flipped", flips=0.05),
    JudgeChange("10 % of verdicts flipped", flips=0.10),
    JudgeChange("20 % of verdicts flipped", flips=0.20),
    JudgeChange("30 % of verdicts flipped", flips=0.30),
    JudgeChange("threshold up, TPR 80 to 70 %", shift=0.32),
    JudgeChange("threshold up, TPR 80 to 60 %", shift=0.59),
)


def anchor_of(change: JudgeChange, n: int, rng: np.random.Generator) -> list[AnchorRow]:
    """Draw an anchor of n rows: a judge's decisions before and after a change, by a score that is cut at 0."""
    label = rng.random(n) < 0.5
    score = rng.normal(np.where(label, 0.8416, -0.8416))
    before, now = score > 0, score > change.shift
    now = now ^ (rng.random(n) < change.flips)
    before, now = before ^ (rng.random(n) < change.noise / 2), now ^ (rng.random(n) < change.noise / 2)
    return [AnchorRow(*row) for row in zip(label.tolist(), before.tolist(), now.tolist(), range(n), strict=True)]


def anchor_alarms(job: tuple[JudgeChange, int, int, int]) -> int:
    """Count the anchors that alarm."""
    change, n, streams, seed = job
    rng = np.random.default_rng((seed, JUDGE_CHANGES.index(change), n))
    return sum(
        compare_judges(anchor_of(change, n, rng), about="", profile="", seed=k).exit_code == 1 for k in range(streams)
    )


def anchor_table(streams: int, seed: int, run: Run) -> str:
    """Lay out how many anchors of each size alarm, and how many labels it takes."""
    many = {change: streams if change.name.startswith("none") else max(1, streams // 8) for change in JUDGE_CHANGES}
    jobs = [(change, n, many[change], seed) for change in JUDGE_CHANGES for n in SIZES]
    alarms = iter(run(anchor_alarms, jobs))
    heads = "".join(f" {n} labels |" for n in SIZES)
    lines = [f"| what was done to the judge |{heads} half, 90 % alarm at |", "|---|" + "---|" * (len(SIZES) + 1)]
    for change in JUDGE_CHANGES:
        found = [count for _, count in zip(SIZES, alarms, strict=False)]
        cells = " | ".join(share(count, many[change]) for count in found)
        needed = ", ".join(first_n(found, many[change], sure) for sure in (0.5, 0.9))
        lines.append(f"| {change.name} | {cells} | {needed} |")
    return "\n".join(lines)


def first_n(found: Sequence[int], streams: int, sure: float) -> str:
    """Give the smallest of the sizes at which so many alarm; a dash where hardly any does."""
    if max(found) < 0.1 * streams:
        return "–"
    return next((f"{n}" for n, count in zip(SIZES, found, strict=True) if count >= sure * streams), f"> {SIZES[-1]}")


def share(count: int, of: int) -> str:
    """Print a share in percent with its Wilson interval, which is the error of the simulation."""
    low, high = wilson_interval(count / of, of)
    return f"{100 * count / of:.1f} [{100 * low:.1f}, {100 * high:.1f}]"


@dataclass(frozen=True, slots=True)
class StreamChange:
    """What happens to a stream: points added to the refusal rate, verdicts flipped, or p lowered by so much on the logit."""

    name: str
    refusals: float = 0.0
    flips: float = 0.0
    shift: float = 0.0


STREAM_CHANGES = (
    StreamChange("none"),
    StreamChange("refusal rate + 5 points", refusals=0.05),
    StreamChange("refusal rate + 10 points", refusals=0.10),
    StreamChange("refusal rate + 20 points", refusals=0.20),
    StreamChange("5 % of verdicts flipped", flips=0.05),
    StreamChange("10 % of verdicts flipped", flips=0.10),
    StreamChange("20 % of verdicts flipped", flips=0.20),
    StreamChange("30 % of verdicts flipped", flips=0.30),
    StreamChange("threshold up, half a logit", shift=0.5),
    StreamChange("threshold up, one logit", shift=1.0),
)
BASELINES = (500, 1000)
HORIZON, STEADY = 1_000, 200
"""The answers watched, and how many of them come before the change."""
REFUSED, WRONG, UNKNOWN, BROKEN, UNRESOLVED = 1 / 7, 0.04, 0.02, 0.02, 0.04


def stream_of(change: StreamChange, n: int, rng: np.random.Generator, *, at: int) -> list[ScoredAnswer]:
    """Draw n answers, changed from answer `at` on. Buckets, rubrics and p hang together as in real scores."""
    after = np.arange(n) >= at
    refused = rng.random(n) < REFUSED + np.where(after, change.refusals, 0.0)
    logit = rng.normal(1.6, 1.6, n)
    cut = np.where(after, change.shift, 0.0)
    failed = (logit < cut) ^ (after & (rng.random(n) < change.flips))
    unknown = rng.random(n) < UNKNOWN
    wrong = failed & (rng.random(n) < 0.2)
    broken, unresolved = rng.random(n) < BROKEN, rng.random(n) < UNRESOLVED
    p = 1 / (1 + np.exp(-logit))
    answers = []
    columns = {
        "refusal_rate": refused,
        "structural_failed": broken,
        "resolvability_failed": unresolved,
        "semantic_failed": failed & ~refused,
        "unsupported": failed & ~wrong & ~refused & ~unknown,
        "wrong": wrong & ~refused & ~unknown,
        "unknown": unknown,
    }
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    for i, (row, score) in enumerate(zip(rows, p.tolist(), strict=True)):
        outcomes = dict(zip(columns, row, strict=True))
        answers.append(ScoredAnswer(str(i), "simulated", None, "general", outcomes, None if row[0] else score))
    return answers


def stream_delays(job: tuple[StreamChange, int, int, int, int]) -> list[float]:
    """Give, stream by stream, how many answers after the change (of an unchanged one: after the baseline) it alarmed.

    Infinity where it did not; below 0 where it alarmed before.
    """
    change, baseline, streams, seed, part = job
    rng = np.random.default_rng((seed, STREAM_CHANGES.index(change), baseline, part))
    start = baseline + (STEADY if change != STREAM_CHANGES[0] else 0)
    delays = []
    for k in range(streams):
        answers = stream_of(change, baseline + HORIZON, rng, at=start)
        setting = StreamSetting(baseline=baseline, horizon=HORIZON, seed=k)
        alarms = watch_stream(answers, setting, about="").alarms
        at = [alarm.alarmed_at for alarm in alarms if alarm.alarmed_at is not None]
        delays.append(min(at) - start if at else float("inf"))
    return delays


def stream_table(streams: int, seed: int, run: Run) -> str:
    """Lay out how many streams alarm, and after how many answers."""
    parts = 2
    lines = [
        "| baseline | what happened | alarm | answers to the alarm: median | 90th percentile |",
        "|---|---|---|---|---|",
    ]
    for baseline in BASELINES:
        for change in STREAM_CHANGES:
            many = streams if change == STREAM_CHANGES[0] else max(parts, streams // 8)
            jobs = [(change, baseline, many // parts, seed, part) for part in range(parts)]
            delays = np.array([delay for found in run(stream_delays, jobs) for delay in found])
            lines.append(
                f"| {baseline:,} | {change.name} | {stream_cells(delays, unchanged=change == STREAM_CHANGES[0])} |"
            )
            print(lines[-1], flush=True)
    return "\n".join(lines)


def stream_cells(delays: Array, *, unchanged: bool) -> str:
    """Print the share that alarms in time, and the delays over all streams; a false alarm before the change is none in time."""
    in_time = delays[delays >= 0]
    alarmed = int(np.isfinite(in_time).sum())
    if unchanged:
        return f"{share(alarmed, len(delays))} | – | –"
    return f"{share(alarmed, len(in_time))} | {delay(in_time, 0.5)} | {delay(in_time, 0.9)}"


def delay(delays: Array, quantile: float) -> str:
    """Print a quantile of delays, none of which is finite where too few alarmed."""
    found = np.quantile(delays, quantile, method="higher")
    return f"{found:.0f}" if np.isfinite(found) else f"> {HORIZON - STEADY}"


def data_table(seed: int) -> str:
    """Lay out what real judges come to on real labelled rows: unchanged, with noise, and another judge in its place."""
    heads = "| set | n | embedded, unchanged | embedded → lexical | 10 % flipped, alarm | 20 % flipped, alarm |"
    lines = [heads, "|---|---|---|---|---|---|"]
    embedded, lexical = choose("embedded"), choose("lexical")
    for path in sorted(DATA.glob("*.jsonl.gz")):
        rows = [row for row in read_rows(path, LabelledPair) if row[1].label != NEITHER]
        rows = [rows[i] for i in sorted(np.random.default_rng(seed).permutation(len(rows))[:MOST_ROWS].tolist())]
        pairs = [pair_of(row) for _, row in rows]
        units = [
            gather_units(rows, asyncio.run(judge.verdicts(pairs)), [0.0] * len(rows), 0.5)
            for judge in (embedded, embedded, lexical)
        ]
        lines.append(f"| {path.name.partition('.')[0]} | {len(units[0])} | {data_cells(units, seed)} |")
        print(lines[-1], flush=True)
    return "\n".join(lines)


def data_cells(units: Sequence[Sequence[Any]], seed: int) -> str:
    """Compare the first judging with the second and the third, and with itself flipped at random, many times."""
    first, again, other = units
    cells = [outcome(first, [unit.decision for unit in side], seed) for side in (again, other)]
    said = np.array([unit.decision for unit in first], dtype=bool)
    rng = np.random.default_rng(seed)
    for flips in (0.10, 0.20):
        alarms = sum(
            looked(first, (said ^ (rng.random(len(said)) < flips)).tolist(), k).exit_code == 1 for k in range(RESAMPLED)
        )
        cells.append(share(alarms, RESAMPLED))
    return " | ".join(cells)


def looked(first: Sequence[Any], now: Sequence[bool | None], seed: int) -> Any:
    """Compare the decisions of units with others on the same."""
    rows = [
        AnchorRow(unit.label == 1.0, unit.decision, said, unit.cluster) for unit, said in zip(first, now, strict=True)
    ]
    return compare_judges(rows, about="", profile="", seed=seed)


def outcome(first: Sequence[Any], now: Sequence[bool | None], seed: int) -> str:
    """Say what a comparison came to, and the change of balanced accuracy."""
    report = looked(first, now, seed)
    change = next(one.change for one in report.watched if one.what == "balanced_accuracy")
    fell = ", ".join(alarm.what for alarm in report.alarms)
    verdict = f"alarm: {fell}" if fell else "unknown" if report.exit_code else "no alarm"
    if change is None:
        return verdict
    return f"{verdict} ({100 * change.value:+.1f} [{100 * change.low:+.1f}, {100 * change.high:+.1f}])"


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--part", choices=("anchor", "stream", "data"), action="append")
    options.add_argument("--streams", type=int, default=2_000)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--workers", type=int, default=2)
    chosen = options.parse_args()
    parts = chosen.part or ["anchor", "stream", "data"]
    with ProcessPoolExecutor(chosen.workers) as pool:

        def run(work: Callable[[Any], Any], jobs: Iterable[Any]) -> Iterable[Any]:
            return pool.map(work, jobs)

        if "anchor" in parts:
            print(
                f"anchor: {chosen.streams:,} anchors a cell, an eighth of that where something changed; percent that alarm [95 % interval of the simulation]; at most 5 % stated\n"
            )
            print(anchor_table(chosen.streams, chosen.seed, run), flush=True)
        if "stream" in parts:
            print(
                f"\nstream: {HORIZON:,} answers watched after the baseline, changed after {STEADY}; {chosen.streams:,} unchanged streams, an eighth of that of each other; at most 5 % stated\n"
            )
            stream_table(chosen.streams, chosen.seed, run)
    if "data" in parts:
        if DATA.is_dir():
            print(f"\ndata: at most {MOST_ROWS} rows a set; change of balanced accuracy in points [98 % interval]\n")
            data_table(chosen.seed)
        else:
            print(f"\ndata: skipped, {DATA} is not there")


if __name__ == "__main__":
    main()
