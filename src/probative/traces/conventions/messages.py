"""Read messages of a conversation in the shapes in which spans carry them: OpenAI's, OpenTelemetry's parts, flattened, LangChain's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from probative.traces.conventions.values import Notes, json_text, named, sound, text, unpacked
from probative.traces.facts import Message

QUIET_PARTS = frozenset({"tool_call", "tool_use", "function_call", "server_tool_call"})
"""Parts that are left out without a word: that a tool was called is said in another way."""
LANGCHAIN_ROLES = (
    ("HumanMessage", "user"),
    ("AIMessage", "assistant"),
    ("SystemMessage", "system"),
    ("ToolMessage", "tool"),
    ("FunctionMessage", "tool"),
)

LANGCHAIN_TYPES = {"human": "user", "ai": "assistant", "system": "system", "tool": "tool"}

PLAIN_ROLES = ("user", "assistant", "system", "tool")


@dataclass(frozen=True, slots=True)
class Said:
    """Messages with what stands beside them: why the model stopped, and whether it called a tool."""

    messages: tuple[Message, ...]
    finish: str | None = None
    tool_calls: bool = False


def read_messages(items: Sequence[Any], role: str, key: str, notes: Notes) -> Said:
    """Read messages; `role` is that of a message which names none."""
    messages, finish, called = [], None, False
    for item in items:
        item = unpacked(item, key, notes, partial_text=True)  # noqa: PLW2901 - the same message, unpacked
        if isinstance(item, str):
            messages.append(Message(role, sound(item)))
        elif isinstance(item, dict):
            if (plain := _plain(item)) is not None:
                messages.append(plain)
                continue
            members = _members(item)
            messages.append(_message(members, role, key, notes))
            finish = finish or text(members.get("finish_reason"), f"{key} finish_reason", notes)
            called = called or _calls(members)
        else:
            notes.append(("type", f"a message of {key} should be a JSON object, and is {named(item)}"))
    return Said(tuple(messages), finish or None, called)


def _plain(item: Mapping[str, Any]) -> Message | None:
    """Read the most frequent form, a role and a text and nothing else, without looking for others."""
    if len(item) != len(("role", "content")):
        return None
    role = item.get("message.role") or item.get("role")
    content = item.get("message.content", item.get("content"))
    if isinstance(content, str) and not content.startswith("[") and role in PLAIN_ROLES:
        return Message(str(role), sound(content))
    return None


def _members(item: Mapping[str, Any]) -> dict[str, Any]:
    """Take a message's members out of what they are wrapped in: ``message.``, a choice, LangChain's constructor."""
    if item.get("lc") == 1 and isinstance(item.get("kwargs"), dict):
        lc_id = item.get("id")
        name = str(lc_id[-1]) if isinstance(lc_id, list) and lc_id else ""
        role = next((role for start, role in LANGCHAIN_ROLES if name.startswith(start)), None)
        return {"role": role, **item["kwargs"]}
    said = {}
    for name, value in item.items():
        head, point, rest = str(name).partition(".")
        said[rest if point and head in {"message", "prompt", "completion"} else str(name)] = value
    inner = said.get("message")
    return {**said, **{str(name): value for name, value in inner.items()}} if isinstance(inner, dict) else said


def _calls(members: Mapping[str, Any]) -> bool:
    if any(members.get(name) for name in ("tool_calls", "function_call", "function_call_name")):
        return True
    parts = members.get("parts")
    listed = parts if isinstance(parts, list) else members.get("content")
    if isinstance(listed, list) and any(isinstance(it, dict) and str(it.get("type")) in QUIET_PARTS for it in listed):
        return True
    return any(name.startswith("tool_calls.") for name in members)


def _message(members: Mapping[str, Any], role: str, key: str, notes: Notes) -> Message:
    named_role = members.get("role") or LANGCHAIN_TYPES.get(str(members.get("type")))
    role = LANGCHAIN_TYPES.get(named_role, named_role) if isinstance(named_role, str) else role
    return Message(sound(role.removeprefix("Role.").lower()), sound(_content(members, key, notes)))


def _content(members: Mapping[str, Any], key: str, notes: Notes) -> str:
    parts = members.get("parts")
    content = parts if parts is not None else members.get("content")
    if isinstance(content, str) and (parts is not None or content.startswith(('[{"type"', '[{"text"', '[{ "type"'))):
        unheard: Notes = []
        read = unpacked(content, key, unheard, partial_text=True)
        if isinstance(read, list):
            content = read
            notes.extend(unheard)
    if content is None:
        content = _flattened(members)
    if isinstance(content, list):
        return "\n".join(said for part in content if (said := _part(part, key, notes)) is not None)
    if isinstance(content, dict):
        return _part(content, key, notes) or ""
    if content is None:
        content = members.get("text")  # of a completion's choice
    return text(content, f"{key} content", notes) or ""


def _flattened(members: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Gather parts that came as ``contents.{j}.message_content.{type,text}`` or, of some, ``content.{j}.…``."""
    parts: dict[int, dict[str, Any]] = {}
    for name, value in members.items():
        head, _, rest = name.partition(".")
        place, _, member = rest.partition(".")
        if head in {"contents", "content"} and place.isascii() and place.isdecimal() and member:
            parts.setdefault(int(place), {})[member.removeprefix("message_content.")] = value
    if parts:
        return [parts[place] for place in sorted(parts)]
    contents = members.get("contents")
    return contents if isinstance(contents, list) else None


def _part(part: Any, key: str, notes: Notes) -> str | None:
    """Read the text of one part; of what is not text, only its kind is said."""
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        notes.append(("type", f"a part of a message of {key} should be a JSON object, and is {named(part)}"))
        return None
    part = part.get("message_content", part) if isinstance(part.get("message_content"), dict) else part
    said = {str(name).removeprefix("message_content."): value for name, value in part.items()}
    kind = said.get("type")
    kind = kind if isinstance(kind, str | None) else json_text(kind)
    if kind in {"tool_call_response", "tool_result"}:
        held = said.get("response", said.get("result", said.get("content")))
        return held if isinstance(held, str) else None if held is None else json_text(held)
    if kind in {None, "text", "output_text", "input_text"}:
        held = said.get("text", said.get("content"))
        if held is not None:
            return text(held, f"{key} content", notes)
    if kind not in QUIET_PARTS:
        notes.append(("parts", f"{key} has a part that is not text: {_kind(kind)}"))
    return None


def _kind(kind: Any) -> str:
    return kind if isinstance(kind, str) and kind.isidentifier() and len(kind) < len("x" * 30) else "of an unnamed kind"
