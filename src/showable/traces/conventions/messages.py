"""Read messages of a conversation in the shapes in which spans carry them: OpenAI's, OpenTelemetry's parts, flattened, LangChain's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from showable.traces.conventions.part_citations import part_citations, reference_part
from showable.traces.conventions.values import MASK, Notes, json_text, named, sound, text, unpacked
from showable.traces.facts import Message, TracedCitation

TEXT_PARTS = frozenset({"text", "output_text", "input_text"})
_REFERENCE = "reference"
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
    """Messages with what stands beside them: why the model stopped, and whether it called a tool.

    `lost` says that there were some, and that the content of none was recorded. `citations` are those of the last message with words.
    """

    messages: tuple[Message, ...]
    finish: str | None = None
    tool_calls: bool = False
    lost: bool = False
    citations: tuple[TracedCitation, ...] = ()


def read_messages(items: Sequence[Any], role: str, key: str, notes: Notes) -> Said:
    """Read messages; `role` is that of a message which names none. One whose content was not recorded is left out, and said."""
    messages, finish, called = [], None, False
    cited: list[TracedCitation] = []
    for item in items:
        item = unpacked(item, key, notes, partial_text=True)  # noqa: PLW2901 - the same message, unpacked
        if isinstance(item, str):
            messages.append(Message(role, sound(item)))
        elif isinstance(item, dict):
            if (plain := _plain(item)) is not None:
                messages.append(plain)
                cited = []
                continue
            members = _members(item)
            calls = _calls(members)
            if (read := _message(members, role, key, notes, calls=calls)) is not None:
                messages.append(read)
                cited = _cited(members, read.content) if read.content.strip() else cited
            finish = finish or text(members.get("finish_reason"), f"{key} finish_reason", notes)
            called = called or calls
        else:
            notes.append(("type", f"a message of {key} should be a JSON object, and is {named(item)}"))
    return Said(tuple(messages), finish or None, called, lost=bool(items) and not messages, citations=tuple(cited))


def _plain(item: Mapping[str, Any]) -> Message | None:
    """Read the most frequent form, a role and a text and nothing else, without looking for others."""
    if len(item) != len(("role", "content")):
        return None
    role = item.get("message.role") or item.get("role")
    content = item.get("message.content", item.get("content"))
    if isinstance(content, str) and content != MASK and not content.startswith("[") and role in PLAIN_ROLES:
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


def _message(members: Mapping[str, Any], role: str, key: str, notes: Notes, *, calls: bool) -> Message | None:
    """Read a message; None where its content was not recorded, which of one that calls tools may be nothing."""
    named_role = members.get("role") or LANGCHAIN_TYPES.get(str(members.get("type")))
    role = LANGCHAIN_TYPES.get(named_role, named_role) if isinstance(named_role, str) else role
    content = _content(members, key, notes)
    if content is None and not calls:
        notes.append(("content_not_recorded", f"{key} has a message whose content was not recorded"))
        return None
    return Message(sound(role.removeprefix("Role.").lower()), sound(content or ""))


def _content(members: Mapping[str, Any], key: str, notes: Notes) -> str | None:
    """Read a message's text: "" where it says that there is none, None where it does not say what it is."""
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
    if isinstance(content, dict):
        content = [content]
    if isinstance(content, list):
        said = [part for each in content if (part := _part(each, key, notes)) is not None]
        between = "" if any(map(_is_piece, content)) else "\n"
        return None if not said and any(map(_says_no_text, content)) else between.join(said)
    if content is None:
        content = members.get("text")  # of a completion's choice
    return text(content, f"{key} content", notes)


def _is_piece(part: Any) -> bool:
    """Return True for a part with citations of its own, or that only cites: such parts are pieces of one text."""
    if not isinstance(part, dict):
        return False
    kind, said = _of_part(part)
    return kind == _REFERENCE or isinstance(said.get("citations"), list)


def _cited(members: Mapping[str, Any], content: str) -> list[TracedCitation]:
    """Read the citations of a message's text, and of its parts, each at the place of its words."""
    found = part_citations(members, content, 0)
    parts = members.get("parts", members.get("content"))
    if isinstance(parts, str) and parts.startswith("["):
        parts = unpacked(parts, "", [], partial_text=True)
    at = 0
    for part in parts if isinstance(parts, list) else ():
        words = _part(part, "", [])
        if isinstance(part, dict) and _of_part(part)[0] == _REFERENCE:
            found += reference_part(_of_part(part)[1], at)
        if words is None or not isinstance(part, dict):
            continue
        at = max(content.find(words, at), 0)
        found += part_citations(_of_part(part)[1], words, at)
        at += len(words)
    return found


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
        return text(part, f"{key} content", notes)
    if not isinstance(part, dict):
        notes.append(("type", f"a part of a message of {key} should be a JSON object, and is {named(part)}"))
        return None
    kind, said = _of_part(part)
    if kind in {"tool_call_response", "tool_result"}:
        held = said.get("response", said.get("result", said.get("content")))
        return held if isinstance(held, str) else None if held is None else json_text(held)
    if kind in {None, *TEXT_PARTS}:
        held = said.get("text", said.get("content"))
        if held is not None:
            return text(held, f"{key} content", notes)
    if kind not in QUIET_PARTS | TEXT_PARTS | {_REFERENCE}:
        notes.append(("parts", f"{key} has a part that is not text: {_kind(kind)}"))
    return None


def _of_part(part: Mapping[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """Return the kind of a part, None where it names none, and its members."""
    part = part["message_content"] if isinstance(part.get("message_content"), dict) else part
    if isinstance(cited := part.get("citationsContent"), dict):  # Bedrock's: the words are parts of their own
        inner = cited.get("content")
        texts = (
            [one["text"] for one in inner if isinstance(one, dict) and isinstance(one.get("text"), str)]
            if isinstance(inner, list)
            else []
        )
        return "text", {"text": "".join(texts), "citations": cited.get("citations")}
    said = {str(name).removeprefix("message_content."): value for name, value in part.items()}
    kind = said.get("type")
    return kind if isinstance(kind, str | None) else json_text(kind), said


def _says_no_text(part: Any) -> bool:
    """Check whether a part is a text that was left out where it was recorded, or masked."""
    if isinstance(part, str):
        return part == MASK
    kind, said = _of_part(part) if isinstance(part, dict) else (None, {})
    held = said.get("text", said.get("content"))
    return held == MASK or (held is None and kind in TEXT_PARTS)


def _kind(kind: Any) -> str:
    return kind if isinstance(kind, str) and kind.isidentifier() and len(kind) < len("x" * 30) else "of an unnamed kind"
