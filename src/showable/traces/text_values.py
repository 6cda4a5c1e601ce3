"""What spans take and give in one value: plain words, or JSON with the words somewhere in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

_ASKING = (
    "question",
    "query",
    "user_query",
    "user_input",
    "input",
    "inputs",
    "prompt",
    "q",
    "message",
    "text",
    "content",
    "kwargs",
)
_GIVING = (
    "answer",
    "response",
    "output",
    "outputs",
    "result",
    "text",
    "content",
    "message",
    "messages",
    "kwargs",
    "generations",
    "choices",
    "candidates",
    "parts",
)
_ASKERS = frozenset({"user", "human"})
_GIVERS = frozenset({"assistant", "ai", "model", "aimessage"})
_DEEPEST = 8
_MOST_LEAVES = 2000


def squeezed(text: str) -> str:
    """Return words in single spaces and one case, so that they can be found in others."""
    return " ".join(text.split()).casefold()


def parsed(text: str) -> Any:
    """Return what a text is as JSON where it is an object or a list; None where it is neither."""
    start = text.lstrip()[:1]
    if start not in {"{", "["} or text.rstrip()[-1:] not in {"}", "]"}:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def asked_in(value: str | None) -> str | None:
    """Return the question that stands in what a step took: the words themselves, or those that its JSON names as the question."""
    return _words_in(value, _ASKING, _ASKERS)


def given_in(value: str | None) -> str | None:
    """Return the answer that stands in what a step gave. JSON that names none stays as it is: it may be the answer."""
    return _words_in(value, _GIVING, _GIVERS) or (value if value and value.strip() else None)


def _words_in(value: str | None, keys: Sequence[str], roles: frozenset[str]) -> str | None:
    if value is None or not value.strip():
        return None
    found = parsed(value)
    if found is None:
        return value.strip()
    words = _named(found, keys, roles, 0)
    return words.strip() if words and words.strip() else None


def _named(value: Any, keys: Sequence[str], roles: frozenset[str], depth: int) -> str | None:
    if isinstance(value, str):
        inner = parsed(value) if depth < _DEEPEST else None
        return value if inner is None else _named(inner, keys, roles, depth + 1)
    if depth >= _DEEPEST:
        return None
    if isinstance(value, dict):
        listed = [value["messages"]] if isinstance(value.get("messages"), list) else []
        for inner in [*(value[key] for key in keys if key in value), *listed]:
            if words := _named(inner, keys, roles, depth + 1):
                return words
        return None
    if isinstance(value, list):
        return _last_said(value, keys, roles, depth)
    return None


def _last_said(messages: Sequence[Any], keys: Sequence[str], roles: frozenset[str], depth: int) -> str | None:
    """Return the last message of one of these roles. A list of one thing is that thing."""
    for message in reversed(messages):
        if isinstance(message, dict) and _role_of(message) in roles:
            return _named(message, keys, roles, depth + 1)
        if isinstance(message, list) and len(message) == 2 and str(message[0]).casefold() in roles:  # noqa: PLR2004 - a pair
            return _named(message[1], keys, roles, depth + 1)
    return _named(messages[0], keys, roles, depth + 1) if len(messages) == 1 else None


def _role_of(message: dict[str, Any]) -> str:
    named = message.get("role") or message.get("type")
    if isinstance(message.get("id"), list) and message["id"]:
        named = str(message["id"][-1]).removesuffix("Message")
    return str(named).casefold()


def leaves(text: str) -> str:
    """Return all words of a text, which JSON escapes and quotes: each string of it on a line of its own; plain text as it is."""
    value = parsed(text)
    return text if value is None else "\n".join(_strings(value))


def _strings(value: Any) -> Iterator[str]:
    waiting, left = [value], _MOST_LEAVES
    while waiting and left:
        left -= 1
        each = waiting.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, dict):
            waiting.extend(reversed(list(each.values())))
        elif isinstance(each, list):
            waiting.extend(reversed(each))
