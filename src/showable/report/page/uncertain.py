"""Where the judge was not sure: near the threshold, or without a verdict."""

from __future__ import annotations

from showable.records.findings import Outcome
from showable.records.scorecard import ClaimScore, Scorecard
from showable.records.signature import Thresholds

NEAR = 0.15
"""How close to the threshold of its kind a claim's p counts as unsure, either side."""


def near_threshold(claim: ClaimScore, thresholds: Thresholds) -> bool:
    """Check whether the probability of a claim lies within `NEAR` of the threshold of its kind."""
    return claim.p is not None and round(abs(claim.p - thresholds.of(claim.kind)), 9) <= NEAR


def is_uncertain(card: Scorecard, thresholds: Thresholds) -> bool:
    """Check whether some claim is near its threshold, or the support of some claim or citation is unknown."""
    return any(near_threshold(claim, thresholds) or _unjudged(claim) for claim in card.claims)


def _unjudged(claim: ClaimScore) -> bool:
    return claim.support == "unknown" or any(citation.supports is Outcome.UNKNOWN for citation in claim.citations)
