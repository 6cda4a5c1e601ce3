"""`validate refusal`: this tool's reading of refusals against people's labels of (question, response). No judge takes part."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Sequence

import numpy as np

from showable.measure.resampling import number_clusters
from showable.measure.validated import FileFigures, Selective, ValidatedRow
from showable.measure.validation_figures import Baseline, Decided, estimate
from showable.read.answer import read_answer
from showable.records.evidence import Cost
from showable.records.record import Record
from showable.validation.judging import BATCH, Told
from showable.validation.measured import Measured
from showable.validation.rows import NEITHER, LabelledResponse
from showable.validation.units import digest_of, order_by_content

DECLINES = frozenset({"full", "refused_then_answered"})
"""Readings that count as a refusal: also of a response that declines and then goes on all the same."""
USUAL_WORDS = re.compile(
    r"\b(?:cannot|can['’]t|unable|not (?:provided|available|enough|mention\w*)|no information|sorry)\b", re.IGNORECASE
)
"""The baseline: one of the usual words, anywhere."""

NumberedResponse = tuple[int, LabelledResponse]


def validate_refusal(file: str, rows: Sequence[NumberedResponse], told: Told) -> Measured:
    """Read every response of a file and measure whether it was taken for a refusal where people say it is one."""
    began = time.perf_counter()
    readings = []
    for number, row in rows:
        readings.append(read_as(number, row))
        if len(readings) % BATCH == 0:
            told(BATCH)
    ms = (time.perf_counter() - began) * 1e3
    labelled = [i for i, (_, row) in enumerate(rows) if row.refusal != NEITHER]
    kept = _in_order_of_content([i for i in labelled if readings[i] is not None], rows)
    labels = np.array([rows[i][1].refusal == 1.0 for i in kept], dtype=np.bool_)
    said = np.array([readings[i] in DECLINES for i in kept], dtype=np.bool_)
    usual = np.array([bool(USUAL_WORDS.search(rows[i][1].response or "")) for i in kept], dtype=np.bool_)
    clusters = number_clusters([_cluster(i, rows) for i in kept])
    estimates = estimate(Decided(labels, said, clusters, None, Baseline("usual_words", usual)))
    figures = FileFigures(
        file=file,
        n=len(kept),
        excluded=len(rows) - len(labelled),
        undecided=len(labelled) - len(kept),
        positives=int(labels.sum()),
        negatives=int((~labels).sum()),
        pairs=len(rows),
        **estimates.figures(),
        ms_per_pair=ms / len(rows),
        selective=Selective(
            coverage=len(kept) / len(labelled) if labelled else None,
            balanced_accuracy=estimates.values.get("balanced_accuracy"),
        ),
        baseline=estimates.of_baseline(),
        intervals=estimates.intervals,
        lead=estimates.lead("the usual words of refusals"),
        verdicts=dict(Counter(readings[i] or "unknown" for i in labelled).most_common()),
        notes=tuple(_notes(len(labelled) - len(kept), labels)),
    )
    decided = [_row(file, row, reading) for row, reading in zip(rows, readings, strict=True)]
    return Measured(figures, estimates, decided, Cost())


def read_as(number: int, row: LabelledResponse) -> str | None:
    """Read how far a response declines; None where it cannot be read (empty, cut off)."""
    record = Record(id=row.id or f"line {number}", question=row.question, answer=row.response)
    reading = read_answer(record)
    return None if reading.answer is None else reading.refusal.extent


def _in_order_of_content(places: Sequence[int], rows: Sequence[NumberedResponse]) -> list[int]:
    digests = [digest_of([rows[i][1].model_dump_json()]) for i in places]
    return [places[at] for at in order_by_content(digests, [_cluster(i, rows) for i in places])]


def _cluster(place: int, rows: Sequence[NumberedResponse]) -> str | int:
    """Return what the row shares with others that are not independent of it: its question, or nothing but its place."""
    return rows[place][1].question or place


def _notes(undecided: int, labels: np.ndarray) -> list[str]:
    notes = [f"{undecided} undecided: the response is empty or cannot be read"] if undecided else []
    if len(labels) and (labels.all() or not labels.any()):
        only = "a refusal" if labels.all() else "no refusal"
        notes.append(f"every row that counts is labelled {only}: balanced accuracy needs both labels")
    return notes


def _row(file: str, row: NumberedResponse, reading: str | None) -> ValidatedRow:
    number, response = row
    return ValidatedRow(
        id=response.id or f"line {number}",
        file=file,
        label=response.refusal,
        p=None,
        verdict=reading or "unknown",
        decision=None if reading is None else reading in DECLINES,
        reason=None if reading else "the response is empty or cannot be read",
    )
