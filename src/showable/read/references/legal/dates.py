"""The date that stands beside a decision: ``Nov. 21, 2012``, ``April 8, 2016``, ``5/10/10``."""

from __future__ import annotations

from showable.records.regex import regex

MONTH = (
    r"(?:Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?\.?|July?\.?|Aug(?:ust|\.)?|"
    r"Sept?(?:ember|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)(?![a-z])"
)
YEAR = r"(?:1[6-9][0-9]{2}|20[0-9]{2})"
_NUMBERS = {
    month: number
    for number, month in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)  # noqa: SIM905 - a list of words reads best as words
}
_WORDS = regex(rf"(?P<month>{MONTH}) ?(?P<day>[0-3]?[0-9])(?:st|nd|rd|th)?,? ?(?P<year>{YEAR})")
_TURNED = regex(rf"(?P<day>[0-3]?[0-9]) (?P<month>{MONTH}),? (?P<year>{YEAR})")
_DIGITS = regex(rf"(?P<month>[01]?[0-9])/(?P<day>[0-3]?[0-9])/(?P<year>{YEAR}|[0-9]{{2}})(?![0-9])")
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_THIS_CENTURY = 50
"""Two figures below it are of the 2000s, as in ``(La. App. 1 Cir. 5/10/10)``."""


def iso_date(text: str) -> str | None:
    """Return the one date in `text` as ``2012-11-21``; American order where it is in figures; None where there is none."""
    match = _WORDS.search(text) or _TURNED.search(text) or _DIGITS.search(text)
    if match is None:
        return None
    month = int(match["month"]) if match["month"].isdigit() else _NUMBERS[match["month"][:3].lower()]
    day, year = int(match["day"]), match["year"]
    if not 1 <= month <= len(_DAYS) or not 1 <= day <= _DAYS[month - 1]:
        return None
    if len(year) == len("10"):
        year = ("20" if int(year) < _THIS_CENTURY else "19") + year
    return f"{year}-{month:02d}-{day:02d}"


def date_start(text: str) -> int | None:
    """Return where the date in `text` begins, or None."""
    found = [match.start() for pattern in (_WORDS, _TURNED, _DIGITS) if (match := pattern.search(text))]
    return min(found, default=None)
