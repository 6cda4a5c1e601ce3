"""The rules of the ship gate: what is counted or graded on each side, and which way is better."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from math import fsum

from showable.measure.repeats import GateRow


@dataclass(frozen=True, slots=True)
class CountRule:
    """A count that may not get worse. `left_out` says what the name alone would not.

    `exchange`: it may get worse by a stated number for each wrong or unsupported answer that went away.
    `strict_only`: it decides under `strict` alone, and informs otherwise.
    """

    name: str
    holds: Callable[[GateRow], bool]
    higher_is_better: bool = False
    exchange: bool = False
    strict_only: bool = False
    left_out: str = ""


RULES = (
    CountRule("wrong", lambda row: row.bucket == "wrong"),
    CountRule("unsupported", lambda row: row.bucket == "unsupported"),
    CountRule("acceptable", lambda row: row.acceptable, higher_is_better=True),
    CountRule("correct_on_answerable", lambda row: row.answered, higher_is_better=True, exchange=True),
    CountRule(
        "refused_on_answerable",
        lambda row: row.refused_undue,
        strict_only=True,
        left_out="warranted refusals are left out",
    ),
    CountRule("unknown", lambda row: row.bucket == "unknown"),
)


@dataclass(frozen=True, slots=True)
class GradeRule:
    """A grade whose mean or sum may not get worse."""

    name: str
    grade: Callable[[GateRow], float | None]
    total: Callable[[Collection[float]], float]
    said: str
    unit: str
    higher_is_better: bool = False


def mean_of(grades: Collection[float]) -> float:
    """Return the mean."""
    return fsum(grades) / len(grades)


REFUSAL_QUALITY = GradeRule(
    "refusal_quality",
    lambda row: row.refusal_quality if row.bucket == "refused" else None,
    total=mean_of,
    said="mean",
    unit="graded refusals",
    higher_is_better=True,
)
EXTRA_CLAIMS = GradeRule(
    "extra_claim_count",
    lambda row: row.extra_claim_count,
    total=sum,
    said="claims without a citation",
    unit="answers",
)
LEAST_NEW_QUALITY = 2
"""What a new refusal must reach: it says why, and points to the closest evidence or to a next step."""
