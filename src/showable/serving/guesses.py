"""Wrong tokens: so many at once, then one a second, for all who ask this process; nobody waits in a thread."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

MOST_WRONG = 20
EACH_S = 1.0
_MOST_KNOWN = 1_000
TOO_MANY = "too many wrong tokens were shown; try again in a moment"


class Guesses:
    """The budget of wrong tokens. Where it is spent, addresses that have shown the right one before are still let in."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with a whole budget."""
        self._clock = clock
        self._left, self._at = float(MOST_WRONG), clock()
        self._known: OrderedDict[str, None] = OrderedDict()

    def bars(self, address: str) -> bool:
        """Return True if a token from this address is not to be looked at now, right or wrong: the answer would tell."""
        now = self._clock()
        self._left, self._at = min(float(MOST_WRONG), self._left + (now - self._at) / EACH_S), now
        return self._left < 1 and address not in self._known

    def note(self, address: str, *, right: bool) -> None:
        """Note what an address has shown. One wrong token, and it is known no more."""
        self._known.pop(address, None)
        if not right:
            self._left = max(0.0, self._left - 1)
            return
        self._known[address] = None
        if len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)
