"""Measure how much of the embedded judge's model is word order, and how much it says of a claim beside no text.

For every development set the AUC of the model's odds of support alone, without the word-level checks: as it is shown the
excerpt of the passage, with the words of the excerpt shuffled, with the words of the claim shuffled, and of the claim
beside no text. Shuffled by a fixed seed; partial labels are left out, chunks are rows of their own.

Run: python benchmarks/word_order.py [DATA]     DATA defaults to ../shared/data/entail/dev
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
from pathlib import Path

import numpy as np
from sklearn.metrics import roc_auc_score

from showable.judges.embedded.features import read_question
from showable.judges.embedded.judge import SHIPPED
from showable.judges.embedded.manifest import read_manifest
from showable.judges.embedded.odds import Odds
from showable.judges.embedded.session import Session
from showable.records import Pair

SEED = 7
SHOWN = ("in order", "passage shuffled", "claim shuffled", "no passage")


def shuffled(text: str) -> str:
    """Give the words of a text in another order."""
    return " ".join(np.random.default_rng(SEED).permutation(text.split()))


def areas(session: Session, room: int, path: Path) -> tuple[int, list[float]]:
    """Give n and the AUC of the odds under each way of showing the pairs of a file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["label"] in {0, 1}]
    labels, asked = [], []
    for row in rows:
        question = read_question(Pair(row["claim"], row["passage"]), room, alone=False)
        if question is not None:
            claim, text = question.asked[question.sides[0]]
            labels.append(row["label"] == 1)
            asked += [(claim, text), (claim, shuffled(text)), (shuffled(claim), text), (claim, "")]
    odds = [one.support if isinstance(one, Odds) else 0.0 for one in session.odds(asked)]
    table = np.array(odds).reshape(-1, len(SHOWN))
    return len(labels), [float(roc_auc_score(labels, column)) for column in table.T]


def main() -> None:
    """Print one line a set and the mean."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = Path(__file__).resolve().parents[2] / "shared" / "data" / "entail" / "dev"
    parser.add_argument("data", type=Path, nargs="?", default=default)
    options = parser.parse_args()
    paths = sorted(options.data.glob("*.jsonl.gz"))
    if not paths:
        print(f"skipped: no *.jsonl.gz in {options.data}")
        return
    manifest, folder = read_manifest(SHIPPED)
    session = Session(manifest, folder, os.cpu_count() or 1)
    print(f"{'AUC of the odds alone':34s}{'n':>6s}" + "".join(f"{name:>18s}" for name in SHOWN))
    found = []
    for path in paths:
        n, row = areas(session, manifest.room, path)
        found.append(row)
        print(f"{path.name.split('.')[0]:34s}{n:6d}" + "".join(f"{one * 100:18.1f}" for one in row), flush=True)
    print(f"{'macro mean':34s}{'':6s}" + "".join(f"{one * 100:18.1f}" for one in np.mean(found, axis=0)))


if __name__ == "__main__":
    main()
