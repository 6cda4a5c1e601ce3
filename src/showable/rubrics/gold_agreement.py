"""Does the answer agree with the gold answer? By words and numbers first; a judge settles, both ways, what they leave open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from showable.read.question_focus import stems
from showable.records.record import Gold
from showable.records.scorecard import GoldAgreement
from showable.rubrics.gold_frequency import compare_frequency
from showable.rubrics.gold_match import Match
from showable.rubrics.gold_negation import denies, negates
from showable.rubrics.gold_number import compare_number, gold_quantity
from showable.rubrics.gold_polarity import compare_polarity, gold_polarity
from showable.rubrics.gold_provision import compare_provision
from showable.rubrics.gold_quantities import compare_quantities
from showable.rubrics.gold_question import Asked, read_question
from showable.rubrics.gold_reading import GoldReading
from showable.rubrics.gold_rivals import may_compete, other_identity, same_matter, same_measure
from showable.rubrics.gold_slot import asks_which, in_its_place
from showable.rubrics.gold_statements import Statement, asserted, statements
from showable.rubrics.gold_text import compare_choice, compare_none, compare_text, normalised, says_none
from showable.rubrics.gold_verdicts import gold_pairs, settle_with_verdicts

__all__ = ["GoldReading", "compare_with_gold", "gold_pairs", "settle_with_verdicts"]

MOST_STATEMENTS = 500
"""Statements or claims of an answer that are compared with gold: each is held against all others."""
_SAME_STATEMENT = 0.6
_POLAR = frozenset({"yes", "no", "true", "false"})
_NEITHER = frozenset(
    {"maybe", "partly", "partially", "sometimes", "it depends", "depends", "possibly", "unclear", "uncertain"}
)
_RANK: dict[GoldAgreement, int] = {"agrees": 0, "unknown": 1, "disagrees": 2, "absent": 3, "not_applicable": 4}


class _Found(NamedTuple):
    """What comparing with one gold answer, or alias, came to, and by which comparison."""

    gold: str
    how: str
    match: Match


def compare_with_gold(question: str, gold: Gold, claims: Sequence[str], text: str) -> GoldReading:
    """Compare an answer with its gold answer and aliases; the best of them counts.

    ``agrees``; ``disagrees``: another value is given for what was asked; ``absent``: the gold answer is nowhere and
    nothing competes with it; ``unknown``: words and numbers cannot decide (`undecided` where a judge might).
    Per claim, ``absent`` means that the claim has no bearing on the gold answer.
    """
    wanted = [a for a in (gold.answer, *gold.aliases) if a and a.strip()]
    if not wanted:
        return _same_for_all("not_applicable", len(claims), "there is no gold answer")
    said = text if text.strip() else "\n".join(claims)
    if not said.strip():
        return _same_for_all("unknown", len(claims), "the answer is empty")
    asked = read_question(question)
    answer = statements(said, asked.stems)
    if max(len(claims), len(answer)) > MOST_STATEMENTS:
        reason = f"not compared with gold: the answer makes more than {MOST_STATEMENTS} statements"
        return _same_for_all("unknown", len(claims), reason)
    found = min((_compare_asserted(a, asked, said, answer) for a in wanted), key=_rank)
    match = found.match
    per_claim = tuple(_claim(c, match) for c in claims)
    if match.agreement == "agrees":
        parts = claims or [s.text for s in answer]
        agreeing = asserted([s for s in answer if s.text in match.statements], question)
        against = [i for i, part in enumerate(parts) if _contradicts(part, found, wanted, asked, agreeing)]
        if against:
            reason = f"{match.reason}, and contradicts it: {parts[against[0]]!r}"
            per_claim = tuple("disagrees" if i in against else a for i, a in enumerate(per_claim))
            return GoldReading("disagrees", per_claim, found.how, reason)
    if match.agreement == "disagrees" and claims and "disagrees" not in per_claim:
        per_claim = _blame(claims, match, per_claim)
    return GoldReading(
        match.agreement, per_claim, found.how, match.reason, match.incomplete, match.undecided, match.denied
    )


def _rank(found: _Found) -> int:
    return _RANK[found.match.agreement]


def _same_for_all(agreement: GoldAgreement, claims: int, reason: str) -> GoldReading:
    return GoldReading(agreement, (agreement,) * claims, "", reason)


def _compare_asserted(gold: str, asked: Asked, text: str, answer: Sequence[Statement]) -> _Found:
    """Compare with what the answer asserts; a gold answer that itself denies is met in what the answer denies."""
    if negates(gold):
        how, match = _compare(gold, asked, text, answer)
        if how == "text" and match.agreement == "agrees" and not any(denies(s) for s in match.statements or [text]):
            match = Match("unknown", "gold denies something, the answer nothing", match.statements, undecided=True)
        return _Found(gold, how, match)
    said = asserted(answer, asked.text)
    how, match = _compare(gold, asked, text, said)
    match = (
        in_its_place(match, gold, asked, said) if how == "text" or (how == "number" and asks_which(asked)) else match
    )
    if match.agreement == "agrees" or not any(s.denied for s in said):
        return _Found(gold, how, match)
    mentioned = _compare(gold, asked, text, answer)[1]
    if mentioned.agreement != "agrees":
        return _Found(gold, how, match)
    if match.agreement == "absent":
        match = _only_denied(gold, asked, said, mentioned)
    return _Found(gold, how, replace(match, denied=True))


def _only_denied(gold: str, asked: Asked, said: Sequence[Statement], mentioned: Match) -> Match:
    """Judge an answer in which gold stands only where it is denied: what is given in its place is another answer."""
    for statement in said:
        contrasted = statement.text in mentioned.statements and any(d.instead for d in statement.denied)
        if contrasted and statement.restates > 0 and statement.stems - asked.stems:
            return Match("disagrees", f"the answer gives another in place of {gold}", (statement.text,))
    reason = "gold stands in the answer only where it is denied, and nothing is given in its place"
    return Match("unknown", reason, mentioned.statements, undecided=True)


def _compare(gold: str, asked: Asked, text: str, answer: Sequence[Statement]) -> tuple[str, Match]:
    """Choose the comparison that fits the gold answer."""
    if normalised(gold) and normalised(gold) == normalised(text):
        return "exact", Match("agrees", "the answer is the gold answer", statements=(text,))
    polarity = gold_polarity(gold, asked.text if asked.yes_no else None)
    if polarity is not None and (asked.yes_no or normalised(gold) in _POLAR):
        return "polarity", compare_polarity(polarity, asked.text, answer)
    if says_none(gold):
        return "none", compare_none(gold, answer)
    if asked.yes_no and normalised(gold) in _NEITHER:
        return "polarity", Match("unknown", f"gold is neither yes nor no, but {gold.strip()!r}", undecided=True)
    return _compare_values(gold, asked, answer) or _compare_words(gold, asked, text, answer)


def _compare_values(gold: str, asked: Asked, answer: Sequence[Statement]) -> tuple[str, Match] | None:
    """Compare what is a numbered part, a frequency or a single number, and is not met in words."""
    provision = compare_provision(gold, asked, answer)
    if provision is not None:
        return "provision", provision
    frequency = compare_frequency(gold, asked, answer)
    if frequency is not None:
        return "frequency", frequency
    quantity = gold_quantity(gold, asked)
    return None if quantity is None else ("number", compare_number(quantity, asked, answer, gold))


def _compare_words(gold: str, asked: Asked, text: str, answer: Sequence[Statement]) -> tuple[str, Match]:
    """Compare what is no single number: several quantities, a choice among options, names, a longer text."""
    several = compare_quantities(gold, asked, answer)
    if several is not None:
        return "number", several
    choice = compare_choice(gold, asked, answer) if asked.choices else None
    return ("choice", choice) if choice is not None else ("text", compare_text(gold, asked, text, answer))


def _contradicts(part: str, found: _Found, wanted: Sequence[str], asked: Asked, agreeing: Sequence[Statement]) -> bool:
    """Tell whether a claim of an answer that agrees says, of the very thing asked for, something other than gold."""
    shared = len(stems(part) & asked.stems)
    if not agreeing or shared < min(s.restates - 0.1 for s in agreeing) * len(asked.stems):
        return False
    return any(
        _competes(statement, found, wanted, asked, may_compete(statement, agreeing, asked))
        for statement in statements(part, asked.stems)
        if statement.text not in found.match.statements
    )


def _competes(
    statement: Statement, found: _Found, wanted: Sequence[str], asked: Asked, agreeing: Sequence[Statement]
) -> bool:
    if not agreeing:
        return False
    alone = min((_compare_asserted(a, asked, statement.text, [statement]) for a in wanted), key=_rank).match
    ours = found.match.values or (found.gold,)
    if alone.denied:
        given = (*alone.values, found.gold)
        return any(same_matter(statement, s, asked, (given, ours)) for s in agreeing)
    if alone.agreement != "disagrees":
        return False
    if found.how == "text":
        return any(other_identity(statement, s, stems(found.gold), asked) for s in agreeing)
    if found.how == "number" and not same_measure(alone.values, ours):
        return False
    return any(same_matter(statement, s, asked, (alone.values, ours)) for s in agreeing)


def _claim(claim: str, match: Match) -> GoldAgreement:
    """Say what one claim has to do with gold: a part of the statements that decided shares in what they decided."""
    if match.agreement not in {"agrees", "disagrees"}:
        return match.agreement if match.undecided else "absent"
    words = stems(claim)
    if not any(s in claim or len(words & stems(s)) >= _SAME_STATEMENT * len(words) > 0 for s in match.statements):
        return "absent"
    if match.values and not any(value in claim for value in match.values):
        return "absent"
    return match.agreement


def _blame(claims: Sequence[str], match: Match, per_claim: tuple[GoldAgreement, ...]) -> tuple[GoldAgreement, ...]:
    """Where no claim is a part of the statement that disagrees, it is the one that shares most words with it."""
    words = frozenset().union(*(stems(s) for s in match.statements))
    worst = max(range(len(claims)), key=lambda i: len(stems(claims[i]) & words))
    return tuple("disagrees" if i == worst else a for i, a in enumerate(per_claim))
