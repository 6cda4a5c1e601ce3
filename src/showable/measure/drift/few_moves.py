"""An exact word beside the bootstrap where few clusters moved: there a percentile interval is too sure of itself."""

from __future__ import annotations

from math import comb

FEW = 10
"""With so many clusters that moved, the bootstrap may stand alone."""


def sign_agrees(better: int, worse: int, level: float) -> bool:
    """Check whether so many that got worse, against so many better, are no chance: the exact one-sided sign test at `level`.

    Ten and more that moved are left to the bootstrap: True.
    """
    moved = better + worse
    if moved >= FEW:
        return True
    return sum(comb(moved, count) for count in range(worse, moved + 1)) <= level * 2.0**moved


def too_few_said(better: int, worse: int) -> str:
    """Return why an interval on the wrong side is no alarm."""
    return f"{worse} worse against {better} better is too few to tell from chance"
