"""Does the answer agree with the gold answer? By marks first; a judge settles, both ways, what they leave open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from showable.read.question_focus import stems
from showable.records.record import Gold
from showable.records.regex import regex
from showable.records.scorecard import GoldAgreement
from showable.rubrics.gold_denial import denies, negates
from showable.rubrics.gold_number import compare_number, gold_quantity
from showable.rubrics.gold_polarity import compare_polarity, gold_polarity
from showable.rubrics.gold_quantities import compare_quantities
from showable.rubrics.gold_question import Asked, read_question
from showable.rubrics.gold_reading import GoldReading, Match
from showable.rubrics.gold_role import contradicts, place_name, place_value
from showable.rubrics.gold_statements import Statement, asserted, statements
from showable.rubrics.gold_text import compare_choice, compare_none, compare_text, normalised, says_none
from showable.rubrics.gold_verdicts import STATEMENT_WORDS

MOST_STATEMENTS = 500
"""Statements or claims of an answer that are compared with gold: each is held against all others."""
_NUMBERED = regex(r"\d\(\w{1,4}\)")
"""A part of a document, which is a name: "clause 12(4)" is no twelve."""
_SAME_STATEMENT = 0.6
_POLAR = frozenset({"yes", "no", "true", "false"})
_NEITHER = frozenset(
    {"maybe", "partly", "partially", "sometimes", "it depends", "depends", "possibly", "unclear", "uncertain"}
)
_RANK: dict[GoldAgreement, int] = {"agrees": 0, "unknown": 1, "disagrees": 2, "absent": 3, "not_applicable": 4}


def compare_with_gold(question: str, gold: Gold, claims: Sequence[str], text: str) -> GoldReading:
    """Compare an answer with its gold answer and aliases; the best of them counts.

    ``agrees``; ``disagrees``: another value is given for what was asked; ``absent``: the gold answer is nowhere and
    nothing competes with it; ``unknown``: marks cannot decide (`undecided` where a judge might).
    Per claim, ``absent`` means that the claim has no bearing on the gold answer.
    """
    wanted = [a for a in (gold.answer, *gold.aliases) if a and a.strip()]
    if not wanted:
        return agree_alike("not_applicable", len(claims), "there is no gold answer")
    said = text if text.strip() else "\n".join(claims)
    if not said.strip():
        return agree_alike("unknown", len(claims), "the answer is empty")
    asked = read_question(question)
    answer = statements(said, asked.stems)
    if max(len(claims), len(answer)) > MOST_STATEMENTS:
        reason = f"not compared with gold: the answer makes more than {MOST_STATEMENTS} statements"
        return agree_alike("unknown", len(claims), reason)
    compared = [(a, *_compare_asserted(a, asked, said, answer)) for a in wanted]
    best, how, match = min(compared, key=lambda found: _RANK[found[2].agreement])
    per_claim = tuple(_claim(c, match) for c in claims)
    if match.agreement == "agrees" and how in {"number", "text"}:
        agreeing = asserted([s for s in answer if s.text in match.statements], question)
        parts = claims or [s.text for s in answer]
        against = [i for i, part in enumerate(parts) if _contradicts(part, match, best, asked, agreeing)]
        if against:
            reason = f"{match.reason}, and contradicts it: {parts[against[0]]!r}"
            per_claim = tuple("disagrees" if i in against else a for i, a in enumerate(per_claim))
            return GoldReading("disagrees", per_claim, how, reason)
    if match.agreement == "disagrees" and claims and "disagrees" not in per_claim:
        per_claim = _blame(claims, match, per_claim)
    return GoldReading(
        match.agreement,
        per_claim,
        how,
        match.reason,
        match.incomplete,
        match.undecided,
        match.denied,
        reasoned=how == "polarity" and len(best.split()) >= STATEMENT_WORDS,
    )


def agree_alike(agreement: GoldAgreement, claims: int, reason: str) -> GoldReading:
    """Return a reading that is the same for the answer and every claim."""
    return GoldReading(agreement, (agreement,) * claims, "", reason)


def _compare_asserted(gold: str, asked: Asked, text: str, answer: Sequence[Statement]) -> tuple[str, Match]:
    """Compare with what the answer asserts; gold that itself denies with all it says."""
    if negates(gold):
        how, match = _compare(gold, asked, text, answer)
        if how == "text" and match.agreement == "agrees" and not any(denies(s) for s in match.statements or [text]):
            match = Match("unknown", "gold denies something, the answer nothing", match.statements, undecided=True)
        return how, match
    said = asserted(answer, asked.text)
    how, match = _compare(gold, asked, text, said)
    if match.agreement == "agrees" or not any(s.denied for s in said):
        return how, match
    mentioned = _compare(gold, asked, text, answer)[1]
    if mentioned.agreement == "agrees" and match.agreement == "absent":
        reason = "gold stands in the answer only where it is denied, and nothing is given in its place"
        match = Match("unknown", reason, mentioned.statements, undecided=True)
    return how, replace(match, denied=mentioned.agreement == "agrees")


def _compare(gold: str, asked: Asked, text: str, answer: Sequence[Statement]) -> tuple[str, Match]:
    """Choose the comparison that fits the gold answer."""
    if normalised(gold) and normalised(gold) == normalised(text):
        return "exact", Match("agrees", "the answer is the gold answer", statements=(text,))
    polarity = gold_polarity(gold)
    if polarity is not None and (asked.yes_no or normalised(gold) in _POLAR):
        return "polarity", compare_polarity(polarity, asked, answer)
    if says_none(gold):
        return "none", compare_none(gold, answer)
    if asked.yes_no and normalised(gold) in _NEITHER:
        return "polarity", Match("unknown", f"gold is neither yes nor no, but {gold.strip()!r}", undecided=True)
    return _compare_values(gold, asked, text, answer)


def _compare_values(gold: str, asked: Asked, text: str, answer: Sequence[Statement]) -> tuple[str, Match]:
    """Compare numbers where gold is one, else the choice it makes, else its words."""
    quantity = gold_quantity(gold, asked)
    match = compare_number(quantity, asked, answer, gold) if quantity else compare_quantities(gold, asked, answer)
    if match is not None and not _NUMBERED.search(gold):
        match = place_value(match, gold, asked, answer)
        return "number", place_name(match, gold, asked, answer) if asked.which else match
    choice = compare_choice(gold, asked, answer) if asked.choices else None
    if choice is not None:
        return "choice", choice
    return "text", place_name(compare_text(gold, asked, text, answer), gold, asked, answer)


def _contradicts(part: str, match: Match, gold: str, asked: Asked, agreeing: Sequence[Statement]) -> bool:
    rivals = asserted([s for s in statements(part, asked.stems) if s.text not in match.statements], asked.text)
    return any(contradicts(rival, match, gold, asked, agreeing) for rival in rivals)


def _claim(claim: str, match: Match) -> GoldAgreement:
    """Return what one claim has to do with gold: that of the statements it is a part of."""
    if match.agreement not in {"agrees", "disagrees"}:
        return match.agreement if match.undecided else "absent"
    words = stems(claim)
    if not any(s in claim or len(words & stems(s)) >= _SAME_STATEMENT * len(words) > 0 for s in match.statements):
        return "absent"
    if match.values and not any(value in claim for value in match.values):
        return "absent"
    return match.agreement


def _blame(claims: Sequence[str], match: Match, per_claim: tuple[GoldAgreement, ...]) -> tuple[GoldAgreement, ...]:
    """Let the claim that shares most words with what disagrees be the one that does."""
    words = frozenset().union(*(stems(s) for s in match.statements))
    worst = max(range(len(claims)), key=lambda i: len(stems(claims[i]) & words))
    return tuple("disagrees" if i == worst else a for i, a in enumerate(per_claim))
