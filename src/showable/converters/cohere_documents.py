"""The documents and tool results that a request of Cohere's chat interface puts before the model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from showable.converters.fields import Fields, as_text, web_address
from showable.converters.shape import FieldError
from showable.records.record import Source

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
    """Give a document's words: its main text, then each other field that the model is shown, as ``name: value``."""
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
    """Give the object that a tool's result was written down from, where it is JSON."""
    if not data.lstrip().startswith("{"):
        return None
    try:
        held = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return held if isinstance(held, dict) else None
