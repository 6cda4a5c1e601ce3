"""Where the marks of a calibration's charts stand, in SVG units. Drawn on the server; no script moves them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from showable.report.calibration_figures import Figure, bounds

WIDTH, MARGIN, HEIGHT = 220.0, 8.0, 18.0
"""A range: the whole width, the margin on each side so that a mark at the end is whole, and the height."""


@dataclass(frozen=True, slots=True)
class Range:
    """A figure on its scale: the mark, the ends of its interval, and where chance lies; None where there is none."""

    at: float
    low: float | None
    high: float | None
    chance: float | None
    said: str


def drawn(figure: Figure, beside: Sequence[Figure] = ()) -> Range | None:
    """Place a figure on the scale that it shares with those beside it; None where it was not measurable."""
    if figure.value is None:
        return None
    ends = bounds(figure, beside)
    low, high = (None, None) if figure.interval is None else (_across(one, ends) for one in figure.interval)
    chance = None if figure.chance is None else _across(figure.chance, ends)
    return Range(_across(figure.value, ends), low, high, chance, str(figure))


def _across(value: float, ends: tuple[float, float]) -> float:
    """Place a value; what lies outside the scale stands at its end."""
    share = (value - ends[0]) / (ends[1] - ends[0])
    return MARGIN + (WIDTH - 2 * MARGIN) * min(1.0, max(0.0, share))
