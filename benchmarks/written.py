"""Measure judges on the held-back part of the claims, answers and follow-ups that were written for this project.

Held back are whole groups (`training/written.py`): no passage stands on both sides. Printed are, per part, balanced accuracy
at 0.5 and AUC with a bootstrap over groups beside the share of the claim's words that the passage has; and of twins (two
claims of one passage that share most of their words, one of them wrong) how often the right one is the likelier one.

Run: python benchmarks/written.py [DATA] [--judge SPEC …]     DATA defaults to ../shared/data
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "training"))

from written import Row, written_rows

from showable.judges.choose import choose
from showable.measure.rates import wilson_interval
from showable.measure.resampling import number_clusters
from showable.measure.validation_figures import Baseline, Decided, estimate
from showable.records import Pair
from showable.validation.entailment import AT, word_coverage

TWINS = 0.6
"""Share of the words of both claims that twins have in common (Jaccard)."""


def twins(rows: Sequence[Row]) -> list[tuple[int, int]]:
    """Return pairs (right, wrong) of claims of one passage that share most of their words, the closest first."""
    by_group: dict[str, list[int]] = defaultdict(list)
    for at, row in enumerate(rows):
        by_group[row["group"]].append(at)
    found = []
    for members in by_group.values():
        bags = {at: set(rows[at]["claim"].lower().split()) for at in members}
        close = sorted(
            (
                (len(bags[a] & bags[b]) / len(bags[a] | bags[b]), a, b)
                for a in members
                for b in members
                if rows[a]["outcome"] == "entailed" and rows[b]["outcome"] != "entailed"
            ),
            reverse=True,
        )
        taken: set[int] = set()
        for alike, right, wrong in close:
            if alike >= TWINS and not {right, wrong} & taken:
                taken |= {right, wrong}
                found.append((right, wrong))
    return found


def measure(spec: str, rows: Sequence[Row]) -> None:
    """Judge the rows of every part and print its line."""
    judge = choose(spec, environ={})
    print(
        f"\n=== {judge.name}\n{'part':10s}{'n':>6s}{'bacc':>7s} {'95 %':14s}{'AUC':>6s} {'95 %':14s}{'coverage: bacc':>15s}{'AUC':>6s}  right twin above the wrong one"
    )
    verdicts = asyncio.run(judge.verdicts([Pair(row["claim"], row["passage"]) for row in rows]))
    for part in ("claims", "answers", "turns"):
        chosen = [at for at, row in enumerate(rows) if row["source"] == f"written_{part}"]
        p = np.array([verdicts[at].p or 0.0 for at in chosen])
        y = np.array([rows[at]["outcome"] == "entailed" for at in chosen])
        words = np.array([word_coverage(rows[at]["claim"], rows[at]["passage"]) for at in chosen])
        groups = number_clusters([rows[at]["group"] for at in chosen])
        found = estimate(Decided(y, p >= AT, groups, p, Baseline("coverage", words >= AT, words)))
        shown = [
            f"{found.values[name] * 100:6.1f} [{low * 100:4.1f}, {high * 100:4.1f}]"
            for name in ("balanced_accuracy", "auc")
            for low, high in [found.intervals[name] or (float("nan"),) * 2]
        ]
        pairs = twins([rows[at] for at in chosen])
        above = sum(p[right] > p[wrong] for right, wrong in pairs)
        low, high = wilson_interval(above / len(pairs), len(pairs)) if pairs else (float("nan"),) * 2
        told = (
            f"{above} of {len(pairs)}: {above / len(pairs) * 100:.1f} % [{low * 100:.1f}, {high * 100:.1f}]"
            if pairs
            else "–"
        )
        base = found.values["baseline.coverage_balanced_accuracy"] * 100, found.values["baseline.coverage_auc"] * 100
        print(f"{part:10s}{len(chosen):6d} {shown[0]} {shown[1]}{base[0]:14.1f}{base[1]:7.1f}  {told}")


def main() -> None:
    """Measure the judges that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, nargs="?", default=Path(__file__).resolve().parents[2] / "shared" / "data")
    parser.add_argument("--judge", action="append")
    options = parser.parse_args()
    if not (options.data / "written" / "claims.jsonl.gz").exists():
        print(f"skipped: no written/claims.jsonl.gz in {options.data}")
        return
    rows = [row for held, row in written_rows(options.data) if held]
    for spec in options.judge or ["lexical", "embedded"]:
        measure(spec, rows)


if __name__ == "__main__":
    main()
