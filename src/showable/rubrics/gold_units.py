"""A number with a unit against one without: `30` for gold where the answer says `30 days`, and the other way round."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from showable.read.quantities import Quantity, find_quantities, same_quantity
from showable.read.quantity import comparable
from showable.rubrics.gold_match import Match
from showable.rubrics.gold_question import Asked
from showable.rubrics.gold_statements import Statement, decisive

_BARE = frozenset({"number", "year"})
SHARE = frozenset({"percent", "percentage_points"})
_MEASURED = frozenset({"measure", "duration"})
_ASKED_FOR = {
    "duration": re.compile(r"\b(?:how (?:long|old|often|soon)|ages?|periods?|terms?|duration|deadline|time|length|lifetime|warranty|limit|minimum|maximum)\b"),
    "measure": re.compile(
        r"\b(?:how (?:much|far|large|big|high|tall|deep|wide|heavy|long|fast)|doses?|dosage|weight|mass|height|length|width|depth|distance|area|"
        r"volume|capacity|speed|temperature|pressure|concentration|amount|quantity|limit|minimum|maximum)\b"
    ),
    "share": re.compile(r"\b(?:rate|interest|yield|margin|share|proportion|discount|commission|growth)\b|per ?cent|%"),
}  # fmt: skip
"""Questions whose answer may be of a kind, though no unit is named in them."""
_SMALLEST_PERCENTAGE = 1
"""A bare number below it is rather a share of one: 0.5 is 50 %, and not 0.5 %."""


def with_unit_asked(bare: Quantity, asked: Asked) -> Quantity:
    """Give a bare number the unit that the question names for it: 30 is 30 days where it asks how many days."""
    if bare.kind not in _BARE or asked.unit is None:
        return bare
    found = find_quantities(f"{bare.text} {asked.unit}")
    return replace(found[0], span=bare.span, text=bare.text) if len(found) == 1 and found[0].kind in _MEASURED else bare


def compare_past_units(gold: Quantity, asked: Asked, answer: Sequence[Statement]) -> Match | None:
    """Compare what has a unit on one side alone; None where the answer gives no such value for what was asked.

    They agree where the number is the same and the question leaves no doubt what it is a number of. Another number is
    no disagreement: 500 and "0.5 g" may be one dose.
    """
    facing = {id(s): [q for q in s.results if _faces(q, gold) and not _known(q, asked)] for s in answer}
    stating = [s for s in answer if facing[id(s)]]
    chosen = decisive(stating) or (stating[0] if len(answer) == 1 and stating else None)
    if chosen is None:
        return None
    values = tuple(q.text for q in facing[id(chosen)])
    same = [q for q in facing[id(chosen)] if _same_number(q, gold, asked)]
    fitting = _fits((same or facing[id(chosen)])[0] if gold.kind in _BARE else gold, asked)
    if same and fitting and not (gold.kind in _BARE and asked.unit):
        return Match("agrees", f"the answer gives {gold.text}", (chosen.text,), values=tuple(q.text for q in same))
    if not same and not fitting:
        return None
    said = f"the answer gives {values[-1]}, gold {gold.text}: one of them without a unit"
    return Match("unknown", said, (chosen.text,), undecided=True)


def _faces(q: Quantity, gold: Quantity) -> bool:
    """Tell whether one of two quantities has a unit, and the other none."""
    if gold.kind in _BARE:
        return q.kind in _MEASURED or (q.kind in SHARE and abs(gold.value) >= _SMALLEST_PERCENTAGE)
    return q.kind in _BARE and (gold.kind in _MEASURED or (gold.kind in SHARE and abs(q.value) >= _SMALLEST_PERCENTAGE))


def _same_number(given: Quantity, gold: Quantity, asked: Asked) -> bool:
    """Compare the bare numbers; where the question names the unit of the answer's, 24 months are two years."""
    if asked.unit is not None and gold.kind in _MEASURED:
        return same_quantity(with_unit_asked(given, asked), gold)
    return same_quantity(replace(given, kind="number", unit=None), replace(gold, kind="number", unit=None))


def _fits(measured: Quantity, asked: Asked) -> bool:
    """Tell whether a question asks for such a quantity: in its unit, or, naming none, for a length of time, a measure, a share."""
    if asked.unit is not None:
        return any(comparable(q, measured) is not None for q in find_quantities(f"7 {asked.unit}"))
    kind = "share" if measured.kind in SHARE else measured.kind
    return _ASKED_FOR[kind].search(asked.text.lower()) is not None


def _known(q: Quantity, asked: Asked) -> bool:
    return any(same_quantity(q, known) for known in asked.quantities)
