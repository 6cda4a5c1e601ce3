"""Two statements of one answer that contradict one another: the same said of the same, with another value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from showable.read.quantities import find_quantities
from showable.read.quantity import comparable
from showable.read.question_focus import stems
from showable.rubrics.gold_negation import MARKER
from showable.rubrics.gold_question import Asked
from showable.rubrics.gold_statements import RESTATES, Statement

_QUALIFIES = re.compile(
    r"\b(?:until|before|after|used to|previous\w*|former\w*|initial\w*|original\w*|earlier|later|then|of which|of whom|of these|of this|includ\w+|at least|at most|"
    r"up to|from|between|if|unless|except|where|per|every|each|half|other|another|also|additional\w*|further|some|may|might|could|would|should|plus|"
    r"subtotal|part\w*|estimate\w*|expect\w*|forecast\w*|target\w*|average|example|rounded|while|whereas|respectively|either)\b|[=≈+×*/]",
    re.IGNORECASE,
)
_SEVERAL_ASKED = re.compile(
    r"\b(?:list|each|respectively|all|examples?|some|any|name (?:the|two|three|four))\b|\band\b", re.IGNORECASE
)
_PAST_BE, _PRESENT_BE = (
    re.compile(r"\b(?:was|were|had)\b", re.IGNORECASE),
    re.compile(r"\b(?:is|are|has)\b", re.IGNORECASE),
)
_NEUTRAL = stems(
    "total about approximately around roughly exactly equal equals amount therefore final correct value figure answer thus yes no"
)
_IDENTIFIES = re.compile(r"(?P<left>.+?) (?P<be>is|was) (?P<right>[^.]+?)\W*", re.IGNORECASE | re.DOTALL)
_PARTS = re.compile(r"[;:,]?\s+(?:and|but|while|whereas|although)\s+|[;,]\s+")
_DEFINITE = re.compile(r"\W*(?:the|its|their|his|her)\b|.*['’]s\b", re.IGNORECASE | re.DOTALL)
_OF_A_PLACE = re.compile(r"(?:an|ish|ese|ch|sch|tch|eek|ss|man)$")
"""Endings of words such as "American", "Danish", "French", which say of what kind something is, not which it is."""
_NAME_WORDS = 5
_COMPANY = stems("ltd limited inc llc plc corp corporation company gmbh")


def may_compete(rival: Statement, agreeing: Sequence[Statement], asked: Asked) -> list[Statement]:
    """List the agreeing statements that a statement may contradict: it restates the question as fully, in their tense, unqualified."""
    if not agreeing or _qualifies(rival.text) or _SEVERAL_ASKED.search(asked.text):
        return []
    least = [s for s in agreeing if rival.restates >= max(RESTATES if s.restates else 0.0, s.restates - 0.1)]
    return [s for s in least if not _qualifies(s.text) and _tense(s.text) * _tense(rival.text) >= 0]


def same_matter(
    rival: Statement, agreeing: Statement, asked: Asked, values: tuple[Sequence[str], Sequence[str]]
) -> bool:
    """Tell whether a statement says of the same thing, in as many words, what the agreeing one says, but for the value.

    `values` are those that decided in the two. Another entity, another period, a part, a condition or an earlier state
    shows in a word that the other has not; where in doubt they are about two things.
    """
    frame, other = (_frame(s.stems, asked, given) for s, given in zip((rival, agreeing), values, strict=True))
    return frame == other


def same_measure(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Tell whether values of the two statements are of one kind and unit: dollars beside euros are no contradiction."""
    one, other = find_quantities("; ".join(ours)), find_quantities("; ".join(theirs))
    return any(a.kind == b.kind and comparable(a, b) is not None for a in one for b in other)


def other_identity(rival: Statement, agreeing: Statement, gold: frozenset[str], asked: Asked) -> bool:
    """Tell whether both statements say which one thing is the one asked for ("the capital is …"), and name unlike ones."""
    mine, theirs = _identified(rival.said, asked), _identified(agreeing.said, asked)
    if mine is None or theirs is None or not gold or not gold <= stems(theirs):
        return False
    initials = "".join(word[0] for word in theirs.split()).lower()
    return not stems(mine) & (gold | asked.stems) and mine.lower().replace(".", "") != initials


def names_another(answer: Sequence[Statement], gold: frozenset[str], asked: Asked) -> str | None:
    """Give the name that an answer puts in the place of gold's, which it names in another role alone.

    "Acme is the seller and Beta is the buyer" says of the buyer that it is Beta, though it names Acme.
    """
    parts, own = [part for s in answer for part in _PARTS.split(MARKER.sub("", s.said))], gold - _COMPANY
    holding = [part for part in parts if own & stems(part)]
    if not holding or not all(_IDENTIFIES.fullmatch(p.strip()) and not stems(p) & asked.stems for p in holding):
        return None
    elsewhere = [part for part in parts if part not in holding and _tense(part) * _tense(asked.text) >= 0]
    names = [name for part in elsewhere if (name := _identified(part, asked))]
    return next((n for n in names if _is_name(_name_words(n)) and stems(n) - asked.stems), None)


def _identified(said: str, asked: Asked) -> str | None:
    """Give what a statement "the … is X" or "X is the …" says the thing asked for to be."""
    match = _IDENTIFIES.fullmatch(said.strip())
    if match is None:
        return None
    for thing, name, closes in ((match["left"], match["right"], True), (match["right"], match["left"], False)):
        about = stems(thing)
        if (
            not about
            or not about <= asked.stems
            or not _DEFINITE.match(thing)
            or len(about) < RESTATES * len(asked.stems)
        ):
            continue
        words = _name_words(name)
        if words and len(words) <= _NAME_WORDS and (not closes or _is_name(words)):
            return name
    return None


def _name_words(name: str) -> list[str]:
    return [w.strip(",;*\"'“”") for w in name.split() if w.lower() not in {"the", "of", "de", "la", "von", "van"}]


def _is_name(words: Sequence[str]) -> bool:
    return all(w[:1].isupper() for w in words) and not (len(words) == 1 and _OF_A_PLACE.search(words[0]))


@lru_cache(maxsize=1024)
def _qualifies(text: str) -> bool:
    return _QUALIFIES.search(text) is not None


@lru_cache(maxsize=1024)
def _tense(text: str) -> int:
    return bool(_PRESENT_BE.search(text)) - bool(_PAST_BE.search(text))


def _frame(words: frozenset[str], asked: Asked, values: Sequence[str]) -> frozenset[str]:
    return words - asked.stems - _NEUTRAL - frozenset().union(*(stems(v) for v in values))
