"""Gold answers of several quantities and little else: `£9,600, within 30 days`, `250 mg every 12 hours`."""

from __future__ import annotations

from collections.abc import Sequence

from probative.read.quantities import Quantity, find_quantities, same_quantity
from probative.read.quantity import comparable
from probative.read.question_focus import stems
from probative.rubrics.gold_match import Match
from probative.rubrics.gold_question import Asked
from probative.rubrics.gold_statements import Statement

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
    missing = [q for q in wanted if not any(_known(q, s.quantities) for s in answer)]
    if missing:
        return _rival(missing, wanted, asked, answer)
    carrying = [s for s in answer if any(_known(q, s.quantities) for q in wanted)]
    said = frozenset().union(*(s.stems for s in carrying))
    if len(words & said) < _SAID * len(words):
        return None
    values = tuple(q.text for s in carrying for q in s.quantities if _known(q, wanted))
    return Match("agrees", "the answer gives each quantity of gold", tuple(s.text for s in carrying), values=values)


def _rival(
    missing: Sequence[Quantity], wanted: Sequence[Quantity], asked: Asked, answer: Sequence[Statement]
) -> Match | None:
    """Find a statement on the matter that has another value in the place of one that is missing."""
    for statement in answer:
        carries_some = any(_known(q, wanted) for q in statement.quantities)
        if not carries_some and statement.restates < _RESTATES_SOME:
            continue
        others = [q for q in statement.quantities if not _known(q, wanted) and not _known(q, asked.quantities)]
        for gold in missing:
            rivals = [q for q in others if q.kind == gold.kind and comparable(q, gold) is not None]
            if rivals:
                said = f"the answer gives {rivals[0].text}, gold {gold.text}"
                return Match("disagrees", said, (statement.text,), values=(rivals[0].text,))
    return None


def _known(quantity: Quantity, among: Sequence[Quantity]) -> bool:
    return any(same_quantity(quantity, other) for other in among)
