"""How much of the embedded judge's verdict is rounding?

Its activations are rounded to eight bits as they come. Another processor, or another version of ONNX Runtime, adds in another
order, a few activations are rounded the other way, and what follows differs a little. Here the same pairs are judged twice on one
machine: as the judge does, and with one more step of the model put together with its neighbour (SkipLayerNormalization), which
adds in another order.

Run: python benchmarks/rounding.py [--data ../shared/data/entail/dev] [--rows 100]
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from unittest import mock

import numpy as np

from showable.judges.embedded import session
from showable.judges.embedded.judge import EmbeddedJudge
from showable.measure.rates import wilson_interval
from showable.records import Pair, Verdict
from showable.validation.run import LabelledFile

SEED = 7
CUT, SURE = 0.5, 0.1


def sample(data: Path, rows: int) -> list[Pair]:
    """Give so many labelled pairs of every file, chosen by the seed."""
    rng, pairs = np.random.default_rng(SEED), []
    for path in sorted(data.glob("*.jsonl.gz")):
        held = [Pair(row.claim, row.passage) for _, row in LabelledFile.read("entailment", path, str(path)).pairs]
        pairs += [held[at] for at in rng.permutation(len(held))[:rows]]
    return pairs


def twice(pairs: list[Pair]) -> tuple[list[Verdict], list[Verdict]]:
    """Judge the pairs both ways."""
    threads = os.cpu_count() or 1
    usual, other = EmbeddedJudge(threads=threads), EmbeddedJudge(threads=threads)
    with mock.patch.object(session, "_SLOWER", []):
        other.judge([])  # loads the model
    return usual.judge(pairs), other.judge(pairs)


def show(what: str, changed: np.ndarray) -> None:
    """Print a share with its Wilson interval."""
    share, n = float(changed.mean()), len(changed)
    low, high = (end * 100 for end in wilson_interval(share, n))
    print(f"{what}: {share * 100:.1f} % [{low:.1f}, {high:.1f}] (n {n})")


def main() -> None:
    """Judge, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data/entail/dev"))
    parser.add_argument("--rows", type=int, default=100)
    options = parser.parse_args()
    if not options.data.is_dir():
        sys.exit(f"skipped: {options.data} is missing")
    pairs = sample(options.data, options.rows)
    found = [both for both in zip(*twice(pairs), strict=True) if None not in (both[0].p, both[1].p)]
    if not found:
        sys.exit(f"skipped: no pairs in {options.data}")
    p = np.array([[one.p, other.p] for one, other in found])
    gaps = np.abs(p[:, 0] - p[:, 1])
    print(f"{len(found)} pairs, {len(pairs) - len(found)} without a p")
    print(
        f"p is the same for {(gaps == 0).mean() * 100:.0f} %, differs by {gaps.mean():.3f} on average and {np.quantile(gaps, 0.95):.3f} at the 95th percentile"
    )
    show("the other side of 0.5", (p[:, 0] >= CUT) != (p[:, 1] >= CUT))
    show("another label", np.array([one.label != other.label for one, other in found]))
    far = np.array([abs(one - CUT) > SURE and (one >= CUT) != (other >= CUT) for one, other in p])
    show(f"the other side of 0.5, and farther than {SURE} from it before", far)


if __name__ == "__main__":
    main()
