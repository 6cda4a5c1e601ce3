"""The baseline that any judge of entailment has to beat: how many of the claim's words stand in the passage."""

from __future__ import annotations

from showable.judges.lexical.judge import read_claim
from showable.judges.lexical.passage import read_passage

AT = 0.5
"""The share at which the baseline says supported, for every file."""
HIGH = 0.85
"""Above this share words alone cannot tell a supported claim from one that is not."""


def word_coverage(claim: str, passage: str) -> float:
    """Give the share (0-1) of the claim's distinct words that the passage has; 0 for a claim without words."""
    words = set(read_claim(claim)[1].terms)
    return len(words & read_passage(passage).places.keys()) / len(words) if words else 0.0
