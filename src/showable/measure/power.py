"""What a number of questions can and cannot show."""

from __future__ import annotations

from functools import cache
from math import floor
from typing import Any

from showable.records.wire import Wire

ALPHA = 0.05
POWER = 0.8
FIXES = 0.02
"""Share of questions taken to be mended by the very change that breaks others."""


class CanShow(Wire):
    """What `n` questions can show.

    `floor` is the share that `n` of `n` passing proves (one-sided 95 % lower bound). `smallest_drop` is
    the smallest net fall of the acceptable share that McNemar's mid-p test sees four times in five, None where
    it can see none. Both are fractions.
    """

    n: int
    floor: float
    smallest_drop: float | None

    def __str__(self) -> str:
        """Say it in a sentence."""
        said = f"n = {self.n}: {proves(self.n)}"
        if self.smallest_drop is None:
            return f"{said}; no net drop, however large, is seen by a paired test four times in five"
        drop = 100 * self.smallest_drop
        return f"{said}; a paired test sees net drops of {drop:.1f} points or more four times in five"


def can_show(n: int) -> CanShow:
    """Return what `n` questions (at least one) can show."""
    return CanShow(n=n, floor=lower_bound(n, n), smallest_drop=smallest_drop(n))


def proves(n: int) -> str:
    """Return what `n` of `n` passing proves, rounded down: ``all passing would only prove ≥ 74.1 %``."""
    return f"all passing would only prove ≥ {floor(1000 * lower_bound(n, n)) / 10} %"


def lower_bound(passed: int, n: int, *, confidence: float = 0.95) -> float:
    """Return the one-sided lower bound of a share: what `passed` of `n` (at least one) proves.

    Clopper & Pearson (1934), Biometrika 26: 404: exact, so the promise holds at any n.
    """
    if passed == 0:
        return 0.0
    if passed == n:
        return float((1 - confidence) ** (1 / n))
    from scipy.stats import beta  # noqa: PLC0415 - over a second to import

    return float(beta.ppf(1 - confidence, passed, n - passed + 1))


def detection_power(n: int, drop: float, *, fixes: float = FIXES, mid_p: bool = False) -> float:
    """Return the probability that McNemar's test (two-sided, 5 %) sees a net drop among `n` questions.

    `drop` and `fixes` are fractions of the questions: `fixes` get better, `fixes + drop` get worse. Exact: summed
    over the number of discordant pairs, leaving out what is rarer than 1e-12.
    """
    import numpy as np  # noqa: PLC0415 - with the next line: over a second to import
    from scipy.stats import binom  # noqa: PLC0415

    discordant = 2 * fixes + drop
    first, last = binom.ppf(5e-13, n, discordant), binom.isf(5e-13, n, discordant)
    pairs: Any = np.arange(int(first), int(last) + 1)
    needed = binom.isf(ALPHA / 2, pairs, 0.5) + 1
    if mid_p:
        one_less = binom.sf(needed - 1, pairs, 0.5) + binom.pmf(needed - 1, pairs, 0.5) / 2
        needed = np.where(one_less <= ALPHA / 2, needed - 1, needed)
    seen = binom.sf(needed - 1, pairs, (fixes + drop) / discordant)
    return float(np.sum(binom.pmf(pairs, n, discordant) * seen))


@cache
def smallest_drop(n: int, *, power: float = POWER) -> float | None:
    """Return the smallest net drop that the mid-p test sees among `n` questions with this power, to 0.1 points.

    None where even the largest drop is seen less often.
    """
    tenths = range(1, int(1000 * (1 - 2 * FIXES)) + 1)
    low, high = 0, len(tenths) - 1
    if detection_power(n, tenths[high] / 1000, mid_p=True) < power:
        return None
    while low < high:
        middle = (low + high) // 2
        if detection_power(n, tenths[middle] / 1000, mid_p=True) >= power:
            high = middle
        else:
            low = middle + 1
    return tenths[low] / 1000
