"""What a model answers about one claim and one text."""

from __future__ import annotations

from typing import NamedTuple


class Odds(NamedTuple):
    """Log odds of support, and of contradiction (None where the model does not tell it)."""

    support: float
    contradiction: float | None


class Failure(NamedTuple):
    """Why the model gave no answer."""

    reason: str
