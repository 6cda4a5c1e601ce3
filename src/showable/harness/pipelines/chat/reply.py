"""Read the response of a chat endpoint into an answer, and say what was odd about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from showable.read.structured import parse_structured
from showable.records.record import Answer


@dataclass(frozen=True, slots=True)
class Said:
    """An answer, and what a reader of the record should know: ``finish_reason``, ``not_structured``, ``model_refused``."""

    answer: Answer | str | None
    notes: dict[str, Any] = field(default_factory=dict)


def read_response(response: dict[str, Any], *, structured: bool) -> Said:
    """Read a response. A structured reply that cannot be read stays as the text it is, for the scorer to see.

    Raises ValueError where the response holds no message.
    """
    choices = response.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise ValueError("the endpoint's response holds no message")  # noqa: TRY004 - what was sent is wrong, not its type
    finish = choice.get("finish_reason")
    notes: dict[str, Any] = {} if finish is None or finish == "stop" else {"finish_reason": str(finish)}
    refused, content = message.get("refusal"), message.get("content")
    if isinstance(refused, str) and refused.strip():
        return Said(refused, notes | {"model_refused": True})
    if not isinstance(content, str) or not content.strip():
        return Said(None, notes)
    return _structured(content, notes) if structured else Said(content, notes)


def _structured(content: str, notes: dict[str, Any]) -> Said:
    parsed = parse_structured(content)
    if parsed is None:
        return Said(content, notes | {"not_structured": "the reply is no JSON"})
    _, answer, problems = parsed
    if answer is None:
        return Said(content, notes | {"not_structured": "; ".join(problem.reason for problem in problems)})
    return Said(answer, notes)
