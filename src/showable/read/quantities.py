"""Every quantity stated in a text: amounts, percentages, measures, durations, dates, counts in digits or words."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import replace

from showable.read.dates import MONTH_WORDS, find_clock_times, find_dates, find_periods, read_numeric_date, with_month
from showable.read.digits import match_number, read_number
from showable.read.fractions import find_mixed
from showable.read.number_context import Tail, read_tail
from showable.read.number_words import NUMBER_WORDS, WordNumber, find_word_numbers
from showable.read.quantity import Quantity, QuantityIndex, QuantityKind, same_quantity
from showable.records.regex import regex

__all__ = ["Quantity", "QuantityIndex", "QuantityKind", "find_quantities", "same_quantity"]

_WORD = regex(r"[a-z]+")
_PERIOD_WORDS = frozenset({"q", "fy", "fiscal", "quarter"})
_MARKER = regex(r"\[\^?(?:[A-Za-z]{1,12}[-_ :]?)?[0-9]{1,4}(?: ?[,;–-] ?(?:[A-Za-z]{1,12}[-_ ]?)?[0-9]{1,4}){0,20}\]")
_ADDRESS = regex(r"(?:https?://|www\.|doi:|10\.[0-9]{4,9}/)\S+")
_DATE_JOINS = frozenset("-/.")
_DIGIT = regex(r"[0-9]")
_JOINS = frozenset({"-", "–", "—", " to ", " - ", " – ", "-to-"})
_WITH_UNIT = frozenset({"money", "percent", "percentage_points", "measure", "duration"})


def find_quantities(text: str) -> list[Quantity]:
    """Read the quantities of a text in order of place; never raises.

    Left out: citation markers (``[1]``), list numbers, web addresses and DOIs, and digits that belong to a name
    (COVID-19, B12, 10-K, 3M). A range such as "5–10 mg" gives both ends, with the unit and scale that they share.
    """
    lowered = text.lower()
    if len(lowered) != len(text):  # some capitals have a longer small form, and offsets come first
        lowered = "".join(small if len(small := c.lower()) == 1 else c for c in text)
    words = set(_WORD.findall(lowered))
    found: list[Quantity] = []
    taken = [m.span() for m in _MARKER.finditer(text)] if "[" in text else []
    if "/" in text:
        taken += [m.span() for m in _ADDRESS.finditer(text)]
    if not words.isdisjoint(MONTH_WORDS):
        _keep(find_dates(text, lowered, words), found, taken)
    if not words.isdisjoint(_PERIOD_WORDS):
        _keep(find_periods(text, lowered), found, taken)
    if ":" in text:
        _keep(find_clock_times(lowered), found, taken)
    _keep(find_mixed(text, lowered, words), found, taken)
    _keep(_in_digits(text, taken), found, taken)
    if not words.isdisjoint(NUMBER_WORDS):
        _keep((_in_words(text, word) for word in find_word_numbers(lowered, words)), found, taken)
    found.sort(key=lambda q: q.span)
    return _shared_units(text, with_month(text, found))


def _keep(new: Iterable[Quantity], found: list[Quantity], taken: list[tuple[int, int]]) -> None:
    """Add what does not overlap with something read before; `taken` stays sorted."""
    kept = []
    for quantity in new:
        start, end = quantity.span
        at = bisect_left(taken, (start, end))
        if (at == 0 or taken[at - 1][1] <= start) and (at == len(taken) or taken[at][0] >= end):
            kept.append(quantity)
    found += kept
    taken += [q.span for q in kept]
    taken.sort()


def _in_digits(text: str, taken: list[tuple[int, int]]) -> Iterator[Quantity]:
    at, done = 0, 0
    busy = iter([*taken, (len(text), len(text))])
    busy_start, busy_end = next(busy)
    while first := _DIGIT.search(text, at):
        start = first.start()
        while busy_end <= start:
            busy_start, busy_end = next(busy)
        if busy_start <= start:
            at = busy_end
            continue
        match = match_number(text, start)
        at = match.end() if match else start + 1
        quantity = _read_at(text, match) if match else None
        if quantity and quantity.span[0] >= done:
            at = done = max(at, quantity.span[1])
            yield quantity


def _read_at(text: str, match: re.Match[str]) -> Quantity | None:
    end = match.end()
    dated = read_numeric_date(text, match.start()) if text[end : end + 1] in _DATE_JOINS else None
    return dated or read_number(text, match)


def _in_words(text: str, word: WordNumber) -> Quantity:
    tail, half = Tail(word.end), 0.5 * word.step
    if word.kind == "ordinal":
        tail, half = Tail(word.end, 1.0, "ordinal"), 0.0
    elif word.kind == "fraction":
        tail = Tail(word.end, 1.0, "percent", "%")
    else:
        tail = read_tail(text, word.end, "00", None) or tail
    span = (word.start, tail.end)
    return Quantity(
        word.value * tail.scale, tail.kind, tail.unit, word.value, half * tail.scale, span, text[span[0] : span[1]]
    )


def _shared_units(text: str, found: list[Quantity]) -> list[Quantity]:
    """Return both ends of a range the unit and scale they share, and drop the word of "thirty (30) days"."""
    kept: list[Quantity] = []
    for quantity in found:
        q = quantity
        if kept:
            gap = text[kept[-1].span[1] : q.span[0]]
            if gap == " (" and kept[-1].kind == "number" and kept[-1].value == q.mantissa:
                kept.pop()
            elif gap in _JOINS or (gap == " and " and text.endswith("between ", 0, kept[-1].span[0])):
                kept[-1], q = _range(kept[-1], q)
        kept.append(q)
    return kept


def _range(low: Quantity, high: Quantity) -> tuple[Quantity, Quantity]:
    if high.kind in {"number", "year"} and low.kind == "money":
        high = replace(high, kind="money", unit=low.unit)
    if low.kind == "number" and high.kind in _WITH_UNIT:
        low = replace(low, kind=high.kind, unit=high.unit)
    if low.kind == high.kind and low.unit == high.unit and low.value == low.mantissa and high.mantissa:
        scale = high.value / high.mantissa
        low = replace(low, value=low.mantissa * scale, precision=low.precision * scale)
    return low, high
