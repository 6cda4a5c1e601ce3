"""Calendar dates, fiscal years, quarters and times of day."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from datetime import date

from showable.read.quantity import Quantity
from showable.read.word_places import places
from showable.records.regex import regex

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_SHORT = {name[:3]: n for n, name in enumerate(_MONTHS, 1)}
MONTH_WORDS = frozenset(_MONTHS) | frozenset(_SHORT) | {"sept"}
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_NAMED = regex(
    rf"(?<![\w])(?:"
    rf"(?P<d1>[0-3]?[0-9])(?:st|nd|rd|th)?(?: day)?(?: of)?[ -](?P<m1>{_MONTH})\b\.?(?:,?[ -](?P<y1>[12][0-9]{{3}})\b)?"
    rf"|(?P<m2>{_MONTH})\b\.? (?P<d2>[0-3]?[0-9])(?:st|nd|rd|th)?(?![0-9]|[.,][0-9]|[%])(?:,? (?P<y2>[12][0-9]{{3}})\b)?"
    rf"|(?P<m3>{_MONTH})\b\.?(?: of|,)? ?(?P<y3>[12][0-9]{{3}})\b"
    rf"|(?P<m4>{_MONTH})\b\.? ?(?:to|and|through|thru|until|till|or|[-–—/&]) ?(?:early |mid-|late )?(?={_MONTH}\b\.?(?: of|,)? ?(?P<y4>[12][0-9]{{3}})\b)"
    rf")"
)
_DAY_ALONE = regex(r"\b(?:on|by|until|till|from|since|before|after|to) the $")
_AFTER_DAY = regex(r"\s*(?:$|[.,;:!?)\]]|(?:and|or|but|to|when|with|at|in the)\b)")
_NUMERIC = regex(
    r"(?<![\w./-])(?:(?P<iy>[12][0-9]{3})(?P<sep>[-/.])(?P<im>[01]?[0-9])(?P=sep)(?P<id>[0-3]?[0-9])"
    r"|(?P<a>[0-3]?[0-9])(?P<s>[-/.])(?P<b>[0-3]?[0-9])(?P=s)(?P<y>[12][0-9]{3}|[0-9]{2}))(?![\w/]|[.-][0-9])"
)
_YEAR = r"(?:(?:[12][0-9]{3})|(?:'?[0-9]{2}(?![0-9])))"
_PERIOD = regex(
    rf"(?<![\w])(?:(?:(?:q(?P<q1>[1-4])|(?P<q2>[1-4])q|(?P<word>first|second|third|fourth|1st|2nd|3rd|4th)[ -]quarter)"
    rf"(?:(?:(?: of| for)?(?: the)?,?[ -]?(?:fy|fiscal(?: year)?|calendar(?: year)?|year) ?(?P<y1>{_YEAR})"
    rf"|(?: of|,)? ?(?P<y5>[12][0-9]{{3}})|(?P<y6>[ ]?'[0-9]{{2}}|(?<=q)[0-9]{{2}}))(?![0-9%]|[.,][0-9]))?)"
    rf"|(?:fy|fiscal(?: year)?(?: ended| ending)?) ?-?(?P<y2>{_YEAR})(?!%|[,.][0-9])(?:[ -]?q(?P<q3>[1-4]))?"
    rf"|(?P<y4>[12][0-9]{{3}})[ -]?q(?P<q4>[1-4]))(?![\w])"
)
_CLOCK = regex(
    r"(?<![\w:.,/])(?P<h>[0-2]?[0-9]):(?P<min>[0-5][0-9])(?::[0-5][0-9])?(?![\w:])(?: ?(?P<half>[ap])\.?m\b\.?)?"
)
_ORDER = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_CENTURY_TURN = 70
_BEFORE_MONTH, _AFTER_MONTH = 14, 40
"""How far a date can reach from the first letter of its month: \"30th day of …\", \"September 30th, 2021\"."""
_NOON, _LONGEST_MONTH = 12, 31


