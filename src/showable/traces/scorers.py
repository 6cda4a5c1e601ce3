"""Scorers: small objects that score a Record. The same object is named by a rule of `showable serve` and used in a test.

Any object with a `name`, an `asks_judge` and a method `score` will do. Those here run the project's own rubrics.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from showable.evaluation import evaluate_safely, regrade_one
from showable.measure.rubric_outcomes import RubricOutcomes, rubric_outcomes
from showable.records.evidence import Evidence, Judge
from showable.records.findings import Finding, Outcome
from showable.records.profile import GENERAL, Profile
from showable.records.record import Record
from showable.records.scorecard import Scorecard
from showable.report.untrusted import printable

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Scored:
    """What a scorer says of a record: an outcome, and what it was made of."""

    outcome: Outcome
    findings: Sequence[Finding] = ()

    @property
    def why(self) -> str:
        """The first findings that speak against a pass, a line each."""
        against = [f for f in self.findings if f.outcome in {Outcome.FAIL, Outcome.UNKNOWN}]
        return "\n".join(printable(f"{f.code} ({f.subject}): {f.reason}") for f in against[:_SHOWN])


@runtime_checkable
class Scorer(Protocol):
    """Scores one record. `asks_judge` says that it takes time or money, and is run on chosen answers alone."""

    name: str
    asks_judge: bool

    def score(self, record: Record) -> Scored:
        """Score it. May raise: of a live answer that is an unknown, with the reason."""
        ...


@dataclass(frozen=True, slots=True)
class RubricScorer:
    """One of the three rubrics, or all of them, as a scorer.

    Structural and resolvability need no judge. The outcome of several is the worst: a failure, else an unknown, else a pass; it is
    not applicable where it is so for all.
    """

    name: str
    rubrics: Sequence[str]
    judge: Judge | None = None
    profile: Profile = GENERAL

    @property
    def asks_judge(self) -> bool:
        """Whether a judge is asked."""
        return self.judge is not None

    def score(self, record: Record) -> Scored:
        """Score a record. Not to be called where an event loop is running and a judge is asked."""
        if self.judge is None:
            return self.of_card(grade_unjudged(record, self.profile))
        return self.of_card(asyncio.run(evaluate_safely(record, self.judge, self.profile)).scorecard)

    def of_card(self, card: Scorecard) -> Scored:
        """Read the outcome off a scorecard that is there already."""
        outcomes = rubric_outcomes(card)
        seen = {outcomes[RubricOutcomes._fields.index(rubric)] for rubric in self.rubrics}
        order = (Outcome.FAIL, Outcome.UNKNOWN, Outcome.PASS)
        worst = next((outcome for outcome in order if outcome in seen), Outcome.NOT_APPLICABLE)
        return Scored(worst, tuple(f for f in card.findings if f.rubric in self.rubrics))


structural = RubricScorer("structural", ("structural",))
"""Does the answer cite, in the schema?"""
resolvability = RubricScorer("resolvability", ("resolvability",))
"""Does every citation lead to a source that was retrieved?"""


def semantic(judge: Judge, profile: Profile = GENERAL) -> RubricScorer:
    """Make a scorer that asks a judge whether each cited source, read alone, contains its claim."""
    return RubricScorer("semantic", ("semantic",), judge, profile)


def rubrics(*names: str, judge: Judge | None = None, profile: Profile = GENERAL) -> RubricScorer:
    """Make a scorer of several rubrics. Raises ValueError for a name that is none, and for semantic without a judge."""
    chosen = names or (RubricOutcomes._fields if judge else RubricOutcomes._fields[:2])
    if unknown := [name for name in chosen if name not in RubricOutcomes._fields]:
        raise ValueError(f"{unknown[0]!r} is none of {', '.join(RubricOutcomes._fields)}")
    if "semantic" in chosen and judge is None:
        raise ValueError("the semantic rubric needs a judge")
    return RubricScorer("+".join(chosen), tuple(chosen), judge, profile)


def grade_unjudged(record: Record, profile: Profile = GENERAL) -> Scorecard:
    """Grade a record on what needs no judge; what only a judge could say comes out unknown."""
    return regrade_one(record, Evidence(id=record.id, judge="-"), profile)


class NotPassedError(AssertionError):
    """A record did not pass a scorer."""


def assert_passes(scorer: Scorer, record: Record) -> Scored:
    """Fail a test unless a record passes, or has nothing for the scorer to look at. Unknown is no pass."""
    scored = scorer.score(record)
    if scored.outcome in {Outcome.FAIL, Outcome.UNKNOWN}:
        said = f"{printable(record.id, limit=80)}: {scorer.name} is {scored.outcome}"
        raise NotPassedError("\n".join(part for part in (said, scored.why) if part))
    return scored
