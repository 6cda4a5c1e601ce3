"""How long a service asks to be left alone: Retry-After, CourtListener's `wait_until`, and limits told in headers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from showable.registries.web.asking import Reply

_LONGEST_S = 10 * 365 * 86_400.0
_EXPECTED = re.compile(r"available in (\d{1,9}) ?s", re.IGNORECASE)
_INTERVAL = re.compile(r"\s*(\d{0,6}(?:\.\d{1,3})?)\s*([smh]?)[a-z]*\s*", re.IGNORECASE)
_UNIT_S = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
_LONGEST_BODY = 20_000


def told_to_wait(reply: Reply, now: datetime) -> float | None:
    """Return the seconds that a reply asks to wait, the longest where it says several; None where it says nothing."""
    said = [_retry_after(header(reply.headers, "retry-after"), now), *_in_body(reply.body, now)]
    waits = [seconds for seconds in said if seconds is not None]
    return min(max(*waits, 0.0), _LONGEST_S) if waits else None


def told_pace(headers: Mapping[str, str]) -> tuple[float | None, int | None]:
    """Read Crossref's `x-rate-limit-*` and `x-concurrency-limit`: requests a second, and how many at a time."""
    per_second = None
    most, interval = header(headers, "x-rate-limit-limit"), header(headers, "x-rate-limit-interval")
    matched = _INTERVAL.fullmatch(interval) if interval else None
    if most.isdecimal() and matched:
        seconds = float(matched[1] or 1) * _UNIT_S[matched[2].lower()]
        if seconds > 0 and int(most[:9]) > 0:
            per_second = int(most[:9]) / seconds
    at_once = header(headers, "x-concurrency-limit")
    return per_second, (int(at_once[:6]) or None if at_once.isdecimal() else None)


def clock_time(seconds: float, now: datetime) -> str:
    """Return when a wait is over, in UTC, to the second."""
    return (now + timedelta(seconds=min(seconds, _LONGEST_S))).astimezone(UTC).isoformat(timespec="seconds")


def header(headers: Mapping[str, str], name: str) -> str:
    """Return a header by its lower-case name, empty where it is missing."""
    return headers.get(name, "").strip()


def _retry_after(value: str, now: datetime) -> float | None:
    """RFC 9110 section 10.2.3: seconds, or a date."""
    if value.isascii() and value.isdecimal():
        return float(value[:12])
    if not value:
        return None
    try:
        return _seconds_to(parsedate_to_datetime(value[:100]), now)
    except (ValueError, OverflowError):
        return None


def _in_body(body: bytes, now: datetime) -> list[float | None]:
    if len(body) > _LONGEST_BODY or not body.lstrip().startswith((b"{", b"[")):
        return []
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return []
    if not isinstance(said, dict):
        return []
    waits = [_iso(said.get(name), now) for name in ("wait_until", "wait_util")]
    detail = said.get("detail")
    expected = _EXPECTED.search(detail) if isinstance(detail, str) else None
    return [*waits, float(expected[1]) if expected else None]


def _iso(value: object, now: datetime) -> float | None:
    if not isinstance(value, str):
        return None
    try:
        return _seconds_to(datetime.fromisoformat(value.strip()), now)
    except (ValueError, OverflowError):
        return None


def _seconds_to(when: datetime, now: datetime) -> float:
    aware = when if when.tzinfo else when.replace(tzinfo=UTC)
    return (aware - now).total_seconds()
