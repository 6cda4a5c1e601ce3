"""Read what a model wrote: one question with its answer, or the reason why it is none. Nothing is repaired."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from showable.judges.chat_reply import Unreadable, find_quote, read_object

Kind = Literal["answerable", "tempt_wrong", "unanswerable", "adversarial"]
"""What a model is asked to write. The other categories need none: they are written by hand, or force an empty retrieval."""

_TEXTS = ("question", "answer", "statement", "quote", "premise")
_POINTS = re.compile(
    r"\b(?:(?:the|this|that) (?:\w+ )?(?:passage|text|excerpt|document|paragraph|snippet|context)|(?:mentioned|stated|described|given) above)\b",
    re.IGNORECASE,
)
_FEWEST, _MOST = 5, 60
_LONGEST_ANSWER = 40


@dataclass(frozen=True, slots=True)
class Written:
    """A question as a model wrote it. `span` is the quote's place in the passage, None where the kind has no quote."""

    question: str
    answer: str
    statement: str
    premise: str
    missing: tuple[str, ...]
    span: tuple[int, int] | None


def read_written(response: dict[str, Any], kind: Kind, passage: str) -> Written | str:
    """Read a response of the endpoint: a question, or a word for what is wrong, by which rejections are counted."""
    content = _content(response)
    if content is None:
        return "no_message"
    values = read_object(content)
    if isinstance(values, Unreadable):
        return values.fault
    texts = [values.get(name) for name in _TEXTS]
    missing = values.get("missing")
    if not all(isinstance(text, str) for text in texts) or not _are_strings(missing):
        return "field_missing"
    question, answer, statement, quote, premise = (" ".join(str(text).split()) for text in texts)
    if fault := _fault(kind, question, answer, statement, premise):
        return fault
    if kind == "unanswerable":
        terms = tuple(term.strip() for term in missing or () if term.strip())
        return Written(question, "", "", "", terms, None) if terms else "no_terms"
    span = find_quote(quote, passage) if quote else None
    return "quote_not_found" if span is None else Written(question, answer, statement, premise, (), span)


def _content(response: dict[str, Any]) -> str | None:
    choices = response.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    return content if isinstance(content, str) and content.strip() else None


def _are_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _fault(kind: Kind, question: str, answer: str, statement: str, premise: str) -> str | None:
    """Return what keeps a question from being used before anything is looked up."""
    if not question.endswith("?") or not _FEWEST <= len(question.split()) <= _MOST:
        return "no_question"
    if _POINTS.search(question):
        return "points_at_passage"
    if kind == "unanswerable":
        return None
    if not answer or len(answer.split()) > _LONGEST_ANSWER or not statement:
        return "no_answer"
    return "no_premise" if kind == "adversarial" and not premise else None
