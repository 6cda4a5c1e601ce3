"""Rates over traffic from a tail-aware sample: how far off they are on average, and how often their 95 % interval holds the truth.

Two parts, each printed as a table. `sampler`: traffic goes through the package's own sampler, answer by answer, with its running
thresholds; the mean of many estimates is held against the truth. `coverage`: the strata alone are drawn, many times, and
the interval is held against the rate at which such answers come about (`process`) and against that of the very traffic (`traffic`).

    python benchmarks/tail_sampling.py [--part sampler|coverage] [--replications 400] [--draws 20000] [--seed 0]
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from math import sqrt

import numpy as np

from showable.measure.rates import wilson_interval
from showable.measure.tail_sampling import TailSampler, Traits
from showable.measure.weighted_rate import weighted_rate
from showable.records.findings import Outcome

PASS, FAIL = Outcome.PASS, Outcome.FAIL


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a store's counts."""

    value: str
    n: int
    chosen: int
    weight: float
    weight_squared: float


@dataclass(frozen=True, slots=True)
class Traffic:
    """Shares of the strata, and of each how often the semantic rubric fails."""

    name: str
    failing: tuple[float, float]
    cohort: tuple[float, float]
    slow: tuple[float, float]
    rest: float
    two_shares: bool = False
    """Half of the rest is read with three times the share, as by a rule, and fails three times as often as the other half."""

    @property
    def rests(self) -> tuple[tuple[float, float, float], ...]:
        """Parts of the rest: their size, how often they fail, and by what their share is multiplied."""
        if not self.two_shares:
            return ((1.0, self.rest, 1.0),)
        return ((0.5, self.rest / 2, 1.0), (0.5, 1.5 * self.rest, 3.0))

    @property
    def truth(self) -> float:
        """The rate of passing over all traffic."""
        certain = (self.failing, self.cohort, self.slow)
        return 1 - sum(s * f for s, f in certain) - (1 - sum(s for s, _ in certain)) * self.rest


TRAFFICS = (
    Traffic("usual", (0.05, 0.60), (0.02, 0.10), (0.01, 0.25), 0.08),
    Traffic("clean", (0.01, 0.50), (0.00, 0.00), (0.01, 0.05), 0.01),
    Traffic("poor", (0.20, 0.70), (0.00, 0.00), (0.01, 0.40), 0.25),
    Traffic("failures in the tail alone", (0.05, 0.80), (0.00, 0.00), (0.01, 0.00), 0.00),
    Traffic("usual, two shares", (0.05, 0.60), (0.02, 0.10), (0.01, 0.25), 0.08, two_shares=True),
)


def rows(passed: np.ndarray, probability: np.ndarray, chosen: np.ndarray) -> list[Row]:
    """Count as a store does."""
    weight = 1 / probability
    found = []
    for value, which in (("pass", passed), ("fail", ~passed)):
        read = which & chosen
        found.append(Row(value, int(which.sum()), int(read.sum()), weight[read].sum(), (weight[read] ** 2).sum()))
    return found


def one_run(traffic: Traffic, n: int, share: float, seed: int) -> tuple[float, float, float, float]:
    """Take traffic through the sampler. Gives the true rate, the estimate, the sample's plain rate and the share read."""
    rng = np.random.default_rng(seed)
    sampler = TailSampler(seed=seed)
    probability, chosen, passed = np.ones(n), np.zeros(n, bool), np.zeros(n, bool)
    kind = rng.random(n)
    latency = rng.lognormal(7.0, 0.6, n)
    edges = np.cumsum([traffic.failing[0], traffic.cohort[0]])
    slow_above = float(np.exp(7.0 + 0.6 * 2.3263))  # the 99th percentile of the latencies
    luck = rng.random(n)
    for i in range(n):
        fails, in_cohort = kind[i] < edges[0], edges[0] <= kind[i] < edges[1]
        _, fails_in_rest, times = traffic.rests[i % len(traffic.rests)]
        risk = traffic.failing[1] if fails else traffic.cohort[1] if in_cohort else fails_in_rest
        if not fails and not in_cohort and latency[i] > slow_above:
            risk = traffic.slow[1]
        passed[i] = luck[i] >= risk
        made = sampler.choose(
            Traits(
                key=f"{seed}-{i}",
                structural=PASS,
                resolvability=FAIL if fails else PASS,
                cohort="b" if in_cohort else "",
                latency_ms=float(latency[i]),
                share=share * times,
            )
        )
        probability[i], chosen[i] = made.probability, made.chosen
    estimate = weighted_rate(rows(passed, probability, chosen)).rate
    assert estimate is not None
    return float(passed.mean()), estimate, float(passed[chosen].mean()), float(chosen.mean())


