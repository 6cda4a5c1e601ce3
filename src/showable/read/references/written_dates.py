"""Dates as bylines write them: March 3, 2024; 3 Mar. 2024; 2024-03-03."""

from __future__ import annotations

import re

from showable.records.regex import regex

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH = r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
DATE = rf"(?:{MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?,?\s(?:19|20)\d\d|\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{MONTH},?\s(?:19|20)\d\d|(?:19|20)\d\d-\d\d-\d\d|(?:19|20)\d\d,\s{MONTH}\s\d{{1,2}})(?!\d)"
"""A full date: its month in words, or in the order of ISO 8601."""
_YEAR = regex(r"(?:19|20)\d\d")
_WORD = regex(r"[A-Za-z]{3,9}")
_DAY = regex(r"(?<!\d)\d{1,2}(?!\d)")


def iso_date(written: str) -> str:
    """Return a written date as ``YYYY-MM-DD``, or as it was written where it is no full date."""
    year, day = _YEAR.search(written), _DAY.search(written)
    if re.fullmatch(r"\d{4}-\d\d-\d\d", written):
        return written
    month = next((word[0] for word in _WORD.finditer(written) if word[0][:3].lower() in _MONTHS), "")
    if not (year and day and month):
        return written
    return f"{year[0]}-{_MONTHS.index(month[:3].lower()) + 1:02d}-{int(day[0]):02d}"
