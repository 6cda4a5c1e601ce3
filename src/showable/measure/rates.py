"""A rate with everything needed to believe it: its counts, its interval, and what could not be checked."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from showable.records.findings import OutcomeCounts
from showable.records.wire import Wire

Z_95 = NormalDist().inv_cdf(0.975)
"""Half-width of a two-sided 95 % interval, in standard errors."""


class Rate(Wire):
    """A share with its counts and 95 % interval: passed / (passed + failed), fractions 0-1.

    `rate`, `low` and `high` are None where nothing could be checked; they are never 0 or NaN for
    want of data. `n` is the number of answers in which something could be checked: what the interval
    rests on. Prints as ``87.5 % (35/40, 95 % CI 73.9–94.5)``.
    """

    name: str | None = None
    passed: int = 0
    failed: int = 0
    unknown: int = 0
    not_applicable: int = 0
    rate: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0

    @classmethod
    def of(cls, counts: OutcomeCounts, name: str | None = None) -> Rate:
        """Make a rate of counts that are independent of one another (one an answer), with the Wilson interval."""
        n = counts.passed + counts.failed
        if n == 0:
            return cls.with_interval(counts, None, n=0, name=name)
        return cls.with_interval(counts, wilson_interval(counts.passed / n, n), n=n, name=name)

    @classmethod
    def with_interval(
        cls, counts: OutcomeCounts, interval: tuple[float, float] | None, *, n: int, name: str | None = None
    ) -> Rate:
        """Make a rate of counts and an interval computed elsewhere: None where nothing was decided."""
        low, high = interval or (None, None)
        decided = counts.passed + counts.failed
        return cls(
            name=name,
            passed=counts.passed,
            failed=counts.failed,
            unknown=counts.unknown,
            not_applicable=counts.not_applicable,
            rate=counts.passed / decided if decided else None,
            low=low,
            high=high,
            n=n,
        )

    def __str__(self) -> str:
        """Print the percentage, the counts, the interval, and what could not be checked."""
        beside = [f"{self.not_applicable} not applicable"] if self.not_applicable else []
        if self.rate is None or self.low is None or self.high is None:
            decided = self.passed + self.failed
            return "; ".join([f"not measured ({decided} of {decided + self.unknown} could be checked)", *beside])
        if self.unknown:
            beside.insert(0, f"{self.unknown} unknown")
        of = f"{self.passed}/{self.passed + self.failed}"
        said = f"{percent(self.rate)} % ({of}, 95 % CI {percent(self.low)}–{percent(self.high)})"
        return "; ".join([said, ", ".join(beside)]) if beside else said


def percent(fraction: float) -> str:
    """Print a fraction as a percentage to one decimal, without the sign: ``87.5``, ``100``, ``0``.

    A share that is not whole never prints as 0 or 100: 1 failure in 100,000 is ``>99.9``.
    """
    if fraction in (0.0, 1.0):
        return f"{100 * fraction:.0f}"
    shown = f"{100 * fraction:.1f}"
    return {"0.0": "<0.1", "100.0": ">99.9"}.get(shown, shown)


def wilson_interval(share: float, n: float, z: float = Z_95) -> tuple[float, float]:
    """Return Wilson's score interval of a share observed in n independent trials, as fractions.

    Wilson (1927), J. Am. Stat. Assoc. 22: 209. It holds its level at small n and at shares of 0 and 1,
    where the normal approximation gives an interval without width. `n` must be above 0.
    """
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low = 0.0 if share == 0.0 else max(0.0, centre - half)
    high = 1.0 if share == 1.0 else min(1.0, centre + half)
    return low, high