def sampler_part(replications: int, seed: int) -> None:
    """Print how far off the weighted and the plain rate are on average, with the error of that mean."""
    print(f"sampler: {replications} stretches of 2,000 answers each; bias in points, ± one standard error\n")
    print("| traffic | share of the rest | read | true rate | weighted: bias | unweighted: bias |")
    print("|---|---|---|---|---|---|")
    for traffic in TRAFFICS:
        for share in (0.10, 0.15, 0.20):
            runs = np.array([one_run(traffic, 2000, share, seed + r) for r in range(replications)])
            truth = runs[:, 0].mean()
            said = []
            for column in (1, 2):
                off = 100 * (runs[:, column] - runs[:, 0])
                said.append(f"{off.mean():+.2f} ± {off.std(ddof=1) / sqrt(replications):.2f}")
            print(
                f"| {traffic.name} | {share:.2f} | {100 * runs[:, 3].mean():.1f} % | {100 * truth:.2f} % | {said[0]} | {said[1]} |"
            )
    print()


def simple_interval(table: np.ndarray) -> tuple[float, float]:
    """Wilson's with Kish's effective n, for comparison."""
    total, squares = table[2].sum(), table[3].sum()
    return wilson_interval(table[2, 0] / total, total * total / squares)


def coverage_part(draws: int, seed: int) -> None:
    """Print how often the intervals hold the truth."""
    print(f"coverage of the 95 % interval, {draws:,} stretches each; half-width in points\n")
    print(
        "| traffic | answers | share | covers process | covers traffic | half-width | Kish + Wilson: process | half-width |"
    )
    print("|---|---|---|---|---|---|---|---|")
    rng = np.random.default_rng(seed)
    for traffic in TRAFFICS:
        for n in (200, 1000, 5000):
            for share in (0.10, 0.20):
                line = _coverage(traffic, n, share, draws, rng)
                print(f"| {traffic.name} | {n:,} | {share:.2f} | " + " | ".join(line) + " |")


def _coverage(traffic: Traffic, n: int, share: float, draws: int, rng: np.random.Generator) -> list[str]:
    certain = (traffic.failing, traffic.cohort, traffic.slow)
    cells = [s * r for s, f in certain for r in (1 - f, f)]
    rest = 1 - sum(cells)
    weights, shares = [1.0] * len(cells), [1.0] * len(cells)
    for size, fails, times in traffic.rests:
        cells += [rest * size * (1 - fails), rest * size * fails]
        shares += [share * times] * 2
        weights += [1 / (share * times)] * 2
    w = np.array(weights)
    drawn = rng.multinomial(n, np.clip(cells, 0, 1) / sum(cells), size=draws)
    held = {"process": 0, "traffic": 0, "simple": 0}
    width = width_simple = 0.0
    for counts in drawn:
        read = rng.binomial(counts, shares)
        rows_of = [counts, read, w * read, w * w * read]
        table = np.array([[row[0::2].sum(), row[1::2].sum()] for row in rows_of], dtype=float)
        made = [
            Row(v, int(c[0]), int(c[1]), float(c[2]), float(c[3]))
            for v, c in zip(("pass", "fail"), table.T, strict=True)
        ]
        rate = weighted_rate(made)
        if rate.low is None or rate.high is None:  # nothing was read: no interval, and none that errs
            held = {name: count + 1 for name, count in held.items()}
            continue
        held["process"] += rate.low <= traffic.truth <= rate.high
        held["traffic"] += rate.low <= table[0, 0] / n <= rate.high
        low, high = simple_interval(table)
        held["simple"] += low <= traffic.truth <= high
        width, width_simple = width + (rate.high - rate.low) / 2, width_simple + (high - low) / 2
    share_of = {name: f"{100 * count / draws:.1f}" for name, count in held.items()}
    return [
        share_of["process"],
        share_of["traffic"],
        f"{100 * width / draws:.1f}",
        share_of["simple"],
        f"{100 * width_simple / draws:.1f}",
    ]


def main() -> None:
    """Print both tables, or one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=("sampler", "coverage"))
    parser.add_argument("--replications", type=int, default=400)
    parser.add_argument("--draws", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if given.part in (None, "sampler"):
        sampler_part(given.replications, given.seed)
    if given.part in (None, "coverage"):
        coverage_part(given.draws, given.seed)


if __name__ == "__main__":
    main()
