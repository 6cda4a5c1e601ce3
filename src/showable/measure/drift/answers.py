"""What of a scored answer is watched over time: yes-or-no outcomes by name, and the lowest p of its claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import ConfigDict, Field

from showable.records.findings import OutcomeCounts
from showable.records.scorecard import Bucket, Cause
from showable.records.wire import Many, Wire

RUBRICS = ("structural", "resolvability", "semantic")
WATCHED = (
    "refusal_rate",
    *(f"{rubric}_failed" for rubric in RUBRICS),
    "unsupported",
    "wrong",
    "unknown",
)
"""The rates that are watched, in the order in which they are shown; each is a share of answers."""
_UNREAD = frozenset({"empty_answer", "unparsed"})


class ClaimP(Wire):
    """Of a claim: the judge's p."""

    model_config = ConfigDict(extra="ignore")

    p: float | None = None


class CardInBrief(Wire):
    """The fields of a Scorecard that are watched, named as they are there. What else the line holds is passed over.

    `profile` and `at` are no fields of a scorecard: a program that appends scorecards to a file may add them.
    """

    model_config = ConfigDict(extra="ignore")

    id: str
    bucket: Bucket
    cause: Cause | None = None
    refusal: str = "none"
    claims: Many[ClaimP] = ()
    checks: dict[str, OutcomeCounts] = Field(default_factory=dict)
    profile: str | None = None
    at: str | None = None


@dataclass(frozen=True, slots=True)
class ScoredAnswer:
    """One answer of a stream: where it stands, and what is watched of it.

    An outcome is None where it does not apply, or could not be checked. `p` is the lowest p of its claims.
    """

    id: str
    source: str
    at: str | None
    profile: str
    outcomes: Mapping[str, bool | None]
    p: float | None

    @classmethod
    def of(cls, card: CardInBrief, source: str, profile: str, at: str | None) -> ScoredAnswer:
        """Take from a scorecard what is watched."""
        known = [claim.p for claim in card.claims if claim.p is not None]
        return cls(card.id, source, card.at or at, profile, outcomes_of(card), min(known, default=None))


def outcomes_of(card: CardInBrief) -> dict[str, bool | None]:
    """Say of each thing watched whether it happened.

    An answer is refused where it declines in full, whatever bucket its asides put it in; it fails a rubric where any check of
    it does, and leaves it open where none failed and one could not be made. The bucket `unknown` counts against neither of the two others.
    """
    unread = card.cause in _UNREAD
    known = card.bucket != "unknown"
    return {
        "refusal_rate": None if unread else card.bucket == "refused" or card.refusal == "full",
        **{f"{rubric}_failed": _failed(card.checks, rubric) for rubric in RUBRICS},
        "unsupported": card.bucket == "unsupported" if known else None,
        "wrong": card.bucket == "wrong" if known else None,
        "unknown": not known,
    }


def _failed(checks: Mapping[str, OutcomeCounts], rubric: str) -> bool | None:
    mine = [counts for code, counts in checks.items() if code.partition(".")[0] == rubric]
    if any(counts.failed for counts in mine):
        return True
    if any(counts.unknown for counts in mine) or not any(counts.passed for counts in mine):
        return None
    return False
