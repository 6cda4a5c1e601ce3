"""Simulate retuning again and again on the same unseen labels, with candidates that are no better than what stands.

How often is any of them taken? Beside the rule in use, by which the bar rises with every look, stands what would have happened
had every look been tested as if it were the first. Made labels: 120 of 60 questions, a judge that is right on 75 %, and
candidates that differ from it on about one question in six, each better or worse by the toss of a coin.

Run: nice -n 19 python benchmarks/retune_looks.py [--folders 200] [--looks 10]
"""

from __future__ import annotations

import argparse

import numpy as np

from showable.measure.acceptance import Sides, VersionTest, hold_beside
from showable.measure.rates import wilson_interval

QUESTIONS, EACH, RIGHT, CHANGED = 60, 2, 0.75, 1 / 6


def candidate(rng: np.random.Generator, labels: np.ndarray, stands: np.ndarray, clusters: np.ndarray) -> np.ndarray:
    """Change the decisions of some questions, each to the right or to the wrong by the toss of a coin."""
    changed = (rng.random(QUESTIONS) < CHANGED)[clusters]
    right = (rng.random(QUESTIONS) < 0.5)[clusters]
    return np.where(changed, np.where(right, labels, ~labels), stands)


def simulate(seed: int, looks: int) -> list[tuple[VersionTest, VersionTest]]:
    """Look at the same labels so often; give each look under the rising bar, and as if it were the first."""
    rng = np.random.default_rng(seed)
    clusters = np.repeat(np.arange(QUESTIONS), EACH)
    labels = rng.random(len(clusters)) < 0.5
    found = []
    for look in range(1, looks + 1):
        # What stands is drawn anew from the same chances on the changed questions, so that neither side is the better one.
        stands = np.where(rng.random(len(clusters)) < RIGHT, labels, ~labels)
        one, other = candidate(rng, labels, stands, clusters), candidate(rng, labels, stands, clusters)
        sides = Sides(labels, clusters, (one.tolist(), other.tolist()))
        found.append((hold_beside(sides, look=look, seed=seed), hold_beside(sides, look=1, seed=seed)))
    return found


def main() -> None:
    """Print how many folders of versions took anything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folders", type=int, default=200)
    parser.add_argument("--looks", type=int, default=10)
    options = parser.parse_args()
    found = [simulate(seed, options.looks) for seed in range(options.folders)]
    for name, at in (("the bar rises with every look", 0), ("every look as if it were the first", 1)):
        taken = sum(any(pair[at].better for pair in folder) for folder in found)
        low, high = wilson_interval(taken / len(found), len(found))
        share = f"{100 * taken / len(found):.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
        print(f"{name:36s}{taken:5d} of {len(found)} folders took one of {options.looks} that are no better: {share}")


if __name__ == "__main__":
    main()
