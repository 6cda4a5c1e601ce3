"""Rates of a run with the errors of what measured them taken out."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from showable.measure.bucket_agreement import ACCEPTABLE
from showable.measure.calibration_report import Agreement, CorrectedRate
from showable.measure.corrected_rate import corrected_rate, design_effect
from showable.measure.judge_agreement import YES

Seen = Iterable[tuple[bool | None, Hashable]]
"""What was decided of each thing of a run, None where it was left open, and the question that it belongs to."""
Labelled = Iterable[tuple[bool | None, bool, Hashable]]
"""The same of the labelled ones: what was decided, what people say, the question."""


def corrected(agreement: Agreement, seen: Seen, labelled: Labelled) -> CorrectedRate | None:
    """Correct the share of yes over a run by the errors on its labelled part; None where the run has nothing decided.

    Things of one question go together, in what is seen as in the errors: every n is divided by the larger of both effects.
    """
    decided = [(said, question) for said, question in seen if said is not None]
    if not decided:
        return None
    right = [(said == label, question) for said, label, question in labelled if said is not None]
    effect = max(_effect(decided), _effect(right))
    yes = sum(said for said, _ in decided)
    tp, fn, fp, tn = cells(agreement)
    return corrected_rate(yes, len(decided), tp, fn, fp, tn, design_effect=effect)


def _effect(rows: list[tuple[bool, Hashable]]) -> float:
    return design_effect([flag for flag, _ in rows], [question for _, question in rows])


def cells(agreement: Agreement) -> tuple[int, int, int, int]:
    """Return the two-by-two table of an agreement: both yes, missed, wrongly yes, both no. Buckets count as acceptable or not."""
    acceptable = {*ACCEPTABLE, YES}
    table = {(mine, theirs): 0 for mine in (True, False) for theirs in (True, False)}
    for label, counts in agreement.confusion.items():
        for said, n in counts.items():
            if said in agreement.confusion:  # the rest is undecided
                table[label in acceptable, said in acceptable] += n
    return table[True, True], table[True, False], table[False, True], table[False, False]
