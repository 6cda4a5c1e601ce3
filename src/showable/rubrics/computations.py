"""What may be reckoned from the operands of a passage: every sum, difference, product, ratio, share, change, mean and duration."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Literal, NamedTuple

from showable.read.quantity import Quantity, comparable
from showable.read.units import compared_in
from showable.rubrics.operands import Operand

Operation = Literal[
    "sum", "difference", "product", "ratio", "share", "change", "mean", "count", "duration", "conversion"
]

CALENDAR = frozenset({"date", "time", "year", "quarter", "ordinal"})
"""Kinds that are not summed up."""
_SHARES = frozenset({"percent", "percentage_points"})
_GROUP, _EVERY, _THREES = 24, 6, 8
"""Members of a column that are summed up at most; of a whole passage; operands of which threes are tried."""
_DAYS = {"minute": 1 / 1440, "hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.436875, "year": 365.2425}
_JOURNEYS = 4

Valued = list[tuple[Operand, float]]


class Computed(NamedTuple):
    """A computation and its result; `pattern` writes it, with a place for each operand and for the result.

    `sign` is the way that a change goes, 0 where the order of its ends is not known; `unlikely` that it is seldom meant,
    `named` that a number of the claim itself takes part.
    """

    operation: Operation
    operands: tuple[Operand, ...]
    value: float
    pattern: str
    sign: int = 0
    unlikely: bool = False
    named: bool = False

    @property
    def told(self) -> str:
        """Write the computation out with its operands, their places and the result."""
        plus, listed = (mark.join(map(str, self.operands)) for mark in (" + ", ", "))
        return self.pattern.format(*self.operands, r=f"{self.value:.6g}", plus=plus, listed=listed)


@dataclass(frozen=True, slots=True)
class Computations:
    """The operands that a claim's words fit, and the counts that it names itself.

    `groups` are the columns, rows and sentences of the passage, whole; `sizes` how many members each has. `compares`: the
    claim compares two things, so that which comes first does not tell the base. `of_rest`: it is about what is left.
    """

    operands: Sequence[Operand]
    every: Sequence[Operand]
    factors: Sequence[Quantity]
    sizes: Collection[int]
    compares: bool
    of_rest: bool

    def of(self, wanted: Quantity) -> Iterator[Computed]:
        """Yield what may be meant for a value of its kind."""
        if wanted.kind in _SHARES:
            yield from self._percentages(wanted)
        elif wanted.kind == "multiple":
            yield from self._ratios()
        else:
            if wanted.kind == "duration":
                yield from self._durations(wanted)
            yield from self._additions(wanted)
            yield from self._products(wanted)

    def _alike(self, wanted: Quantity) -> Valued:
        return _in_unit(self.operands, wanted)

    def _groups(self, wanted: Quantity) -> Iterator[Valued]:
        """Yield the columns, rows and sentences with two members or more of a value's kind, and a short passage whole."""
        groups: dict[str, list[Operand]] = defaultdict(list)
        for operand in self.every:
            for group in operand.groups:
                groups[group].append(operand)
        for members in groups.values():
            alike = _in_unit(members[:_GROUP], wanted)
            if len(alike) > 1:
                yield alike
        alike = _in_unit(self.every, wanted)
        if 2 < len(alike) <= _EVERY and len({o.groups for o, _ in alike}) > 1:  # noqa: PLR2004 - two are a pair anyway
            yield alike

    def _totals(self, wanted: Quantity) -> Iterator[Computed]:
        for group in self._groups(wanted):
            operands, total = tuple(o for o, _ in group), sum(value for _, value in group)
            yield Computed("sum", operands, total, "{plus} = {r}")
            yield Computed("mean", operands, total / len(group), "the mean of {listed} is {r}")

    def _parts(self, wanted: Quantity) -> Iterator[Computed]:
        """Yield the share that each member of a column or sentence has of their sum."""
        for operand in self.operands:
            if operand.quantity.kind in CALENDAR | _SHARES or wanted.kind != "percent":
                continue
            for group in self._groups(operand.quantity):
                members = {o for o, _ in group}
                total = sum(value for _, value in group)
                if operand in members and len(members) > 2 and total:  # noqa: PLR2004 - of two it is a share of a sum of two
                    share = 100 * operand.value / total
                    yield Computed("share", (operand,), share, f"{{0}} of {total:.10g} in all = {{r}} %")

    def _percentages(self, wanted: Quantity) -> Iterator[Computed]:
        pool = [o for o in self.operands if o.quantity.kind not in CALENDAR]
        amounts = [o for o in pool if o.quantity.kind not in _SHARES]
        for a, b in permutations(pool, 2):
            factors = comparable(a.quantity, b.quantity)
            x, y = (abs(a.value) * factors[0], abs(b.value) * factors[1]) if factors else (0.0, 0.0)
            if y and a.quantity.kind in _SHARES and a.place < b.place:
                yield Computed("difference", (a, b), abs(x - y), "the difference of {0} and {1} is {r}")
            if y and wanted.kind == "percent":
                yield from self._shares(a, b, x, y)
        for a, b, c in permutations(amounts[:_THREES], 3):
            alike = comparable(a.quantity, c.quantity) == comparable(b.quantity, c.quantity) == (1.0, 1.0)
            if alike and a.place < b.place and c.value:
                share = 100 * (a.value + b.value) / c.value
                yield Computed("share", (a, b, c), share, "({0} + {1}) / {2} = {r} %", unlikely=True)
        for operand in pool:
            if operand.quantity.kind == "percent":
                yield Computed("difference", (operand,), 100 - operand.value, "100 % − {0} = {r} %")
        yield from self._totals(wanted)
        yield from self._parts(wanted)

    def _shares(self, a: Operand, b: Operand, x: float, y: float) -> Iterator[Computed]:
        """Yield what share the first is of the second, what share it leaves, and by how much it is more or less."""
        if a.quantity.kind not in _SHARES:
            yield Computed("share", (a, b), 100 * x / y, "{0} / {1} = {r} %")
            if x < y and (a.year == b.year or None in {a.year, b.year}):
                rest = 100 * (y - x) / y
                yield Computed("share", (a, b), rest, "({1} − {0}) / {1} = {r} %", unlikely=not self.of_rest)
        if self.compares or not is_later(a, b):
            sign = (x > y) - (x < y) if is_later(b, a) and not self.compares else 0
            yield Computed("change", (b, a), 100 * (x - y) / y, "from {0} to {1} it is {r} %", sign)

    def _ratios(self) -> Iterator[Computed]:
        for a, b in permutations(self.operands, 2):
            factors = None if a.quantity.kind in CALENDAR else comparable(a.quantity, b.quantity)
            if factors is not None and b.value:
                yield Computed("ratio", (a, b), a.value * factors[0] / (b.value * factors[1]), "{0} / {1} = {r}")

    def _additions(self, wanted: Quantity) -> Iterator[Computed]:
        yield from self._totals(wanted)
        yield from self._temperatures(wanted)
        pool = self._alike(wanted)
        for (a, x), (b, y) in combinations(pool, 2):
            yield Computed("sum", (a, b), x + y, "{0} + {1} = {r}")
            yield Computed("mean", (a, b), (x + y) / 2, "the mean of {0} and {1} is {r}")
            gap, pattern = (
                abs(x - y) if x * y < 0 else abs(abs(x) - abs(y)),
                "{1} − {0} = {r}" if abs(y) > abs(x) else "{0} − {1} = {r}",
            )
            yield Computed("difference", (a, b), gap, pattern)
            if is_later(a, b) or is_later(b, a):
                new, old = (abs(x), abs(y)) if is_later(b, a) else (abs(y), abs(x))
                yield Computed("change", (a, b), gap, pattern, (new > old) - (new < old))
        for (a, x), (b, y), (c, z) in combinations(pool[:_THREES], 3):
            yield Computed("sum", (a, b, c), x + y + z, "{0} + {1} + {2} = {r}")
            for value, pattern in (
                (x + y - z, "{0} + {1} − {2} = {r}"),
                (x + z - y, "{0} + {2} − {1} = {r}"),
                (y + z - x, "{1} + {2} − {0} = {r}"),
            ):
                yield Computed("difference", (a, b, c), abs(value), pattern, unlikely=True)

    def _temperatures(self, wanted: Quantity) -> Iterator[Computed]:
        """Yield temperatures on the other scale, whose zero is another."""
        for operand in self.operands:
            if (operand.quantity.unit, wanted.unit) == ("°C", "°F"):
                yield Computed("conversion", (operand,), operand.value * 9 / 5 + 32, "{0} are {r} °F")
            elif (operand.quantity.unit, wanted.unit) == ("°F", "°C"):
                yield Computed("conversion", (operand,), (operand.value - 32) * 5 / 9, "{0} are {r} °C")

    def _products(self, wanted: Quantity) -> Iterator[Computed]:
        """Yield amount × count, share × amount, and rate × what it is per; counts may be the claim's own."""
        amounts = self._alike(wanted)
        counts = [o for o in self.operands if o.quantity.kind in {"number", "duration", "multiple"}]
        for operand, value in amounts:
            for other in counts:
                if other is not operand:
                    yield Computed("product", (operand, other), value * other.value, "{0} × {1} = {r}")
            if wanted.kind == "money":
                yield Computed("product", (operand,), value * 12, "{0} × 12 months = {r}")
        yield from self._times_named(wanted, amounts, counts)
        for rate in self.operands:
            if rate.quantity.kind == "percent":
                for operand, value in amounts:
                    yield Computed("product", (rate, operand), rate.value * value / 100, "{0} of {1} = {r}")
            elif "/" in (rate.quantity.unit or ""):
                yield from self._rates(rate, wanted, counts)

    def _times_named(self, wanted: Quantity, amounts: Valued, counts: Sequence[Operand]) -> Iterator[Computed]:
        """Yield amounts times a number that the claim names ("two desks"), alone, times a count, and less another amount."""
        for factor in self.factors:
            if factor.kind == "duration" and wanted.kind != "money":  # "two months" multiply a rent, and no count
                continue
            text, times, size = factor.text, factor.value, factor.value in self.sizes
            for operand, value in amounts:
                alone = f"{{0}} × {text} = {{r}}"
                yield Computed("product", (operand,), value * times, alone, unlikely=size, named=True)
                for other in counts:
                    if other is not operand:
                        both, result = f"{{0}} × {{1}} × {text} = {{r}}", value * times * other.value
                        yield Computed("product", (operand, other), result, both, unlikely=size, named=True)
                for other, amount in amounts if wanted.kind == "money" else ():
                    if other is not operand:
                        less, gap = f"{{0}} × {text} − {{1}} = {{r}}", abs(value * times - amount)
                        yield Computed("difference", (operand, other), gap, less, named=True)

    def _rates(self, rate: Operand, wanted: Quantity, counts: Sequence[Operand]) -> Iterator[Computed]:
        """Yield a rate × what it is per (5 mg/kg × 12 kg), and an amount over a rate (2,500 L at 50 L a minute)."""
        over, _, under = (rate.quantity.unit or "").partition("/")
        (base, factor), (wanted_base, wanted_factor) = compared_in(over), compared_in(wanted.unit or "")
        per, per_factor = compared_in(under)
        for operand in self.operands:
            unit, unit_factor = compared_in(operand.quantity.unit or "")
            if unit == per and base == wanted_base:
                result = rate.value * operand.value * unit_factor / per_factor * factor / wanted_factor
                yield Computed("product", (rate, operand), result, "{0} × {1} = {r}")
                for count in counts:
                    if count is not operand:
                        yield Computed("product", (rate, operand, count), result * count.value, "{0} × {1} × {2} = {r}")
                for named in self.factors:
                    yield Computed(
                        "product",
                        (rate, operand),
                        result * named.value,
                        f"{{0}} × {{1}} × {named.text} = {{r}}",
                        named=True,
                    )
            if unit == base and per == wanted_base and rate.value:
                result = operand.value * unit_factor / factor / rate.value * per_factor / wanted_factor
                yield Computed("ratio", (operand, rate), result, "{0} / {1} = {r}")

    def _durations(self, wanted: Quantity) -> Iterator[Computed]:
        """Yield the time between two dates, years or times of day in the unit wanted, and other durations in it."""
        unit = _DAYS.get(wanted.unit or "")
        if unit is None:
            return
        tail = f"{{r}} {wanted.unit}s"
        times = [o for o in self.every if o.quantity.kind == "time"]
        if len(times) == _JOURNEYS:
            first, second = (abs(times[i + 1].value - times[i].value) / 1440 / unit for i in (0, 2))
            yield Computed(
                "difference", tuple(times), abs(first - second), f"from {{0}} to {{1}} against {{2}} to {{3}}: {tail}"
            )
        for a, b in combinations(self.operands, 2):
            days = _days_between(a.quantity, b.quantity)
            if days:
                yield Computed("duration", (a, b), days / unit, f"from {{0}} to {{1}}: {tail}")
        for operand in self.operands:
            other = _DAYS.get(operand.quantity.unit or "")
            if operand.quantity.kind == "duration" and other and operand.quantity.unit != wanted.unit:
                yield Computed("conversion", (operand,), operand.value * other / unit, f"{{0}} are {tail}")


def is_later(a: Operand, b: Operand) -> bool:
    """Return whether the second operand is told to be of a later year than the first."""
    return a.year is not None and b.year is not None and a.year < b.year


def _in_unit(operands: Sequence[Operand], wanted: Quantity) -> Valued:
    """Return the operands of a value's kind, each with its value in that unit."""
    found = []
    for operand in operands:
        factors = None if operand.quantity.kind in CALENDAR else comparable(operand.quantity, wanted)
        if factors is not None:
            found.append((operand, operand.value * factors[0] / factors[1]))
    return found


def _days_between(a: Quantity, b: Quantity) -> float | None:
    """Return the days between two dates, two years or two times of day; None where they are of different kinds."""
    if a.kind != b.kind:
        return None
    gap = abs(a.value - b.value)
    if a.kind == "date" and "month-day" not in {a.unit, b.unit}:
        return gap
    return {"year": gap * _DAYS["year"], "time": gap * _DAYS["minute"]}.get(a.kind)
