"""Gold answers that say how often: "once a year" is "every 12 months" and "annually"."""

from __future__ import annotations

from collections.abc import Sequence

from showable.read.frequencies import Frequency, find_frequencies
from showable.read.quantities import find_quantities
from showable.rubrics.gold_match import Match
from showable.rubrics.gold_members import clause_at, meaning
from showable.rubrics.gold_question import Asked
from showable.rubrics.gold_statements import RESTATES, Statement

_BOUNDS = frozenset({"minimum", "maximum"})


def compare_frequency(gold: str, asked: Asked, answer: Sequence[Statement]) -> Match | None:
    """Compare intervals; None where gold says more than how often, or the answer does not say it of what was asked."""
    wanted = _only(gold, asked)
    if wanted is None:
        return None
    known = meaning(asked.text)
    said = [(f, s, len(meaning(clause_at(s.said, f.span)) & known)) for s in answer for f in find_frequencies(s.said)]
    same = [found for found in said if found[0].equals(wanted)]
    others = [found for found in said if not found[0].equals(wanted)]
    if same and (not others or max(about for *_, about in same) > max(about for *_, about in others)):
        texts = tuple(s.text for _, s, _ in same)
        return Match("agrees", f"the answer says {gold.strip()}", texts, values=_texts(same))
    if not others:
        return None
    frequency, statement, about = max(others, key=lambda found: found[2])
    reason = f"the answer says {statement.text[slice(*frequency.span)]}, gold {gold.strip()}"
    if same:
        return Match("unknown", reason, (statement.text,), undecided=True)
    if statement.restates < RESTATES and len(answer) > 1 and not about:
        return None
    return Match("disagrees", reason, (statement.text,), values=(statement.text[slice(*frequency.span)],))


def _only(gold: str, asked: Asked) -> Frequency | None:
    """Give the one frequency that a gold answer consists of, but for what the question says too."""
    found = list(find_frequencies(gold))
    if len(found) != 1:
        return None
    start, end = found[0].span
    around = f"{gold[:start]} ; {gold[end:]}"
    if find_quantities(around):
        return None  # "15 mg once daily" says how much as well
    return None if meaning(around) - meaning(asked.text) - _BOUNDS else found[0]


def _texts(found: Sequence[tuple[Frequency, Statement, int]]) -> tuple[str, ...]:
    return tuple(s.text[slice(*f.span)] for f, s, _ in found)
