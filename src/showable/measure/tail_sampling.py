"""Which answers the judge reads: all of those where something is likely to be wrong, and a known share of the rest.

Each answer has a stratum, and with it a probability of being chosen that is fixed before the judge is asked. Rates over all traffic
are then estimated with weights of 1 / probability (`weighted_rate`): Horvitz & Thompson (1952), J. Am. Stat. Assoc. 47: 663.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left, insort
from collections import OrderedDict, deque
from dataclasses import dataclass
from math import ceil, isfinite
from typing import Literal

from showable.errors import SettingError
from showable.records.findings import Outcome

Stratum = Literal["failure", "rule", "cohort", "latency", "cost", "refusal", "rest", "off"]
"""Why an answer was, or was not, to be read: `rule` says that a rule asks for all such answers, `off` that one asks for none."""
WINDOW, WARM_UP = 1000, 200
"""Earlier answers of a service that a threshold is taken from, and how many there must be before there is one."""
TOP = 0.01
MOST_SERVICES = 1000
_UNIT = 2.0**64


@dataclass(frozen=True, slots=True)
class Traits:
    """What of an answer decides its stratum. `key` is what the draw is made by: a trace's id, so that its answers go together.

    `always` is a rule's word that all such answers are read, `semantic` whether any may be, `share` the share of the rest: above 0, at most 1.
    """

    key: str
    structural: Outcome
    resolvability: Outcome
    service: str = ""
    declines: bool = False
    cohort: str = ""
    latency_ms: float | None = None
    cost_usd: float | None = None
    always: bool = False
    semantic: bool = True
    share: float = 0.15


@dataclass(frozen=True, slots=True)
class Choice:
    """What was decided: the stratum, the probability of being chosen (above 0, at most 1), and whether it was."""

    stratum: Stratum
    probability: float
    chosen: bool


def check_share(share: float, what: str) -> float:
    """Return back a share that lies above 0 and at most at 1. Raises SettingError for any other: what has no chance has no weight."""
    if not 0.0 < share <= 1.0:
        raise SettingError(f"{what}: expected a share above 0 and at most 1, got {share:g}")
    return share


def draw(key: str, seed: int) -> float:
    """Return a number in [0, 1) that depends on the key and the seed alone: the same trace always draws the same."""
    digest = hashlib.blake2b(f"{seed}\n{key}".encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest) / _UNIT


class RunningTop:
    """The threshold of the top share of the last values. Bounded and without chance: exact over a window of earlier values."""

    def __init__(self, window: int = WINDOW, warm_up: int = WARM_UP, top: float = TOP) -> None:
        """Start without values."""
        self._window, self._warm_up, self._top = window, warm_up, top
        self._in_time: deque[float] = deque()
        self._ordered: list[float] = []

    @property
    def threshold(self) -> float | None:
        """The value that the top share lies above; None until there are values enough."""
        n = len(self._ordered)
        return None if n < self._warm_up else self._ordered[ceil((1 - self._top) * n) - 1]

    def add(self, value: float) -> None:
        """Let a value in, and the oldest out where the window is full."""
        if len(self._in_time) >= self._window:
            del self._ordered[bisect_left(self._ordered, self._in_time.popleft())]
        self._in_time.append(value)
        insort(self._ordered, value)


class TailSampler:
    """Decides answer by answer. An answer is held against earlier ones of its service, then counted among them.

    What was decided of an answer once stands, since thresholds move: keep the choice with its score, and decide no answer
    twice. Services are held at most `MOST_SERVICES`; the one that was silent longest begins anew. Raises SettingError for a
    share of refusals that is none.
    """

    def __init__(self, *, seed: int = 0, refusals: float = 1.0) -> None:
        """Start without earlier answers. `refusals` is the share of refusals that are read."""
        self._seed, self._refusals = seed, check_share(refusals, "the share of refusals")
        self._tops: OrderedDict[str, tuple[RunningTop, RunningTop]] = OrderedDict()

    def choose(self, of: Traits) -> Choice:
        """Decide on one answer."""
        slow, dear = self._is_tail(of)
        stratum, probability = self._stratum(of, slow=slow, dear=dear)
        if stratum == "off":
            return Choice("off", 1.0, chosen=False)
        return Choice(stratum, probability, probability >= 1.0 or draw(of.key, self._seed) < probability)

    def _stratum(self, of: Traits, *, slow: bool, dear: bool) -> tuple[Stratum, float]:
        if not of.semantic:
            return "off", 1.0
        certain: tuple[tuple[Stratum, bool], ...] = (
            ("failure", Outcome.FAIL in {of.structural, of.resolvability}),
            ("rule", of.always),
            ("cohort", bool(of.cohort)),
            ("latency", slow),
            ("cost", dear),
        )
        for stratum, holds in certain:
            if holds:
                return stratum, 1.0
        if of.declines:
            return "refusal", self._refusals
        return "rest", of.share

    def _is_tail(self, of: Traits) -> tuple[bool, bool]:
        latency, cost = self._tops_of(of.service)
        return _beyond(latency, of.latency_ms), _beyond(cost, of.cost_usd)

    def _tops_of(self, service: str) -> tuple[RunningTop, RunningTop]:
        tops = self._tops.get(service)
        if tops is None:
            tops = self._tops[service] = (RunningTop(), RunningTop())
            if len(self._tops) > MOST_SERVICES:
                self._tops.popitem(last=False)
        self._tops.move_to_end(service)
        return tops


def _beyond(top: RunningTop, value: float | None) -> bool:
    """Check whether a value lies above the threshold of the earlier ones, and count it among them. No value is no tail."""
    if value is None or not isfinite(value):
        return False
    threshold = top.threshold
    top.add(value)
    return threshold is not None and value > threshold
