"""How often something happens: "once a year", "every 12 months", "annually", "twice daily", "q8h"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from showable.read.number_words import CARDINALS, ORDINALS

_UNITS: dict[str, tuple[str, float]] = {
    "second": ("day", 1 / 86400),
    "minute": ("day", 1 / 1440),
    "hour": ("day", 1 / 24),
    "day": ("day", 1.0),
    "night": ("day", 1.0),
    "week": ("day", 7.0),
    "fortnight": ("day", 14.0),
    "month": ("month", 1.0),
    "quarter": ("month", 3.0),
    "year": ("month", 12.0),
    "annum": ("month", 12.0),
    "decade": ("month", 120.0),
}
_ADVERBS: dict[str, tuple[str, float]] = {
    "hourly": ("day", 1 / 24),
    "daily": ("day", 1.0),
    "nightly": ("day", 1.0),
    "weekly": ("day", 7.0),
    "fortnightly": ("day", 14.0),
    "monthly": ("month", 1.0),
    "quarterly": ("month", 3.0),
    "yearly": ("month", 12.0),
    "annually": ("month", 12.0),
    "annual": ("month", 12.0),
    "semi-annual": ("month", 6.0),
    "semi-annually": ("month", 6.0),
    "semiannual": ("month", 6.0),
    "semiannually": ("month", 6.0),
    "half-yearly": ("month", 6.0),
    "half yearly": ("month", 6.0),
    "biannually": ("month", 6.0),
    "biennially": ("month", 24.0),
    "biennial": ("month", 24.0),
    "triennially": ("month", 36.0),
    "triennial": ("month", 36.0),
}
"""Biweekly and bimonthly are left out: they mean twice in one and once in two."""
_DOSING = {"b.i.d.": 2, "bid": 2, "t.i.d.": 3, "tid": 3, "q.i.d.": 4, "qid": 4, "o.d.": 1}
_COUNTS = {"once": 1, "twice": 2, "thrice": 3}
_NUMBER = r"[0-9]{1,3}|" + "|".join(sorted(CARDINALS, key=len, reverse=True))
_UNIT = "|".join(_UNITS)
_ADVERB = "|".join(sorted(_ADVERBS, key=len, reverse=True))
_RANK = "other|" + "|".join(ORDINALS)
_OFTEN = re.compile(
    rf"(?<![\w-])(?:(?:(?P<count>once|twice|thrice)|(?P<times>{_NUMBER})(?: times| ?x|×))"
    rf"(?: (?:a|an|per|each|every|in an?|in (?:each|every)|during (?:an?|each|every)) (?:calendar |single )?(?P<per>{_UNIT})|[ -](?P<adverb>{_ADVERB}))"
    rf"|(?:every|each) (?:(?P<n>{_NUMBER}) |(?P<rank>{_RANK}) |(?P<half>half)[ -]|(?:single |calendar )?)?(?P<unit>{_UNIT})s?"
    rf"|(?:at )?intervals of (?:an? |(?P<m>{_NUMBER}) )?(?P<span>{_UNIT})s?|at (?P<k>{_NUMBER})[- ](?P<gap>{_UNIT}) intervals"
    rf"|(?P<j>{_NUMBER})-(?P<long>hourly|daily|weekly|monthly|yearly)|per annum|p\.a\.|(?P<alone>{_ADVERB})|q\.?(?P<q>[0-9]{{1,2}})\.?h)(?![\w-])"
)
_DOSED = re.compile(r"(?<![\w.])(?:(?:[bBtTqQ]\.[iI]\.[dD]\.)|BID|TID|QID)(?!\w)")


class Frequency(NamedTuple):
    """One event in `interval` of `unit` (day or month), and where it is said."""

    unit: str
    interval: float
    span: tuple[int, int]

    def equals(self, other: Frequency) -> bool:
        """Tell whether both are as frequent; four weeks are no month."""
        return self.unit == other.unit and abs(self.interval - other.interval) <= 1e-6 * self.interval


def find_frequencies(text: str) -> Iterator[Frequency]:
    """Read how often a text says that something happens, in order of place."""
    for match in _OFTEN.finditer(text.lower()):
        unit, interval = _interval(match)
        if interval:
            yield Frequency(unit, interval, match.span())
    for match in _DOSED.finditer(text):
        yield Frequency("day", 1 / _DOSING[match.group().lower()], match.span())


def _interval(match: re.Match[str]) -> tuple[str, float]:
    if match["count"] or match["times"]:
        unit, length = _UNITS[match["per"]] if match["per"] else _ADVERBS[match["adverb"]]
        times = _COUNTS[match["count"]] if match["count"] else _number(match["times"])
        return unit, length / times if times else 0.0
    if match["alone"]:
        return _ADVERBS[match["alone"]]
    if match["long"]:
        unit, length = _ADVERBS[match["long"]]
        return unit, length * _number(match["j"])
    if match["q"]:
        return "day", int(match["q"]) / 24
    name = match["unit"] or match["span"] or match["gap"] or "year"
    unit, length = _UNITS[name]
    if match["half"]:
        return unit, length / 2
    steps = 2 if match["rank"] == "other" else ORDINALS.get(match["rank"] or "", 0)
    return unit, length * (steps or _number(match["n"] or match["m"] or match["k"] or "1"))


def _number(written: str) -> int:
    return int(written) if written.isdigit() else CARDINALS[written]
