"""A claim of an answer to a follow-up question: its subject stands in the question, and its value must be of what that turns to."""

from __future__ import annotations

from showable.read.quantities import find_quantities
from showable.read.quantity import comparable, same_quantity
from showable.records.evidence import Pair
from showable.records.record import Record
from showable.records.regex import regex
from showable.rubrics.operands import Operand, read_operands
from showable.rubrics.table_values import terms

_ELLIPTIC = 8
"""Words of a claim up to which it is read with its question: "30 days." says nothing by itself, and a sentence does."""
_MARKER = regex(r"\s*\[[^\[\]]{1,40}\]")


def whole_claim(claim: str, record: Record) -> str:
    """Return a short claim of a conversation after its question, as "question: claim"; any other claim as it is.

    What an earlier answer said is no part of it: it is no evidence, and may be wrong.
    """
    follows = bool(record.history) or record.standalone_question is not None
    if not follows or not is_elliptic(claim):
        return claim
    return f"{_lead(record.asked)}{claim}"


def question_before(record: Record) -> str:
    """Return the last question that the user put before this one, "" where there is none."""
    return next((turn.text for turn in reversed(record.history) if turn.role == "user"), "")


def value_of_another(claim: str, passage: str, asked: str, before: str) -> str | None:
    """Report that a value of a claim is of what was asked before, and another value of what is asked now; None otherwise.

    "And part-time staff?" turns to words that the question before did not have. A value that stands in sentences and rows
    without them, where one of its kind stands beside them, is not theirs.
    """
    turned_to = frozenset(terms(asked)) - frozenset(terms(before))
    operands = read_operands(passage)
    for quantity in find_quantities(claim):
        alike = [o for o in operands if o.quantity.kind == quantity.kind and comparable(o.quantity, quantity)]
        holding = [o for o in alike if same_quantity(quantity, o.quantity)]
        others = [o for o in alike if o not in holding]
        if not holding or not others:
            continue
        best = max(others, key=lambda o: _shared(o, turned_to))
        if _shared(best, turned_to) > max(_shared(o, turned_to) for o in holding):
            return f"{best} is of what is asked, {quantity.text} is of something else"
    return None


def _shared(operand: Operand, words: frozenset[str]) -> int:
    return len(words & (operand.near | operand.far))


def is_elliptic(claim: str) -> bool:
    """Return whether a claim is so short that its subject stands in the question."""
    return len(_MARKER.sub("", claim).split()) <= _ELLIPTIC


def own_words(pair: Pair) -> str:
    """Return the claim of a pair without the question that it was put after."""
    return pair.claim.removeprefix(_lead(pair.question)) if pair.question else pair.claim


def _lead(question: str) -> str:
    return f"{question.rstrip().rstrip('?')}: "
