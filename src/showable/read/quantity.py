"""A quantity as stated in a text, and when two statements are of the same quantity."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from showable.read.units import compared_in

QuantityKind = Literal[
    "number",
    "multiple",
    "money",
    "percent",
    "percentage_points",
    "measure",
    "duration",
    "ordinal",
    "year",
    "quarter",
    "date",
    "time",
]
_COUNTS: frozenset[QuantityKind] = frozenset({"number", "multiple", "year"})
_SHARES: frozenset[QuantityKind] = frozenset({"percent", "percentage_points"})
_ROUNDING = 1e-9
_CONVERTED = 0.05


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number with its unit.

    `value` has the scale word resolved ("1.58 billion" is 1.58e9; percent stay percent: 12.4), in `unit`.
    `mantissa` is the number as written, before scale. `precision` is the half-width implied by the digits
    stated (0 for dates and years). `span` indexes the text in code points, end exclusive, currency and unit included.

    Dates: `value` is the proleptic day number, with unit "day" (or "day?" where day and month could be swapped), "month" (its
    first day), or "month-day" (month * 100 + day, no year stated). Quarters: year * 10 + quarter, or the quarter alone.
    Times of day are minutes after midnight.
    """

    value: float
    kind: QuantityKind
    unit: str | None
    mantissa: float
    precision: float
    span: tuple[int, int]
    text: str

    @property
    def in_brackets(self) -> bool:
        """Whether it was written as accountants write a negative amount: ``(1.2)``."""
        return self.value < 0 and "(" in self.text


def same_quantity(a: Quantity, b: Quantity) -> bool:
    """Check whether two quantities are of compatible kinds and equal within the coarser stated precision.

    Percent and percentage points are held to be alike, because writers interchange them; the kinds tell them apart.
    A number without unit may be an amount of money (tables state the currency once), but no percentage, duration or
    measure. An amount in accounting brackets equals its magnitude: the sign is often put into words ("a loss of 1.2").
    Symmetric; reflexive; not transitive, as no comparison within a tolerance is.
    """
    if a.kind == b.kind == "date":
        return _same_date(a, b)
    if a.kind == b.kind == "quarter":
        return a.value == b.value or (min(a.value, b.value) < 10 and a.value % 10 == b.value % 10)  # noqa: PLR2004
    scales = comparable(a, b)
    return scales is not None and _close(a, b, scales)


def comparable(a: Quantity, b: Quantity) -> tuple[float, float] | None:
    """Return the factors that bring both values to one unit, or None where they measure different things."""
    if a.kind in _COUNTS and b.kind in _COUNTS:
        return 1.0, 1.0
    if a.kind in _SHARES and b.kind in _SHARES:
        return 1.0, 1.0
    if {a.kind, b.kind} == {"money", "number"}:
        return 1.0, 1.0
    if a.kind != b.kind:
        return None
    if a.kind in {"measure", "duration"}:
        base_a, factor_a = compared_in(a.unit or "")
        base_b, factor_b = compared_in(b.unit or "")
        return (factor_a, factor_b) if base_a == base_b else None
    return (1.0, 1.0) if a.unit == b.unit else None


def _close(a: Quantity, b: Quantity, scales: tuple[float, float]) -> bool:
    value_a, value_b = a.value * scales[0], b.value * scales[1]
    if a.in_brackets != b.in_brackets:
        value_a, value_b = abs(value_a), abs(value_b)
    size = max(abs(value_a), abs(value_b))
    tolerance = max(a.precision * scales[0], b.precision * scales[1])
    if scales[0] != scales[1]:  # "1 L" is not rounded from "600 mL"
        tolerance = min(tolerance, _CONVERTED * size)
    return abs(value_a - value_b) <= tolerance + _ROUNDING * size


def _same_date(a: Quantity, b: Quantity) -> bool:
    readings_a, readings_b = _day_readings(a), _day_readings(b)
    return any(_agree(x, y) for x in readings_a for y in readings_b)


def _agree(x: tuple[int | None, int, int | None], y: tuple[int | None, int, int | None]) -> bool:
    """Compare (year, month, day) where both state a part; what one leaves out is no conflict."""
    return all(p == q for p, q in zip(x, y, strict=True) if p is not None and q is not None)


def _day_readings(q: Quantity) -> list[tuple[int | None, int, int | None]]:
    if q.unit == "month-day":
        return [(None, int(q.value) // 100, int(q.value) % 100)]
    day = date.fromordinal(int(q.value))
    if q.unit == "month":
        return [(day.year, day.month, None)]
    readings: list[tuple[int | None, int, int | None]] = [(day.year, day.month, day.day)]
    if q.unit == "day?":
        readings.append((day.year, day.day, day.month))
    return readings


class QuantityIndex:
    """Quantities sorted for finding the same as another, in order of place; equal ones are compared once."""

    def __init__(self, quantities: Sequence[Quantity]) -> None:
        self.quantities = quantities
        self._alike: dict[_Key, list[Quantity]] = {}
        for quantity in quantities:
            self._alike.setdefault(_key(quantity), []).append(quantity)
        self._groups: dict[tuple[QuantityKind, str | None, float], list[tuple[float, _Key]]] = {}
        for key in self._alike:
            kind, unit, value, precision, _ = key
            self._groups.setdefault((kind, unit, precision), []).append((abs(value), key))
        for group in self._groups.values():
            group.sort(key=lambda entry: entry[0])

    def same(self, quantity: Quantity) -> list[Quantity]:
        """Return all that are the same as a quantity."""
        keys = (key for group in self._groups for key in self._near(group, quantity))
        found = [one for key in keys if same_quantity(self._alike[key][0], quantity) for one in self._alike[key]]
        return sorted(found, key=lambda one: one.span)

    def has(self, quantity: Quantity) -> bool:
        """Return whether any is the same as a quantity."""
        keys = (key for group in self._groups for key in self._near(group, quantity))
        return any(same_quantity(self._alike[key][0], quantity) for key in keys)

    def _near(self, group: tuple[QuantityKind, str | None, float], quantity: Quantity) -> Sequence[_Key]:
        """Return the keys of a group whose value may be the same; all of them where values alone do not tell."""
        entries = self._groups[group]
        if quantity.kind == group[0] in {"date", "quarter"}:
            return [key for _, key in entries]
        scales = comparable(self._alike[entries[0][1]][0], quantity)
        if scales is None:
            return ()
        theirs, ours = scales
        value = abs(quantity.value) * ours
        width = max(group[2] * theirs, quantity.precision * ours)
        slack = 2 * _ROUNDING * (value + width)
        first = bisect_left(entries, (value - width - slack) / theirs, key=lambda entry: entry[0])
        last = bisect_right(entries, (value + width + slack) / theirs, key=lambda entry: entry[0])
        return [key for _, key in entries[first:last]]


_Key = tuple[QuantityKind, str | None, float, float, bool]
"""What `same_quantity` reads of a quantity: kind, unit, value, precision, and whether it stands in brackets."""


def _key(quantity: Quantity) -> _Key:
    return quantity.kind, quantity.unit, quantity.value, quantity.precision, quantity.in_brackets
