"""Make the head: one logistic function over the model's odds and the word-level checks.

The word-level part is the lexical judge's own function, fitted on training files. Fitted beside it on held-back passages of the
training sources, the odds of the model would drown everything else, and on other text they must not. So what they weigh was
settled by looking at entail/dev, and so were the weights of two checks. Platt's scale and shift are fitted on entail/dev;
printed is what each set gets from the numbers of the others, and once more with what the odds weigh chosen on the others. The held-back
pairs decide from where the model's own word is enough to call a contradiction; two in five of them share words with a
passage it was trained on.

Run: python training/head.py --model build/model --held build/held.jsonl.gz --dev ../shared/data/entail/dev
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from showable.judges.embedded.features import NAMES
from showable.judges.embedded.judge import EmbeddedJudge
from showable.judges.lexical.judge import COEFFICIENTS, INTERCEPT
from showable.measure.calibration_error import calibration_errors
from showable.records import Pair

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
WEIGHTS = {"support": 1.2, "claim_alone": -0.3, "conflict": -1.0, "objection": -0.4}
"""What the model's odds, and two checks that overrule the lexical judge's own function, weigh beside it. `claim_alone` is
what the model says of the claim beside no text."""
TRIED = [
    {"support": w, "claim_alone": -share * w}
    for w in (1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.4)
    for share in (0.0, 0.15, 0.25, 0.35, 0.5)
]
"""What the first two could be, for a look at what choosing them on the very sets is worth."""
CERTAIN = 0.98
"""Share of the claims called contradicted that must not be supported, on the held-back pairs."""
LEAST_CONTRADICTION = 2.0
"""The least odds from which a contradiction is called, whatever the held-back pairs say: written claims do not tell what contradicts
from what is not said, and of what is called so from 0 on people call 12 % supported on a sample of entail/dev, 7 % from 2 on."""
WORDS = 80
"""Words of a passage that the model is shown."""
BAND = 0.03
"""Half the width of the band around 0.5 in which nothing is decided."""


@dataclass
class Set:
    """One file: features, labels, and the odds of contradiction."""

    name: str
    x: Array
    y: Array
    against: Array


def blank_judge(model: Path, folder: Path) -> EmbeddedJudge:
    """Give a judge that asks the model all that a head weighs, with a head of zeros, made in a folder of its own."""
    for name in ("model.onnx", "tokenizer.json"):
        (folder / name).symlink_to((model / name).resolve())
    write_head(folder, {"names": NAMES, "weights": [0.0] * len(NAMES), "intercept": 0.0, "contradiction": 0.0}, "0")
    return EmbeddedJudge(folder, threads=os.cpu_count() or 1)


def read_set(judge: EmbeddedJudge, name: str, rows: Sequence[Row]) -> tuple[Set, list[Row]]:
    """Judge rows; give their features, and the rows that have any."""
    found = judge.features([Pair(row["claim"], row["passage"]) for row in rows])
    kept = [(row, one[1]) for row, one in zip(rows, found, strict=True) if isinstance(one, tuple)]
    x = np.array([features.values for _, features in kept])
    against = np.array([-9.0 if features.contradiction is None else features.contradiction for _, features in kept])
    y = np.array(
        [row["outcome"] == "entailed" if "outcome" in row else row["label"] == 1 for row, _ in kept], dtype=float
    )
    return Set(name, x, y, against), [row for row, _ in kept]


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
        sets.append(read_set(judge, name, rows)[0])
    return sets


def dev_sets(judge: EmbeddedJudge, folder: Path) -> list[Set]:
    """Read the development sets; of the chunks of one group the one with the highest odds of support stands for it."""
    sets = []
    for path in sorted(folder.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            rows = [row for row in map(json.loads, lines) if row["label"] in {0, 1}]
        one, kept = read_set(judge, path.name.split(".jsonl")[0], rows)
        best: dict[Any, int] = {}
        for at, row in enumerate(kept):
            key = row.get("group", at)
            if key not in best or one.x[at, 0] > one.x[best[key], 0]:
                best[key] = at
        chosen = sorted(best.values())
        sets.append(Set(one.name, one.x[chosen], one.y[chosen], one.against[chosen]))
    return sets


def odds_of(x: Array, chosen: Mapping[str, float] = WEIGHTS) -> Array:
    """Give the log odds of support before Platt's scaling."""
    return x @ np.array(raw_weights(chosen)) + INTERCEPT


def raw_weights(chosen: Mapping[str, float] = WEIGHTS) -> list[float]:
    """Give a weight for every feature."""
    given = WEIGHTS | {f"word_{name}": weight for name, weight in COEFFICIENTS.items()} | dict(chosen)
    return [given[name] for name in NAMES]


def platt(odds: Sequence[Array], sets: Sequence[Set]) -> tuple[float, float]:
    """Fit scale and shift (Platt 1999), every set counting the same, and within a set both labels."""
    x, y = np.concatenate(odds), np.concatenate([one.y for one in sets])
    share = np.concatenate([np.where(one.y == 1, 0.5 / one.y.sum(), 0.5 / (1 - one.y).sum()) for one in sets])

    def loss(b: Array) -> float:
        margin = (2 * y - 1) * (b[0] * x + b[1])
        return float((share * np.logaddexp(0, -margin)).sum()) / len(sets)

    found = minimize(loss, np.array([1.0, 0.0]), method="L-BFGS-B", bounds=[(0.05, None), (None, None)])
    return float(found.x[0]), float(found.x[1])


