"""Messages of a model call as clients write them into a span's input and output, in OpenInference's names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from showable.traces.files.flattened import json_text, plain


def message_attributes(side: str, value: Any, problems: list[str]) -> dict[str, Any]:
    """Lay messages out as ``llm.{side}_messages.{i}.message.…``. `side` is input or output.

    A list of messages, an object that holds it (``messages``, ``choices``), one message, or, as output, a bare text.
    Another shape gives nothing: it is kept as the span's value.
    """
    held: dict[str, Any] = {}
    for i, message in enumerate(_messages(side, value)):
        at = f"llm.{side}_messages.{i}.message"
        role = message.get("role") or message.get("type")
        held[f"{at}.role"] = str(role) if role else "assistant" if side == "output" else "user"
        content = _content(message.get("content"), problems)
        if content is not None:
            held[f"{at}.content"] = plain(content, at, problems)
        held |= _tool_calls(f"{at}.tool_calls", message.get("tool_calls"), problems)
    return held


def _messages(side: str, value: Any) -> list[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        for name in ("messages", "choices"):
            if isinstance(value.get(name), list):
                return _messages(side, value[name])
        value = [value]
    if isinstance(value, str):
        return [{"role": "assistant", "content": value}] if side == "output" and value else []
    if not isinstance(value, list):
        return []
    flat = [_unwrapped(one) for one in value]
    return [one for one in flat if one is not None] if all(one is not None for one in flat) else []


def _unwrapped(one: Any) -> Mapping[str, Any] | None:
    if not isinstance(one, Mapping):
        return None
    inner = one.get("message")
    held = inner if isinstance(inner, Mapping) else one
    return held if "content" in held or "tool_calls" in held else None


def _content(raw: Any, problems: list[str]) -> str | None:
    if raw is None or isinstance(raw, str):
        return raw
    if not isinstance(raw, list):
        return json_text(raw, "content", problems)
    parts = [one if isinstance(one, str) else one.get("text") if isinstance(one, Mapping) else None for one in raw]
    texts = [part for part in parts if isinstance(part, str)]
    if len(texts) != len(parts):
        problems.append(f"{len(parts) - len(texts)} parts of a message are no text: left out")
    return "\n".join(texts)


def _tool_calls(at: str, raw: Any, problems: list[str]) -> dict[str, Any]:
    held: dict[str, Any] = {}
    for i, call in enumerate(raw if isinstance(raw, list) else []):
        function = call.get("function", call) if isinstance(call, Mapping) else None
        if not isinstance(function, Mapping):
            problems.append("a tool call is not an object: left out")
            continue
        name, arguments = function.get("name"), function.get("arguments", function.get("args"))
        held[f"{at}.{i}.tool_call.function.name"] = str(name or "")
        if arguments is not None:
            held[f"{at}.{i}.tool_call.function.arguments"] = json_text(arguments, "arguments", problems)
    return held
