"""Support as people and a judge see it: one row a labelled claim and passage, of a run or of a labelled file."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from showable.calibrating.said_by_run import decided
from showable.measure.agreement import Array, Flags
from showable.measure.calibration_report import ALL_KINDS, Agreement
from showable.measure.judge_agreement import agreement
from showable.measure.resampling import number_clusters
from showable.records.calibration import IsotonicMap
from showable.records.evidence import Verdict
from showable.records.recalibrated import recalibrated
from showable.records.signature import Thresholds

CONTRADICTED, UNKNOWN = "contradicted", "unknown"
NOBODY = "none"
"""The judge of a row that no judge was asked about."""


@dataclass(frozen=True, slots=True)
class SupportRow:
    """People's yes or no, and what the judge said.

    `p` is the judge's own (None where it has none), `verdict` its label, `said` what scoring makes of both (None: left
    open), `weight` that of the source's tier. Rows of one `cluster` are not independent of one another. `reason` is the
    judge's own, where it left the row undecided.
    """

    label: bool
    said: bool | None
    p: float | None
    verdict: str
    judge: str
    kind: str | None
    cluster: Hashable
    weight: float = 1.0
    reason: str | None = None

    @property
    def undecided(self) -> bool:
        """Check whether there is nothing to decide by, not even a p."""
        return self.verdict == UNKNOWN and self.p is None

    @property
    def cut(self) -> float | None:
        """The p that a threshold decides by; None where none does.

        What the judge leaves open stays open whatever its p, what it calls contradicted is no support at any threshold, and
        a source of a weaker tier has a threshold above the one that is fitted.
        """
        if self.p is None or self.verdict == UNKNOWN or self.weight != 1.0:
            return None
        return 0.0 if self.verdict == CONTRADICTED else self.p

    def under(self, thresholds: Thresholds, mapping: IsotonicMap | None) -> bool | None:
        """Decide as scoring would under a calibration."""
        return decided(self._mapped(mapping), thresholds.of(self.kind), self.weight)

    def p_under(self, mapping: IsotonicMap | None) -> float | None:
        """Return p as a calibration has it."""
        return self._mapped(mapping).p

    def _mapped(self, mapping: IsotonicMap | None) -> Verdict:
        verdict = Verdict.model_construct(label=self.verdict, judge=self.judge, p=self.p, raw_p=None)  # type: ignore[arg-type]
        return recalibrated(verdict, mapping)


def agreement_on(
    rows: Sequence[SupportRow], kind: str = ALL_KINDS, *, unsettled: int = 0, cannot_tell: int = 0, seed: int = 0
) -> Agreement:
    """Measure what scoring made of the rows against people, of one kind or of all."""
    kept = rows if kind == ALL_KINDS else [row for row in rows if row.kind == kind]
    return agreement(
        "support",
        kind,
        [row.label for row in kept],
        [row.said for row in kept],
        p=[row.p for row in kept],
        clusters=[row.cluster for row in kept],
        unsettled=unsettled,
        cannot_tell=cannot_tell,
        seed=seed,
    )


@dataclass(frozen=True, slots=True)
class Columns:
    """Rows as arrays of n entries, for those of them that have the p in question."""

    labels: Flags
    p: Array
    kinds: list[str | None]
    clusters: np.ndarray[tuple[int], np.dtype[np.int64]]


def columns(rows: Sequence[SupportRow], p: Sequence[float]) -> Columns:
    """Lay rows out beside the p of each."""
    return Columns(
        np.array([row.label for row in rows], dtype=np.bool_),
        np.array(p, dtype=np.float64),
        [row.kind for row in rows],
        number_clusters([row.cluster for row in rows]),
    )
