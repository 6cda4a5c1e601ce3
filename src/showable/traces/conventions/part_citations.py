"""Citations that stand on a message or on its parts, as instrumentations pass a provider's payload through.

Anthropic and Bedrock hang `citations` on a text part, OpenAI `annotations` on a part or a message, Cohere `citations` on a message.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from showable.traces.facts import TracedCitation

_NAMES = ("source", "file_id", "document_id", "id", "document_title", "title", "filename", "name")
"""Members that may be what the log calls a source, the most telling first."""


def part_citations(part: Mapping[str, Any], words: str, at: int) -> list[TracedCitation]:
    """Read the citations of a part, or of a message, whose words begin `at` a place of the answer."""
    found = [_on_words(one, words, at) for one in _listed(part.get("citations"))]
    return [*found, *(_annotation(one, words, at) for one in _listed(part.get("annotations")))]


def _listed(value: Any) -> Iterator[Mapping[str, Any]]:
    """Give one mapping a source: Cohere names several under one stretch."""
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
    held = {**one, **location} if isinstance(location, dict) else one
    names = tuple(dict.fromkeys(value for name in _NAMES if isinstance(value := held.get(name), str) and value))
    index = next((v for k in ("document_index", "search_result_index") if isinstance(v := held.get(k), int)), None)
    quote, url, page = (held.get(name) for name in ("cited_text", "url", "start_page_number"))
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