def print_left_out(sets: Sequence[Set]) -> None:
    """Print what each set gets from the numbers that the others choose."""
    accuracies, areas, errors = [], [], []
    for at, one in enumerate(sets):
        others = [*sets[:at], *sets[at + 1 :]]
        scale, shift = platt([odds_of(other.x) for other in others], others)
        odds = scale * odds_of(one.x) + shift
        accuracies.append(balanced_accuracy_score(one.y, odds >= 0))
        areas.append(roc_auc_score(one.y, odds))
        errors.append(float(calibration_errors(one.y == 1, 1 / (1 + np.exp(-odds)), np.ones((1, len(odds))))[0]))
        model = roc_auc_score(one.y, one.x[:, 0])
        print(
            f"  {one.name:34s} bacc {accuracies[-1] * 100:5.1f}  AUC {areas[-1] * 100:5.1f} (model alone {model * 100:5.1f})"
            f"  ECE {errors[-1]:.3f}  scale {scale:.2f}, shift {shift:+.2f}"
        )
    print(
        f"  macro, one set left out: bacc {np.mean(accuracies) * 100:.2f}  AUC {np.mean(areas) * 100:.2f}  ECE {np.mean(errors):.3f}"
    )


def print_chosen_left_out(sets: Sequence[Set]) -> None:
    """Print the same where the others choose the first two weights as well, for the highest mean AUC on them."""
    odds = [[odds_of(one.x, weights) for one in sets] for weights in TRIED]
    areas = np.array([[roc_auc_score(one.y, found) for one, found in zip(sets, row, strict=True)] for row in odds])
    best, accuracies = [], []
    for at, one in enumerate(sets):
        best.append(int(np.delete(areas, at, axis=1).mean(axis=1).argmax()))
        row = odds[best[-1]]
        scale, shift = platt([*row[:at], *row[at + 1 :]], [*sets[:at], *sets[at + 1 :]])
        accuracies.append(balanced_accuracy_score(one.y, scale * row[at] + shift >= 0))
    area = areas[best, np.arange(len(sets))].mean()
    print(f"  weights chosen so too:    bacc {np.mean(accuracies) * 100:.2f}  AUC {area * 100:.2f}")


def contradiction_bar(sets: Sequence[Set], p: Sequence[Array]) -> float:
    """Give the odds of contradiction from which, where p is below 0.2, nearly nothing is supported for people."""
    x, y = np.concatenate([one.x for one in sets]), np.concatenate([one.y for one in sets])
    against = np.concatenate([one.against for one in sets])
    low = (np.concatenate(p) < 0.2) & (x[:, NAMES.index("word_window")] >= 0.25)  # half of the claim, squared
    for bar in np.arange(0.0, 6.0, 0.25):
        called = low & (against >= bar)
        if called.any() and (y[called] == 0).mean() >= CERTAIN:
            return float(bar)
    return 6.0


def main() -> None:
    """Fit, choose, print and write the head and the manifest beside the model."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--held", type=Path, required=True)
    parser.add_argument("--dev", type=Path, required=True)
    parser.add_argument("--revision", default="4")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        judge = blank_judge(options.model, Path(folder))
        held, dev = held_sets(judge, options.held), dev_sets(judge, options.dev)
    print_left_out(dev)
    print_chosen_left_out(dev)
    scale, shift = platt([odds_of(one.x) for one in dev], dev)
    print(f"  of all sets: scale {scale:.3f}, shift {shift:+.3f}")
    held_p = [1 / (1 + np.exp(-(scale * odds_of(one.x) + shift))) for one in held]
    head = {
        "names": NAMES,
        "weights": [round(scale * weight, 4) for weight in raw_weights()],
        "intercept": round(scale * INTERCEPT + shift, 4),
        "contradiction": max(LEAST_CONTRADICTION, contradiction_bar(held, held_p)),
        "uncertain": [0.5 - BAND, 0.5 + BAND],
    }
    write_head(options.model, head, options.revision)
    areas = [roc_auc_score(one.y, p) for one, p in zip(held, held_p, strict=True)]
    alone = [roc_auc_score(one.y, one.x[:, 0]) for one in held]
    print(
        f"  held-back passages of {len(held)} sources: AUC {np.mean(areas) * 100:.1f} (model alone {np.mean(alone) * 100:.1f})"
    )


def write_head(folder: Path, head: dict[str, Any], revision: str) -> None:
    """Write a head, and what the runtime reads first: names, template, and the digests of the files."""
    (folder / "head.json").write_text(json.dumps(head, indent=1) + "\n", encoding="utf-8")
    manifest = {
        "name": "minilm-entailment", "revision": revision, "template": "shared", "longest": 256, "words": WORDS,
        "outcomes": ["entailed", "neutral", "contradicted"],
        "head": "head.json",
        "sha256": {
            name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in ("model.onnx", "tokenizer.json", "head.json")
        },
    }  # fmt: skip
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
