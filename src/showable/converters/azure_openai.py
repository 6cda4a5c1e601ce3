"""Chat completions of Azure OpenAI "on your data", which carry what was retrieved for them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from showable.converters.chat_completion import choices_of, completion_record, first_choice, question_of
from showable.converters.exchange import Exchange, find_exchange, need_exchange
from showable.converters.fields import Fields, as_object, as_text, holds, web_address
from showable.converters.shape import Converted, FieldError, Row
from showable.records.record import Source

NO_CONTEXT = "no citations in the message's context: nothing says what was retrieved"


class AzureOpenAI:
    """A chat completion whose message has a `context`, or, of older versions, whose choice has `messages` of a tool.

    The log is `context.all_retrieved_documents` where it was asked for, else `context.citations`: what the service
    retrieved and put before the model. ``[doc1]`` in the answer counts `citations` from 1.

    Shape: "Azure OpenAI On Your Data API Reference" (2024-05-01: `context` of the assistant's message), and the extensions API
    before 2024-02-15 (`choices[].messages`, or `context.messages`, whose tool message holds the citations as JSON).
    """

    name = "azure-openai"
    title = "Azure OpenAI replies on your data"

    def rows(self, document: Any) -> Iterator[tuple[str, Mapping[str, Any]]] | None:  # noqa: ARG002 - the Shape's
        """Return None: nothing wraps replies."""
        return None

    def fits(self, fields: Mapping[str, Any]) -> bool:
        """Recognise a completion with a context, or a pair that holds one."""
        return find_exchange(fields, is_on_data) is not None

    def convert(self, row: Row) -> Converted:
        """Turn a reply into a Record. Raises FieldError where a field is not what the shape asks for."""
        expected = "expected a chat completion with a message.context or choices[].messages"
        return _converted(row, need_exchange(row.fields, is_on_data, "choices", expected))


def is_on_data(value: Any) -> bool:
    """Recognise a completion that carries what was retrieved for it."""
    choices = choices_of(value)
    if not choices:
        return False
    message = choices[0].get("message")
    if isinstance(message, Mapping):
        return isinstance(message.get("context"), Mapping)
    return isinstance(choices[0].get("messages"), list | tuple)


def _converted(row: Row, exchange: Exchange) -> Converted:
    notes: list[str] = []
    question = question_of(exchange, notes)
    choice = first_choice(exchange.response, notes)
    messages = choice.objects("messages") if choice.raw("message") is None else []
    answer = choice.inner("message") or _last(messages, choice)
    context = answer.inner("context")
    tools = [*messages, *(context.objects("messages") if context else ())]
    held = next((one for tool in tools if (one := _of_tool(tool)) is not None), context)
    citations = _sources(held, "citations")
    found = _sources(held, "all_retrieved_documents") or citations
    notes += [NO_CONTEXT] if found is None else []
    shown = [source.source_id for source in citations or ()]
    record = completion_record(
        exchange,
        row,
        question,
        answer.text("content"),
        retrieved=found,
        shown=tuple(shown) if citations is not None and found is not citations else None,
    )
    intent = held.raw("intent") if held is not None else None
    lost = ["choices.message.context.intent"] if holds(intent) and intent != "[]" else []
    return Converted(record, tuple(dict.fromkeys([*exchange.unread(), *lost])), tuple(dict.fromkeys(notes)))


def _last(messages: Sequence[Fields], choice: Fields) -> Fields:
    """Return the assistant's last message. Raises FieldError where there is none."""
    said = [message for message in messages if message.raw("role") == "assistant"]
    if not said:
        raise FieldError(choice.at("messages"), "expected a message of the assistant")
    return said[-1]


def _of_tool(message: Fields) -> Fields | None:
    """Return what a tool's message holds as JSON; None where it is no tool's."""
    if message.raw("role") != "tool" or message.raw("content") is None:
        return None
    at = message.at("content")
    try:
        return as_object(json.loads(as_text(message.raw("content"), at)), at)
    except (ValueError, RecursionError):
        raise FieldError(at, "expected the citations as a JSON object") from None


def _sources(held: Fields | None, name: str) -> tuple[Source, ...] | None:
    """Return documents in their order; None where the field is not there. Chunks of one file have one id."""
    if held is None or held.raw(name) is None:
        return None
    return tuple(_source(one, f"doc{number}") for number, one in enumerate(held.objects(name), 1))


def _source(given: Fields, fallback: str) -> Source:
    path, url, title = (given.text(name) for name in ("filepath", "url", "title"))
    chunk = given.raw("chunk_id")
    about = {"chunk_id": chunk} if isinstance(chunk, str | int) and chunk != "" else {}
    return Source(
        source_id=path or url or title or fallback,
        text=given.text("content") or None,
        title=title or None,
        url=web_address(url),
        metadata=about,
    )
