"""Gold answers of several quantities and little else: `£9,600, within 30 days`, `250 mg every 12 hours`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from showable.read.quantities import Quantity, find_quantities, same_quantity
from showable.read.quantity import comparable
from showable.read.question_focus import stems
from showable.records.regex import regex
from showable.rubrics.gold_question import Asked
from showable.rubrics.gold_reading import Match
from showable.rubrics.gold_statements import Statement

_OF = regex(r"(?: \w+){0,2} (?:out )?of (?:the |all |some )?", re.IGNORECASE)
_END = regex(r"\b(from|to|by)\b(?: (?:about|around|roughly|nearly|almost|over|just|only|the|a|an)\b)*\s*$")
_REACH = 30
_COUNT_AND_TOTAL = 2
_LONGEST = 20
_OTHER_WORDS = 4
_RESTATES_SOME = 0.4
_SAID = 0.5


def compare_quantities(gold: str, asked: Asked, answer: Sequence[Statement]) -> Match | None:
    """Compare quantity by quantity; None where gold is no short list of them, or they do not decide.

    A quantity of gold that the answer lacks, while a statement that answers the question gives another of the same
    kind and unit, is a disagreement. With all of them found, and what little else gold says, it agrees.
    """
    wanted = [q for q in find_quantities(gold) if not _known(q, asked.quantities)]
    words = frozenset(w for w in stems(gold) if not any(c.isdigit() for c in w)) - asked.stems
    if not wanted or len(gold.split()) > _LONGEST or len(words) > _OTHER_WORDS + len(wanted):
        return None
    turned = _turned_round(gold, wanted, answer)
    if turned is not None:
        return turned
    missing = [q for q in wanted if not any(_known(q, s.quantities) for s in answer)]
    counted = _counted(gold, wanted)
    if counted and missing == [counted[1]] and _leaves_total_out(*counted, answer):
        wanted, missing = [counted[0]], []
    if missing:
        return _rival(gold, missing, wanted, asked, answer) or _leading(missing, wanted, answer)
    carrying = [s for s in answer if any(_known(q, s.quantities) for q in wanted)]
    said = frozenset().union(*(s.stems for s in carrying))
    if len(words & said) < _SAID * len(words):
        return None
    values = tuple(q.text for s in carrying for q in s.quantities if _known(q, wanted))
    return Match("agrees", "the answer gives each quantity of gold", tuple(s.text for s in carrying), values=values)


def _turned_round(gold: str, wanted: Sequence[Quantity], answer: Sequence[Statement]) -> Match | None:
    """Find a change told the other way round: gold's "from" is the answer's "to"."""
    for statement in answer:
        for q in statement.quantities:
            ends = {_end(gold, w) for w in wanted if same_quantity(q, w)}
            if ends and _end(statement.text, q) and ends <= {"from", "to"} - {_end(statement.text, q)}:
                said = f"the answer tells a change {_end(statement.text, q)} {q.text}, gold the other way round"
                return Match("disagrees", said, (statement.text,), values=(q.text,))
    return None


def _end(text: str, q: Quantity) -> str:
    """Return whether a quantity is what a change starts "from", comes "to" or comes "by"; else nothing."""
    role = _END.search(text.lower(), max(0, q.span[0] - _REACH), q.span[0])
    return role[1] if role else ""


def _counted(gold: str, wanted: Sequence[Quantity]) -> tuple[Quantity, Quantity] | None:
    """Read "7 of 40", "7 out of 40": the count and the total that it is taken from."""
    if len(wanted) != _COUNT_AND_TOTAL or any(q.kind != "number" for q in wanted):
        return None
    count, total = wanted
    return (count, total) if _OF.fullmatch(gold[count.span[1] : total.span[0]]) else None


def _leaves_total_out(count: Quantity, total: Quantity, answer: Sequence[Statement]) -> bool:
    """Check whether an answer gives the count alone, or with the rest that makes up the total: 7, or 7 and 33, for 7 of 40."""
    numbers = [q for s in answer for q in s.quantities if q.kind == "number" and not same_quantity(q, count)]
    return all(q.value == total.value - count.value for q in numbers)


def _rival(
    wording: str, missing: Sequence[Quantity], wanted: Sequence[Quantity], asked: Asked, answer: Sequence[Statement]
) -> Match | None:
    """Find a statement on the matter that has another value in the place of one that is missing."""
    for statement in answer:
        carries_some = any(_known(q, wanted) for q in statement.quantities)
        if not carries_some and statement.restates < _RESTATES_SOME:
            continue
        others = [q for q in statement.quantities if not _known(q, wanted) and not _known(q, asked.quantities)]
        for gold in missing:
            rivals = [
                q
                for q in others
                if q.kind == gold.kind
                and comparable(q, gold) is not None
                and {_end(statement.text, q), _end(wording, gold)} not in ({"by", "from"}, {"by", "to"})
            ]
            if rivals:
                said = f"the answer gives {rivals[0].text}, gold {gold.text}"
                return Match("disagrees", said, (statement.text,), values=(rivals[0].text,))
    return None


def _leading(missing: Sequence[Quantity], wanted: Sequence[Quantity], answer: Sequence[Statement]) -> Match | None:
    """Find gold's first quantity where those of another kind are left out: "482 °C" of "482 °C for two hours"."""
    first = wanted[0]
    if any(q.kind == first.kind for q in missing):
        return None
    carrying = [s for s in answer if _known(first, s.quantities)]
    if not carrying or any(not _known(q, wanted) for s in carrying for q in s.quantities):
        return None
    left_out = ", ".join(q.text for q in missing)
    said = f"the answer gives {first.text} and leaves out {left_out}"
    values = tuple(q.text for s in carrying for q in s.quantities if _known(q, [first]))
    return Match("agrees", said, tuple(s.text for s in carrying), incomplete=True, values=values)


def _known(quantity: Quantity, among: Sequence[Quantity]) -> bool:
    return any(same_quantity(quantity, other) for other in among)
