"""Messages of Anthropic's interface whose text blocks carry citations, with the request that they answer where it was kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from showable.converters.anthropic_blocks import Shown, shown_blocks
from showable.converters.anthropic_citations import Documents
from showable.converters.cited_spans import Cited, with_citations
from showable.converters.exchange import (
    NO_QUESTION,
    NO_REQUEST,
    Exchange,
    answer_called,
    find_exchange,
    joined_texts,
    last_asked,
    record_id,
    record_of,
)
from showable.converters.fields import Fields
from showable.converters.shape import Converted, FieldError, Row
from showable.records.record import Source

_OTHERS = frozenset({"output_text", "refusal", "input_text", "summary_text"})
"""Kinds of content that OpenAI's items of the same `type` and `role` hold."""
_RESULTS = frozenset({"succeeded", "errored", "canceled", "expired"})
_CUT = frozenset({"max_tokens", "model_context_window_exceeded"})
NO_DOCUMENTS = "the request holds no document and no search result: nothing says what was retrieved"
STOPPED = "the provider's classifier stopped the answer (stop_reason refusal): there is none"
CUT_OFF = "the answer was cut off at the token limit"
NO_RESULT = "the batch gave no message for this request"
OTHER_TITLE = "a citation's document_title is not that of the document it points at"
NO_TEXT = "a document came without its text (a PDF, a file or an address): what is cited from it cannot be checked"


class Anthropic:
    """A response message of the Messages interface, alone, in a pair with its request, or as a line of a batch's results.

    The log (`retrieved`) is what the request put before the model: its document and search_result blocks, counted over
    all messages as `document_index` and `search_result_index` count them, and the results of server-side web search and
    fetch. It is never made of the citations: a message without its request, which cites documents, has none. Ids are
    ``document-0``, ``search_result-0`` and the addresses of web pages; a PDF, a file or an address given as a document
    has no text here. `cited_text` becomes the quoted span, pages 3 to 5 (exclusive) the page ``3-4``.

    Shape: `anthropic.types.Message`, `TextBlock.citations` (char_location, page_location, content_block_location,
    search_result_location, web_search_result_location), `DocumentBlockParam`, `SearchResultBlockParam`,
    `MessageBatchIndividualResponse` of anthropic-sdk-python; "Citations" in the documentation of the platform.
    """

    name = "anthropic"
    title = "Anthropic messages with citations"

    def rows(self, document: Any) -> Iterator[tuple[str, Mapping[str, Any]]] | None:  # noqa: ARG002 - the Shape's
        """Return None: nothing wraps messages."""
        return None

    def fits(self, fields: Mapping[str, Any]) -> bool:
        """Recognise a response message, a pair that holds one, or a line of a batch's results."""
        return _is_batch_line(fields) or find_exchange(fields, _is_message) is not None

    def convert(self, row: Row) -> Converted:
        """Turn a message into a Record. Raises FieldError where a field is not what the shape asks for."""
        exchange = find_exchange(row.fields, _is_message)
        if exchange is not None:
            return _Conversion(row, exchange).converted()
        if _is_batch_line(row.fields):
            id_ = Fields(row.fields).text("custom_id") or row.fallback_id
            return Converted(record_of(id_, "", None), notes=(NO_QUESTION, NO_RESULT))
        raise FieldError("content", "expected a message of Anthropic's interface (type, role, content)")


def _is_message(value: Any) -> bool:
    if not isinstance(value, Mapping) or value.get("type") != "message" or value.get("role") != "assistant":
        return False
    content = value.get("content")
    if not isinstance(content, list | tuple) or "status" in value:
        return False
    kinds = {
        block.get("type") for block in content if isinstance(block, Mapping) and isinstance(block.get("type"), str)
    }
    return not kinds & _OTHERS and (bool(kinds) or "stop_reason" in value)


def _is_batch_line(fields: Mapping[str, Any]) -> bool:
    result = fields.get("result")
    kind = result.get("type") if isinstance(result, Mapping) else None
    return "custom_id" in fields and isinstance(kind, str) and kind in _RESULTS


class _Conversion:
    """One message on its way to a Record."""

    def __init__(self, row: Row, exchange: Exchange) -> None:
        self.response = exchange.response
        self.request = exchange.asked("messages")
        self.exchange = exchange
        self.words = exchange.words
        self.id = record_id(exchange, row, "id")
        self.notes: list[str] = []
        self.lost: list[str] = []

    def converted(self) -> Converted:
        messages = self.request.objects("messages") if self.request and self._has_messages() else []
        question = self.words or last_asked(messages, lambda message: joined_texts(message, "text"))
        if not question:
            self.notes.append(NO_QUESTION)
        shown = shown_blocks(messages, self.response)
        documents = Documents(shown)
        text, cited = self._answer(messages, documents)
        log = self._log(shown, documents)
        model = self.response.text("model")
        record = record_of(
            self.id, question, text, retrieved=log, metadata={"model": model} if model else {}
        )  # fmt: skip
        record, notes = with_citations(record, cited)
        if documents.wrong_title:
            self.notes.append(OTHER_TITLE)
        return Converted(record, tuple(dict.fromkeys([*self.exchange.unread(), *self.lost])), (*self.notes, *notes))

    def _has_messages(self) -> bool:
        """Let a request that is a prompt of another make be none: its question is not known then."""
        return self.request is not None and isinstance(self.request.raw("messages"), list | tuple)

    def _log(self, shown: Shown, documents: Documents) -> tuple[Source, ...] | None:
        """Return what was put before the model, or None where the payload does not say."""
        if self.request is None and (documents.cites_request or not shown.sources):
            self.notes.append(NO_REQUEST)
            return None
        if not shown.sources:
            self.notes.append(NO_DOCUMENTS)
            return None
        if any(source.text is None for source in shown.sources):
            self.notes.append(NO_TEXT)
        return tuple(shown.sources)

    def _answer(self, messages: Sequence[Fields], documents: Documents) -> tuple[str | None, list[Cited]]:
        """Put the text blocks together, one after the other, and say which words carry which citation."""
        reason = self.response.text("stop_reason")
        if reason == "refusal":
            self.notes.append(STOPPED)
            self.lost += ["content"] if self.response.objects("content") else []
            return None, []
        if reason in _CUT:
            self.notes.append(CUT_OFF)
        text, apart = "", False
        cited: list[Cited] = []
        for block in (*_begun(messages), *self.response.objects("content")):
            kind = block.kind
            if kind != "text":
                apart = True
                self.lost += [f"content.{kind}"] if kind in {"thinking", "tool_use"} else []
                continue
            if apart and text.strip():
                text = text.rstrip() + "\n\n"
            apart = False
            words = block.text("text") or ""
            start, end = len(text), len(text) + len(words)
            text += words
            for citation in block.objects("citations"):
                read = documents.citation(citation)
                cited += [Cited(start, end, read)] if read else []
                self.lost += [] if read else ["content.citations"]
        return text if text.strip() else self._called() or text, cited

    def _called(self) -> str | None:
        calls = [block for block in self.response.objects("content") if block.kind == "tool_use"]
        said = answer_called("content", calls)
        self.lost = [name for name in self.lost if not said or name != "content.tool_use"]
        return said


def _begun(messages: Sequence[Fields]) -> Sequence[Fields]:
    """Return the blocks of the answer that the request itself began: a response continues a last assistant message."""
    last = messages[-1] if messages else None
    if last is None or last.raw("role") != "assistant":
        return []
    if isinstance(last.raw("content"), str):
        return [Fields({"type": "text", "text": last.raw("content")}, last.at("content"))]
    return last.objects("content")
