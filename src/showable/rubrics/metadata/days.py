"""The day in a date, however it is written (ISO 8601, RFC 5322, English words), and claimed years beside registered ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from showable.read.dates import MONTH_WORDS, find_dates
from showable.records.regex import regex

_ISO = regex(r"\s*(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})(?!\d)(?:[T\s].*)?", re.DOTALL)
_MONTH = regex(r"\s*(\d{4})[-/.](\d{1,2})\s*")
_LOOSE = regex(r"\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d).*", re.DOTALL)
_LONGEST = 80


def day_in(text: str | None) -> str | None:
    """Return the day, or the month or year where no more is said, as `2020-01-05`, `2020-01` or `2020`; None where it is no date."""
    plain = (text or "")[:_LONGEST].strip()
    match = _ISO.fullmatch(plain) or _LOOSE.fullmatch(plain)
    if match:
        return _day(*(int(group) for group in match.groups()))
    if match := _MONTH.fullmatch(plain):
        return f"{match[1]}-{int(match[2]):02}" if 0 < int(match[2]) <= 12 else None  # noqa: PLR2004 - months
    if plain.isascii() and plain.isdigit() and len(plain) == 4:  # noqa: PLR2004 - a year
        return plain
    lowered = plain.lower()
    for found in find_dates(plain, lowered, MONTH_WORDS & set(re.findall(r"[a-z]+", lowered))):
        if found.unit in {"day", "month"}:
            day = date.min + timedelta(days=found.value - 1)
            return day.isoformat() if found.unit == "day" else day.isoformat()[:7]
    return None


def _day(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


_YEAR = regex(r"(?<!\d)(1[4-9]\d\d|20\d\d)(?!\d)")
_SLACK_AFTER = 3


def year_of(text: str) -> int | None:
    """Read the first year of a field: ``2020a``, ``2020 Feb 7`` and ``(2020)`` are all 2020; None where there is none."""
    found = _YEAR.search(text[:200])
    return int(found[1]) if found else None


def other_version_year(claimed: int, years: Sequence[int], *, claims_preprint: bool) -> bool:
    """Check whether a year could be that of the other version of a work: a preprint before the journal, at most 3 years."""
    if claims_preprint:
        return any(0 <= year - claimed <= _SLACK_AFTER for year in years)
    return any(0 <= claimed - year <= _SLACK_AFTER for year in years)
