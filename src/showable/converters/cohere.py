"""Replies of Cohere's chat interface, versions 1 and 2, with the request that they answer where it was kept."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from showable.converters.cited_spans import Cited, nearest, with_citations
from showable.converters.exchange import (
    NO_QUESTION,
    NO_REQUEST,
    Exchange,
    find_exchange,
    joined_texts,
    last_asked,
    need_exchange,
    record_id,
    record_of,
)
from showable.converters.fields import Fields, as_text, web_address
from showable.converters.shape import Converted, FieldError, Row
from showable.records.record import Citation, Source

_OF_THE_ANSWER = frozenset({"TEXT_CONTENT", ""})
"""Kinds of citations of version 2 that hang on the answer; the others hang on its plan or its thoughts."""
_FAULTS = frozenset({"ERROR", "ERROR_TOXIC", "ERROR_LIMIT", "TIMEOUT"})
_PARTS = {
    "TEXT_CONTENT": "message.citations",
    "PLAN": "message.tool_plan",
    "THINKING_CONTENT": "message.content.thinking",
}
NO_DOCUMENTS = "the request holds no document and no tool result: nothing says what was retrieved"
CITED_ONLY = "the documents in the reply are those it cites, and no log of what was retrieved"
CUT_OFF = "the answer was cut off at the token limit"
FAILED = "the provider reports an error instead of an answer"
MISPLACED = "a citation's words do not stand where it says; they were looked for nearby"


class Cohere:
    """A reply of the chat interface, alone or in a pair with its request.

    The log (`retrieved`) is what the request put before the model: its `documents`, and the results in its tool
    messages. The documents inside citations (version 2), and the list `documents` of a reply of version 1, which holds
    the cited ones alone, are the model's own list and never the log: a reply without its request has none. A document
    without an id has the one that the interface gives it, ``doc:0`` in version 2 and ``doc_0`` in version 1. All fields
    of a document are shown to the model, so that all of them but id, title and address are its text. A citation's
    `text` is the answer's words, no quotation of the source.

    Shape: `V2ChatResponse`, `AssistantMessageResponse`, `Citation` (start, end exclusive, text, sources, content_index),
    `DocumentSource`, `ToolSource`, `NonstreamedChatResponse`, `ChatCitation`, `Document` of cohere-python; "RAG Citations"
    in the provider's documentation.
    """

    name = "cohere"
    title = "Cohere chat replies"

    def rows(self, document: Any) -> Iterator[tuple[str, Mapping[str, Any]]] | None:  # noqa: ARG002 - the Shape's
        """Return None: nothing wraps replies."""
        return None

    def fits(self, fields: Mapping[str, Any]) -> bool:
        """Recognise a reply of either version, or a pair that holds one."""
        return find_exchange(fields, _is_reply) is not None

    def convert(self, row: Row) -> Converted:
        """Turn a reply into a Record. Raises FieldError where a field is not what the shape asks for."""
        expected = "expected a reply of Cohere's chat interface (message and finish_reason, or text)"
        return _Conversion(row, need_exchange(row.fields, _is_reply, "message", expected)).converted()


def _is_reply(value: Any) -> bool:
    return isinstance(value, Mapping) and (_is_second(value) or _is_first(value))


def _is_second(value: Mapping[str, Any]) -> bool:
    """Recognise version 2, whose reasons are in capitals, from a choice of an OpenAI completion, which has the same fields."""
    message, reason = value.get("message"), value.get("finish_reason")
    if not isinstance(message, Mapping) or message.get("role") != "assistant" or not isinstance(reason, str):
        return False
    return reason.isupper() and isinstance(message.get("content"), list | tuple | None) and "index" not in value


def _is_first(value: Mapping[str, Any]) -> bool:
    if not isinstance(value.get("text"), str):
        return False
    citations = value.get("citations")
    listed = citations if isinstance(citations, list | tuple) else ()
    cites = any(isinstance(one, Mapping) and {"start", "end", "document_ids"} <= one.keys() for one in listed)
    return cites or isinstance(value.get("generation_id"), str)


class _Conversion:
    """One reply on its way to a Record."""

    def __init__(self, row: Row, exchange: Exchange) -> None:
        self.response = exchange.response
        self.second = _is_second(self.response.held)
        self.request = exchange.asked("messages" if self.second else "message")
        self.exchange = exchange
        self.words = exchange.words
        self.id = record_id(exchange, row, "id" if self.second else "generation_id")
        self.notes: list[str] = []
        self.lost: list[str] = []

    def converted(self) -> Converted:
        question = self._question()
        if not question:
            self.notes.append(NO_QUESTION)
        log = self._log()
        text, parts = self._text()
        cited = self._cited(text or "", parts)
        record, notes = with_citations(record_of(self.id, question, text, retrieved=log), cited)
        lost = tuple(dict.fromkeys([*self.exchange.unread(), *self.lost]))
        return Converted(record, lost, (*dict.fromkeys(self.notes), *notes))

    def _question(self) -> str:
        if self.request is None:
            turns = [] if self.second else self.response.objects("chat_history")
            return self.words or last_asked(turns, lambda turn: turn.text("message") or "")
        if isinstance(self.request.raw("message"), str):
            return self.request.text("message") or ""
        return last_asked(self._messages(), lambda message: joined_texts(message, "text"))

    def _messages(self) -> Sequence[Fields]:
        given = self.request
        return given.objects("messages") if given and isinstance(given.raw("messages"), list | tuple) else []

    def _log(self) -> tuple[Source, ...] | None:
        if self.request is None:
            self.notes.append(NO_REQUEST)
            self.notes += [CITED_ONLY] if not self.second and self.response.raw("documents") else []
            return None
        prefix = "doc:" if self.second else "doc_"
        sources = [*documents_of(self.request, prefix), *tool_results_of(self._messages())]
        if not sources and self.request.raw("documents") is None:
            self.notes.append(NO_DOCUMENTS)
            return None
        return tuple(sources)

    def _text(self) -> tuple[str | None, dict[int, tuple[int, int]]]:
        """Return the answer's text, and where each item of the content stands in it."""
        reason = (self.response.text("finish_reason") or "").upper()
        if reason == "MAX_TOKENS":
            self.notes.append(CUT_OFF)
        if reason in _FAULTS:
            self.notes.append(FAILED)
        if not self.second:
            text = self.response.text("text") or ""
            return text, {0: (0, len(text))}
        message = self.response.inner("message")
        if message is None:
            return None, {}
        self.lost += [f"message.{name}" for name in ("tool_calls", "tool_plan") if message.raw(name)]
        text, parts = "", {}
        for index, part in enumerate(message.objects("content")):
            if part.kind == "thinking":
                self.lost.append("message.content.thinking")
                continue
            words = part.text("text") or ""
            parts[index] = (len(text), len(text) + len(words))
            text += words
        return text, parts

    def _cited(self, text: str, parts: dict[int, tuple[int, int]]) -> list[Cited]:
        held = (self.response.inner("message") if self.second else None) or self.response
        cited: list[Cited] = []
        for given in held.objects("citations"):
            kind = (given.text("type") or "").upper() if self.second else ""
            if kind not in _OF_THE_ANSWER:
                self.lost.append(_PARTS.get(kind, "message.citations"))
                continue
            first = parts.get(given.whole("content_index") or 0)
            if first is None:  # the index of a text counts from the first content, whatever stands before it
                first = next(iter(parts.values()), (0, len(text)))
            start, end = self._place(given, text, first)
            named = self._sources(given)
            cited += [Cited(start, end, Citation(source_id=name)) for name in named]
        return cited

    def _place(self, given: Fields, text: str, part: tuple[int, int]) -> tuple[int, int]:
        """Return the words cited. Where other words stand there, the nearest that read as the citation says are taken."""
        start, end, said = given.whole("start"), given.whole("end"), given.text("text")
        if start is None or end is None or not 0 <= start <= end:
            raise FieldError(given.at("start"), "expected start and end, whole numbers from 0")
        start, end = min(part[0] + start, len(text)), min(part[0] + end, len(text))
        if said and text[start:end].strip() != said.strip():
            self.notes.append(MISPLACED)
            found = nearest(said.strip(), text, start)
            start, end = (found, found + len(said.strip())) if found is not None else (start, end)
        return start, end

    def _sources(self, given: Fields) -> list[str]:
        if not self.second:
            names = [Fields({"id": item}, at).text("id") for item, at in given.items("document_ids")]
        else:
            names = [source.text("id") for source in given.objects("sources")]
        return list(dict.fromkeys(name for name in names if name))


