"""Gemini's grounding metadata: the chunks that its tools brought, and the segments of the answer that rest on them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from showable.converters.cited_spans import Cited, nearest
from showable.converters.fields import Fields, web_address
from showable.converters.shape import FieldError
from showable.records.record import Citation, Source

MISPLACED = "a segment's words do not stand where its offsets say; they were looked for nearby"
_ONE, _TWO, _THREE = 0x80, 0x800, 0x10000
"""Code points from which UTF-8 takes two, three and four bytes."""


class Parts:
    """The parts of an answer, joined to one text, with the places of their bytes."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._begins: list[int] = [0]
        self._bytes: dict[int, list[int]] = {}

    def add(self, words: str) -> None:
        """Add a part; one that is no text, or a thought, is empty, so that the numbers of parts hold."""
        self._parts.append(words)
        self._begins.append(self._begins[-1] + len(words))

    @property
    def text(self) -> str:
        """The answer."""
        return "".join(self._parts)

    def place(self, part: int, offset: int) -> int:
        """Return the code point of the text at which a byte of a part stands; what lies outside is at the nearer end."""
        if not 0 <= part < len(self._parts):
            return 0
        if part not in self._bytes:
            self._bytes[part] = _byte_starts(self._parts[part])
        return self._begins[part] + max(0, bisect_right(self._bytes[part], offset) - 1)


def _byte_starts(words: str) -> list[int]:
    """Return the byte at which each character begins, and after them the number of bytes."""
    starts, at = [0], 0
    for character in words:
        point = ord(character)
        at += 1 if point < _ONE else 2 if point < _TWO else 3 if point < _THREE else 4
        starts.append(at)
    return starts


@dataclass(slots=True)
class Grounding:
    """What the metadata comes to: the log, or None where it reports none, and the citations."""

    log: tuple[Source, ...] | None = None
    cited: list[Cited] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def grounding_of(metadata: Fields | None, parts: Parts) -> Grounding:
    """Read the metadata of one candidate."""
    found = Grounding()
    if metadata is None:
        return found
    chunks = metadata.objects("groundingChunks", "grounding_chunks")
    sources = [_source(chunk, f"chunk-{index}") for index, chunk in enumerate(chunks)]
    if any(_context(chunk) is not None for chunk in chunks):
        found.log = tuple(sources)
    text = parts.text
    for support in metadata.objects("groundingSupports", "grounding_supports"):
        _add(support, parts, text, sources, found)
    for name, other in (("retrievalQueries", "retrieval_queries"), ("webSearchQueries", "web_search_queries")):
        if metadata.items(name, other):
            found.lost.append(f"candidates.groundingMetadata.{name}")
    return found


def _context(chunk: Fields) -> Fields | None:
    return chunk.inner("retrievedContext", "retrieved_context")


def _source(chunk: Fields, source_id: str) -> Source:
    context = _context(chunk)
    held = context or chunk.inner("web") or chunk.inner("maps") or Fields({}, chunk.path)
    passage = held.inner("ragChunk", "rag_chunk") if context is not None else None
    uri = held.text("uri")
    url = web_address(uri)
    about: dict[str, Any] = {"uri": uri} if uri and not url else {}
    if name := held.text("documentName", "document_name"):
        about["document_name"] = name
    text = held.text("text") or (passage.text("text") if passage else None)
    return Source(
        source_id=source_id,
        text=text or None,
        title=held.text("title") or None,
        page=held.whole("pageNumber", "page_number") or _pages(passage),
        url=url,
        metadata=about,
    )


def _pages(passage: Fields | None) -> int | str | None:
    span = passage.inner("pageSpan", "page_span") if passage else None
    if span is None:
        return None
    first, last = span.whole("firstPage", "first_page"), span.whole("lastPage", "last_page")
    if first is None or last is None or first == last:
        return first if first is not None else last
    return f"{first}-{last}"


def _add(support: Fields, parts: Parts, text: str, sources: Sequence[Source], found: Grounding) -> None:
    segment = support.inner("segment")
    indices = [_index(item, at) for item, at in support.items("groundingChunkIndices", "grounding_chunk_indices")]
    if segment is None or not indices:
        return
    if support.items("confidenceScores", "confidence_scores"):
        found.lost.append("candidates.groundingMetadata.groundingSupports.confidenceScores")
    start, end = _place(segment, parts, text, found)
    for index in dict.fromkeys(indices):
        known = sources[index] if index < len(sources) else None
        title, url = (known.title, known.url) if known else (None, None)
        named = None if found.log is None and url else f"chunk-{index}"
        citation = Citation(source_id=named, url=url, raw=title)
        found.cited.append(Cited(start, end, citation))


def _index(item: Any, at: str) -> int:
    if isinstance(item, bool) or not isinstance(item, int) or item < 0:
        raise FieldError(at, "expected the index of a chunk, a whole number from 0")
    return item


def _place(segment: Fields, parts: Parts, text: str, found: Grounding) -> tuple[int, int]:
    """Return the code points of a segment. Fields that are 0 are left out of JSON made from protocol buffers."""
    part = segment.whole("partIndex", "part_index") or 0
    first = segment.whole("startIndex", "start_index") or 0
    last = segment.whole("endIndex", "end_index")
    words = segment.text("text") or ""
    if last is None and not words:
        raise FieldError(segment.at("endIndex"), "expected a whole number")
    start = parts.place(part, first)
    end = start + len(words) if last is None else parts.place(part, last)
    if not words or text[start:end].strip() == words.strip():
        return start, max(start, end)
    found.notes.append(MISPLACED)
    said = words.strip()
    at = nearest(said, text, start)
    return (start, max(start, end)) if at is None else (at, at + len(said))
