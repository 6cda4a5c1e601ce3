"""Yes or no: which of the two a gold answer gives, and an answer gives: outright, or by the question's words denied or repeated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from showable.read.question_focus import stems
from showable.records.regex import regex
from showable.rubrics.gold_question import Asked
from showable.rubrics.gold_reading import Match
from showable.rubrics.gold_statements import Statement

Polarity = Literal["yes", "no"]

_OPENS = regex(
    r"^[\W_]*(?:(?:the )?(?:short |final )?answer(?: is|:)?[\W_]*)?(?:in short[\W_]*)?(?P<word>yes|no|true|false|correct|incorrect)\b(?! (?:one|longer|matter|later|more|less|fewer|other|such|data|information)\b)"
)
"""Matches "Yes, it did." and "The answer is no."; not "No data are given."."""
_ANSWER_IS = regex(r"\banswer(?: to (?:the|your|this) question)?(?: is|:)[\W_]*(?P<word>yes|no)\b")
_YES = frozenset({"yes", "true", "correct"})
_UNDECIDED = regex(
    r"\b(?:not possible|impossible|unable|cannot|can['’]t|could not|difficult|hard|insufficient|not enough|not sufficient|without (?:further|more|additional))\b"
    r"[^.]{0,60}\b(?:determin|assess|say|tell|conclude|answer|evaluat|confirm|ascertain|establish|know|judge)|\b(?:does|do|did) not (?:\w+ )?(?:provide|contain|include|specify|state)\b"
)
_NEGATION = regex(r"\b(?:not|no|never|none|neither|nor|cannot|nothing)\b|n['’]t\b")
_NO_DENIAL = regex(r"\b(?:not only|whether or not|no doubt|(?:no|not) (?:longer|more|less|later|fewer) than)\b")
_CLAUSES = regex(
    r"[,;]? \b(?:although|though|while|whereas|despite|but|however|except|because|since|due to|so that|thus)\b|;"
)
_REACH = 5
"""Words that a negation stands before."""
_SAYS_AS_MUCH, _LONGEST = 0.5, 80
"""Share of the question's content words that a denial needs, and content words that it may have; a yes needs them all."""
_LEADING = 3
_SET_OFF = frozenset({"", ",", ".", ":", ";", "!", "*", "\u2014"})


def gold_polarity(gold: str) -> Polarity | None:
    """Return the yes or no that a gold answer opens with."""
    match = _OPENS.search(gold.lower())
    return None if match is None else "yes" if match["word"] in _YES else "no"


def compare_polarity(gold: Polarity, asked: Asked, answer: Sequence[Statement]) -> Match:
    """Compare a yes or no; what is said in other words is left to a judge."""
    taking_sides = [s for s in answer if not _UNDECIDED.search(s.text.lower())]
    said = _said(taking_sides) or _implied(asked, taking_sides)
    if said is None and len(taking_sides) < len(answer):
        return Match("absent", "the answer says neither yes nor no, but that it cannot be told")
    if said is None:
        return Match("unknown", "whether the answer says yes or no cannot be read from its words", undecided=True)
    polarity, statement = said
    if polarity == gold:
        return Match("agrees", f"gold says {gold}, so does the answer", statements=(statement.text,))
    return Match("disagrees", f"gold says {gold}, the answer says {polarity}", statements=(statement.text,))


def _said(answer: Sequence[Statement]) -> tuple[Polarity, Statement] | None:
    """Return a yes or no of the first statements, else the last one set off by punctuation."""
    for place, statement in [*enumerate(answer[:_LEADING]), *reversed([*enumerate(answer)])]:
        lowered = statement.text.lower()
        match = _OPENS.search(lowered) or _ANSWER_IS.search(lowered)
        if match is not None and (place < _LEADING or lowered[match.end() : match.end() + 1] in _SET_OFF):
            return ("yes" if match["word"] in _YES else "no"), statement
    return None


def _implied(asked: Asked, answer: Sequence[Statement]) -> tuple[Polarity, Statement] | None:
    """Return the yes or no of a statement that restates the question, denied or whole."""
    restating = [s for s in answer if s.restates >= _SAYS_AS_MUCH and len(s.stems) <= _LONGEST]
    if not restating:
        return None
    concluding = [s for s in restating if s.concludes]
    top = max(s.restates for s in restating)
    chosen = concluding[-1] if concluding else next(s for s in restating if s.restates >= top - 0.15)
    main = max(_CLAUSES.split(chosen.text.lower()), key=lambda clause: len(stems(clause) & asked.stems))
    asked_denied = frozenset[str]().union(*_denied(asked.text.lower()))
    if any(not words & asked_denied for words in _denied(main)):
        return "no", chosen
    return ("yes", chosen) if chosen.restates >= 1 else None


def _denied(text: str) -> list[frozenset[str]]:
    """Return, for each negation, the stems that it stands before."""
    text = _NO_DENIAL.sub(" ", text)
    return [stems(" ".join(text[m.end() :].split()[:_REACH])) for m in _NEGATION.finditer(text)]
