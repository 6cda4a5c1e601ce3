"""Chat completions whose content is a list of chunks, among them Mistral's references, and its conversations."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from showable.converters.chat_completion import (
    choices_of,
    completion_record,
    first_choice,
    first_message,
    question_of,
)
from showable.converters.cited_spans import Cited, with_citations
from showable.converters.exchange import Exchange, find_exchange, need_exchange
from showable.converters.fields import Fields, as_id, as_object, as_text
from showable.converters.shape import Converted, Row
from showable.records.record import Citation, Source

NO_REFERENCES = "the request holds no references of a tool: nothing says what was retrieved"
_CONVERSATION = "conversation.response"


class Mistral:
    """A chat completion with chunks for its content, or a response of the conversations API; alone or in a pair.

    A `reference` chunk cites: its own text where it has one, else what stands before it. `reference_ids` are keys of what a tool
    gave the model as JSON (``{"0": {"url", "title", "snippets"}}``), which is the log where the request is there.
    A `tool_reference` of a conversation names a page that the connector found, without its text.

    Shape: `mistralai.models.AssistantMessage.content` (TextChunk, ReferenceChunk, ThinkChunk), `ConversationResponse.outputs`
    (MessageOutputEntry, ToolReferenceChunk) of client-python; "Citations and References" in the documentation.
    """

    name = "mistral"
    title = "Mistral replies with references"

    def rows(self, document: Any) -> Iterator[tuple[str, Mapping[str, Any]]] | None:  # noqa: ARG002 - the Shape's
        """Return None: nothing wraps replies."""
        return None

    def fits(self, fields: Mapping[str, Any]) -> bool:
        """Recognise a completion with chunks, a conversation's response, or a pair that holds one."""
        return find_exchange(fields, is_chunked) is not None

    def convert(self, row: Row) -> Converted:
        """Turn a reply into a Record. Raises FieldError where a field is not what the shape asks for."""
        expected = "expected a chat completion whose content is a list of chunks, or a conversation.response"
        return _converted(row, need_exchange(row.fields, is_chunked, "choices", expected))


def is_chunked(value: Any) -> bool:
    """Recognise a reply whose content comes in chunks."""
    if isinstance(value, Mapping) and value.get("object") == _CONVERSATION:
        return isinstance(value.get("outputs"), list | tuple)
    return bool(choices_of(value)) and isinstance(first_message(value).get("content"), list | tuple)


class _Said:
    """The answer as its chunks are put together."""

    def __init__(self) -> None:
        self.text = ""
        self.cited: list[Cited] = []
        self.lost: list[str] = []

    def add(self, content: Fields) -> None:
        """Add the chunks of a message, or its text."""
        if isinstance(content.raw("content"), str):
            self.text += content.text("content") or ""
            return
        for item, at in content.items("content"):
            chunk = as_object(item, at) if not isinstance(item, str) else Fields({"type": "text", "text": item}, at)
            start = len(self.text)
            kind = chunk.kind
            self.text += "" if kind == "thinking" else chunk.text("text") or ""
            if kind == "reference":
                self._refer(chunk, start)
            elif kind == "tool_reference":
                url, title = chunk.text("url") or None, chunk.text("title") or None
                self.cited.append(Cited(None, start, Citation(source_id=None if url else title, url=url, raw=title)))
            elif kind != "text":
                self.lost.append(f"content.{kind or 'chunk'}")

    def _refer(self, chunk: Fields, start: int) -> None:
        end = len(self.text)
        for item, at in chunk.items("reference_ids"):
            self.cited.append(Cited(start if start < end else None, end, Citation(source_id=as_id(item, at))))


def _converted(row: Row, exchange: Exchange) -> Converted:
    notes: list[str] = []
    question = question_of(exchange, notes)
    said = _Said()
    if exchange.response.raw("object") == _CONVERSATION:
        for entry in exchange.response.objects("outputs"):
            if entry.kind == "message.output":
                said.text = said.text.rstrip() + "\n\n" if said.text.strip() else said.text
                said.add(entry)
    else:
        message = first_choice(exchange.response, notes).inner("message")
        if message is not None:
            said.add(message)
    log = _log(exchange)
    notes += [] if log is not None else [NO_REFERENCES]
    record = completion_record(exchange, row, question, said.text, retrieved=log)
    record, unfit = with_citations(record, said.cited)
    lost = [*exchange.unread(), *said.lost]
    return Converted(record, tuple(dict.fromkeys(lost)), (*dict.fromkeys(notes), *unfit))


def _log(exchange: Exchange) -> tuple[Source, ...] | None:
    """Return the references that tools gave the model; None where no tool gave any."""
    request = exchange.asked("messages")
    listed = request is not None and isinstance(request.raw("messages"), list | tuple)
    found: list[Source] = []
    for message in request.objects("messages") if request is not None and listed else ():
        if message.raw("role") == "tool" and isinstance(message.raw("content"), str):
            found += _references(message)
    return tuple(found) if found else None


def _references(message: Fields) -> Iterator[Source]:
    """Yield the references in a tool's words; none where these are no JSON object of such."""
    at = message.at("content")
    try:
        held = json.loads(as_text(message.raw("content"), at))
    except (ValueError, RecursionError):
        return
    for key, given in held.items() if isinstance(held, dict) else ():
        if not isinstance(given, dict):
            continue
        reference = Fields(given, f"{at}.{key}")
        snippets = reference.raw("snippets")
        words = _words(snippets) or _words(given.get("content")) or _words(given.get("text"))
        url = reference.text("url") or None
        yield Source(source_id=str(key), text=words or None, title=reference.text("title") or None, url=url)


def _words(value: Any) -> str:
    """Return the words of snippets, which come as a text, a list of texts or a list of lists."""
    if isinstance(value, str):
        return value
    return "\n".join(filter(None, map(_words, value))) if isinstance(value, list) else ""
