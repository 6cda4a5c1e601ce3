"""Yes or no: which of the two a gold answer gives, and which an answer gives, in so many words or by what it says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from probative.read.question_focus import stems
from probative.rubrics.gold_match import Match
from probative.rubrics.gold_statements import Statement

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
_WORDS = re.compile(r"[a-z]{4,}")
_PREFIXES = ("in", "un", "im", "ir", "il", "non", "dis")
_PARENTHESES = re.compile(r"\([^()]*\)")
_UNDECIDED = re.compile(
    r"\b(?:not possible|impossible|unable|cannot|can['’]t|could not|difficult|hard|insufficient|not enough|not sufficient|without (?:further|more|additional))\b"
    r"[^.]{0,60}\b(?:determin|assess|say|tell|conclude|answer|evaluat|confirm|ascertain|establish|know|judge)|\b(?:does|do|did) not (?:\w+ )?(?:provide|contain|include|specify|state)\b"
)
_AFTER_NEGATION = 5
_LONG = 80
_BANS = r"prohibit|forbid|forbidden|bar(?:s|red)\b|ban(?:s|ned|ning)?\b|disallow|unlawful|illegal"
_FORBIDS = rf"{_BANS}|avoid|contraindicat|refrain|unsafe|dangerous|exclud"
_GROUPS = tuple(
    (re.compile(rf"\b(?:{up})"), re.compile(rf"\b(?:{down})"))
    for up, down in (
        (r"improv|increas|rise|rising|rose|risen|grow|grew|higher|gain|expan|upward|better|strengthen",
         r"declin|decreas|deteriorat|worsen|fell|fall|drop|lower|shrink|shrank|contract|reduc|downward|weaken"),
        (r"consisten|stable|steady|constant|unchanged|flat\b", r"inconsisten|unstable|fluctuat|volatil|varied|vary|varies|erratic"),
        (r"allow|permit|authori[sz]|entitle|lawful|legal", _FORBIDS),
        (r"may\b|can\b", _BANS),
        (r"require|must|mandatory|obliged|oblige|compulsory", r"optional|voluntary|exempt|waive"),
        (r"safe|recommend|indicated|effective|benefi", r"unsafe|contraindicat|ineffective|harmful|dangerous|avoid"),
        (r"enforceable|valid|binding", r"unenforceable|invalid|void"),
        (r"associat|related|link|correlat|depend(?!ent o)|influenc|affect", r"independent|unrelated|irrespective|regardless"),
        (r"significant", r"insignificant|negligible"),
        (r"includ|contain|cover", r"exclud|omit"),
        (r"succe|win|won\b|approv|grant|accept|upheld|affirm", r"fail|los[te]|reject|den(?:y|ied)|refus|overturn|revers"),
    )
)  # fmt: skip
_WARNS = re.compile(rf"\b(?:{_FORBIDS}|stop)")
_LEADING = 3
_SET_OFF = frozenset({"", ",", ".", ":", ";", "!", "*", "\u2014"})
_SAYS_AS_MUCH, _AFFIRMS = 0.5, 0.6
"""What share of the question's content words a statement needs to answer it without a yes or no.

A denial shows itself; that nothing is denied is an affirmation only of what is said in nearly the same words.
"""


def gold_polarity(gold: str) -> Polarity | None:
    """Give the yes or no that a gold answer opens with."""
    match = _OPENS.search(gold.lower())
    return None if match is None else ("yes" if match["word"] in _YES else "no")


def compare_polarity(gold: Polarity, question: str, answer: Sequence[Statement]) -> Match:
    """Compare a yes or no. One that the answer never utters is read from the claim that restates the question."""
    taking_sides = [s for s in answer if not _UNDECIDED.search(s.text.lower())]
    said = _said(taking_sides) or _implied(question, taking_sides)
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


def _implied(question: str, answer: Sequence[Statement]) -> tuple[Polarity, Statement] | None:
    restating = [s for s in answer if s.restates >= _SAYS_AS_MUCH and len(s.stems) <= _LONG]
    if not restating:
        return None
    concluding = [s for s in restating if s.concludes]
    top = max(s.restates for s in restating)
    chosen = concluding[-1] if concluding else next(s for s in restating if s.restates >= top - 0.15)
    polarity = _polarity_of(chosen.text.lower(), _PARENTHESES.sub(" ", question.lower()))
    if polarity is None or (polarity == "yes" and chosen.restates < _AFFIRMS):
        return None
    return polarity, chosen


def _polarity_of(statement: str, question: str) -> Polarity | None:
    """Read a restated question: negated or put into its opposite is a no, both a yes.

    Neither is a yes only where the statement repeats what may be answered by an opposite, "allowed" or "safe", and
    warns of nothing: "alcohol must be avoided" has most words of "is alcohol allowed?" too.
    """
    asked = stems(question)
    main = max(_CLAUSES.split(statement), key=lambda clause: len(stems(clause) & asked))
    repeated = _negated_words(question)
    negated = any(not (words & repeated) for words in _negations(_NOT_BUT.sub(" ", main)))
    opposed = _opposed(main, question)
    if opposed is None:
        return "no" if negated else None
    if opposed or negated:
        return "no" if negated != opposed else "yes"
    return None if _WARNS.search(main) and not _WARNS.search(question) else "yes"


def _negations(text: str) -> list[frozenset[str]]:
    """For each negation of a text, the stems of the few words it stands before."""
    return [stems(" ".join(text[m.end() :].split()[:_AFTER_NEGATION])) for m in _NEGATION.finditer(text)]


def _negated_words(question: str) -> frozenset[str]:
    """Give the stems that the question itself negates: repeated with their negation ("not part of …") they deny nothing."""
    return frozenset().union(*_negations(question))


def _opposed(statement: str, question: str) -> bool | None:
    """Tell whether the statement uses the opposite of a word of the question; None where it has neither, or both of two words."""
    asked_words, words = set(_WORDS.findall(question)), set(_WORDS.findall(statement))
    if any(prefix + word in words for word in asked_words - words for prefix in _PREFIXES):
        return True
    sides = [
        (asked.search(statement) is not None, opposite.search(statement) is not None)
        for one, other in _GROUPS
        for asked, opposite in ((one, other), (other, one))
        if asked.search(question) and not opposite.search(question)
    ]
    repeated, opposed = any(same for same, _ in sides), any(other and not same for same, other in sides)
    return None if sides and repeated == opposed else opposed
