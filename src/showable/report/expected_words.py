"""Answers as expected in words: those in a bucket that the question calls for, of those that could be decided."""

from __future__ import annotations

from showable.measure.decision import GateLine
from showable.measure.expectations import Expected
from showable.measure.rates import wilson_interval


def met(expected: Expected | None) -> str:
    """Write how many are as expected: ``36/40``; a dash where the questions call for nothing in particular."""
    if expected is None:
        return "–"
    decided = decided_of(expected)
    return f"{expected.met}/{decided}" if decided else "none decided"


def decided_of(expected: Expected) -> int:
    """Count the answers that could be decided."""
    return expected.met + expected.missed


def met_between(expected: Expected | None) -> tuple[float, float] | None:
    """Return Wilson's 95 % interval of the share that is as expected; None where nothing was decided."""
    if expected is None or not (decided := decided_of(expected)):
        return None
    return wilson_interval(expected.met / decided, decided)


def met_on_both_sides(line: GateLine) -> tuple[str, str] | None:
    """Write the answers as expected of a category's line, before and after; None where gold calls for nothing."""
    if line.expected is None:
        return None
    return met(line.expected.baseline), met(line.expected.candidate)
