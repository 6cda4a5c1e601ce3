"""Citations that stand on a message or on its parts, as instrumentations pass a provider's payload through.

Anthropic and Bedrock hang `citations` on a text part, OpenAI `annotations` on a part or a message, Cohere `citations` and Gemini its
grounding on a message; Mistral puts a part of its own behind the words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from showable.traces.facts import TracedCitation

_NAMES = ("source", "file_id", "document_id", "id", "document_title", "title", "filename", "name")
"""Members that may be what the log calls a source, the most telling first."""
_INDEXES = ("document_index", "search_result_index", "documentIndex", "searchResultIndex")
_GROUNDINGS = ("groundingMetadata", "grounding_metadata")
_ENDS = (("startIndex", "start_index"), ("endIndex", "end_index"))


def part_citations(part: Mapping[str, Any], words: str, at: int) -> list[TracedCitation]:
    """Read the citations of a part, or of a message, whose words begin `at` a place of the answer."""
    found = [_on_words(one, words, at) for one in _listed(part.get("citations"))]
    grounding = next((held for name in _GROUNDINGS if isinstance(held := part.get(name), dict)), {})
    found += [_on_words(one, words, at) for one in _grounded(grounding, words)]
    return [*found, *(_annotation(one, words, at) for one in _listed(part.get("annotations")))]


def reference_part(part: Mapping[str, Any], at: int) -> list[TracedCitation]:
    """Read Mistral's part that only cites: it is on the words that end `at` a place of the answer."""
    ids = part.get("reference_ids")
    named = [one for one in ids if isinstance(one, int | str)] if isinstance(ids, list) else []
    return [_citation({"id": str(one)}, start=max(at - 1, 0), end=max(at, 1), claim=None) for one in named]


def _grounded(grounding: Mapping[str, Any], words: str) -> Iterator[Mapping[str, Any]]:
    """Yield one mapping a chunk of each support of Gemini's, whose segments count bytes of UTF-8."""
    chunks = _either(grounding, "groundingChunks", "grounding_chunks")
    for support in _either(grounding, "groundingSupports", "grounding_supports"):
        segment = support.get("segment") if isinstance(support, dict) else None
        if not isinstance(segment, dict):
            continue
        start, end = (segment.get(name, segment.get(snake, 0)) for name, snake in _ENDS)
        held = words.encode("utf-8", "surrogatepass")
        places = [
            len(held[:place].decode("utf-8", "ignore")) if isinstance(place, int) else None for place in (start, end)
        ]
        for number in _either(support, "groundingChunkIndices", "grounding_chunk_indices"):
            chunk = chunks[number] if isinstance(number, int) and 0 <= number < len(chunks) else None
            context = (
                next((one for one in chunk.values() if isinstance(one, dict)), {}) if isinstance(chunk, dict) else {}
            )
            name = {"source": context.get("uri"), "title": context.get("title"), "url": context.get("uri")}
            yield {**name, "start": places[0], "end": places[1]}


def _either(held: Mapping[str, Any], *names: str) -> list[Any]:
    return next((value for name in names if isinstance(value := held.get(name), list)), [])


def _listed(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield one mapping a source: Cohere names several under one stretch."""
    for one in value if isinstance(value, list) else ():
        if not isinstance(one, dict):
            continue
        ids, sources = one.get("document_ids"), one.get("sources")
        if isinstance(ids, list):
            yield from ({**one, "id": each} for each in ids)
        elif isinstance(sources, list):
            yield from ({**one, **each} for each in sources if isinstance(each, dict))
        else:
            inner = one.get(str(one.get("type")))  # {"type": "url_citation", "url_citation": {…}}
            yield {**one, **inner} if isinstance(inner, dict) else one


def _on_words(one: Mapping[str, Any], words: str, at: int) -> TracedCitation:
    """Read a citation that is on all of the part's words, or on the stretch that it names."""
    start, end = _stretch(one.get("start"), one.get("end"), words)
    claim = None if start is not None else words.strip() or None
    return _citation(one, claim=claim, start=at if start is None else at + start, end=None if end is None else at + end)


def _annotation(one: Mapping[str, Any], words: str, at: int) -> TracedCitation:
    """Read an annotation: a stretch of the words, or an `index` after what it is for."""
    start, end = _stretch(one.get("start_index"), one.get("end_index"), words)
    index = one.get("index")
    if start is None and isinstance(index, int) and words:
        end = min(max(index, 1), len(words))
        start = end - 1
    return _citation(
        one, start=None if start is None else at + start, end=None if end is None else at + end, claim=None
    )


def _stretch(start: Any, end: Any, words: str) -> tuple[int | None, int | None]:
    held = isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(words)
    return (start, end) if held else (None, None)


def _citation(one: Mapping[str, Any], *, claim: str | None, start: int | None, end: int | None) -> TracedCitation:
    location = one.get("location")
    inner = [place for place in location.values() if isinstance(place, dict)] if isinstance(location, dict) else []
    held = {**one, **(inner[0] if inner else location)} if isinstance(location, dict) else one
    names = tuple(dict.fromkeys(value for name in _NAMES if isinstance(value := held.get(name), str) and value))
    index = next((v for k in _INDEXES if isinstance(v := held.get(k), int)), None)
    quote, url, page = (held.get(name) for name in ("cited_text", "url", "start_page_number"))
    if quote is None and isinstance(content := one.get("sourceContent"), list):
        quote = "\n".join(
            part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str)
        )
    return TracedCitation(
        source_id=names[0] if names else None,
        claim=claim,
        quoted_span=quote if isinstance(quote, str) and quote.strip() else None,
        page=page if isinstance(page, int) and page > 0 else None,
        url=url if isinstance(url, str) and url else None,
        start=start,
        end=end,
        names=names,
        index=index,
        provided=True,
    )
