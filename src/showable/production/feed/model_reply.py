"""The JSON object that a chat model's response holds, or why it holds none."""

from __future__ import annotations

from typing import Any, NamedTuple

from showable.judges.chat_reply import Unreadable, read_object


class ModelReply(NamedTuple):
    """What a model said: its words, and the object in them; `fault` says why there is none, "" where there is one."""

    content: str
    values: dict[str, Any]
    fault: str


def reply_of(response: dict[str, Any]) -> ModelReply:
    """Return the reply in the body of a chat completion."""
    choices = response.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, str):
        return ModelReply("", {}, "the response holds no message")
    values = read_object(content)
    return ModelReply(content, {}, values.say) if isinstance(values, Unreadable) else ModelReply(content, values, "")
