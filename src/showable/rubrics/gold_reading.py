"""What comparing an answer with a gold answer came to."""

from __future__ import annotations

from dataclasses import dataclass

from showable.records.scorecard import GoldAgreement


@dataclass(frozen=True, slots=True)
class Match:
    """One comparison: the agreement, why, and the statements and values that decided.

    `incomplete`: gold has parts that the answer leaves out. `undecided`: marks do not settle it, a judge might.
    `denied`: gold is mentioned, but only to be denied.
    """

    agreement: GoldAgreement
    reason: str
    statements: tuple[str, ...] = ()
    incomplete: bool = False
    undecided: bool = False
    values: tuple[str, ...] = ()
    denied: bool = False


@dataclass(frozen=True, slots=True)
class GoldReading:
    """Agreement with gold, of the answer and of each claim.

    `how` names the comparison that decided: exact, number, polarity, none, choice, text, judge. `undecided`: a judge is
    needed. `denied`: gold is mentioned, but only to be denied or in another role, so that no judge can find it said.
    `reasoned`: gold is a yes or no with its reason, which a judge may find missing though the yes or no is there.
    """

    overall: GoldAgreement
    per_claim: tuple[GoldAgreement, ...]
    how: str
    reason: str
    incomplete: bool = False
    undecided: bool = False
    denied: bool = False
    reasoned: bool = False

    @property
    def open(self) -> bool:
        """Whether a judge may change it."""
        return self.undecided or (self.reasoned and self.overall == "agrees")