_MAIN = ("text", "snippet", "content")
_ASIDE = frozenset({"id", "title", "url", "_excludes"})
"""Fields of a document's data that are no words of it; `_excludes` names those that the model is not shown."""


def documents_of(request: Fields, prefix: str) -> Iterator[Source]:
    """Yield the documents of a request; `prefix` begins the id of one that has none, after which its position stands."""
    for index, (item, at) in enumerate(request.items("documents")):
        yield _source(item, at, f"{prefix}{index}")


def tool_results_of(messages: Sequence[Fields]) -> Iterator[Source]:
    """Yield what tools gave back, by the ids that citations call it by: the document's own, else the call's and its position."""
    for message in messages:
        if message.raw("role") != "tool":
            continue
        call = message.text("tool_call_id") or "tool"
        if isinstance(message.raw("content"), str):
            yield Source(source_id=f"{call}:0", text=message.text("content"))
            continue
        for index, part in enumerate(message.objects("content")):
            held = part.raw("document") if part.kind == "document" else part.raw("text")
            yield _source(held, part.at("document"), f"{call}:{index}")


def _source(item: Any, at: str, fallback: str) -> Source:
    if item is None or isinstance(item, str):
        return Source(source_id=fallback, text=None if item is None else as_text(item, at))
    if not isinstance(item, Mapping):
        raise FieldError(at, "expected a document: text, or an object with data")
    given = Fields(item, at)
    data = given.raw("data")
    source_id = _own_id(given) or fallback
    if isinstance(data, str):
        at, held = given.at("data"), _object_in(data)
        words = _words(Fields(held, at)) if held else None
        return Source(source_id=source_id, text=words or as_text(data, at))
    inner = given.inner("data") or given
    title, url = inner.raw("title"), inner.raw("url")
    return Source(
        source_id=source_id,
        text=_words(inner),
        title=inner.text("title") if isinstance(title, str) and title else None,
        url=web_address(inner.text("url")) if isinstance(url, str) else None,
    )


def _own_id(given: Fields) -> str | None:
    own = given.raw("id")
    return str(own) if isinstance(own, int) and not isinstance(own, bool) else given.text("id") or None


def _words(data: Fields) -> str | None:
    """Return a document's words: its main text, then each other field that the model is shown, as ``name: value``."""
    hidden = {str(name) for name in data.raw("_excludes") or ()} if isinstance(data.raw("_excludes"), list) else set()
    names = [str(name) for name in data.held if name not in _ASIDE and name not in hidden]
    main = next((name for name in _MAIN if name in names and isinstance(data.raw(name), str)), None)
    lines = [data.text(main) or ""] if main else []
    for name in names:
        if name != main and data.raw(name) is not None:
            value = data.raw(name)
            said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
            lines.append(as_text(f"{name}: {said}", data.at(name)))
    return "\n".join(line for line in lines if line.strip()) or None


def _object_in(data: str) -> Mapping[str, Any] | None:
    """Return the object that a tool's result was written down from, where it is JSON."""
    if not data.lstrip().startswith("{"):
        return None
    try:
        held = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return held if isinstance(held, dict) else None
