"""What chat completions of several providers have in common: the first choice, why it ended, and what was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from showable.converters.exchange import (
    NO_QUESTION,
    Exchange,
    joined_texts,
    last_asked,
    record_id,
    record_of,
    turns_before,
)
from showable.converters.fields import Fields
from showable.converters.shape import Row
from showable.records.record import Record

ONE_CHOICE = "the reply offers several choices; the first was taken"
CUT_OFF = "the answer was cut off at the token limit"
STOPPED = "the provider's content filter stopped the answer"
_CUT = frozenset({"length", "model_length", "max_tokens"})
_STOPPED = frozenset({"content_filter", "content_filtered", "guardrail_intervened"})


def choices_of(value: Any) -> list[Mapping[str, Any]]:
    """Return the choices of a chat completion, none where it is no such reply."""
    if not isinstance(value, Mapping) or not str(value.get("object", "")).endswith("chat.completion"):
        return []
    choices = value.get("choices")
    return [one for one in choices if isinstance(one, Mapping)] if isinstance(choices, list | tuple) else []


def first_message(value: Any) -> Mapping[str, Any]:
    """Return the message of a completion's first choice, empty where it has none."""
    choices = choices_of(value)
    message = choices[0].get("message") if choices else None
    return message if isinstance(message, Mapping) else {}


def first_choice(response: Fields, notes: list[str]) -> Fields:
    """Open the first choice of a completion, noting what is left out and why it ended."""
    choices = response.objects("choices")
    notes += [ONE_CHOICE] if len(choices) > 1 else []
    notes += ended(choices[0].raw("finish_reason"))
    return choices[0]


def ended(reason: Any) -> list[str]:
    """Return the notes on why a reply ended, none where it came to its end."""
    if not isinstance(reason, str):
        return []
    return [CUT_OFF] if reason in _CUT else [STOPPED] if reason in _STOPPED else []


def question_of(exchange: Exchange, notes: list[str]) -> str:
    """Return the last words of the user in the request, noting where there are none."""
    question = exchange.words or last_asked(_messages(exchange), lambda message: joined_texts(message, "text"))
    notes += [] if question else [NO_QUESTION]
    return question


def _messages(exchange: Exchange) -> Sequence[Fields]:
    request = exchange.asked("messages")
    listed = request is not None and isinstance(request.raw("messages"), list | tuple)
    return request.objects("messages") if request is not None and listed else []


def completion_record(exchange: Exchange, row: Row, question: str, text: str | None, **log: Any) -> Record:
    """Build the Record of a completion, with the turns before its question; `log` is `retrieved` and, where it differs, `shown`."""
    log["history"] = turns_before(_messages(exchange), lambda message: joined_texts(message, "text"))
    model = exchange.response.text("model")
    metadata = {"model": model} if model else {}
    return record_of(record_id(exchange, row, "id"), question, text, metadata=metadata, **log)
