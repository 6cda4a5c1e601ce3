"""What the comparison with a gold answer came to."""

from __future__ import annotations

from dataclasses import dataclass

from showable.records.scorecard import GoldAgreement


@dataclass(frozen=True, slots=True)
class GoldReading:
    """Agreement with gold, of the answer and of each claim.

    `how` names the comparison that decided (exact, number, provision, frequency, polarity, none, choice, text, judge).
    `incomplete`: gold has parts that the answer leaves out. `undecided`: words and numbers do not settle it, so that a
    judge would be needed.
    `denied`: gold is mentioned, but only to be denied, so that no judge can find it said.
    """

    overall: GoldAgreement
    per_claim: tuple[GoldAgreement, ...]
    how: str
    reason: str
    incomplete: bool = False
    undecided: bool = False
    denied: bool = False
