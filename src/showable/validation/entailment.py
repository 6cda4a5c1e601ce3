"""`validate entailment`: a judge against people's labels of (claim, passage)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from showable.judges.lexical.judge import read_claim
from showable.judges.lexical.passage import read_passage
from showable.measure.agreement import Array, Flags, Tables
from showable.measure.calibration_error import reliability
from showable.measure.cross_fit import FEWEST_CLUSTERS, cross_fitted
from showable.measure.resampling import number_clusters
from showable.measure.validated import FileFigures, HighCoverage, MostConfident, Selective, ThresholdMode, ValidatedRow
from showable.measure.validation_figures import Baseline, Decided, estimate
from showable.records.evidence import Judge, Label, Pair
from showable.records.signature import Thresholds
from showable.validation.judging import Told, judge_pairs, note_remembered
from showable.validation.measured import Measured
from showable.validation.rows import NEITHER, LabelledPair
from showable.validation.units import NumberedRow, Unit, gather_units, order_by_content


@dataclass(frozen=True, slots=True)
class _Measurable:
    """The units that count, as arrays. `p` is None where one of them has none; `cuts` is where each is decided, on the mean."""

    labels: Flags
    said: Flags
    p: Array | None
    coverage: Array
    certain: Flags
    thresholds: tuple[float, ...]
    cuts: Array
    decided: Decided


async def validate_entailment(
    file: str,
    rows: Sequence[NumberedRow],
    judge: Judge,
    told: Told,
    *,
    mode: ThresholdMode,
    at: float,
    per_kind: Mapping[str, float] | None = None,
    concurrency: int = 1,
) -> Measured:
    """Judge every row of a file and measure the decisions, at `at` or what `per_kind` says of a row's kind."""
    judged = await judge_pairs(judge, [pair_of(row) for _, row in rows], told, at_once=concurrency)
    coverages = [word_coverage(row.claim, row.passage) for _, row in rows]
    units = gather_units(rows, judged.verdicts, coverages, at, per_kind)
    kept = [unit for unit in units if unit.measured]
    places = order_by_content([unit.digest for unit in kept], [unit.cluster for unit in kept])
    cuts = Thresholds(support=at, per_kind=dict(per_kind or {}))
    found = _measurable([kept[i] for i in places], mode, cuts)
    estimates = estimate(found.decided)
    labelled = [unit for unit in units if unit.label != NEITHER]
    figures = FileFigures(
        file=file,
        n=len(kept),
        excluded=len(units) - len(labelled),
        undecided=len(labelled) - len(kept),
        positives=int(found.labels.sum()),
        negatives=int((~found.labels).sum()),
        pairs=len(rows),
        **estimates.figures(),
        ms_per_pair=judged.ms_per_pair,
        selective=_selective(found, len(labelled)),
        baseline=estimates.of_baseline(),
        intervals=estimates.intervals,
        lead=estimates.lead("word coverage"),
        threshold=float(np.mean(found.thresholds or (at,))),
        fold_thresholds=found.thresholds,
        high_coverage=_high_coverage(found),
        most_confident_half=_most_confident(found),
        verdicts=_count_verdicts(labelled),
        reliability=() if found.p is None or not kept else reliability(found.labels, found.p),
        notes=(*_notes(kept, labelled, found, mode), *_doubles(units), *note_remembered(judge, judged.verdicts)),
    )
    decisions = iter(found.said[np.argsort(places)].tolist())  # as the file has them
    decided = [_row(file, unit, decision=next(decisions) if unit.measured else unit.decision) for unit in units]
    return Measured(figures, estimates, decided, judged.cost, judged.by_judge, judged.calls)


def pair_of(row: LabelledPair) -> Pair:
    """Return what a judge is asked about a row."""
    return Pair(row.claim, row.passage, kind=row.kind)


def _measurable(kept: Sequence[Unit], mode: ThresholdMode, at: Thresholds) -> _Measurable:
    labels = np.array([unit.label == 1.0 for unit in kept], dtype=np.bool_)
    said = np.array([unit.decision for unit in kept], dtype=np.bool_)
    coverage = np.array([unit.coverage for unit in kept], dtype=np.float64)
    clusters = number_clusters([unit.cluster for unit in kept])
    given = [unit.p for unit in kept if unit.p is not None]
    p = np.array(given, dtype=np.float64) if len(given) == len(kept) else None
    thresholds: tuple[float, ...] = ()
    if mode == "per-file" and p is not None and len(p):
        said, thresholds = cross_fitted(labels, p, clusters, at.support)
    mean = float(np.mean(thresholds)) if thresholds else None
    cuts = np.array([at.of(unit.kind) if mean is None else mean for unit in kept], dtype=np.float64)
    certain = np.array([unit.verdict != "unknown" for unit in kept], dtype=np.bool_)
    rule = Baseline("coverage", coverage >= AT, coverage)
    decided = Decided(labels, said, clusters, p, rule)
    return _Measurable(labels, said, p, coverage, certain, thresholds, cuts, decided)


