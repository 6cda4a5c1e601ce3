"""Measure the judges that need no network on public labelled pairs and on the hand-written minimal pairs.

For every judge what `showable validate entailment` measures (one fixed threshold, 0.5, for the judge and for the baseline;
rows that share `group` are chunks of one source; bootstrap over questions where they are given), and beside it: all files
pooled, how often people agree with each verdict, the rates where the passage holds nearly all words of the claim, the minimal
pairs by phenomenon, and the CPU time of a pair on one thread.

Run: python benchmarks/judges.py [DATA] [--judge SPEC …]     DATA defaults to ../shared/data/entail/dev
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from showable.judges.choose import choose
from showable.measure.resampling import number_clusters
from showable.measure.validated import Figures, FileFigures, ValidatedRow, Validation
from showable.measure.validation_figures import Baseline, Decided, Estimates, estimate
from showable.records import Judge, Pair
from showable.report.validation_words import between, short_name
from showable.validation.entailment import AT, HIGH, word_coverage
from showable.validation.run import LabelledFile, Plan, validate

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


def print_hard_half(found: Validation, rows: Sequence[ValidatedRow]) -> None:
    """Print the figures that no line of a file shows: calibration, the confident half, and where words cannot tell."""
    eces = [file.ece for file in found.files if file.ece is not None]
    print(f"\nECE pooled {pooled(rows).values['ece']:.3f}, mean of the files {np.mean(eces):.3f}")
    lead = found.macro.lead
    if lead is not None and lead.low is not None and lead.high is not None:
        said = f"{lead.balanced_accuracy * 100:.1f} [{lead.low * 100:.1f}, {lead.high * 100:.1f}]"
        print(f"macro lead over word coverage {said} points of balanced accuracy")
    halves = [
        half.balanced_accuracy for file in found.files if (half := file.most_confident_half) and half.balanced_accuracy
    ]
    print(f"most confident half of each file: {np.mean(halves) * 100:.1f} balanced accuracy")
    sure = sorted(rows, key=lambda row: -abs((row.p or 0.0) - found.at))[: len(rows) // 2]
    print(f"most confident half of all rows: {pooled(sure).values['balanced_accuracy'] * 100:.1f}")
    certain = [row for row in rows if row.verdict != "unknown"]
    share = len(certain) / len(rows)
    print(f"decided by itself {share * 100:.1f} %, on these {pooled(certain).values['balanced_accuracy'] * 100:.1f}")
    covered = [row for row in rows if (row.coverage or 0.0) > HIGH]
    p = np.array([row.p or 0.0 for row in covered])
    y = np.array([row.label == 1 for row in covered])
    print(
        f"coverage > {HIGH}: TPR {(p[y] >= found.at).mean() * 100:.1f} ({y.sum()}), TNR {(p[~y] < found.at).mean() * 100:.1f} ({(~y).sum()})"
    )
    bar = np.quantile(p[y], 0.15)
    print(f"  at the p where TPR is .85 there: TNR {(p[~y] < bar).mean() * 100:.1f}")


def print_minimal_pairs(judge: Judge) -> None:
    """Print the hand-written pairs by phenomenon: of each pair one claim is supported and one is not."""
    folder = Path(__file__).parent / "minimal_pairs"
    rows = [
        json.loads(line) for path in sorted(folder.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()
    ]
    verdicts = asyncio.run(judge.verdicts([Pair(row["claim"], row["passage"]) for row in rows]))
    p = np.array([verdict.p or 0.0 for verdict in verdicts])
    y = np.array([row["label"] == 1 for row in rows])
    clusters = number_clusters([row["pair"] for row in rows])
    words = np.array([word_coverage(row["claim"], row["passage"]) for row in rows])
    one = estimate(Decided(y, p >= AT, clusters, p, Baseline("coverage", words >= AT, words)))
    low, high = one.intervals["balanced_accuracy"] or (float("nan"),) * 2
    first = {c: p[(clusters == c) & y].max() > p[(clusters == c) & ~y].max() for c in set(clusters.tolist())}
    print(f"\nminimal pairs: {len(rows)} claims in {len(first)} pairs, 95 % bootstrap over pairs")
    print(
        f"  balanced accuracy {one.values['balanced_accuracy'] * 100:.1f} [{low * 100:.1f}, {high * 100:.1f}]  AUC {one.values['auc'] * 100:.1f}  the right claim of a pair is the likelier one in {np.mean(list(first.values())) * 100:.1f} %"
    )
    print(
        f"  word coverage: balanced accuracy {one.values['baseline.coverage_balanced_accuracy'] * 100:.1f}, AUC {one.values['baseline.coverage_auc'] * 100:.1f}"
    )
    for phenomenon in sorted({row["phenomenon"] for row in rows}):
        at = np.array([row["phenomenon"] == phenomenon for row in rows])
        part = estimate(Decided(y[at], p[at] >= AT, number_clusters(clusters[at].tolist()), p[at]))
        low, high = part.intervals["balanced_accuracy"] or (float("nan"),) * 2
        print(
            f"  {phenomenon:26s}{at.sum():4d}{part.values['balanced_accuracy'] * 100:7.1f} [{low * 100:4.1f}, {high * 100:4.1f}]   AUC {part.values['auc'] * 100:5.1f}"
        )


def print_time(judge: Judge, data: Path) -> None:
    """Print the CPU time of a pair whose passage has about 150 tokens, on one thread, model and checks."""
    rows = [
        row
        for path in sorted(data.glob("*.jsonl.gz"))
        for _, row in LabelledFile.read("entailment", path, str(path)).pairs
    ]
    pairs = [Pair(row.claim, row.passage) for row in rows if 100 <= len(row.passage.split()) <= 125][:200]
    asyncio.run(judge.verdicts(pairs[:5]))
    began = time.process_time()
    asyncio.run(judge.verdicts(pairs))
    print(
        f"\nCPU time a pair, passages of 100 to 125 words (about 150 tokens): {(time.process_time() - began) / len(pairs) * 1e3:.1f} ms"
    )


def measure(spec: str, data: Path) -> list[ValidatedRow]:
    """Judge every file with one judge and print all of it; give the rows that count."""
    judge = choose(spec, environ={"SHOWABLE_THREADS": "1"})
    files = [LabelledFile.read("entailment", path, str(path)) for path in sorted(data.glob("*.jsonl.gz"))]
    print(f"\n=== {judge.name}\n")
    rows: list[ValidatedRow] = []
    if files:
        found, every = asyncio.run(validate(Plan("entailment", files, judge), lambda _: None))
        rows = [row for row in every if row.label in {0.0, 1.0} and row.decision is not None]
        print_files(found, rows)
        print_time(judge, data)
    else:
        print(f"skipped: no *.jsonl.gz in {data}")
    print_minimal_pairs(judge)
    return rows


def print_lead(first: Sequence[ValidatedRow], second: Sequence[ValidatedRow]) -> None:
    """Print by how much the second judge leads over the first, macro, on the same rows resampled alike."""
    leads: dict[str, list[NDArray[np.float64]]] = {"balanced accuracy": [], "AUC": []}
    for file in sorted({row.file for row in first}):
        one, other = ({row.id: row for row in rows if row.file == file} for rows in (first, second))
        shared = [name for name in one if name in other]
        said = [np.array([bool(rows[name].decision) for name in shared]) for rows in (one, other)]
        p = [np.array([rows[name].p or 0.0 for name in shared]) for rows in (one, other)]
        labels = np.array([one[name].label == 1 for name in shared])
        before = Baseline("first", said[0], p[0])
        found = estimate(Decided(labels, said[1], np.arange(len(shared)), p[1], before))
        leads["balanced accuracy"].append(np.append(found.values["lead"], found.draws["lead"]))
        auc, auc_before = (np.append(found.values[name], found.draws[name]) for name in ("auc", "baseline.first_auc"))
        leads["AUC"].append(auc - auc_before)
    print("\nlead of the second judge over the first, macro, in points:")
    for name, of_files in leads.items():
        mean = np.mean(of_files, axis=0)
        low, high = np.quantile(mean[1:], [0.025, 0.975])
        print(f"  {name} {mean[0] * 100:.1f} [{low * 100:.1f}, {high * 100:.1f}]")


def print_files(found: Validation, rows: Sequence[ValidatedRow]) -> None:
    """Print the table of files and what stands under it."""
    print(
        f"{'file':34s}{'n':>6s}{'0.5':>5s}{'bacc':>7s} {'95 %':12s}{'tpr':>7s}{'tnr':>7s}{'auc':>7s}{'kappa':>7s}{'ece':>7s}"
        f"{'base':>8s}{'auc':>7s}{'ms':>7s}  tnr where coverage > {HIGH}"
    )
    for file in found.files:
        print_line(short_name(file.file), file, file.excluded, overlap_of(file))
    print_line("macro mean", found.macro, sum(file.excluded for file in found.files), "")
    print_pooled(found, rows)
    print_verdicts(rows)
    print_hard_half(found, rows)
    for file in found.files:
        if short_name(file.file) == SEARCH_ANSWERS:
            print_search_answers(file, rows)


def main() -> None:
    """Measure each judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = Path(__file__).resolve().parents[2] / "shared" / "data" / "entail" / "dev"
    parser.add_argument("data", type=Path, nargs="?", default=default)
    parser.add_argument("--judge", nargs="+", default=["lexical", "embedded"])
    options = parser.parse_args()
    measured = [measure(spec, options.data) for spec in options.judge]
    if len(measured) == 2 and all(measured):
        print_lead(*measured)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