def find_dates(text: str, lowered: str, words: AbstractSet[str]) -> Iterator[Quantity]:
    """Read dates with the month in words from `lowered`, the text in lower case; `words` are those that occur in it."""
    at = 0
    for place in places(lowered, words & MONTH_WORDS):
        match = _NAMED.search(lowered, max(at, place - _BEFORE_MONTH), place + _AFTER_MONTH) if place >= at else None
        if match is None:
            continue
        at = match.end()
        name = next(g for g in ("m1", "m2", "m3", "m4") if match[g])
        month = _SHORT[match[name][:3]]
        day, year = match["d1"] or match["d2"], match["y1"] or match["y2"] or match["y3"] or match["y4"]
        if (year is None or day is None) and not text[match.start(name)].isupper():
            continue  # "may 5 patients", "they march 2 miles"
        if day is None:
            span = match.span(name)[0], match.end("m4") if name == "m4" else match.end()
            found = _date(text, span, (int(year), month, 1), "month")
        elif year is None:
            value = float(month * 100 + int(day))
            found = Quantity(value, "date", "month-day", value, 0.0, match.span(), text[match.start() : match.end()])
        else:
            found = _date(text, match.span(), (int(year), month, int(day)), "day")
        if found is not None:
            yield found


def with_month(text: str, found: list[Quantity]) -> list[Quantity]:
    """Return a bare day the month of the last date before it: "admitted on 5 March, discharged on the 12th"."""
    kept: list[Quantity] = []
    last: tuple[int, int] | None = None
    for q in found:
        if q.kind == "date" and q.unit in {"day", "month-day"}:
            at = date.fromordinal(int(q.value)) if q.unit == "day" else None
            last = (at.month, at.day) if at else divmod(int(q.value), 100)
        elif last and last[1] < q.value <= _LONGEST_MONTH and _is_bare_day(text, q):
            value = float(last[0] * 100 + int(q.value))
            kept.append(Quantity(value, "date", "month-day", value, 0.0, q.span, q.text))
            continue
        kept.append(q)
    return kept


def _is_bare_day(text: str, q: Quantity) -> bool:
    before = text[max(0, q.span[0] - 12) : q.span[0]].lower()
    return q.kind == "ordinal" and bool(_DAY_ALONE.search(before) and _AFTER_DAY.match(text, q.span[1]))


def read_numeric_date(text: str, start: int) -> Quantity | None:
    """Read 2021-05-03, 5/3/2021 or 13.05.2021 at `start`; where day and month could be swapped the unit is "day?"."""
    match = _NUMERIC.match(text, start)
    if match is None:
        return None
    if match["iy"]:
        return _date(text, match.span(), (int(match["iy"]), int(match["im"]), int(match["id"])), "day")
    a, b, year = int(match["a"]), int(match["b"]), _full_year(match["y"])
    if match["s"] != "/" and len(match["y"]) < 4:  # noqa: PLR2004 - 1.2.34 is a version, 10-12-14 a range
        return None
    month, day = (b, a) if a > _NOON or match["s"] == "." else (a, b)
    ambiguous = match["s"] != "." and a != b and max(a, b) <= _NOON
    return _date(text, match.span(), (year, month, day), "day?" if ambiguous else "day")


def find_periods(text: str, lowered: str) -> Iterator[Quantity]:
    """Read fiscal years and quarters: FY2018, fiscal 2018, Q2, 2Q23, FY2023Q1, second quarter of 2023."""
    for match in _PERIOD.finditer(lowered):
        quarter = (
            match["q1"] or match["q2"] or match["q3"] or match["q4"] or (match["word"] and str(_ORDER[match["word"]]))
        )
        written = next((match[g] for g in ("y1", "y2", "y4", "y5", "y6") if match[g]), None)
        year = _full_year(written) if written else 0
        value = float(year * 10 + int(quarter)) if quarter else float(year)
        start, end = match.span()
        yield Quantity(value, "quarter" if quarter else "year", None, value, 0.0, (start, end), text[start:end])


def find_clock_times(text: str) -> Iterator[Quantity]:
    """Read 14:30 and 2:30 p.m. as minutes after midnight."""
    for match in _CLOCK.finditer(text):
        hour, half = int(match["h"]), (match["half"] or "").lower()
        if hour > 23 or (half and hour > _NOON):  # noqa: PLR2004 - hours of a day
            continue
        if half:
            hour = hour % _NOON + (_NOON if half == "p" else 0)
        value = float(hour * 60 + int(match["min"]))
        yield Quantity(value, "time", None, value, 0.0, match.span(), match.group())


def _full_year(written: str) -> int:
    digits = written.lstrip(" '")
    year = int(digits)
    if len(digits) > 2:  # noqa: PLR2004 - two digits are short for a year
        return year
    return year + (1900 if year >= _CENTURY_TURN else 2000)


def _date(text: str, span: tuple[int, int], ymd: tuple[int, int, int], unit: str) -> Quantity | None:
    try:
        value = float(date(*ymd).toordinal())
    except ValueError:
        return None
    return Quantity(value, "date", unit, value, 0.0, span, text[span[0] : span[1]])
