"""What a judge leaves undecided: labels that are there, and still nothing can be fitted on."""

from __future__ import annotations

from collections.abc import Iterable

from showable.errors import ShowableError
from showable.measure.calibration_report import ALL_KINDS, Missing, Refused
from showable.measure.least_n import CLASSES, LEAST_PER_CLASS, missing_labels
from showable.records.evidence import Verdict

Classes = tuple[int, int]
"""How many labels say yes, and how many no."""


class UndecidedError(ShowableError):
    """A judge decided too little to go on with. `refused` says so, with what it said first of why."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.reason)
        self.refused = refused


def is_undecided(verdict: Verdict) -> bool:
    """Check whether there is nothing to decide by: `unknown`, and no probability either."""
    return verdict.label == "unknown" and verdict.p is None and verdict.raw_p is None


def first_reason(reasons: Iterable[str | None]) -> str:
    """Return what was said first of why something is undecided."""
    return next((reason for reason in reasons if reason), "no reason given")


def missing_decided(have: Classes, given: Classes, least: int = LEAST_PER_CLASS) -> tuple[Missing, ...]:
    """Say of which class of support there is too little to fit on; where more labels were given than that, how many.

    `have` counts labels that can be fitted on, `given` all that people gave. Empty where there is enough.
    """
    of_class = dict(zip(CLASSES["support"], given, strict=True))
    return tuple(
        one.model_copy(update={"given": of_class[one.label]}) if of_class[one.label] > one.have else one
        for one in missing_labels("support", ALL_KINDS, *have, least)
    )


def missing_decided_said(missing: Iterable[Missing]) -> str:
    """Say it in words: ``0 of 30 labels "supported" (60 given)``."""
    said = []
    for one in missing:
        given = "" if one.given is None else f" ({one.given} given)"
        said.append(f'{one.have} of {one.need} labels "{one.label}"{given}')
    return ", ".join(said)
