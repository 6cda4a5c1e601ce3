"""Measure the lexical judge on public labelled pairs, beside plain coverage of the claim's words.

Reads ../shared/data/entail/dev. Labels of 0.5 are excluded and counted. Rows that share `group` are chunks of one source: the
chunk with the highest score stands for them. One fixed threshold, 0.5, for the judge and for the baseline. Intervals:
percentiles of a seeded bootstrap over rows (or groups). Fractions are printed in percent.

Run: python benchmarks/lexical_entail.py [DATA]     DATA defaults to ../shared/data/entail/dev
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import labelled as agreement
import numpy as np
from labelled import Agreement, rows_of
from numpy.typing import NDArray
from sklearn.metrics import cohen_kappa_score, roc_auc_score  # type: ignore[import-untyped]

from probative.judges.lexical import judge_pair
from probative.judges.lexical.judge import read_claim
from probative.judges.lexical.passage import read_passage
from probative.records import Pair

Array = NDArray[np.float64]
Row = dict[str, Any]

THRESHOLD = 0.5
HIGH_COVERAGE = 0.85
BINS = 10
DRAWS = 1_000
SEED = 1


@dataclass
class File:
    """One file, judged: labels, the judge's probabilities and labels, plain coverage, and what it took."""

    name: str
    y: Array
    p: Array
    coverage: Array
    verdicts: list[str]
    excluded: int
    ms: float


def judge_file(path: Path) -> File:
    """Judge every row; of the rows of a group keep the one with the highest probability (coverage: the highest)."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    best: dict[Any, tuple[float, float, float, str]] = {}
    start = time.perf_counter()
    verdicts = [judge_pair(Pair(row["claim"], row["passage"])) for row in rows]
    ms = (time.perf_counter() - start) / len(rows) * 1e3
    for number, (row, verdict) in enumerate(zip(rows, verdicts, strict=True)):
        key = row.get("group", number)
        p = 0.0 if verdict.p is None else verdict.p
        found = (float(row["label"]), p, plain_coverage(row), verdict.label)
        held = best.get(key)
        if held is None:
            best[key] = found
        else:
            label, verdict_label = (found[0], found[3]) if p > held[1] else (held[0], held[3])
            best[key] = (label, max(p, held[1]), max(found[2], held[2]), verdict_label)
    kept = [found for found in best.values() if found[0] in (0.0, 1.0)]
    labels, scores, coverages = (np.array([found[i] for found in kept]) for i in range(3))
    name = path.name.split(".jsonl")[0]
    return File(name, labels, scores, coverages, [f[3] for f in kept], len(best) - len(kept), ms)


def plain_coverage(row: Row) -> float:
    """Give the share of the claim's distinct tokens that the passage has: the baseline."""
    tokens = set(read_claim(row["claim"])[1].terms)
    return len(tokens & read_passage(row["passage"]).places.keys()) / len(tokens) if tokens else 0.0


def rates(y: Array, said: NDArray[np.bool_]) -> tuple[float, float]:
    """Give the true positive and the true negative rate."""
    return float(said[y == 1].mean()), float((~said[y == 0]).mean())


def balanced_accuracy(y: Array, score: Array) -> float:
    """Give the mean of both rates at the one threshold."""
    return sum(rates(y, score >= THRESHOLD)) / 2


def interval(y: Array, score: Array) -> tuple[float, float]:
    """Give the 95 % bootstrap interval of the balanced accuracy, resampling each class by itself."""
    rng = np.random.default_rng(SEED)
    said = score >= THRESHOLD
    positive, negative = said[y == 1], ~said[y == 0]
    draws = rng.binomial(len(positive), positive.mean(), DRAWS) / len(positive)
    draws = (draws + rng.binomial(len(negative), negative.mean(), DRAWS) / len(negative)) / 2
    low, high = np.percentile(draws, [2.5, 97.5])
    return float(low), float(high)


def calibration_error(y: Array, p: Array) -> float:
    """Give the expected calibration error over ten equal bins."""
    bins = np.minimum((p * BINS).astype(int), BINS - 1)
    return float(sum((bins == b).mean() * abs(p[bins == b].mean() - y[bins == b].mean()) for b in set(bins)))


