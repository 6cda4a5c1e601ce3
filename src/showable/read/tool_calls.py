"""The function calls in a model's payload, in the shapes that chat interfaces return them."""

from __future__ import annotations

from typing import Any, NamedTuple


class Call(NamedTuple):
    """Where a call's arguments stand in the payload (``tool_calls.0.function.arguments``), the arguments, and its name."""

    at: str
    arguments: Any
    name: str | None


def tool_calls(value: Any) -> list[Call] | None:
    """Return the calls of a payload, or None where it is no payload of calls.

    Read are an OpenAI message (`tool_calls`, `function_call`), a whole completion (`choices`), a response's
    `output` items, a list of calls, one call alone, and an Anthropic message's `tool_use` blocks.
    """
    if isinstance(value, list):
        listed = [call for i, item in enumerate(value) if (call := _one_call(item, str(i)))]
        return listed or None
    if not isinstance(value, dict):
        return None
    if isinstance(choices := value.get("choices"), list):
        messages = [(i, choice.get("message")) for i, choice in enumerate(choices) if isinstance(choice, dict)]
        return [call for i, message in messages for call in _under(f"choices.{i}.message", tool_calls(message))]
    for name in ("tool_calls", "output", "content"):
        if isinstance(inner := value.get(name), list):
            return _under(name, tool_calls(inner))
    call = _one_call(value, "")
    return [call] if call else None


def _under(place: str, calls: list[Call] | None) -> list[Call]:
    return [call._replace(at=f"{place}.{call.at}") for call in calls or ()]


def _one_call(value: Any, at: str) -> Call | None:
    """Read one call: ``{function: {arguments}}``, ``{function_call: …}``, ``{name, arguments}``, ``{name, input}``."""
    if not isinstance(value, dict):
        return None
    for name in ("function", "function_call"):
        if isinstance(inner := value.get(name), dict) and "arguments" in inner:
            return Call(_path(at, name, "arguments"), inner["arguments"], _name(inner))
    for name in ("arguments", "input"):
        if name in value and "name" in value:
            return Call(_path(at, name), value[name], _name(value))
    return None


def _path(*parts: str) -> str:
    return ".".join(part for part in parts if part)


def _name(call: dict[str, Any]) -> str | None:
    return name if isinstance(name := call.get("name"), str) else None
