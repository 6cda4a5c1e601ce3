"""Fit the constants of the lexical judge on public training pairs and print them as they stand in the source.

Reads ../shared/data/entail/train and train_more only; rows whose passage also stands in entail/dev are dropped. Each file
counts the same, and within a file support and no support count the same. Logistic regression with the sign of each
coefficient held to what the feature means. Seeded: the same data give the same constants.

Run: python benchmarks/fit_lexical.py [DATA]     DATA defaults to ../shared/data/entail
"""

from __future__ import annotations

import gzip
import json
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from showable.judges.lexical.conflict import find_conflict
from showable.judges.lexical.judge import read_claim
from showable.judges.lexical.passage import read_passage
from showable.judges.lexical.signs import FEATURES, read_signs

Array = NDArray[np.float64]
Row = dict[str, Any]

FILES = ("begin", "fever", "foolme", "mnli", "summedits", "contractnli", "scitail", "defacto", "newprot", "ambient")
"""Families of files whose claims people wrote or edited; templates teach their own fingerprint. Chosen on entail/dev."""
CAP = 3_000
"""Rows taken of each file at most."""
SEED = 20260101
DECAY = 1e-3
"""Weight of the squared coefficients, in units of standardised features."""
SIGNS = {
    "coverage": 1, "window": 1, "length": 0, "missing_number": -1, "replaced_number": -1, "missing_names": -1, "opposite": -1, "flipped": -1,
}  # fmt: skip
"""1: may only speak for support; -1: only against; 0: either."""


def read_rows(path: Path) -> list[Row]:
    """Read a gzipped JSON Lines file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def training_files(data: Path) -> dict[str, list[Row]]:
    """Give the rows to fit on by file: capped, shuffled by the seed, no passage of dev, no label between the two."""
    seen = {row["passage"] for path in sorted((data / "dev").glob("*.gz")) for row in read_rows(path)}
    files: dict[str, list[Row]] = {}
    for path in sorted([*(data / "train").glob("*.gz"), *(data / "train_more").glob("*.gz")]):
        if path.name.startswith(FILES):
            rows = [row for row in read_rows(path) if row["passage"] not in seen and row["label"] in (0, 1)]
            random.Random(SEED).shuffle(rows)  # noqa: S311 - sampling, not secrets
            files[path.name] = rows[:CAP]
    return files


def features_of(row: Row) -> tuple[tuple[float, ...], bool] | None:
    """Give a row's features and whether the judge would call it a contradiction; None where there are no words."""
    text, claim = read_claim(row["claim"])
    passage = read_passage(row["passage"])
    if not claim.terms or not passage.words.terms:
        return None
    signs = read_signs(claim, text, passage)
    return signs.features(), find_conflict(signs, passage.words) is not None


def fit(x: Array, y: Array, weights: Array) -> tuple[float, Array]:
    """Fit a weighted logistic regression under the sign constraints; give intercept and coefficients of raw features."""
    centre, scale = x.mean(0), x.std(0) + 1e-12
    z, side, share = (x - centre) / scale, 2 * y - 1, weights / weights.sum()

    def loss(b: Array) -> tuple[float, Array]:
        margin = side * (z @ b[:-1] + b[-1])
        slope = -share * side / (1 + np.exp(margin))
        value = (share * np.logaddexp(0, -margin)).sum() + DECAY * (b[:-1] ** 2).sum()
        return float(value), np.append(z.T @ slope + 2 * DECAY * b[:-1], slope.sum())

    free = (None, None)
    bounds = [{1: (0, None), -1: (None, 0), 0: free}[SIGNS[name]] for name in FEATURES]
    found = minimize(loss, np.zeros(x.shape[1] + 1), jac=True, method="L-BFGS-B", bounds=[*bounds, free])
    coefficients = found.x[:-1] / scale
    return float(found.x[-1] - coefficients @ centre), coefficients


def main() -> None:
    """Fit and print."""
    data = (
        Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2] / "shared" / "data" / "entail"
    )
    xs: list[tuple[float, ...]] = []
    ys: list[float] = []
    weights: list[float] = []
    conflicts: list[float] = []
    for name, rows in training_files(data).items():
        read = [(found, float(row["label"])) for row in rows if (found := features_of(row)) is not None]
        positive = sum(label for _, label in read)
        counts = {1.0: positive, 0.0: len(read) - positive}
        for (values, conflict), label in read:
            xs.append(values)
            ys.append(label)
            weights.append(0.5 / counts[label])
            if conflict:
                conflicts.append(label)
        print(f"# {name}: {len(read)} rows, {positive / len(read):.2f} supported")
    intercept, coefficients = fit(np.array(xs), np.array(ys), np.array(weights))
    print(f"INTERCEPT = {intercept:.3f}")
    print("COEFFICIENTS = {")
    for name, value in zip(FEATURES, coefficients, strict=True):
        print(f'    "{name}": {value:.3f},')
    print("}")
    print(f"# called contradicted: {len(conflicts)}, of which supported: {np.mean(conflicts):.3f}")


if __name__ == "__main__":
    main()
