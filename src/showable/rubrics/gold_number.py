"""Gold answers that are a number: whether it is, at the precision stated, the value that the answer gives.

A unit may stand on one side alone: 30 for gold where the answer says "30 days", and the other way round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from showable.read.quantities import Quantity, find_quantities, same_quantity
from showable.read.quantity import comparable
from showable.records.regex import regex
from showable.rubrics.gold_direction import direction, goes_with, is_negative
from showable.rubrics.gold_question import Asked
from showable.rubrics.gold_reading import Match
from showable.rubrics.gold_statements import RESTATES, Statement, decisive

_FIRST_QUARTER_WITH_YEAR = 10000
_BRACKETED = regex(r"^\s*\((\d[\d,.]{0,20})\)\s*$")
_CALENDAR = frozenset({"year", "quarter", "date", "time"})
_AMOUNTS = frozenset({"number", "multiple", "money", "percent", "percentage_points"})
_BARE = frozenset({"number", "year"})
_SHARE = frozenset({"percent", "percentage_points"})
_MEASURED = frozenset({"measure", "duration"})
_ASKED_FOR = {
    "duration": regex(r"\b(?:how (?:long|old|often|soon)|ages?|periods?|terms?|duration|deadline|time|length|lifetime|warranty|limit|minimum|maximum)\b"),
    "measure": regex(
        r"\b(?:how (?:much|far|large|big|high|tall|deep|wide|heavy|long|fast)|doses?|dosage|weight|mass|height|length|width|depth|distance|area|"
        r"volume|capacity|speed|temperature|pressure|concentration|amount|quantity|limit|minimum|maximum)\b"
    ),
    "share": regex(r"\b(?:rate|interest|yield|margin|share|proportion|discount|commission|growth)\b|per ?cent|%"),
}  # fmt: skip
"""Questions whose answer may be of a kind, though no unit is named in them."""
_SMALLEST_PERCENTAGE = 1
"""A bare number below it is rather a share of one: 0.5 is 50 %, and not 0.5 %."""
_LAST_DIGIT = 0.02
_SHORT = 40
_COARSE = 0.05
_LARGEST_RATIO = 10
"""A larger number is a count: 312 votes are not met in percent."""
_BY_HOW_MUCH = regex(r"\bby how (?:much|many)\b|\b(?:what is|what was) the (?:change|increase|decrease|difference)\b")
_FROM_TO = regex(r"\bfrom\b|\bprevious|\bprior\b|\bformer|\bup to\b|\bearlier\b|\bcompared\b|\bversus\b|\bvs\b")


class Reading(NamedTuple):
    """One way to read the gold number: its value, the half-width of its last digit, and the kinds that it may be met in."""

    value: float
    half: float
    kinds: frozenset[str]
    currency: str | None = None
    """What it is stated in, where it is money and says so."""
    as_written: bool = False
    """Whether an answer's number is compared before its scale word: "$1,577" where the question asks for millions."""


_MONEY = frozenset({"money", "number", "year"})
_DOLLARS = frozenset({"USD", "CAD", "AUD", "NZD", "HKD", "SGD"})
"""A bare "$" is read as the first of them, and in its own country it is another."""
_PLAIN = frozenset({"number", "multiple", "year", "ordinal"})


def gold_quantity(gold: str, asked: Asked) -> Quantity | None:
    """Find the one quantity that a gold answer gives to a question about a quantity; None where there is none or several."""
    found = find_quantities(_BRACKETED.sub(r"-\1", gold))
    if len(found) == 1 and len(gold.split()) <= 4:  # noqa: PLR2004 - a number with its unit, and little else
        return found[0]
    if not asked.numeric and not asked.scale:
        return None
    fresh = [q for q in found if q.kind not in _CALENDAR and not any(same_quantity(q, r) for r in asked.quantities)]
    return fresh[0] if len(fresh) == 1 else None


def compare_number(gold: Quantity, asked: Asked, answer: Sequence[Statement], wording: str) -> Match:
    """Compare the answer's value with a gold number; `wording` is the text that it stands in ("a loss of 5").

    Both are held to the precision they are stated at: they agree when one rounds to the other. A difference of one
    unit in the last stated digit, as intermediate rounding makes, is forgiven up to 2 % of the value.
    """
    wanted = _with_unit_asked(gold, asked)
    if wanted.kind not in _AMOUNTS and (wanted.kind != "year" or asked.when):
        match = _compare_measured(wanted, asked, answer, of_unit=wanted is not gold)
        if match.agreement == "absent" and wanted is not gold:
            match = _compare_amount(gold, asked, answer, wording)
    else:
        match = _compare_amount(gold, asked, answer, wording)
    past = None if match.agreement == "agrees" else _compare_past_units(gold, asked, answer)
    return match if past is None or (match.agreement == "disagrees" and past.agreement != "agrees") else past


