"""What can be wrong with a span's times. It is kept all the same, and says so."""

from __future__ import annotations

LAST_NS = 2**63 - 1
"""The year 2262: later ones do not fit into a database's integers, and no clock means them."""
_AHEAD_NS = 3600 * 10**9
_BEHIND_NS = 30 * 24 * 3600 * 10**9


def times(start: int, end: int, now: int | None, problems: list[str]) -> tuple[int, int]:
    """Return start and end in Unix nanoseconds, 0 for one that cannot be meant, and say what is odd about them.

    With `now` given, a start more than an hour ahead of it or thirty days behind it is said too: then a clock is wrong, or
    the spans are old ones sent again.
    """
    start, end = _known(start, "start", problems), _known(end, "end", problems)
    if start and end and end < start:
        problems.append(f"ends {(start - end) / 1e6:g} ms before it starts")
    if now is not None and start:
        if start > now + _AHEAD_NS:
            problems.append(f"starts {(start - now) / 3.6e12:.1f} hours ahead of the receiver's clock")
        elif start < now - _BEHIND_NS:
            problems.append(f"started {(now - start) / 8.64e13:.0f} days before it came")
    return start, end


def _known(at: int, which: str, problems: list[str]) -> int:
    if at == 0:
        problems.append(f"has no {which} time")
        return 0
    if not 0 < at <= LAST_NS:
        problems.append(f"its {which} time is no time: left out")
        return 0
    return at
