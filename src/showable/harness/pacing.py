"""How fast a pipeline is asked: so many at a time, so many a second, and not at all while it asks to be left alone."""

from __future__ import annotations

import math
import re

from showable.errors import SettingError
from showable.registries.web.asking import Pace

_RATE = re.compile(r"(\d+(?:\.\d+)?)\s*(?:/\s*(s|sec|second|m|min|minute|h|hour))?")
_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def read_pace(rate: str | None, concurrency: int) -> Pace:
    """Read ``10/s``, ``60/min`` or ``500/hour``; a bare number is a second's. None leaves the rate to the concurrency.

    Questions are spaced evenly, without a burst at the start. Raises SettingError at anything else.
    """
    if rate is None:
        return Pace(math.inf, concurrency)
    read = _RATE.fullmatch(rate.strip().lower())
    if read is None or not float(read[1]):
        raise SettingError(f"--rate {rate!r}: expected how many questions in what time, as in 10/s, 60/min or 500/hour")
    return Pace(float(read[1]) / _SECONDS[(read[2] or "s")[0]], concurrency)
