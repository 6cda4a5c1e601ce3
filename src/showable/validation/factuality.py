"""`validate factuality`: whole answers, scored into buckets, against a person's bucket of the same answer."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from showable.evaluation import Graded, evaluate_stream
from showable.measure.bucket_agreement import ACCEPTABLE, UNKNOWN, bucket_accuracies, bucket_kappas, confusion, recall
from showable.measure.resampling import FEWEST, number_clusters, percentile_interval, rate_interval, resampled_weights
from showable.measure.validated import FileFigures, Selective, ValidatedRow
from showable.measure.validation_figures import Decided, Estimates, estimate
from showable.records.evidence import Cost, Judge
from showable.records.profile import GENERAL
from showable.records.record import Record
from showable.records.record_file import check_record_file, read_record_lines
from showable.records.signature import Thresholds
from showable.validation.judging import Told, note_remembered
from showable.validation.measured import Measured
from showable.validation.rows import unpacked
from showable.validation.units import digest_of, order_by_content

NOBODY = "none"
"""Who speaks where there was no text to judge."""


def read_labelled_records(path: Path, name: str) -> list[Record]:
    """Read records, labelled or not. Raises InputError at the first line that is none."""
    with unpacked(path, name) as plain:
        check = check_record_file(plain, name)
        if check.problems:
            raise check.problems[0]
        return [line.value for line in read_record_lines(plain) if line.value is not None]


def label_of(record: Record) -> str | None:
    """Return a person's bucket of this very answer, or None."""
    return None if record.gold is None else record.gold.bucket


async def validate_factuality(
    file: str, records: Sequence[Record], judge: Judge, told: Told, *, thresholds: Thresholds, concurrency: int
) -> Measured:
    """Score every labelled record of a file with the judge and measure the buckets."""
    labelled = [record for record in records if label_of(record) is not None]
    began = time.perf_counter()
    by_id: dict[str, Graded] = {}
    async for graded in evaluate_stream(labelled, judge, GENERAL.at(thresholds), concurrency=concurrency):
        by_id[graded.record.id] = graded
        told(1)
    ms = (time.perf_counter() - began) * 1e3
    scored = [by_id[record.id] for record in labelled]
    verdicts = [pair.verdict for one in scored for pair in one.evidence.pairs if pair.verdict.judge != NOBODY]
    pairs = sum(len(one.evidence.pairs) for one in scored)
    cost = sum((one.evidence.cost for one in scored), Cost())
    kept = [one for one in scored if one.scorecard.bucket != UNKNOWN]
    estimates = _estimates(_in_order_of_content(kept))
    labels = [str(label_of(one.record)) for one in scored]
    buckets = [str(one.scorecard.bucket) for one in scored]
    figures = FileFigures(
        file=file,
        n=len(kept),
        excluded=len(records) - len(labelled),
        undecided=len(scored) - len(kept),
        positives=sum(label_of(one.record) in ACCEPTABLE for one in kept),
        negatives=sum(label_of(one.record) not in ACCEPTABLE for one in kept),
        pairs=pairs,
        **estimates.figures(),
        ms_per_pair=ms / pairs if pairs else None,
        selective=Selective(
            coverage=len(kept) / len(scored) if scored else None,
            balanced_accuracy=estimates.values.get("balanced_accuracy"),
        ),
        baseline=estimates.of_baseline(),
        intervals=estimates.intervals,
        threshold=thresholds.support,
        confusion=confusion(labels, buckets),
        recall=recall(labels, buckets),
        verdicts=dict(Counter(buckets).most_common()),
        notes=(*_notes(scored, kept, len(records) - len(labelled)), *note_remembered(judge, verdicts)),
    )
    rows = [_row(file, one) for one in scored]
    calls = [one.scorecard.calls for one in scored]
    return Measured(figures, estimates, rows, cost, dict(Counter(verdict.judge for verdict in verdicts)), calls)


def _in_order_of_content(kept: Sequence[Graded]) -> list[Graded]:
    digests = [digest_of([one.record.model_dump_json()]) for one in kept]
    return [kept[at] for at in order_by_content(digests, [one.record.question for one in kept])]


def _estimates(kept: Sequence[Graded]) -> Estimates:
    """Measure acceptable against not, and kappa over all four buckets."""
    if not kept:
        return Estimates()
    labels = [str(label_of(one.record)) for one in kept]
    buckets = [str(one.scorecard.bucket) for one in kept]
    clusters = number_clusters([one.record.question for one in kept])
    found = estimate(
        Decided(
            np.array([label in ACCEPTABLE for label in labels], dtype=np.bool_),
            np.array([bucket in ACCEPTABLE for bucket in buckets], dtype=np.bool_),
            clusters,
        )
    )
    values, intervals, drawn = dict(found.values), dict(found.intervals), dict(found.draws)
    values.pop("kappa", None)
    count = int(clusters.max()) + 1
    for name, statistic in (("kappa", bucket_kappas), ("bucket_accuracy", bucket_accuracies)):
        value = float(statistic(labels, buckets, np.ones((1, len(kept))))[0])
        if np.isfinite(value):
            draws = [statistic(labels, buckets, weights) for weights in resampled_weights(clusters)]
            values[name], drawn[name] = value, np.concatenate(draws)
    intervals["kappa"] = percentile_interval(drawn["kappa"]) if "kappa" in values and count >= FEWEST else None
    intervals["bucket_accuracy"] = rate_interval(values["bucket_accuracy"], drawn["bucket_accuracy"], count)
    values["baseline.majority_bucket_accuracy"] = Counter(labels).most_common(1)[0][1] / len(labels)
    return replace(found, values=values, intervals=intervals, draws=drawn)


def _notes(scored: Sequence[Graded], kept: Sequence[Graded], unlabelled: int) -> list[str]:
    notes = []
    if unlabelled:
        notes.append(f"records without gold.bucket, not scored: {unlabelled}")
    if undecided := [one for one in scored if one.scorecard.bucket == UNKNOWN]:
        notes.append(f"{len(undecided)} scored unknown, the first: {undecided[0].scorecard.why}")
    if kept and len({label_of(one.record) in ACCEPTABLE for one in kept}) == 1:
        notes.append("every answer that counts is labelled alike: balanced accuracy needs both labels")
    return notes


def _row(file: str, graded: Graded) -> ValidatedRow:
    bucket = graded.scorecard.bucket
    return ValidatedRow(
        id=graded.record.id,
        file=file,
        label=label_of(graded.record),
        p=None,
        verdict=bucket,
        decision=None if bucket == UNKNOWN else bucket in ACCEPTABLE,
        reason=graded.scorecard.why or None,
    )
