"""When two questions ask the same thing in nearly the same words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from showable.read.invisible import without_invisible
from showable.read.question_focus import stems
from showable.records.record import GoldEvidence, Question
from showable.rubrics.gold_text import normalised

POLAR = frozenset({"yes", "no", "true", "false", "maybe"})
_SHARED_WORDS, _LIKENESS = 0.8, 88.0
_NAME = re.compile(r"(?<=[\w,;“\"'’(] )[“\"'(]?([A-Z]\w*)|[“\"]([A-Z]\w*)")
_FIGURE = re.compile(r"\d[\d.,]*")


@dataclass(frozen=True, slots=True)
class _Key:
    """What of a question is compared: its words, and the names and figures that tell one thing asked about from another."""

    text: str
    words: frozenset[str]
    names: frozenset[str]


def near_duplicates(one: str, other: str) -> bool:
    """Check whether two questions share nearly all words, and every name and figure.

    Questions of one wording about two parties, documents or years are two questions.
    """
    a, b = _key(one), _key(other)
    if a.text == b.text:
        return True
    if a.names != b.names or not a.words or not b.words:
        return False
    if len(a.words & b.words) < _SHARED_WORDS * len(a.words | b.words):
        return False
    from rapidfuzz import fuzz  # noqa: PLC0415 - only where words leave it open

    return fuzz.token_set_ratio(a.text, b.text) >= _LIKENESS


def first_duplicate(question: str, others: Iterable[str]) -> str | None:
    """Return the first of `others` that is a near-duplicate, None where there is none."""
    return next((other for other in others if near_duplicates(question, other)), None)


def duplicate_pairs(questions: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the ids of near-duplicates as (the later, the first like it), from pairs of (id, question)."""
    found = []
    for place, (name, text) in enumerate(questions):
        like = next((other for other, said in questions[:place] if near_duplicates(text, said)), None)
        if like is not None:
            found.append((name, like))
    return found


def same_fact(one: Question, other: Question) -> bool:
    """Check whether two questions have one answer, more than a yes or no, and overlapping evidence for it."""
    if one.gold is None or other.gold is None or not one.gold.answer or normalised(one.gold.answer) in POLAR:
        return False
    if normalised(one.gold.answer) != normalised(other.gold.answer or ""):
        return False
    return any(_overlap(mine, theirs) for mine in one.gold.evidence for theirs in other.gold.evidence)


def _overlap(one: GoldEvidence, other: GoldEvidence) -> bool:
    """Check whether two spans share characters; a whole passage may bear out many facts, so it shows nothing."""
    if one.source_id != other.source_id:
        return False
    if one.start is None or one.end is None or other.start is None or other.end is None:
        return False
    return one.start < other.end and other.start < one.end


@lru_cache(maxsize=16384)
def _key(question: str) -> _Key:
    question = without_invisible(question)
    names = {(first or second).casefold() for first, second in _NAME.findall(question)}
    figures = {figure.rstrip(".,") for figure in _FIGURE.findall(question)}
    return _Key(normalised(question), stems(question), frozenset(names | figures))
