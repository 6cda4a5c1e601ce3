"""One outcome a rubric for one answer: structural, resolvability, semantic. Never put together into one.

They are made of what a scorecard holds, so that they agree with a run's measures: `semantic` is the axis that
`citation_supports` counts, `resolvability` the worst of the citations that `citation_resolves` counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from showable.records.findings import Outcome
from showable.records.scorecard import Scorecard

ONLY_WARNINGS = frozenset(
    {
        "structural.uncited_claim",
        "structural.malformed_marker",
        "structural.duplicate_citation",
        "structural.duplicate_source",
        "structural.passage_injection",
        "structural.format",
    }
)
"""Structural findings that do not fail an answer: one uncited claim beside cited ones is counted by itself."""
_WORST_FIRST = (Outcome.FAIL, Outcome.UNKNOWN, Outcome.PASS)


class RubricOutcomes(NamedTuple):
    """The three outcomes."""

    structural: Outcome
    resolvability: Outcome
    semantic: Outcome


def rubric_outcomes(card: Scorecard) -> RubricOutcomes:
    """Read the outcome of each rubric from a scorecard."""
    return RubricOutcomes(structural_outcome(card), resolvability_outcome(card), card.citation_supports)


def structural_outcome(card: Scorecard) -> Outcome:
    """Return whether the answer cites in the schema.

    It fails where it cannot be read, where it asserts and cites nothing at all, or where a check of form or of the words
    failed that is an error. It is unknown where that hangs on whether a claim has a citation, and where scoring itself failed. An answer that declines and asserts nothing has nothing to cite: not applicable.
    """
    if "scoring.failed" in card.checks:
        return Outcome.UNKNOWN
    wrong = any(
        finding.outcome is Outcome.FAIL and finding.rubric == "structural" and finding.code not in ONLY_WARNINGS
        for finding in card.findings
    )
    if wrong:
        return Outcome.FAIL
    if card.loose or any(claim.citations for claim in card.claims):
        return Outcome.PASS
    if card.refusal == "full" or not card.claims:
        return Outcome.NOT_APPLICABLE
    uncited = card.checks.get("structural.uncited_claim")
    return Outcome.UNKNOWN if uncited is not None and uncited.unknown else Outcome.FAIL


def resolvability_outcome(card: Scorecard) -> Outcome:
    """Return whether every citation leads to a real source: the worst of them counts.

    Not applicable where nothing is cited, unknown where the answer could not be read. An empty retrieval fails no
    answer by itself: one that declines then does what it should, one that cites has invented its source.
    """
    given = [c.resolves for claim in card.claims for c in claim.citations] + [c.resolves for c in card.loose]
    if not given and card.citation_exists is Outcome.UNKNOWN:
        return Outcome.UNKNOWN
    return _worst([*given, card.citation_exists])


def _worst(outcomes: Iterable[Outcome]) -> Outcome:
    seen = set(outcomes)
    return next((outcome for outcome in _WORST_FIRST if outcome in seen), Outcome.NOT_APPLICABLE)
