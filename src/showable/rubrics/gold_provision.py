"""Gold answers that name a numbered part of a document: "Section 19(2)" is neither 19(3) nor "19 people"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from showable.read.provisions import Provision, find_provisions
from showable.rubrics.gold_match import Match
from showable.rubrics.gold_members import clause_at, meaning
from showable.rubrics.gold_question import Asked
from showable.rubrics.gold_statements import RESTATES, Statement

_BESIDE = re.compile(r"\W*(?:(?:in|under|the|see|by|at|on)\W+)*")


class _Named(NamedTuple):
    """A numbered part that an answer names, its statement, and how many of the question's words stand in its clause."""

    part: Provision
    statement: Statement
    text: str
    about: int


def compare_provision(gold: str, asked: Asked, answer: Sequence[Statement]) -> Match | None:
    """Compare number by number to the last bracket; None where gold names no such part, or names it among other words.

    A part within gold's ("19(2)(b)" for 19(2)) is more exact and agrees; one that holds it ("section 19") is incomplete.
    """
    wanted = _only(gold)
    if wanted is None:
        return None
    named = [n for s in answer for n in _named(s, asked) if n.part.label in {None, wanted.label}]
    same = [n for n in named if wanted.holds(n.part)]
    coarser = [n for n in named if n.part.holds(wanted)]
    if same or coarser:
        return _told_apart(same or coarser, [n for n in named if n not in same + coarser], not same, gold)
    if not named:
        return None if len(wanted.steps) == 1 else Match("absent", f"{gold} is not in the answer, and no other part is")
    chosen = max(named, key=lambda n: n.statement.restates)
    said = f"the answer names {chosen.text}, gold {gold}"
    if chosen.statement.restates >= RESTATES or len(answer) == 1:
        return Match("disagrees", said, (chosen.statement.text,), values=(chosen.text,))
    return Match("unknown", said, (chosen.statement.text,), undecided=True)


def _only(gold: str) -> Provision | None:
    """Give the one numbered part that a gold answer consists of."""
    found = list(find_provisions(gold))
    if len(found) != 1 or found[0].label is None:
        return None
    start, end = found[0].span
    return None if _BESIDE.fullmatch(gold[:start].lower()) is None or re.search(r"\w", gold[end:]) else found[0]


def _named(statement: Statement, asked: Asked) -> list[_Named]:
    text, known = statement.said, meaning(asked.text)
    return [
        _Named(part, statement, text[slice(*part.span)], len(meaning(clause_at(text, part.span)) & known))
        for part in find_provisions(text)
    ]


def _told_apart(same: Sequence[_Named], others: Sequence[_Named], incomplete: bool, gold: str) -> Match:  # noqa: FBT001
    """Let the clause that says more of what was asked decide, where the answer names another part as well."""
    best = max(same, key=lambda n: n.about)
    rival = max(others, key=lambda n: n.about, default=None)
    if rival is None or rival.about < best.about:
        return Match("agrees", f"the answer names {gold}", (best.statement.text,), incomplete, values=(best.text,))
    said = f"the answer names {rival.text} beside {gold}, in no looser connection with what was asked"
    if best.about or not rival.about:
        return Match("unknown", said, (rival.statement.text,), undecided=True)
    return Match("disagrees", said, (rival.statement.text,), values=(rival.text,))
