"""What is said of characters that cannot be seen, and where they stand."""

from __future__ import annotations

from typing import NamedTuple

from showable.read.scan.finding import Severity, Span


class Unseen(NamedTuple):
    """What is said of invisible characters, wherever they stand."""

    code_points: tuple[int, ...]
    name: str
    reason: str
    severity: Severity
    hidden_text: str | None


class InvisibleFinding(NamedTuple):
    """Invisible characters that stand together: their place, and what is said of them, which others may share."""

    where: Span
    unseen: Unseen

    @property
    def code_points(self) -> tuple[int, ...]:
        """The characters, as numbers."""
        return self.unseen.code_points

    @property
    def name(self) -> str:
        """The code point and the name of the character, or of the first and the last."""
        return self.unseen.name

    @property
    def reason(self) -> str:
        """Why they are reported."""
        return self.unseen.reason

    @property
    def severity(self) -> Severity:
        """How much it matters."""
        return self.unseen.severity

    @property
    def hidden_text(self) -> str | None:
        """What tag characters or variation selectors spell, where they spell anything."""
        return self.unseen.hidden_text


made_of = tuple.__new__
"""A named tuple's own constructor takes three times as long, and a hostile text has a finding for every other character."""
