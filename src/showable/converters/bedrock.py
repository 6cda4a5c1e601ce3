"""Replies of Amazon Bedrock: RetrieveAndGenerate of its knowledge bases, and Converse with citations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from showable.converters.chat_completion import ended
from showable.converters.cited_spans import Cited, nearest, with_citations
from showable.converters.exchange import (
    NO_QUESTION,
    NO_REQUEST,
    Exchange,
    find_exchange,
    last_asked,
    need_exchange,
    record_id,
    record_of,
)
from showable.converters.fields import Fields, web_address
from showable.converters.shape import Converted, Row
from showable.records.record import Citation, Source

CITED_ALONE = "the log is what the reply says was retrieved for its parts: passages that no part rests on are not in it"
NOTHING_RETRIEVED = "the reply names no retrieved passage: nothing says what was retrieved"
NO_DOCUMENTS = "the request holds no document and no search result: nothing says what was retrieved"
_LOCATIONS = (
    ("s3Location", "uri"), ("webLocation", "url"), ("confluenceLocation", "url"), ("salesforceLocation", "url"),
    ("sharePointLocation", "url"), ("kendraDocumentLocation", "uri"), ("customDocumentLocation", "id"), ("sqlLocation", "query"),
)  # fmt: skip
_CHUNK_ID, _PAGE = "x-amz-bedrock-kb-chunk-id", "x-amz-bedrock-kb-document-page-number"


class Bedrock:
    """A response of RetrieveAndGenerate or of Converse; alone or in a pair with its request.

    RetrieveAndGenerate reports for each part of the answer the passages that were retrieved for it: they are the log, by
    the address of their document. Converse cites documents and search results of the request, which are its log;
    without the request there is none. `sourceContent` becomes the quoted span.

    Shape: `RetrieveAndGenerateResponse` (output.text, citations[].generatedResponsePart, retrievedReferences) of the runtime of
    Bedrock's agents; `ConverseResponse` (output.message.content[].citationsContent), `DocumentBlock`, `SearchResultBlock` of its runtime.
    """

    name = "bedrock"
    title = "Bedrock replies with citations"

    def rows(self, document: Any) -> Iterator[tuple[str, Mapping[str, Any]]] | None:  # noqa: ARG002 - the Shape's
        """Return None: nothing wraps replies."""
        return None

    def fits(self, fields: Mapping[str, Any]) -> bool:
        """Recognise a response of one of the two interfaces, or a pair that holds one."""
        return find_exchange(fields, _is_reply) is not None

    def convert(self, row: Row) -> Converted:
        """Turn a reply into a Record. Raises FieldError where a field is not what the shape asks for."""
        expected = "expected a response of RetrieveAndGenerate or Converse"
        exchange = need_exchange(row.fields, _is_reply, "output", expected)
        return _generated(row, exchange) if _is_generated(exchange.response.held) else _conversed(row, exchange)


def _is_reply(value: Any) -> bool:
    return isinstance(value, Mapping) and (_is_generated(value) or _is_conversed(value))


def _is_generated(value: Mapping[str, Any]) -> bool:
    output = value.get("output")
    known = isinstance(value.get("citations"), list | tuple) or "sessionId" in value
    return known and isinstance(output, Mapping) and isinstance(output.get("text"), str)


def _is_conversed(value: Mapping[str, Any]) -> bool:
    output = value.get("output")
    message = output.get("message") if isinstance(output, Mapping) else None
    return isinstance(message, Mapping) and "stopReason" in value and isinstance(message.get("content"), list | tuple)


def _generated(row: Row, exchange: Exchange) -> Converted:
    response = exchange.response
    text = response.object("output").text("text") or ""
    request = exchange.asked("input")
    asked = request.inner("input") if request is not None and isinstance(request.raw("input"), Mapping) else request
    question = exchange.words or (asked.text("text") if asked is not None else None) or ""
    notes = [] if question else [NO_QUESTION]
    sources: dict[tuple[str, str | None], Source] = {}
    cited: list[Cited] = []
    for number, citation in enumerate(response.objects("citations")):
        part = citation.inner("generatedResponsePart")
        words = part.inner("textResponsePart") if part is not None else None
        start, end = _place(words, text)
        for at, reference in enumerate(citation.objects("retrievedReferences")):
            source = _passage(reference, f"reference-{number}-{at}")
            sources.setdefault((source.source_id, source.text), source)
            cited.append(Cited(start, end, Citation(source_id=source.source_id)))
    log = tuple(sources.values()) or None
    notes.append(CITED_ALONE if log else NOTHING_RETRIEVED)
    notes += ended("guardrail_intervened" if response.raw("guardrailAction") == "INTERVENED" else None)
    record = record_of(record_id(exchange, row), question, text, retrieved=log, metadata=_session(response))
    record, unfit = with_citations(record, cited)
    lost = [name for name in exchange.unread() if name not in {"ResponseMetadata", "sessionId", "guardrailAction"}]
    return Converted(record, tuple(lost), (*notes, *unfit))


def _session(response: Fields) -> dict[str, str]:
    """Return the session, which several answers share."""
    session = response.raw("sessionId")
    return {"session": session} if isinstance(session, str) and session else {}


def _place(words: Fields | None, text: str) -> tuple[int | None, int]:
    """Return the code points of a part: where its words stand, for ends are counted inclusive and in other units."""
    said = (words.text("text") or "").strip() if words is not None else ""
    span = words.inner("span") if words is not None else None
    at = nearest(said, text, (span.whole("start") if span is not None else None) or 0)
    return (None, len(text)) if at is None else (at, at + len(said))


def _passage(reference: Fields, fallback: str) -> Source:
    content, place = reference.inner("content"), reference.inner("location")
    about = reference.inner("metadata") or Fields({})
    found = None
    for name, member in _LOCATIONS if place is not None else ():
        held = place.inner(name) if place is not None else None
        found = found or (held.text(member) if held is not None else None)
    chunk = about.raw(_CHUNK_ID)
    page = about.raw(_PAGE)
    text = (content.text("text") or _cells(content)) if content is not None else ""
    return Source(
        source_id=found or (chunk if isinstance(chunk, str) and chunk else fallback),
        text=text or None,
        page=int(page) if isinstance(page, int | float) and page > 0 else None,
        url=web_address(found),
        metadata={"chunk_id": chunk} if isinstance(chunk, str) else {},
    )


def _cells(content: Fields) -> str:
    """Return a row of a table as lines of a name and a value."""
    cells = content.objects("row")
    return "\n".join(f"{cell.text('columnName') or ''}: {cell.text('columnValue') or ''}" for cell in cells)


def _conversed(row: Row, exchange: Exchange) -> Converted:
    response = exchange.response
    request = exchange.asked("messages")
    listed = request is not None and isinstance(request.raw("messages"), list | tuple)
    messages = request.objects("messages") if request is not None and listed else []
    question = exchange.words or last_asked(messages, _words_asked)
    notes = [] if question else [NO_QUESTION]
    documents, results = _shown(messages)
    message = response.object("output").inner("message") or Fields({})
    text, lost = "", []
    cited: list[Cited] = []
    for block in message.objects("content"):
        held = block.inner("citationsContent")
        start = len(text)
        text += block.text("text") or "" if held is None else _joined(held.objects("content"))
        given = held.objects("citations") if held is not None else ()
        cited += [Cited(start, len(text), _citation(citation, documents, results)) for citation in given]
        lost += [
            f"output.message.content.{kind}" for kind in ("reasoningContent", "toolUse") if block.raw(kind) is not None
        ]
    log = (*documents, *results) or None
    notes += [] if log else [NO_DOCUMENTS if messages else NO_REQUEST]
    notes += ended(response.raw("stopReason"))
    record = record_of(record_id(exchange, row), question, text, retrieved=log)
    record, unfit = with_citations(record, cited)
    unread = [name for name in exchange.unread() if name not in {"ResponseMetadata", "metrics", "stopReason"}]
    return Converted(record, tuple(dict.fromkeys([*unread, *lost])), (*notes, *unfit))


def _joined(parts: Sequence[Fields]) -> str:
    return "".join(part.text("text") or "" for part in parts)


def _words_asked(message: Fields) -> str:
    return "\n".join(words for block in message.objects("content") if (words := block.text("text")))


def _shown(messages: Sequence[Fields]) -> tuple[list[Source], list[Source]]:
    """Return the documents and the search results of a request, each in the order in which citations count them."""
    documents: list[Source] = []
    results: list[Source] = []
    blocks = [block for message in messages for block in message.objects("content")]
    blocks = [inner for block in blocks for inner in (block, *_of_tool(block))]
    for block in blocks:
        if (held := block.inner("document")) is not None:
            name, source = held.text("name") or "", held.inner("source") or Fields({})
            text = source.text("text") or "\n".join(part.text("text") or "" for part in source.objects("content"))
            named = name and name not in {one.source_id for one in documents}
            documents.append(
                Source(source_id=name if named else f"document-{len(documents)}", text=text or None, title=name or None)
            )
        if (held := block.inner("searchResult")) is not None:
            found = held.text("source") or f"search_result-{len(results)}"
            text = "\n".join(part.text("text") or "" for part in held.objects("content"))
            results.append(
                Source(source_id=found, text=text or None, title=held.text("title") or None, url=web_address(found))
            )
    return documents, results


def _of_tool(block: Fields) -> Sequence[Fields]:
    result = block.inner("toolResult")
    return result.objects("content") if result is not None else ()


def _citation(given: Fields, documents: Sequence[Source], results: Sequence[Source]) -> Citation:
    """Read a citation: by its place in the request where that is there, else by its title, its source or its address."""
    location = given.inner("location") or Fields({})
    title, quoted = given.text("title") or None, "\n".join(
        words for part in given.objects("sourceContent") if (words := part.text("text"))
    )  # fmt: skip
    held = next(
        (one for name in ("documentChar", "documentPage", "documentChunk") if (one := location.inner(name))), None
    )
    found, url, page = None, None, None
    if held is not None:
        index = held.whole("documentIndex") or 0
        found = documents[index].source_id if 0 <= index < len(documents) else title or f"document-{index}"
        page = location.inner("documentPage") and held.whole("start")
    elif (held := location.inner("searchResultLocation")) is not None:
        index = held.whole("searchResultIndex") or 0
        found = results[index].source_id if 0 <= index < len(results) else given.text("source") or title
    elif (held := location.inner("web")) is not None:
        url = held.text("url") or None
    return Citation(
        source_id=found or (None if url else given.text("source") or title),
        url=url,
        quoted_span=quoted or None,
        page=page or None,
        raw=title,
    )
