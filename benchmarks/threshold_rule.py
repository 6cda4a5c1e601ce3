"""What the rule for thresholds costs and spares: fitted thresholds against the earlier one, on a population that is known.

Two claim kinds, whose p parts yes from no best at cuts so far apart around .5, the earlier threshold. Half of the rows of
each kind are yes; p of a yes is normal around .12 above the cut, of a no .12 below, with a deviation of .15. Each way of
choosing is fitted to a sample and measured on the population: `rule` is `fit_thresholds`; `common` fits one threshold,
`own` one for each kind, both always. Each cell: mean gain in balanced accuracy over the earlier threshold, in points, and in
how many samples of a hundred it lost half a point or more.

    python benchmarks/threshold_rule.py [--samples 100] [--rows 80] [--seed 0]
"""

from __future__ import annotations

import argparse
from math import erf, sqrt
from typing import Any

import numpy as np

from showable.measure.cross_fit import best_threshold
from showable.measure.threshold_fit import fit_thresholds

Array = np.ndarray[Any, Any]

KINDS = ("first", "second")
APART = (0.0, 0.1, 0.2, 0.4)
ABOVE, DEVIATION, EARLIER = 0.12, 0.15, 0.5
LOST = -0.005


def _cuts(apart: float) -> tuple[float, float]:
    return EARLIER - apart / 2, EARLIER + apart / 2


def _true(cut: float, threshold: float) -> float:
    """Give the balanced accuracy of a threshold on the population of one kind."""
    tpr, fpr = (0.5 * (1 - erf((threshold - cut - side * ABOVE) / (DEVIATION * sqrt(2)))) for side in (1, -1))
    return (tpr + 1 - fpr) / 2


def draw(rows: int, apart: float, rng: np.random.Generator) -> tuple[Array, Array, list[str]]:
    """Give labels, p and kinds of one sample."""
    labels = rng.random(2 * rows) < 0.5
    middle = np.repeat(_cuts(apart), rows)
    p = np.clip(middle + np.where(labels, ABOVE, -ABOVE) + rng.normal(0, DEVIATION, 2 * rows), 0, 1)
    return labels, p, [kind for kind in KINDS for _ in range(rows)]


def gains(rows: int, apart: float, rng: np.random.Generator) -> dict[str, float]:
    """Give what each way of choosing gains on the population, fitted to one sample."""
    labels, p, kinds = draw(rows, apart, rng)
    found = fit_thresholds(labels, p, kinds, range(2 * rows), EARLIER)
    common = best_threshold(labels, p, EARLIER)
    halves = (slice(0, rows), slice(rows, None))
    chosen = {
        "rule": [found.thresholds.of(kind) for kind in KINDS],
        "common": [common, common],
        "own": [best_threshold(labels[half], p[half], common) for half in halves],
    }
    was = np.mean([_true(cut, EARLIER) for cut in _cuts(apart)])
    return {
        way: float(np.mean([_true(cut, one) for cut, one in zip(_cuts(apart), thresholds, strict=True)]) - was)
        for way, thresholds in chosen.items()
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--rows", type=int, default=80, help="labelled rows of each kind")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    print(f"| cuts apart, {asked.rows} rows a kind | rule | common | own |\n|---|---|---|---|")
    for apart in APART:
        rng = np.random.default_rng([asked.seed, asked.rows, round(100 * apart)])
        drawn = [gains(asked.rows, apart, rng) for _ in range(asked.samples)]
        cells = []
        for way in ("rule", "common", "own"):
            gained = np.array([one[way] for one in drawn])
            cells.append(f"{100 * gained.mean():+.1f}, {100 * (gained <= LOST).mean():.0f}")
        print(f"| {apart:.1f} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