def _compare_amount(gold: Quantity, asked: Asked, answer: Sequence[Statement], wording: str) -> Match:
    """Compare numbers, sums of money and percentages, which a question may give a scale, a sign and a rounding."""
    readings = list(_readings(gold, asked))
    held = {id(s): _values(s, readings, asked) for s in answer}
    stating = [s for s in answer if held[id(s)]]
    sense = _Sense(direction(wording, gold), is_negative(wording, gold), asked.text)
    meeting = {id(s): [q.text for q in held[id(s)] if _meets(q, readings, s.text, sense)] for s in stating}
    agreeing = [s for s in stating if meeting[id(s)]]
    chosen = decisive([s for s in stating if s in agreeing or _same_period(s, asked)])
    if agreeing and (chosen is None or chosen in agreeing or _also_concludes(agreeing, chosen)):
        values = tuple(text for s in agreeing for text in meeting[id(s)])
        return Match("agrees", f"the answer gives {gold.text}", tuple(s.text for s in agreeing), values=values)
    if _BY_HOW_MUCH.search(asked.text.lower()) and (pair := _difference(stating, held, readings)):
        return Match("agrees", f"two values of the answer differ by {gold.text}", (pair.text,))
    if chosen is None:
        return Match("absent", f"{gold.text} is not in the answer, and no other value is given for what was asked")
    others = tuple(q.text for q in held[id(chosen)])
    stated = wording.strip() if len(wording) <= _SHORT else gold.text
    return Match("disagrees", f"the answer gives {others[-1]}, gold {stated}", (chosen.text,), values=others)


def _same_period(statement: Statement, asked: Asked) -> bool:
    """Check whether a statement can be about the time asked for: it names that year, or none."""
    wanted, named = _years(asked.quantities), _years(statement.quantities)
    return not wanted or not named or bool(wanted & named)


