"""From which probability on an answer may be shown, and what that is worth."""

from __future__ import annotations

from pydantic import Field

from showable.records.wire import Wire


class ShownFrom(Wire):
    """Answers whose probability reaches `p` may be shown: with `confidence` at most `risk` of those are bad.

    Found by `calibrate --risk` on labelled answers to `questions` questions, which those to come are taken to be like.
    """

    p: float = Field(gt=0.0, lt=1.0)
    risk: float = Field(gt=0.0, lt=1.0)
    confidence: float = Field(gt=0.0, lt=1.0)
    questions: int

    def __str__(self) -> str:
        """Print in words."""
        return (
            f"with {self.confidence:.0%} confidence at most {self.risk:.0%} of what is shown is bad: shown from p {self.p:g} on,"
            f" by labels on {self.questions:,} questions like these"
        )
