"""Does a profile's traffic lie below its floor of citations that resolve? A test that may be looked at after every answer.

Each answer gives the share of its citations that resolve, from 0 to 1: citations of one answer are not independent, answers
are. Against "the mean share is at least the floor" a bet is placed on every answer; the capital of a mixture of bets grows
past 1 / level with a probability of at most `level`, however often one looks, where that is true (Ville's inequality;
Waudby-Smith & Ramdas 2024, J. R. Stat. Soc. B 86: 1, "Estimating means of bounded random variables by betting").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from showable.measure.agreement import Array

LEVEL = 0.01
"""The probability of a false alarm in a window whose traffic keeps to the floor."""
_BETS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
"""What a bet wins for each failing citation above those that the floor allows; each suits another size of fall."""
_ALMOST_ALL = 0.99
_HALVINGS = 30


@dataclass(frozen=True, slots=True)
class FloorLook:
    """What a window of answers says of a floor. `share` and `upper` are None where no citation was decided.

    `n` answers were decided; `upper` is the highest mean share that they do not speak against (one-sided, at `level`). The
    window is `below` its floor from the answer `alarmed_at` on, counted from 1, which is None where it never was.
    """

    floor: float
    n: int
    share: float | None
    upper: float | None
    alarmed_at: int | None

    @property
    def below(self) -> bool:
        """Whether the window lies below its floor."""
        return self.alarmed_at is not None


def look_at_floor(shares: Sequence[float], floor: float, *, level: float = LEVEL) -> FloorLook:
    """Hold the shares of a window's answers, in any order that does not depend on them, against a floor (0 < floor ≤ 1)."""
    if not shares:
        return FloorLook(floor, 0, None, None, None)
    seen = np.asarray(shares, dtype=np.float64)
    crossed = np.flatnonzero(_capital(seen, floor) >= -np.log(level))
    share = float(seen.mean())
    at = int(crossed[0]) + 1 if len(crossed) else None
    return FloorLook(floor, len(seen), share, _upper(seen, share, level), at)


def _capital(seen: Array, floor: float) -> Array:
    """Return the logarithm of the capital after each answer, the mean over all bets."""
    most = np.inf if floor >= 1.0 else _ALMOST_ALL / (1.0 - floor)
    bets = np.minimum(np.array(_BETS)[:, None], most)
    paths = np.cumsum(np.log1p(bets * (floor - seen)), axis=1)
    top = paths.max(axis=0)
    mean: Array = top + np.log(np.mean(np.exp(paths - top), axis=0))
    return mean


def _upper(seen: Array, share: float, level: float) -> float:
    """Return the least mean that the window speaks against, by halving: capital only grows with the mean tested."""
    low, high = share, 1.0
    if _capital(seen, high).max() < -np.log(level):
        return 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _capital(seen, middle).max() >= -np.log(level):
            high = middle
        else:
            low = middle
    return high
