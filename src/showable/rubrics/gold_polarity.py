"""Yes or no: which of the two a gold answer gives, and which an answer gives, in so many words or by what it says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from showable.read.question_focus import stems
from showable.rubrics.gold_brief import answers_briefly, brief_verdict, has_other_object, with_prohibitions
from showable.rubrics.gold_match import Match
from showable.rubrics.gold_opposites import WARNS, opposed
from showable.rubrics.gold_statements import Statement

Polarity = Literal["yes", "no"]

_OPENS = re.compile(
    r"^[\W_]*(?:(?:the )?(?:short |final )?answer(?: is|:)?[\W_]*)?(?:in short[\W_]*)?(?P<word>yes|no|true|false|correct|incorrect)\b(?! (?:one|longer|matter|later|more|less|fewer|other|such|data|information)\b)"
)
_ANSWER_IS = re.compile(r"\banswer(?: to (?:the|your|this) question)?(?: is|:)[\W_]*(?P<word>yes|no)\b")
_YES = frozenset({"yes", "true", "correct"})
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|neither|nor|cannot|fail(?:s|ed)? to|lacks?|unable|unlikely|hardly|nothing)\b|n['’]t\b"
)
_NOT_BUT = re.compile(
    r"\bnot only\b|\bno (?:longer than|more than|less than|later than|fewer than|doubt)\b|\bwhether or not\b|\bnot (?:more|less|fewer) than\b"
)
_CLAUSES = re.compile(
    r"[,;]? \b(?:although|though|while|whereas|despite|but|however|except|because|since|due to|so that|thus)\b|;"
)
_PARENTHESES = re.compile(r"\([^()]*\)")
_UNDECIDED = re.compile(
    r"\b(?:not possible|impossible|unable|cannot|can['’]t|could not|difficult|hard|insufficient|not enough|not sufficient|without (?:further|more|additional))\b"
    r"[^.]{0,60}\b(?:determin|assess|say|tell|conclude|answer|evaluat|confirm|ascertain|establish|know|judge)|\b(?:does|do|did) not (?:\w+ )?(?:provide|contain|include|specify|state)\b"
)
_AFTER_NEGATION = 5
_LONG, _BRIEF = 80, 8
_LEADING = 3
_SET_OFF = frozenset({"", ",", ".", ":", ";", "!", "*", "\u2014"})
_SAYS_AS_MUCH, _AFFIRMS = 0.5, 0.6
"""What share of the question's content words a statement needs to answer it without a yes or no.

A denial shows itself; that nothing is denied is an affirmation only of what is said in nearly the same words.
"""


def gold_polarity(gold: str, question: str | None = None) -> Polarity | None:
    """Give the yes or no that a gold answer opens with, or that it says in one word of a yes-or-no `question`: "It was rejected."."""
    match = _OPENS.search(gold.lower())
    if match is not None:
        return "yes" if match["word"] in _YES else "no"
    if question is None or not answers_briefly(gold.lower(), question.lower()):
        return None
    return _polarity_of(with_prohibitions(gold.lower(), question.lower()), question.lower())


def compare_polarity(gold: Polarity, question: str, answer: Sequence[Statement]) -> Match:
    """Compare a yes or no. One that the answer never utters is read from the claim that restates the question."""
    taking_sides = [s for s in answer if not _UNDECIDED.search(s.text.lower())]
    said = _said(taking_sides) or _left_out(question, taking_sides) or _implied(question, taking_sides)
    if said is None and len(taking_sides) < len(answer):
        return Match("absent", "the answer says neither yes nor no, but that it cannot be told")
    if said is None:
        return Match("unknown", "whether the answer says yes or no cannot be read from its words", undecided=True)
    polarity, statement = said
    if polarity == gold:
        return Match("agrees", f"gold says {gold}, so does the answer", statements=(statement.text,))
    return Match("disagrees", f"gold says {gold}, the answer says {polarity}", statements=(statement.text,))


def _said(answer: Sequence[Statement]) -> tuple[Polarity, Statement] | None:
    """Find a yes or no in so many words: in the first statements, else the last one set off by punctuation."""
    for place, statement in [*enumerate(answer[:_LEADING]), *reversed([*enumerate(answer)])]:
        lowered = statement.text.lower()
        match = _OPENS.search(lowered) or _ANSWER_IS.search(lowered)
        if match is not None and (place < _LEADING or lowered[match.end() : match.end() + 1] in _SET_OFF):
            return ("yes" if match["word"] in _YES else "no"), statement
    return None


def _left_out(question: str, answer: Sequence[Statement]) -> tuple[Polarity, Statement] | None:
    """Read a yes or no from an answer whose first statement takes up the question by its auxiliary alone."""
    verdict = brief_verdict(answer[0].text.lower(), question.lower()) if answer else None
    return None if verdict is None else ("yes" if verdict else "no", answer[0])


def _implied(question: str, answer: Sequence[Statement]) -> tuple[Polarity, Statement] | None:
    asked = _PARENTHESES.sub(" ", question.lower())
    shares = [_restates(s, asked) if s is answer[0] else s.restates for s in answer]
    restating = [(s, r) for s, r in zip(answer, shares, strict=True) if len(s.stems) <= _LONG and r >= _SAYS_AS_MUCH]
    if not restating:
        return None
    concluding = [(s, r) for s, r in restating if s.concludes]
    top = max(r for _, r in restating)
    chosen, share = concluding[-1] if concluding else next((s, r) for s, r in restating if r >= top - 0.15)
    said = with_prohibitions(chosen.text.lower(), asked)
    polarity = _polarity_of(said, asked)
    if share < 1 and has_other_object(_main_clause(said, asked), asked):
        return None
    if polarity is None or (polarity == "yes" and share < _AFFIRMS):
        return None
    return polarity, chosen


def _restates(statement: Statement, question: str) -> float:
    """Say how much of the question the first statement takes up: all where it answers by one word, "it was rejected"."""
    if statement.restates >= _AFFIRMS:
        return statement.restates
    said = with_prohibitions(statement.text.lower(), question)
    if len(statement.stems) > _BRIEF:
        return statement.restates
    return 1.0 if answers_briefly(_main_clause(said, question), question) else statement.restates


def _main_clause(statement: str, question: str) -> str:
    asked = stems(question)
    return max(_CLAUSES.split(statement), key=lambda clause: len(stems(clause) & asked))


def _polarity_of(statement: str, question: str) -> Polarity | None:
    """Read a restated question: negated or put into its opposite is a no, both a yes.

    Neither is a yes only where the statement repeats what may be answered by an opposite, "allowed" or "safe", and
    warns of nothing: "alcohol must be avoided" has most words of "is alcohol allowed?" too.
    """
    main = _main_clause(statement, question)
    repeated = _negated_words(question)
    negated = any(not (words & repeated) for words in _negations(_NOT_BUT.sub(" ", main)))
    contrary = opposed(main, question)
    if contrary is None:
        return "no" if negated else None
    if contrary or negated:
        return "no" if negated != contrary else "yes"
    return None if WARNS.search(main) and not WARNS.search(question) else "yes"


def _negations(text: str) -> list[frozenset[str]]:
    """For each negation of a text, the stems of the few words it stands before."""
    return [stems(" ".join(text[m.end() :].split()[:_AFTER_NEGATION])) for m in _NEGATION.finditer(text)]


def _negated_words(question: str) -> frozenset[str]:
    """Give the stems that the question itself negates: repeated with their negation ("not part of …") they deny nothing."""
    return frozenset().union(*_negations(question))
