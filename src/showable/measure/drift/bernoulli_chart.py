"""A CUSUM chart of yes-or-no outcomes, whose limit is computed from its false-alarm rate, not looked up.

Page (1954), Biometrika 41: 100; the Bernoulli chart of Reynolds & Stoumbos (1999), J. Qual. Technol. 31: 87: an event adds
1 - γ, its absence takes γ away, and the sum never falls below 0. γ is the share of events between the rate before and
the rate to be seen at which both are equally likely. It is made a simple fraction a/b, so that the sum lives on the
multiples of 1/b and the chart is a finite Markov chain (Brook & Evans 1972, Biometrika 59: 539).

The rate before is itself an estimate. The false-alarm rate is therefore the mean over the rates that the baseline leaves
possible (Jeffreys' posterior, a beta distribution): a chart that takes an estimate for the truth alarms far more often
than it says (Jensen et al. 2006, J. Qual. Technol. 38: 349).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, log

import numpy as np
from numpy.typing import NDArray

from showable.measure.agreement import Array, Flags

SLACK = 0.25
"""How far the rate to be seen may be moved, as a share of the shift, to make γ a simple fraction."""
LEAST_ROOM = 0.01
_LARGEST_DENOMINATOR = 1_000
_NODES = 20
_TAIL = 1e-6
_CLOSE = 1.02
MOST_UNITS = 1_200
"""A chart with a higher limit is not laid: following its chain takes too long for what it can see."""


@dataclass(frozen=True, slots=True)
class Reference:
    """What a chart is tuned to: the rate before, the rate to be seen, and γ = `down` / `parts`.

    An event moves the sum up by `parts` - `down` units, its absence down by `down` units.
    """

    before: float
    after: float
    down: int
    parts: int

    @property
    def up(self) -> int:
        """Units by which an event moves the sum."""
        return self.parts - self.down

    @property
    def llr_per_unit(self) -> float:
        """The log-likelihood ratio that one unit of the sum stands for."""
        odds = log(self.after * (1 - self.before) / (self.before * (1 - self.after)))
        return odds / self.parts

    @classmethod
    def between(cls, before: float, shift: float) -> Reference:
        """Tune a chart to see a rate rise by `shift`, or halfway to 1 where that is less.

        Of the fractions that belong to a shift within a quarter of this one, γ is that with the smallest denominator, and of
        equals the nearest.
        """
        shift = min(shift, (1 - before) / 2)
        least, exact, most = (_gamma(before, before + shift * scale) for scale in (1 - SLACK, 1.0, 1 + SLACK))
        for parts in range(2, _LARGEST_DENOMINATOR):
            near = round(exact * parts)
            if least <= near / parts <= most:
                return cls(before, _after(before, near / parts), near, parts)
        raise ValueError(f"no chart sees a rate of {before} rise by {shift}")  # has_room was not asked


def has_room(before: float) -> bool:
    """Check whether a rate has a point or more left to rise by; where it has not, there is nothing to be watched."""
    return 1 - before >= LEAST_ROOM


def _gamma(before: float, after: float) -> float:
    return log((1 - before) / (1 - after)) / log(after * (1 - before) / (before * (1 - after)))


def _after(before: float, gamma: float) -> float:
    """Find the rate to be seen that a γ belongs to, by halving: γ rises with it."""
    low, high = before, 1 - 1e-12
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if middle > before and _gamma(before, middle) < gamma else (low, middle)
        if middle <= before:
            break
    return (low + high) / 2


def path(reference: Reference, events: Flags) -> NDArray[np.int64]:
    """Return the sum of the chart after each outcome, in units."""
    steps = np.where(events, reference.up, -reference.down)
    total = np.cumsum(steps)
    return np.asarray(total - np.minimum(np.minimum.accumulate(total), 0), dtype=np.int64)


def survival(reference: Reference, limit: int, rates: Array, steps: int) -> Array:
    """Return the probability that the chart has not reached `limit` units after 1, 2 … `steps` outcomes: (steps, rates).

    Outcomes are independent with one of the `rates`. The chain is followed step by step: exact.
    """
    return np.array([state.sum(axis=0) for state in _states(reference, limit, rates, steps)])


def _states(reference: Reference, limit: int, rates: Array, steps: int) -> Iterator[Array]:
    """Yield how likely each sum below the limit is after each step, (limit, rates). The array is used again."""
    state = np.zeros((limit, len(rates)))
    state[0] = 1.0
    after, risen = np.zeros_like(state), np.empty_like(state)
    up, down = min(reference.up, limit), min(reference.down, limit)
    for _ in range(steps):
        np.multiply(state, rates, out=risen)
        state -= risen
        after[: limit - down] = state[down:]
        after[limit - down :] = 0.0
        after[0] += state[0] if down == 1 else state[:down].sum(axis=0)
        after[up:] += risen[: limit - up]
        state, after = after, state
        yield state


def false_alarm_rate(reference: Reference, limit: int, events: int, n: int, steps: int) -> float:
    """Return the probability of an alarm within so many outcomes where nothing changes, after `events` of `n` before."""
    rates, weights = _possible_rates(events, n)
    last = deque(_states(reference, limit, rates, steps), maxlen=1).pop()
    return float(weights @ (1 - last.sum(axis=0)))


@lru_cache(maxsize=512)
def _possible_rates(events: int, n: int) -> tuple[Array, Array]:
    """Return rates that the baseline leaves possible, with weights that add up to 1 (Gauss-Legendre over the posterior)."""
    from scipy.stats import beta  # noqa: PLC0415 - over a second to import

    posterior = beta(events + 0.5, n - events + 0.5)
    low, high = posterior.ppf(_TAIL), posterior.ppf(1 - _TAIL)
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    rates = (high - low) / 2 * nodes + (high + low) / 2
    mass = weights * posterior.pdf(rates)
    return rates, mass / mass.sum()


@lru_cache(maxsize=4096)
def limit_for(reference: Reference, events: int, n: int, steps: int, level: float) -> int | None:
    """Return the lowest limit, in units and to within 2 %, at which a false alarm within `steps` is no likelier than `level`.

    The lower bound of the bracket is known to be too low, the upper one to hold; the latter is given. None where the
    baseline leaves so much open that a chart would need over 1,200 units: it could hardly see anything.
    """
    low, high = 0, max(reference.up, ceil(log(1 / level) / reference.llr_per_unit))
    rate_low, rate_high = 1.0, false_alarm_rate(reference, high, events, n, steps)
    while rate_high > level:
        if high >= MOST_UNITS:
            return None
        low, rate_low = high, rate_high
        high = min(MOST_UNITS, ceil(1.6 * high))
        rate_high = false_alarm_rate(reference, high, events, n, steps)
    while high - low > max(1, (_CLOSE - 1) * high):
        middle = _between(low, high, rate_low, rate_high, level)
        rate = false_alarm_rate(reference, middle, events, n, steps)
        if rate > level:
            low, rate_low = middle, rate
        else:
            high, rate_high = middle, rate
    return high


def _between(low: int, high: int, rate_low: float, rate_high: float, level: float) -> int:
    """Guess where the level lies, the logarithm of the rate being nearly straight; a little above, to close from above."""
    fall = log(max(rate_low, 1e-300) / max(rate_high, 1e-300))
    share = log(max(rate_low, 1e-300) / level) / fall if fall > 0 else 0.5
    margin = max(1, round(0.01 * high))
    guess = round(low + min(max(share, 0.05), 0.95) * (high - low)) + margin // 2
    return min(max(guess, low + 1), high - 1)


@lru_cache(maxsize=4096)
def answers_to_see(reference: Reference, limit: int, rate: float, steps: int, sure: float = 0.8) -> int | None:
    """Return the number of outcomes at this rate within which the chart alarms with probability `sure`; None: not in `steps`."""
    alive = survival(reference, limit, np.array([rate]), steps)[:, 0]
    seen = np.flatnonzero(alive <= 1 - sure)
    return int(seen[0]) + 1 if len(seen) else None


@lru_cache(maxsize=4096)
def run_length(reference: Reference, limit: int, rate: float) -> float | None:
    """Return the mean number of outcomes to an alarm from a sum of 0 at a known rate (ARL): the chain's linear equations.

    None where it is beyond what floating point can tell from never.
    """
    from scipy.linalg import solve_banded  # noqa: PLC0415 - over a second to import

    up, down = reference.up, reference.down
    lower, upper = min(down, limit - 1), min(up, limit - 1)
    bands = np.zeros((lower + upper + 1, limit))
    bands[upper] = 1.0
    for state in range(limit):
        if state + up < limit:
            bands[upper - up, state + up] -= rate
        to = max(0, state - down)
        bands[upper + state - to, to] -= 1 - rate
    found = float(solve_banded((lower, upper), bands, np.ones(limit), check_finite=False)[0])
    return found if np.isfinite(found) and 0 < found < 1e12 else None  # noqa: PLR2004 - four digits are left there


def began_at(events: Flags, alarm: int, before: float) -> int:
    """Estimate at which outcome (from 0) the rate began to differ, given that the chart alarmed at outcome `alarm`.

    The start of the stretch up to the alarm that is the least likely under the rate before, against its own rate, with a
    higher rate than before (the maximum-likelihood changepoint, Hinkley 1970, Biometrika 57: 1).
    """
    counts = np.cumsum(events[: alarm + 1][::-1])[::-1].astype(np.float64)
    size = np.arange(alarm + 1, 0, -1, dtype=np.float64)
    rate = counts / size
    with np.errstate(divide="ignore", invalid="ignore"):
        gain = np.where(counts > 0, counts * np.log(rate / before), 0.0)
        gain += np.where(size > counts, (size - counts) * np.log((1 - rate) / (1 - before)), 0.0)
    return int(np.argmax(np.where(rate > before, gain, -np.inf)))
