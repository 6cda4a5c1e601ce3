"""What Inspect's messages hold: words, citations that hang on them, and documents that were put to the model."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote_to_bytes

from showable.converters.cited_spans import Cited
from showable.converters.fields import as_text, kind_of
from showable.converters.shape import FieldError
from showable.records.record import Citation, Source

_REFERENCES = ("attachment://", "tc://")
_OTHER_PARTS = frozenset({"reasoning", "image", "audio", "video", "data", "tool_use", "document"})


@dataclass(slots=True)
class Words:
    """The text of a message, what it cites, and the kinds of its other parts (``reasoning``)."""

    text: str = ""
    cited: list[Cited] = field(default_factory=list)
    others: set[str] = field(default_factory=set)
    loose: bool = False
    """Whether a citation names a document that is not among the sources."""


def resolved(value: Any, attachments: Mapping[str, Any]) -> Any:
    """Put in the text that a log keeps once, as an attachment; a reference to none of them is no text."""
    if not isinstance(value, str) or not value.startswith(_REFERENCES):
        return value
    found = attachments.get(value.partition("://")[2])
    return found if isinstance(found, str) else None


def read_content(
    content: Any, path: str, attachments: Mapping[str, Any], sources: Sequence[Source] = ()
) -> Words | None:
    """Read the content of a message, text or a list of parts; None where no part is text.

    Parts that carry citations are pieces of one text; others stand on lines of their own, as Inspect joins them.
    """
    content = resolved(content, attachments)
    if content is None or isinstance(content, str):
        return None if content is None else Words(as_text(content, path))
    if not isinstance(content, list):
        raise FieldError(path, f"expected text or a list of parts, got {kind_of(content)}")
    parts = [_part(part, f"{path}[{i}]", attachments) for i, part in enumerate(content)]
    spoken = [(text, cites) for kind, text, cites in parts if kind == "text" and text is not None]
    words = Words(others={kind for kind, _, _ in parts if kind != "text"})
    if not spoken:
        return None
    between = "" if any(cites for _, cites in spoken) else "\n"
    words.text = between.join(text for text, _ in spoken)
    start = 0
    for text, cites in spoken:
        for cite in cites:
            _hang(words, cite, start, text, sources)
        start += len(text) + len(between)
    return words


def _part(part: Any, path: str, attachments: Mapping[str, Any]) -> tuple[str, str | None, list[Mapping[str, Any]]]:
    """Return a part's kind, its text, and its citations."""
    if isinstance(part, str):
        return "text", as_text(part, path), []
    if not isinstance(part, Mapping):
        raise FieldError(path, f"expected text or an object, got {kind_of(part)}")
    kind = part.get("type")
    if kind != "text":
        return (kind if isinstance(kind, str) and kind in _OTHER_PARTS else "other"), None, []
    text = resolved(part.get("text"), attachments)
    cites = part.get("citations") or []
    if not isinstance(cites, list) or not all(isinstance(cite, Mapping) for cite in cites):
        raise FieldError(f"{path}.citations", "expected a list of objects")
    return "text", None if text is None else as_text(text, f"{path}.text"), cites


def _hang(words: Words, cite: Mapping[str, Any], start: int, text: str, sources: Sequence[Source]) -> None:
    """Hang a citation on its words: those that it points to by their place in the part, else the whole part."""
    quoted = cite.get("cited_text")
    url, title = _string(cite.get("url")), _string(cite.get("title"))
    first, last = _range(quoted, len(text)) or (0, len(text))
    source_id = _document(cite, title, sources)
    if source_id is None and url is None:
        words.loose = True
        source_id = title
    citation = Citation(
        source_id=source_id,
        quoted_span=_string(quoted),
        url=None if source_id else url,
        page=_page(cite.get("range")),
        raw=title or url,
    )
    words.cited.append(Cited(start + first, start + last, citation))


def _document(cite: Mapping[str, Any], title: str | None, sources: Sequence[Source]) -> str | None:
    """Find the one source that a citation names: by its place among the documents put to the model, or by its title."""
    internal = cite.get("internal")
    index = internal.get("document_index") if isinstance(internal, Mapping) else None
    documents = [source for source in sources if source.metadata.get("input_document") is True]
    if isinstance(index, int) and not isinstance(index, bool) and 0 <= index < len(documents):
        return documents[index].source_id
    named = {source.source_id for source in sources if title and title in (source.title, source.source_id)}
    return named.pop() if len(named) == 1 else None


def _string(value: Any) -> str | None:
    """Return a text that is worth keeping; whatever else stands in an optional field is none."""
    return as_text(value, "citations") if isinstance(value, str) and value else None


def _range(value: Any, size: int) -> tuple[int, int] | None:
    """Return a start and an end that lie in a text; None for anything else."""
    if not isinstance(value, list | tuple) or len(value) != 2 or not all(type(one) is int for one in value):  # noqa: PLR2004 - start and end
        return None
    return (value[0], value[1]) if 0 <= value[0] < value[1] <= size else None


def _page(place: Any) -> int | None:
    """Return the first page of a range of pages, which Inspect counts from 0."""
    if not isinstance(place, Mapping) or place.get("type") != "page":
        return None
    first = place.get("start_index")
    return first + 1 if type(first) is int and 0 <= first < 1 << 31 else None


def read_documents(messages: Sequence[Any], attachments: Mapping[str, Any]) -> tuple[Source, ...]:
    """Return the documents that messages put to the model, in order, with their text where they are text."""
    found: list[Source] = []
    for message in messages:
        content = message.get("content") if isinstance(message, Mapping) else None
        for part in content if isinstance(content, list) else ():
            if isinstance(part, Mapping) and part.get("type") == "document":
                found.append(_as_source(part, len(found) + 1, attachments))
    return tuple(found)


def _as_source(part: Mapping[str, Any], position: int, attachments: Mapping[str, Any]) -> Source:
    title = _string(part.get("filename"))
    held = resolved(part.get("document"), attachments)
    text = _decoded(held) if isinstance(held, str) else None
    return Source(source_id=str(position), title=title, text=text, metadata={"input_document": True})


def _decoded(uri: str) -> str | None:
    """Return the text of a ``data:text/…`` URI."""
    head, comma, body = uri.partition(",")
    if not comma or not head.startswith("data:text/"):
        return None
    try:
        raw = base64.b64decode(body, validate=True) if head.endswith(";base64") else unquote_to_bytes(body)
        return raw.decode("utf-8")
    except (binascii.Error, ValueError):
        return None
