"""Times as exports write them: ISO 8601, or a number whose size tells its unit."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import Any

from showable.traces.otlp.odd_times import LAST_NS

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UNITS = ((10**17, 1), (10**14, 10**3), (10**11, 10**6), (0, 10**9))
"""From this number on, a unit of so many nanoseconds: all say a year between 1973 and 5138."""


def nanoseconds(raw: Any) -> int | None:
    """Return Unix nanoseconds; None for what is no time. A time without a zone is UTC, as the backends write it."""
    if isinstance(raw, datetime):
        moment = raw
    elif isinstance(raw, str):
        if raw.isdigit():
            return nanoseconds(int(raw)) if len(raw) < 20 else None  # noqa: PLR2004 - the digits of 2**64
        try:
            moment = datetime.fromisoformat(raw)
        except ValueError:
            return None
    elif isinstance(raw, (int, float)) and not isinstance(raw, bool) and math.isfinite(raw) and raw > 0:
        unit = next(unit for least, unit in _UNITS if raw >= least)
        held = int(raw * unit)
        return held if held <= LAST_NS else None
    else:
        return None
    try:
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        held = (aware - _EPOCH) // timedelta(microseconds=1) * 1000
    except (OverflowError, ValueError):
        return None
    return held if 0 <= held <= LAST_NS else None


def span_times(start: Any, end: Any, problems: list[str]) -> tuple[int, int]:
    """Return start and end, 0 for what is unknown, saying what is odd about them."""
    held = []
    for which, raw in (("start", start), ("end", end)):
        at = nanoseconds(raw)
        if at is None:
            problems.append(f"has no {which} time" if raw in {None, ""} else f"its {which} time is no time: left out")
        held.append(at or 0)
    if held[0] and held[1] and held[1] < held[0]:
        problems.append(f"ends {(held[0] - held[1]) / 1e6:g} ms before it starts")
    return held[0], held[1]
