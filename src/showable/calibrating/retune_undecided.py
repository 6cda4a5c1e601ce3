"""Whether a judge decides enough of the labels of either part of a retune for a fit and a test to mean anything."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from showable.calibrating.candidates import Rows
from showable.calibrating.retune_rows import LabelledClaim
from showable.calibrating.retune_split import Split, flags
from showable.calibrating.undecided import (
    Classes,
    UndecidedError,
    first_reason,
    is_undecided,
    missing_decided,
    missing_decided_said,
)
from showable.measure.calibration_report import Missing, Refused
from showable.records.evidence import Verdict


def need_decided(
    name: str, rows: Sequence[LabelledClaim], verdicts: Sequence[Verdict], chosen: Rows, split: Split
) -> None:
    """Raise UndecidedError where either part has too few decided labels of a class. `chosen` has a row for each label."""
    missing: list[Missing] = []
    said = []
    for part, inside in (("fitting", split.fitting), ("unseen", split.unseen)):
        places = np.intersect1d(chosen, inside).tolist()
        decided = [i for i in places if not is_undecided(verdicts[i])]
        lacking = missing_decided(_classes(rows, decided), _classes(rows, places))
        if lacking:
            missing += lacking
            said.append(f"of the {part} part {missing_decided_said(lacking)}")
    if not missing:
        return
    why = _why(verdicts)
    if all(is_undecided(verdict) for verdict in verdicts):
        reason = f"{name} decided none of {len(verdicts)} rows: {why}"
    else:
        reason = f"{name} decides too few labels: {'; '.join(said)}; the first that it left undecided: {why}"
    raise UndecidedError(Refused(reason=reason, missing=tuple(missing)))


def note_undecided(name: str, verdicts: Sequence[Verdict]) -> list[str]:
    """Return how many pairs a judge left undecided, where it did, and why the first."""
    n = sum(is_undecided(verdict) for verdict in verdicts)
    return [f"{name} left {n} of {len(verdicts)} pairs undecided, the first of them: {_why(verdicts)}"] if n else []


def _classes(rows: Sequence[LabelledClaim], places: Sequence[int]) -> Classes:
    labels = flags([rows[i] for i in places])
    return int(labels.sum()), int((~labels).sum())


def _why(verdicts: Sequence[Verdict]) -> str:
    return first_reason(verdict.reason for verdict in verdicts if is_undecided(verdict))