def _selective(found: _Measurable, labelled: int) -> Selective:
    """Measure the rows on which the judge committed itself, as a share of all that carry a label."""
    return Selective(
        coverage=float(found.certain.sum()) / labelled if labelled else None,
        balanced_accuracy=_rates(found, found.certain)[2],
    )


def _high_coverage(found: _Measurable) -> HighCoverage:
    inside = found.coverage > HIGH
    tpr, tnr, _ = _rates(found, inside)
    positives = int((found.labels & inside).sum())
    n = int(inside.sum())
    return HighCoverage(above=HIGH, n=n, positives=positives, negatives=n - positives, tpr=tpr, tnr=tnr)


def _most_confident(found: _Measurable) -> MostConfident | None:
    """Measure the half of the rows whose p is the farthest from where it is decided; of equals, the first by content."""
    if found.p is None or not len(found.p):
        return None
    order = np.argsort(-np.abs(found.p - found.cuts), kind="stable")[: (len(found.p) + 1) // 2]
    inside = np.zeros(len(found.p), dtype=np.bool_)
    inside[order] = True
    return MostConfident(n=len(order), balanced_accuracy=_rates(found, inside)[2])


def _rates(found: _Measurable, inside: Flags) -> tuple[float | None, float | None, float | None]:
    """Return TPR, TNR and balanced accuracy of some of the rows, None where not measurable."""
    weights = inside.astype(np.float64)[np.newaxis, :]
    table = Tables.of(found.labels, found.said, weights)
    tpr, tnr, both = (float(value[0]) for value in (table.tpr, table.tnr, table.balanced_accuracy))
    return tuple(None if np.isnan(value) else value for value in (tpr, tnr, both))  # type: ignore[return-value]


def _count_verdicts(units: Sequence[Unit]) -> dict[str, int]:
    counts = Counter(unit.verdict for unit in units)
    return {label: counts[label] for label in get_args(Label)}


def _notes(kept: Sequence[Unit], labelled: Sequence[Unit], found: _Measurable, mode: ThresholdMode) -> list[str]:
    """Return what is missing from the figures, and why."""
    notes = []
    undecided = [unit for unit in labelled if unit.decision is None]
    if undecided:
        notes.append(f"{len(undecided)} undecided, the first: {undecided[0].reason or 'the judge gave no reason'}")
    bare = sum(unit.p is None for unit in kept)
    if bare:
        by = "those are decided by their label"
        notes.append(f"AUC and ECE need a probability, and {bare} of {len(kept)} verdicts have none; {by}")
    if kept and (found.labels.all() or not found.labels.any()):
        only = "1" if found.labels.all() else "0"
        notes.append(f"every row that counts is labelled {only}: balanced accuracy and AUC need both labels")
    if mode == "per-file" and kept and not found.thresholds:
        why = "not every verdict has a probability" if found.p is None else f"below {FEWEST_CLUSTERS} independent rows"
        notes.append(f"no threshold of its own was fitted: {why}")
    if mixed := sum(unit.mixed for unit in labelled):
        notes.append(f"{mixed} groups hold unlike labels and count with the highest of them")
    return notes


def _doubles(units: Sequence[Unit]) -> list[str]:
    """Return how many share their id with another, and how many are another's doubles: those go together, and all count."""
    ids, doubles = _shared([unit.id for unit in units]), _shared([(unit.key, unit.cluster) for unit in units])
    notes = []
    if ids:
        notes.append(
            f"{ids} rows share their id with another; all count, and --rows tells them apart by their order alone"
        )
    if doubles:
        notes.append(
            f"{doubles} rows have claim, passage and kind as another has them; all count, and are resampled together"
        )
    return notes


def _shared(values: Sequence[Hashable]) -> int:
    return sum(n for n in Counter(values).values() if n > 1)


def _row(file: str, unit: Unit, *, decision: bool | None) -> ValidatedRow:
    return ValidatedRow(
        id=unit.id,
        file=file,
        label=unit.label,
        p=unit.p,
        verdict=unit.verdict,
        coverage=unit.coverage,
        decision=decision,
        reason=unit.reason,
    )


# The baseline that any judge of entailment has to beat: how many of the claim's words stand in the passage.


AT = 0.5
"""The share at which the baseline says supported, for every file."""
HIGH = 0.85
"""Above this share words alone cannot tell a supported claim from one that is not."""


def word_coverage(claim: str, passage: str) -> float:
    """Return the share (0-1) of the claim's distinct words that the passage has; 0 for a claim without words."""
    words = set(read_claim(claim)[1].terms)
    return len(words & read_passage(passage).places.keys()) / len(words) if words else 0.0