def print_file(file: File) -> tuple[float, float, float, float]:
    """Print one line; give balanced accuracy, AUC, and both of the baseline."""
    y, p = file.y, file.p
    tpr, tnr = rates(y, p >= THRESHOLD)
    low, high = interval(y, p)
    figures = (
        balanced_accuracy(y, p),
        roc_auc_score(y, p),
        balanced_accuracy(y, file.coverage),
        roc_auc_score(y, file.coverage),
    )
    kappa = cohen_kappa_score(y, p >= THRESHOLD)
    high_covered = (y == 0) & (file.coverage > HIGH_COVERAGE)
    overlap = f"{(p[high_covered] < THRESHOLD).mean() * 100:5.1f} ({high_covered.sum()})" if high_covered.any() else "–"
    print(
        f"{file.name:34s}{len(y):6d}{file.excluded:5d}{figures[0] * 100:7.1f} [{low * 100:4.1f}, {high * 100:4.1f}]"
        f"{tpr * 100:7.1f}{tnr * 100:7.1f}{figures[1] * 100:7.1f}{kappa:7.2f}{calibration_error(y, p):7.3f}"
        f"{figures[2] * 100:8.1f}{figures[3] * 100:7.1f}{file.ms:7.2f}  {overlap}"
    )
    return figures


def print_labels(files: list[File]) -> None:
    """Print what became of each verdict: how many, and the share that people called supported."""
    counts: Counter[tuple[str, float]] = Counter()
    for file in files:
        counts.update(zip(file.verdicts, file.y.tolist(), strict=True))
    for label in ("supported", "partial", "unsupported", "contradicted", "unknown"):
        n = counts[label, 0.0] + counts[label, 1.0]
        share = f"{counts[label, 1.0] / n * 100:5.1f} %" if n else "–"
        print(f"{label:14s}{n:6d}   people say supported: {share}")


def main() -> None:
    """Judge every file and print the table."""
    default = Path(__file__).resolve().parents[2] / "shared" / "data" / "entail" / "dev"
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    files = [judge_file(path) for path in sorted(data.glob("*.jsonl.gz"))]
    if not files:
        sys.exit(f"no *.jsonl.gz in {data}")
    print(
        f"{'file':34s}{'n':>6s}{'0.5':>5s}{'bacc':>7s} {'95 %':12s}{'tpr':>7s}{'tnr':>7s}{'auc':>7s}{'kappa':>7s}{'ece':>7s}"
        f"{'base':>8s}{'auc':>7s}{'ms':>7s}  tnr where coverage > {HIGH_COVERAGE}"
    )
    macro = np.array([print_file(file) for file in files]).mean(0) * 100
    print(f"{'macro mean':34s}{'':11s}{macro[0]:7.1f}{'':27s}{macro[1]:7.1f}{'':14s}{macro[2]:8.1f}{macro[3]:7.1f}")
    y, p, coverage = (np.concatenate([getattr(file, part) for file in files]) for part in ("y", "p", "coverage"))
    print_file(File("pooled", y, p, coverage, [], sum(file.excluded for file in files), _mean_ms(files)))
    print_labels(files)
    print_search_answers()


def _mean_ms(files: list[File]) -> float:
    return sum(file.ms * len(file.y) for file in files) / sum(len(file.y) for file in files)


def print_search_answers() -> None:
    """Print the two-by-two table of the claims of real generative search answers, with intervals clustered by question."""
    rows = list(rows_of("entail/dev/attrbench_stanford_gensearch.dev"))
    triples = [
        (row["label"] == 1, (judge_pair(Pair(row["claim"], row["passage"])).p or 0.0) >= THRESHOLD, row["question"])
        for row in rows
    ]
    found = Agreement.of(triples)
    (tp, fn), (fp, tn) = found.table().astype(int)
    print(f"\nclaims of generative search answers (n {len(rows)}), people by judge, 95 % bootstrap over questions")
    print(f"  attributable {tp} {fn}   not {fp} {tn}")
    print(f"  balanced accuracy {found.show(agreement.balanced_accuracy)}   kappa {found.show(agreement.kappa)}")


if __name__ == "__main__":
    main()