def _years(quantities: Iterable[Quantity]) -> set[int]:
    found = set()
    for q in quantities:
        if q.kind == "year" or (q.kind == "quarter" and q.value > _FIRST_QUARTER_WITH_YEAR):
            found.add(int(q.value) // (10 if q.kind == "quarter" else 1))
        elif q.kind == "date" and q.unit != "month-day":
            found.add(date.fromordinal(int(q.value)).year)
    return found


def _also_concludes(agreeing: Sequence[Statement], chosen: Statement) -> bool:
    """Check whether gold's value is stated as the answer elsewhere: in a conclusion, or restating the question as fully."""
    return any(s.concludes or s.restates >= max(RESTATES, chosen.restates) for s in agreeing) and not chosen.concludes


def _difference(
    stating: Sequence[Statement], held: dict[int, list[Quantity]], readings: Sequence[Reading]
) -> Statement | None:
    """Find a statement of a value before and after whose difference is gold's: "to 9 percent (previously 8 percent)"."""
    for statement in stating:
        for one, other in pairwise(held[id(statement)]):
            if one.kind == other.kind and _FROM_TO.search(statement.text.lower()):
                change = replace(one, value=one.value - other.value, mantissa=one.mantissa - other.mantissa)
                if any(change.kind in r.kinds and _close(change, r) for r in readings):
                    return statement
    return None


def _compare_measured(gold: Quantity, asked: Asked, answer: Sequence[Statement], *, of_unit: bool) -> Match:
    """Compare dates, durations, measures. `of_unit`: the unit is the question's, so that another measure is on another matter."""
    alike = [
        (s, q)
        for s in answer
        for q in s.results
        if (q.kind == gold.kind or {q.kind, gold.kind} == {"year", "date"})
        and not (of_unit and q.kind == "measure" and comparable(q, gold) is None)
    ]
    agreeing = [(s, q) for s, q in alike if same_quantity(q, gold)]
    in_year = [(s, q) for s, q in alike if q.kind != gold.kind and _years([q]) == _years([gold])]
    if agreeing or in_year:
        values = tuple(q.text for _, q in agreeing or in_year)
        carrying = tuple(s.text for s, _ in agreeing or in_year)
        coarser = not agreeing and gold.kind == "date"
        return Match("agrees", f"the answer gives {gold.text}", carrying, incomplete=coarser, values=values)
    fresh = [(s, q) for s, q in alike if not any(same_quantity(q, r) for r in asked.quantities)]
    chosen = decisive([s for s, _ in fresh])
    if chosen is None and len(fresh) == 1:
        chosen = fresh[0][0]
    if chosen is None:
        return Match("absent", f"{gold.text} is not in the answer, and no other value is given for what was asked")
    others = tuple(q.text for s, q in fresh if s is chosen)
    return Match("disagrees", f"the answer gives {others[-1]}, gold {gold.text}", (chosen.text,), values=others)


def _readings(gold: Quantity, asked: Asked) -> Iterator[Reading]:
    """List what a gold number may mean, given the question: "8.7" asked in USD billions; "0.062" asked in percent."""
    value, half = gold.value, _half_width(gold, asked)
    if gold.kind == "money" or asked.scale:
        scale = asked.scale if asked.scale and gold.value == gold.mantissa else 1.0
        currency = gold.unit if gold.kind == "money" else None
        yield Reading(value * scale, half * scale, _MONEY, currency)
        if asked.scale:
            unscaled = 1.0 if scale != 1.0 else asked.scale
            yield Reading(value / unscaled, half / unscaled, _MONEY, currency, as_written=True)
        return
    limit = 0.5 * 10.0**-asked.decimals if asked.decimals is not None else float("inf")
    if gold.kind in _SHARE:
        yield Reading(value, min(half, limit), _SHARE)
        yield Reading(value / 100, half / 100, _PLAIN)
        if asked.percent:
            yield Reading(value, min(half, limit), _PLAIN)
        return
    in_percent = asked.percent and abs(value) < 1
    yield Reading(value, half if in_percent else min(half, limit), _PLAIN | {"money"})
    if abs(value) < _LARGEST_RATIO:
        yield Reading(100 * value, min(100 * half, limit if in_percent else 100 * limit), _SHARE)
    if asked.percent:
        yield Reading(value, min(half, limit), _SHARE)
        yield Reading(100 * value, min(100 * half, limit), _PLAIN)


def _half_width(gold: Quantity, asked: Asked) -> float:
    """Return the half-width of a gold number; the last zero of a bare "8.70" may be a table's padding, where no rounding is set."""
    padded = gold.text.endswith("0") and "." in gold.text and asked.decimals is None
    if gold.kind != "number" or not padded:
        return gold.precision or 0.5
    return 0.5 * 10.0 ** -len(gold.text.rstrip("0").partition(".")[2])


def _values(statement: Statement, readings: Sequence[Reading], asked: Asked) -> list[Quantity]:
    """List the quantities of a statement that could be the answer: of a fitting kind, and not merely repeated from the question."""
    kinds = frozenset().union(*(r.kinds for r in readings)) - {"year", "ordinal"}
    fitting = []
    for q in statement.results:
        matched = any(_close(q, r) for r in readings if q.kind in r.kinds)
        if matched or (q.kind in kinds and not any(same_quantity(q, known) for known in asked.quantities)):
            fitting.append(q)
    return fitting


class _Sense(NamedTuple):
    """Which way gold points, in its sign or its words, and the question that this is read under."""

    way: int
    negative: bool
    question: str


def _meets(q: Quantity, readings: Sequence[Reading], text: str, sense: _Sense) -> bool:
    if not any(q.kind in r.kinds and _close(q, r) for r in readings):
        return False
    if not any(r.value for r in readings):
        return True
    return goes_with(sense.way, negative=sense.negative, question=sense.question, text=text, q=q)


def _close(q: Quantity, reading: Reading) -> bool:
    """Compare magnitudes, unless both state a currency and not the same: `goes_with` looks at signs."""
    if q.kind == "money" and not _one_currency(q.unit, reading.currency):
        return False
    value, half = (q.mantissa, q.precision) if reading.as_written else (q.value, q.precision)
    if reading.as_written and q.value != q.mantissa:
        return False
    gap, size = abs(abs(value) - abs(reading.value)), abs(reading.value)
    slack = 1e-9 * size
    if gap <= max(reading.half, min(half, _COARSE * size)) + slack:
        return True
    return gap <= reading.half + half + slack and gap <= _LAST_DIGIT * size


def _one_currency(one: str | None, other: str | None) -> bool:
    return one is None or other is None or one == other or {one, other} <= _DOLLARS


def _with_unit_asked(bare: Quantity, asked: Asked) -> Quantity:
    """Return a bare number the unit that the question names for it: 30 is 30 days where it asks how many days."""
    if bare.kind not in _BARE or asked.unit is None:
        return bare
    found = find_quantities(f"{bare.text} {asked.unit}")
    return replace(found[0], span=bare.span, text=bare.text) if len(found) == 1 and found[0].kind in _MEASURED else bare


def _compare_past_units(gold: Quantity, asked: Asked, answer: Sequence[Statement]) -> Match | None:
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
    """Check whether one of two quantities has a unit, and the other none."""
    if gold.kind in _BARE:
        return q.kind in _MEASURED or (q.kind in _SHARE and abs(gold.value) >= _SMALLEST_PERCENTAGE)
    return q.kind in _BARE and (
        gold.kind in _MEASURED or (gold.kind in _SHARE and abs(q.value) >= _SMALLEST_PERCENTAGE)
    )


def _same_number(given: Quantity, gold: Quantity, asked: Asked) -> bool:
    """Compare the bare numbers; where the question names the unit of the answer's, 24 months are two years."""
    if asked.unit is not None and gold.kind in _MEASURED:
        return same_quantity(_with_unit_asked(given, asked), gold)
    return same_quantity(replace(given, kind="number", unit=None), replace(gold, kind="number", unit=None))


def _fits(measured: Quantity, asked: Asked) -> bool:
    """Check whether a question asks for such a quantity: in its unit, or, naming none, for a length of time, a measure, a share."""
    if asked.unit is not None:
        return any(comparable(q, measured) is not None for q in find_quantities(f"7 {asked.unit}"))
    kind = "share" if measured.kind in _SHARE else measured.kind
    return _ASKED_FOR[kind].search(asked.text.lower()) is not None


def _known(q: Quantity, asked: Asked) -> bool:
    return any(same_quantity(q, known) for known in asked.quantities)
