"""What measuring one file of labelled rows gives, whatever the task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from showable.measure.validated import FileFigures, ValidatedRow
from showable.measure.validation_figures import Estimates
from showable.records.calls import CallCounts
from showable.records.evidence import Cost


@dataclass(frozen=True, slots=True)
class Measured:
    """The figures of a file, the resampled values behind them, every row as it was decided, and what judging cost.

    `by_judge` counts the judged pairs by the judge whose verdict stands; `calls` has an entry a row or answer.
    """

    figures: FileFigures
    estimates: Estimates
    rows: list[ValidatedRow]
    cost: Cost
    by_judge: dict[str, int] = field(default_factory=dict)
    calls: Sequence[CallCounts] = ()
