"""Fit the head: one logistic function over the model's odds and the word-level checks, on pairs the model never saw.

The held-back passages fit the weights: each source counts the same, and within a source support and no support count the
same, with the direction of every weight held to what its feature means. The one shift (which p is 0.5) is chosen on
entail/dev, as the middle of the best shifts of its sets; printed beside it is what each set gets from the shift that the
other sets choose. Nothing else is taken from dev.

Run: python training/head.py --model build/model --held build/held.jsonl.gz --dev ../shared/data/entail/dev
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from probative.judges.embedded.features import NAMES
from probative.judges.embedded.judge import EmbeddedJudge
from probative.records import Pair

Array = NDArray[np.float64]
Row = dict[str, Any]

TEMPLATES = (
    "hans",
    "scone",
    "logicbench",
    "transitivity",
    "med.",
    "breaking_nli",
    "tracie",
    "evidence_inference",
    "impli",
)
"""Sources made from templates or of idioms: they say little of the passages that answers cite."""
FEWEST = 40
"""Rows of either label that a source must have."""
DECAY = 2e-3
DIRECTIONS = {
    "support": 1, "contradiction": -1, "weakest": 1, "covered_support": 0, "long": 0, "conflict": -1, "objection": -1,
    "word_coverage": 1, "word_window": 1, "word_weakest_part": 1, "word_length": 0, "word_missing_number": -1,
    "word_replaced_number": -1, "word_missing_names": -1, "word_opposite": -1, "word_flipped": -1, "word_replaced_slot": -1,
}  # fmt: skip
"""1: may only speak for support; -1: only against; 0: either."""
SHIFTS = np.linspace(-3.0, 3.0, 121)
CONTRADICTION_PRECISION = 0.9
"""Share of the claims called contradicted that must not be supported, on the held-back pairs."""


@dataclass
class Set:
    """One file: features, labels, and which label each negative has by name."""

    name: str
    x: Array
    y: Array
    contradicted: NDArray[np.bool_]


def features(judge: EmbeddedJudge, rows: Sequence[Row]) -> tuple[Array, list[int]]:
    """Give the features of rows, and which rows have any."""
    found = judge.features([Pair(row["claim"], row["passage"]) for row in rows])
    kept = [at for at, one in enumerate(found) if one is not None]
    return np.array([one[1].values for one in found if one is not None]), kept


def held_sets(judge: EmbeddedJudge, path: Path) -> list[Set]:
    """Read the held-back pairs, by source."""
    by_source: dict[str, list[Row]] = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            by_source[row["source"].split(".")[0]].append(row)
    sets = []
    for name, rows in sorted(by_source.items()):
        labels = Counter(row["outcome"] == "entailed" for row in rows)
        if name.startswith(tuple(t.rstrip(".") for t in TEMPLATES)) or min(labels[True], labels[False]) < FEWEST:
            continue
        x, kept = features(judge, rows)
        outcomes = [rows[at]["outcome"] for at in kept]
        y = np.array([one == "entailed" for one in outcomes], dtype=float)
        sets.append(Set(name, x, y, np.array([one == "contradicted" for one in outcomes])))
    return sets


def dev_sets(judge: EmbeddedJudge, folder: Path) -> list[Set]:
    """Read the development sets; of the chunks of one group the one with the highest odds of support stands for it."""
    sets = []
    for path in sorted(folder.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            rows = [row for row in map(json.loads, lines) if row["label"] in {0, 1}]
        x, kept = features(judge, rows)
        best: dict[Any, int] = {}
        for place, at in enumerate(kept):
            key = rows[at].get("group", at)
            if key not in best or x[place, 0] > x[best[key], 0]:
                best[key] = place
        chosen = sorted(best.values())
        y = np.array([rows[kept[place]]["label"] for place in chosen], dtype=float)
        sets.append(Set(path.name.split(".jsonl")[0], x[chosen], y, np.zeros(len(y), dtype=bool)))
    return sets


def fit(sets: Iterable[Set]) -> tuple[Array, float]:
    """Fit weights and intercept under the directions; every source and both labels count the same."""
    sets = list(sets)
    x = np.concatenate([one.x for one in sets])
    y = np.concatenate([one.y for one in sets])
    share = np.concatenate([np.where(one.y == 1, 0.5 / one.y.sum(), 0.5 / (1 - one.y).sum()) for one in sets]) / len(
        sets
    )
    centre, scale = x.mean(0), x.std(0) + 1e-9
    z, side = (x - centre) / scale, 2 * y - 1

    def loss(b: Array) -> tuple[float, Array]:
        margin = side * (z @ b[:-1] + b[-1])
        slope = -share * side / (1 + np.exp(np.clip(margin, -40, 40)))
        value = (share * np.logaddexp(0, -margin)).sum() + DECAY * (b[:-1] ** 2).sum()
        return float(value), np.append(z.T @ slope + 2 * DECAY * b[:-1], slope.sum())

    bounds = [{1: (0, None), -1: (None, 0), 0: (None, None)}[DIRECTIONS[name]] for name in NAMES]
    found = minimize(loss, np.zeros(x.shape[1] + 1), jac=True, method="L-BFGS-B", bounds=[*bounds, (None, None)])
    weights = found.x[:-1] / scale
    return weights, float(found.x[-1] - weights @ centre)


def best_shift(sets: Sequence[Set], odds: Sequence[Array]) -> float:
    """Give the shift with the highest mean balanced accuracy over the sets."""
    means = [
        np.mean([balanced_accuracy_score(s.y, o + shift >= 0) for s, o in zip(sets, odds, strict=True)])
        for shift in SHIFTS
    ]
    top = np.flatnonzero(np.array(means) >= max(means) - 1e-3)
    return float(SHIFTS[top].mean())


def print_dev(sets: Sequence[Set], odds: Sequence[Array]) -> float:
    """Print each set at the shift that the other sets choose; give the shift that all of them choose."""
    left_out, areas = [], []
    for at, one in enumerate(sets):
        others = [i for i in range(len(sets)) if i != at]
        shift = best_shift([sets[i] for i in others], [odds[i] for i in others])
        left_out.append(balanced_accuracy_score(one.y, odds[at] + shift >= 0))
        areas.append(roc_auc_score(one.y, odds[at]))
        model = roc_auc_score(one.y, one.x[:, 0])
        print(
            f"  {one.name:34s} bacc {left_out[-1] * 100:5.1f} (shift {shift:+.2f})  AUC {areas[-1] * 100:5.1f}  model alone {model * 100:5.1f}"
        )
    shift = best_shift(sets, odds)
    print(
        f"  macro, one set left out: {np.mean(left_out) * 100:.2f}   AUC {np.mean(areas) * 100:.2f}   shift of all: {shift:+.3f}"
    )
    return shift


def contradiction_bar(sets: Sequence[Set], odds: Sequence[Array]) -> float:
    """Give the odds of contradiction from which, among claims with p below 0.2, the named contradictions are that many."""
    against = np.concatenate([one.x[:, NAMES.index("contradiction")] for one in sets])
    y = np.concatenate([one.y for one in sets])
    low = np.concatenate(odds) < np.log(0.2 / 0.8)
    for bar in np.arange(-2.0, 6.0, 0.25):
        called = low & (against >= bar)
        if called.sum() and (y[called] == 0).mean() >= CONTRADICTION_PRECISION + 0.08:
            return float(bar)
    return 6.0


def main() -> None:
    """Fit, choose, print and write the head and the manifest beside the model."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--held", type=Path, required=True)
    parser.add_argument("--dev", type=Path, required=True)
    parser.add_argument("--revision", default="1")
    options = parser.parse_args()
    write_manifest(options.model, options.revision, head=False)
    judge = EmbeddedJudge(options.model, threads=1)
    held, dev = held_sets(judge, options.held), dev_sets(judge, options.dev)
    weights, intercept = fit(held)
    shift = print_dev(dev, [one.x @ weights + intercept for one in dev])
    intercept += shift
    bar = contradiction_bar(held, [one.x @ weights + intercept for one in held])
    head = {"names": NAMES, "weights": [round(w, 4) for w in weights.tolist()], "intercept": round(intercept, 4)}
    head |= {"contradiction": bar, "uncertain": [0.45, 0.55]}
    (options.model / "head.json").write_text(json.dumps(head, indent=1) + "\n", encoding="utf-8")
    write_manifest(options.model, options.revision, head=True)
    for name, weight in zip(NAMES, weights, strict=True):
        print(f"  {name:24s}{weight:8.3f}")


def write_manifest(folder: Path, revision: str, *, head: bool) -> None:
    """Write what the runtime reads: names, template, and the digests of the files."""
    files = ["model.onnx", "tokenizer.json", *(["head.json"] if head else [])]
    manifest = {
        "name": "minilm-entailment", "revision": revision, "template": "shared", "longest": 256,
        "head": "head.json" if head else None,
        "sha256": {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in files},
    }  # fmt: skip
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
