"""A recorded call of a provider's interface: the response alone, or beside the request that it answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from showable.converters.fields import Fields, as_object, as_text, holds
from showable.converters.shape import FieldError, Row
from showable.records.lines import plain_name
from showable.records.record import Record, Turn

NO_QUESTION = "no question in the payload"
NO_REQUEST = "the request is not in the payload: nothing says what the model was shown"

_RESPONSES = ("response", "output", "message", "completion", "result")
_QUESTIONS = ("question", "query", "prompt", "user_input")
_REQUESTS = ("request", "input", "params", "body", "kwargs", "messages", *_QUESTIONS)
_WRAPPED = ("body", "message")
"""Under which a result of a batch holds the response: OpenAI's ``response.body``, Anthropic's ``result.message``."""
_IDS = ("custom_id", "id", "key")
_FRAME = frozenset((
    "id", "object", "type", "role", "model", "status", "stream", "created", "created_at", "completed_at", "createTime",
    "create_time", "response_type", "responseId", "response_id", "generation_id", "finish_reason", "stop_sequence",
))  # fmt: skip
"""Fields that say what a payload is, and when it was made."""
_SETTINGS = frozenset((
    "temperature", "top_p", "top_k", "k", "p", "max_tokens", "max_output_tokens", "max_tool_calls", "top_logprobs", "tools",
    "tool_choice", "parallel_tool_calls", "config", "generationConfig", "generation_config", "text", "truncation", "store",
    "background", "reasoning", "include", "service_tier", "system_fingerprint", "citation_options", "prompt_cache_key",
))  # fmt: skip
"""How a model was asked to work, which replies repeat."""
_CLAIMS = re.compile(r'\\?"claims\\?"\s*:')
_ASKS = frozenset({"user", "human"})


@dataclass(slots=True)
class Exchange:
    """A response and, where it was recorded too, the request, as they stand in the row. `id` is the pair's own.

    `beside` names the fields of the row that are neither.
    """

    response: Fields
    request: Any = None
    asked_at: str = ""
    id: Any = None
    id_at: str = ""
    beside: tuple[str, ...] = ()
    _asked: Fields | None = None

    @property
    def words(self) -> str:
        """The question, where nothing but its words was recorded of the request."""
        return as_text(self.request, self.asked_at) if isinstance(self.request, str) else ""

    def asked(self, name: str) -> Fields | None:
        """Return the request as an object; one that was recorded as its messages alone, as field `name`."""
        if self.request is None or isinstance(self.request, str):
            return None
        if self._asked is None:
            listed = isinstance(self.request, list | tuple)
            self._asked = as_object({name: self.request} if listed else self.request, self.asked_at)
        return self._asked

    def unread(self) -> tuple[str, ...]:
        """Name what was recorded beside the pair, and what of the pair nobody took; `_FRAME` and `_SETTINGS` go without saying."""
        parts = [part.lost() for part in (self.response, self._asked) if part is not None]
        told = [path for paths in (self.beside, *parts) for path in paths]
        return tuple(dict.fromkeys(path for path in told if path.rpartition(".")[2] not in _FRAME | _SETTINGS))


def need_exchange(fields: Mapping[str, Any], is_response: Callable[[Any], bool], field: str, expected: str) -> Exchange:
    """Find a response as `find_exchange` does. Raises FieldError, at `field`, where there is none."""
    found = find_exchange(fields, is_response)
    if found is None:
        raise FieldError(field, expected)
    return found


def find_exchange(fields: Mapping[str, Any], is_response: Callable[[Any], bool]) -> Exchange | None:
    """Find a response in a row: the row itself, or under one of the names that people record one by."""
    if is_response(fields):
        asked = next((name for name in _QUESTIONS if isinstance(fields.get(name), str)), "")
        reply = {name: value for name, value in fields.items() if name != asked}
        return Exchange(Fields(reply), fields.get(asked), asked)
    for name in _RESPONSES:
        held = fields.get(name)
        found = held if is_response(held) else None
        at = name
        if found is None and isinstance(held, Mapping):
            inner = next((key for key in _WRAPPED if is_response(held.get(key))), None)
            found, at = (held[inner], f"{name}.{inner}") if inner else (None, name)
        if found is not None:
            asked = next((key for key in _REQUESTS if key != name and fields.get(key) is not None), "")
            own = next((key for key in _IDS if fields.get(key) not in {None, ""}), "") if _plain_ids(fields) else ""
            beside = tuple(one for one in fields if one not in {name, asked, own} and holds(fields[one]))
            plain = tuple(map(plain_name, beside))
            return Exchange(Fields(found, at, plain=""), fields.get(asked), asked, fields.get(own), own, plain)
    return None


def _plain_ids(fields: Mapping[str, Any]) -> bool:
    return all(isinstance(fields.get(name), str | int | float | None) for name in _IDS)


def record_id(exchange: Exchange, row: Row, *names: str) -> str:
    """Return the id of the pair, else of the response, else the row's place."""
    if isinstance(exchange.id, int) and not isinstance(exchange.id, bool):
        return str(exchange.id)
    own = as_text(exchange.id, exchange.id_at) if exchange.id is not None else ""
    return own or (exchange.response.text(*names) if names else None) or row.fallback_id


def last_asked(messages: Iterable[Fields], text_of: Callable[[Fields], str]) -> str:
    """Return the words of the last message of the user that has any."""
    for message in reversed(list(messages)):
        role = message.raw("role")
        if role is None or (isinstance(role, str) and role.casefold() in _ASKS):
            words = text_of(message).strip()
            if words:
                return words
    return ""


def turns_before(messages: Iterable[Fields], text_of: Callable[[Fields], str]) -> tuple[Turn, ...]:
    """Return what user and assistant said before the user's last words, oldest first."""
    said = [(message.raw("role"), text_of(message).strip()) for message in messages]
    spoken = [(str(role).casefold(), words) for role, words in said if words]
    last = max((at for at, (role, _) in enumerate(spoken) if role in _ASKS), default=0)
    roles = {"human": "user", "user": "user", "assistant": "assistant", "model": "assistant"}
    return tuple(Turn(role=roles[role], text=words) for role, words in spoken[:last] if role in roles)


def joined_texts(message: Fields, *kinds: str, name: str = "content") -> str:
    """Return the words of a message whose content is a string, or parts of which those of `kinds` are text."""
    held = message.raw(name)
    if isinstance(held, str):
        return message.text(name) or ""
    parts = []
    for item, at in message.items(name):
        if isinstance(item, str):
            parts.append(as_text(item, at))
            continue
        part = as_object(item, at)
        if part.kind in kinds:
            parts.append(part.text("text") or "")
    return "\n".join(part for part in parts if part.strip())


def answer_called(name: str, calls: Sequence[Fields]) -> str | None:
    """Return an answer that was made by calling a function, as the reader of answers takes it; None where none is one.

    `name` is the field that the provider's payload lists its calls in.
    """
    try:
        said = json.dumps({name: [dict(call.held) for call in calls]})
    except (TypeError, ValueError, RecursionError):
        return None
    return said if calls and _CLAIMS.search(said) else None


def record_of(record_id: str, question: str, answer: str | None, **rest: Any) -> Record:
    """Make a Record whose fields have been checked; what still cannot be written down is named by FieldError."""
    try:
        return Record(id=record_id, question=question, answer=answer, **rest)
    except ValueError as error:
        raise FieldError("", f"cannot be made into a record: {str(error).splitlines()[0]}") from None
