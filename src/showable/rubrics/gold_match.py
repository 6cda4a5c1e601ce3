"""What one comparison of an answer with a gold answer found."""

from __future__ import annotations

from dataclasses import dataclass

from showable.records.scorecard import GoldAgreement


@dataclass(frozen=True, slots=True)
class Match:
    """The agreement found, why, and the statements of the answer it was found in, with the values in them that decided.

    `incomplete`: gold has parts that the answer leaves out. `undecided`: words and numbers do not settle it, a judge might.
    `denied`: gold is mentioned, but only to be denied.
    """

    agreement: GoldAgreement
    reason: str
    statements: tuple[str, ...] = ()
    incomplete: bool = False
    undecided: bool = False
    values: tuple[str, ...] = ()
    denied: bool = False
