"""Measure the lexical judge on public labelled pairs, beside plain coverage of the claim's words.

What `probative validate entailment` measures (one fixed threshold, 0.5, for the judge and for the baseline; rows that share
`group` are chunks of one source; bootstrap over questions where they are given), and beside it: all files pooled, how often
people agree with each verdict, and the rates where the passage holds nearly all words of the claim.

Run: python benchmarks/lexical_entail.py [DATA]     DATA defaults to ../shared/data/entail/dev
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from probative.judges.lexical import LexicalJudge
from probative.measure.validated import Figures, FileFigures, ValidatedRow, Validation
from probative.measure.validation_figures import Baseline, Decided, Estimates, estimate
from probative.report.validation_words import between, short_name
from probative.validation.run import LabelledFile, Plan, validate
from probative.validation.word_coverage import AT, HIGH

SEARCH_ANSWERS = "attrbench_stanford_gensearch.dev"
LABELS = ("supported", "partial", "unsupported", "contradicted", "unknown")


def print_line(name: str, figures: Figures, excluded: int, overlap: str) -> None:
    """Print one line, fractions in percent."""
    low, high = figures.intervals["balanced_accuracy"] or (float("nan"),) * 2
    coverage = figures.baseline["coverage_balanced_accuracy"], figures.baseline["coverage_auc"]
    print(
        f"{name:34s}{figures.n:6d}{excluded:5d}{figures.balanced_accuracy * 100:7.1f} [{low * 100:4.1f}, {high * 100:4.1f}]"
        f"{figures.tpr * 100:7.1f}{figures.tnr * 100:7.1f}{figures.auc * 100:7.1f}{figures.kappa:7.2f}{figures.ece:7.3f}"
        f"{coverage[0] * 100:8.1f}{coverage[1] * 100:7.1f}{figures.ms_per_pair:7.2f}  {overlap}"
    )


def overlap_of(file: FileFigures) -> str:
    """Say how many of the unsupported claims are told where words cannot tell."""
    found = file.high_coverage
    return "–" if found is None or found.tnr is None else f"{found.tnr * 100:5.1f} ({found.negatives})"


def pooled(rows: Sequence[ValidatedRow]) -> Estimates:
    """Measure the rows of all files as if they were one."""
    labels, said, p, coverage = (
        np.array([getattr(row, part) for row in rows]) for part in ("label", "decision", "p", "coverage")
    )
    rule = Baseline("coverage", coverage >= AT, coverage)
    return estimate(Decided(labels == 1, said.astype(bool), np.arange(len(rows)), p.astype(float), rule))


def print_pooled(found: Validation, rows: Sequence[ValidatedRow]) -> None:
    """Print the line of all files together."""
    one = pooled(rows)
    told = [row.decision for row in rows if row.label == 0 and (row.coverage or 0) > HIGH]
    pairs = sum(file.pairs for file in found.files)
    ms = sum((file.ms_per_pair or 0) * file.pairs for file in found.files) / pairs
    figures = Figures(n=len(rows), **one.figures(), baseline=one.of_baseline(), intervals=one.intervals, ms_per_pair=ms)
    overlap = f"{told.count(False) / len(told) * 100:5.1f} ({len(told)})" if told else "–"
    print_line("pooled", figures, sum(file.excluded for file in found.files), overlap)


def print_verdicts(rows: Sequence[ValidatedRow]) -> None:
    """Print what became of each verdict: how many, and the share that people called supported."""
    counts = Counter((row.verdict, row.label) for row in rows)
    for label in LABELS:
        n = counts[label, 0.0] + counts[label, 1.0]
        share = f"{counts[label, 1.0] / n * 100:5.1f} %" if n else "–"
        print(f"{label:14s}{n:6d}   people say supported: {share}")


def print_search_answers(file: FileFigures, rows: Sequence[ValidatedRow]) -> None:
    """Print the two-by-two table of the claims of real generative search answers."""
    table = Counter((row.label, row.decision) for row in rows if row.file == file.file)
    kappa = file.intervals["kappa"] or (float("nan"),) * 2
    print(f"\nclaims of generative search answers (n {file.n}), people by judge, 95 % bootstrap over questions")
    print(f"  attributable {table[1, True]} {table[1, False]}   not {table[0, True]} {table[0, False]}")
    said = between(file.balanced_accuracy, file.intervals["balanced_accuracy"])
    print(f"  balanced accuracy {said}   kappa {file.kappa:.3f} [{kappa[0]:.3f}, {kappa[1]:.3f}]")


def main() -> None:
    """Judge every file and print the table."""
    default = Path(__file__).resolve().parents[2] / "shared" / "data" / "entail" / "dev"
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    files = [LabelledFile.read("entailment", path, str(path)) for path in sorted(data.glob("*.jsonl.gz"))]
    if not files:
        sys.exit(f"no *.jsonl.gz in {data}")
    found, every = asyncio.run(validate(Plan("entailment", files, LexicalJudge()), lambda _: None))
    rows = [row for row in every if row.label in (0.0, 1.0) and row.decision is not None]
    print(
        f"{'file':34s}{'n':>6s}{'0.5':>5s}{'bacc':>7s} {'95 %':12s}{'tpr':>7s}{'tnr':>7s}{'auc':>7s}{'kappa':>7s}{'ece':>7s}"
        f"{'base':>8s}{'auc':>7s}{'ms':>7s}  tnr where coverage > {HIGH}"
    )
    for file in found.files:
        print_line(short_name(file.file), file, file.excluded, overlap_of(file))
    print_line("macro mean", found.macro, sum(file.excluded for file in found.files), "")
    print_pooled(found, rows)
    print_verdicts(rows)
    for file in found.files:
        if short_name(file.file) == SEARCH_ANSWERS:
            print_search_answers(file, rows)


if __name__ == "__main__":
    main()
