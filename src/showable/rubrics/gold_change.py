"""A change told by its ends or by its size: "from 350 to 310" is "by 40 to 310", and not "from 310 to 350"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from showable.read.quantities import Quantity, find_quantities
from showable.read.quantity import comparable
from showable.rubrics.gold_direction import direction
from showable.rubrics.gold_match import Match
from showable.rubrics.gold_question import Asked
from showable.rubrics.gold_statements import Statement

_ROLE = re.compile(r"\b(from|to|by)\b(?: (?:about|around|some|roughly|nearly|almost|over|just|only|the|a|an)\b)*\s*$")
_REACH = 30
_NO_VALUE = frozenset({"year", "quarter", "date", "time", "ordinal"})


class _Change(NamedTuple):
    start: Quantity
    end: Quantity

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.start.text, self.end.text)


def compare_change(gold: str, asked: Asked, answer: Sequence[Statement]) -> Match | None:
    """Compare the ends of a change that gold tells; None where either tells none, or another one.

    The same ends the other way round are a disagreement: what fell did not rise.
    """
    wanted = _read(gold, find_quantities(gold))
    told = [(s, change) for s in answer if (change := _read(s.text, s.quantities))]
    if wanted is None or asked.yes_no:
        return None
    for statement, change in told:
        if _same(change.start, wanted.start) and _same(change.end, wanted.end):
            return Match("agrees", f"the answer tells {gold.strip()}", (statement.text,), values=change.texts)
    for statement, change in told:
        if _same(change.start, wanted.end) and _same(change.end, wanted.start):
            reason = (
                f"the answer tells the change from {change.start.text} to {change.end.text}, gold the other way round"
            )
            return Match("disagrees", reason, (statement.text,), values=change.texts)
    return None


def _read(text: str, quantities: Sequence[Quantity]) -> _Change | None:
    """Read the one change of a text: its ends as given, or the one that its size and direction leave out."""
    roles: dict[str, Quantity] = {}
    for q in quantities:
        role = _ROLE.search(text.lower(), max(0, q.span[0] - _REACH), q.span[0])
        if q.kind in _NO_VALUE or role is None:
            continue
        if role[1] in roles:
            return None  # two changes: which belongs to which is not read
        roles[role[1]] = q
    start, end, size = roles.get("from"), roles.get("to"), roles.get("by")
    if start and end:
        return _Change(start, end) if comparable(start, end) == (1.0, 1.0) else None
    way = direction(text, size) if size else 0
    if size is None or not way:
        return None
    if end and comparable(end, size) == (1.0, 1.0):
        return _Change(_moved(end, -way, size), end)
    return _Change(start, _moved(start, way, size)) if start and comparable(start, size) == (1.0, 1.0) else None


def _moved(q: Quantity, way: int, size: Quantity) -> Quantity:
    value = q.value + way * abs(size.value)
    return replace(q, value=value, mantissa=value, precision=max(q.precision, size.precision))


def _same(one: Quantity, other: Quantity) -> bool:
    gap = one.precision + other.precision if one.value != other.value else 0.0
    return comparable(one, other) == (1.0, 1.0) and abs(one.value - other.value) <= gap + 1e-9 * abs(one.value)
