"""Is the gold of a question whole, and does it go with its category?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from showable.harness.questions.check_found import Problem
from showable.harness.questions.duplicates import POLAR
from showable.harness.questions.shape import PROTOCOL
from showable.read.invisible import is_blank, without_invisible
from showable.records.record import Category, Gold, Question
from showable.rubrics.gold_question import read_question
from showable.rubrics.gold_text import normalised, says_none

_WORD, _LATIN, _CYRILLIC = re.compile(r"\w+"), re.compile("[A-Za-z]"), re.compile("[\u0400-\u04ff]")
_EXPECTED = {part.category: part.expected for part in PROTOCOL}
_ANSWERED: frozenset[Category] = frozenset({"answerable"})
_UNANSWERED: frozenset[Category] = frozenset({"unanswerable", "tempt_unsupported", "refusal_due"})
_OR = re.compile(r"\bor\b", re.IGNORECASE)
"""Where a question has it, one of what it names may well be the answer."""


def check_gold(question: Question) -> Iterator[Problem]:
    """Check what needs no corpus."""
    if not any(sign.isalnum() for sign in question.question):
        yield _of(question, "question", "no_question", "the question is empty")
    gold = question.gold
    yield from _characters(question)
    if gold is None:
        yield _of(question, "gold", "no_gold", "there is no gold: nothing says what is right")
        return
    if gold.category is None:
        said = f"there is no category; one of {', '.join(_EXPECTED)} is needed"
        yield _of(question, "gold.category", "no_category", said)
        return
    yield from _answer(question, gold, gold.category)
    yield from _expected(question, gold, gold.category)
    if question.force_null != (gold.category == "null_retrieval"):
        said = "force_null goes with null_retrieval, and with no other category"
        yield _of(question, "force_null", "force_null", said)
    if gold.answer and gives_itself_away(question.question, gold.answer):
        yield _of(question, "question", "gives_answer", f"the question holds its own answer, {gold.answer!r}")


def has_answer(gold: Gold) -> bool:
    """Check whether gold holds an answer to look for, and not that there is none."""
    return not is_blank(gold.answer or "") and not (gold.answerable is False and says_none(gold.answer or ""))


def is_polar(answer: str) -> bool:
    """Tell an answer that is yes or no, or begins with it: its words need not stand in the evidence."""
    return normalised(answer).partition(" ")[0] in POLAR


def gives_itself_away(question: str, answer: str) -> bool:
    """Tell a question that holds its answer's words; yes, no, and one of several given to choose from are no such thing."""
    said = normalised(answer)
    offered = read_question(question).choices or _OR.search(question)
    if not said or is_polar(answer) or offered:
        return False
    return f" {said} " in f" {normalised(question)} "


def _answer(question: Question, gold: Gold, category: Category) -> Iterator[Problem]:
    answered = has_answer(gold)
    if category in _ANSWERED or gold.answerable is True:
        if (
            not answered and category != "null_retrieval"
        ):  # what would be right does not matter where nothing is retrieved
            yield _of(question, "gold.answer", "no_answer", "it can be answered, and gold has no answer")
        if not gold.evidence:
            yield _of(question, "gold.evidence", "no_evidence", "it can be answered, and gold names no evidence")
    if category in _ANSWERED and gold.answerable is False:
        yield _of(question, "gold.answerable", "answerable", f"is {category}, and gold says that it is not answerable")
    if gold.answerable is None and category not in {*_UNANSWERED, "null_retrieval"}:
        said = f"is {category}, and gold does not say whether it is answerable: true or false"
        yield _of(question, "gold.answerable", "answerable", said)
    if category in _UNANSWERED and gold.answerable is not False:
        said = f"is {category}, so gold.answerable must be false"
        yield _of(question, "gold.answerable", "answerable", said)
    if gold.answerable is False and answered:
        said = f"cannot be answered, and gold answers {gold.answer!r}"
        yield _of(question, "gold.answer", "answer_given", said)


def _expected(question: Question, gold: Gold, category: Category) -> Iterator[Problem]:
    allowed = _EXPECTED[category]
    if not gold.expected:
        yield _of(
            question, "gold.expected", "no_expected", f"no bucket is expected; {category} has {', '.join(allowed)}"
        )
    elif not set(gold.expected) <= set(allowed):
        said = f"{', '.join(gold.expected)} expected; {category} has {', '.join(allowed)}"
        yield _of(question, "gold.expected", "expected", said)
    elif gold.answerable is False and "correct" in gold.expected:
        yield _of(question, "gold.expected", "expected", "correct is expected of a question that cannot be answered")
    elif gold.answerable is True and "correct" in allowed and "correct" not in gold.expected:
        said = "it can be answered, and correct is not among what is expected"
        yield _of(question, "gold.expected", "expected", said)


def _characters(question: Question) -> Iterator[Problem]:
    """Look for what a reader does not see: invisible characters, and Latin words with Cyrillic letters that look alike."""
    texts = [("question", question.question), ("gold.answer", (question.gold and question.gold.answer) or "")]
    for field, text in texts:
        hidden = Counter(text) - Counter(without_invisible(text))
        if hidden:
            codes = ", ".join(f"U+{ord(sign):04X}" for sign in sorted(hidden))
            yield _of(question, field, "characters", f"holds what no reader sees: {codes}")
        mixed = next((word for word in _WORD.findall(text) if _LATIN.search(word) and _CYRILLIC.search(word)), None)
        if mixed is not None:
            yield _of(
                question, field, "characters", f"{mixed!r} mixes Latin letters with Cyrillic ones that look alike"
            )


def _of(question: Question, field: str, code: str, problem: str) -> Problem:
    return Problem(id=question.id, field=field, code=code, problem=problem)
