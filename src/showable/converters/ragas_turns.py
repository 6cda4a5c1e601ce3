"""A conversation of ragas: its last question and the answer to it, where that can be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from showable.converters.shape import FieldError
from showable.records.record import Turn as Earlier

_KINDS = {"human": "human", "user": "human", "ai": "ai", "assistant": "ai", "tool": "tool", "system": "system"}
EARLIER = "several turns: the last question and its answer; what was said before is its history"
TOOLS = "answered with tools, whose output is no retrieval log"


@dataclass(frozen=True, slots=True)
class Turn:
    """The last question of a conversation, its answer, and what was left of the rest."""

    question: str
    answer: str
    history: tuple[Earlier, ...] = ()
    lost: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def last_turn(messages: Sequence[Any], field: str) -> Turn:
    """Give the last human message and the last of the AI after it.

    Raises FieldError where a message is none, or where nobody asked, or nobody answered after the last question: the
    answer to an earlier one is not the answer to this one.
    """
    read = [_message(message, f"{field}[{i}]") for i, message in enumerate(messages)]
    asked = max((i for i, (kind, _) in enumerate(read) if kind == "human"), default=None)
    if asked is None:
        raise FieldError(field, "expected a human message")
    answers = [text for kind, text in read[asked + 1 :] if kind == "ai" and text.strip()]
    if not answers:
        raise FieldError(field, "expected an answer of the AI after the last human message")
    notes = [EARLIER] if any(kind in {"human", "ai"} for kind, _ in read[:asked]) else []
    notes += [TOOLS] if any(kind == "tool" for kind, _ in read) else []
    roles = {"human": "user", "ai": "assistant"}
    before = tuple(
        Earlier(role=roles[kind], text=text) for kind, text in read[:asked] if kind in roles and text.strip()
    )
    rest = len(read) > asked + 2 or len(before) < asked
    return Turn(read[asked][1], answers[-1], before, (field,) if rest else (), tuple(notes))


def _message(message: Any, place: str) -> tuple[str, str]:
    if not isinstance(message, Mapping):
        raise FieldError(place, "expected a message: an object with content and type")
    kind = message.get("type", message.get("role"))
    if not isinstance(kind, str) or kind not in _KINDS:
        raise FieldError(f"{place}.type", "expected human, ai or tool")
    content = message.get("content")
    if content is None:
        content = ""
    if not isinstance(content, str):
        raise FieldError(f"{place}.content", "expected a string")
    return _KINDS[kind], content
