"""The floor alarm over simulated weeks: false alarms where traffic keeps to its floor, and answers until a fall is seen.

python benchmarks/floor.py
"""

from __future__ import annotations

import numpy as np
from statsmodels.stats.proportion import proportion_confint

from showable.measure.floor import LEVEL, look_at_floor

WEEKS, ANSWERS = 200, 400


def week(rng: np.random.Generator, share: float, spread: float) -> list[float]:
    """Make the shares of a week's answers, one to five citations each; `spread` of them resolve one in two."""
    counts = rng.integers(1, 6, ANSWERS)
    bad = rng.random(ANSWERS) < spread
    each = np.where(bad, 0.5, (share - 0.5 * spread) / (1 - spread))
    return (rng.binomial(counts, each) / counts).tolist()


def main() -> None:
    """Print a line a floor, a share that resolves, and a spread."""
    print(
        f"{WEEKS} weeks of {ANSWERS} answers, looked at after every answer; stated rate of false alarms {LEVEL:.0%} a week"
    )
    for floor in (0.99, 0.97):
        for share in (floor + 0.005, floor, floor - 0.01, floor - 0.02, floor - 0.04, floor - 0.07):
            for spread in (0.0, 0.01):
                rng = np.random.default_rng(1)
                found = [look_at_floor(week(rng, share, spread), floor).alarmed_at for _ in range(WEEKS)]
                seen = [at for at in found if at is not None]
                low, high = proportion_confint(len(seen), WEEKS, method="wilson")
                after = f"median after {np.median(seen):.0f} answers" if seen else "never"
                print(
                    f"floor {floor:.0%}, citations that resolve {share:.1%}, spread {spread:.0%}:"
                    f" {len(seen)} alarms ({len(seen) / WEEKS:.1%} [{low:.1%}, {high:.1%}]), {after}"
                )


if __name__ == "__main__":
    main()
