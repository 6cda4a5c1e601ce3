"""Documents and messages as libraries serialise them: LangChain's constructors and texts, LlamaIndex's nodes, Chroma's columns."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from showable.traces.conventions.values import json_text, sound, unpacked

LISTS = frozenset(
    (
        "documents",
        "source_documents",
        "docs",
        "results",
        "matches",
        "hits",
        "points",
        "nodes",
        "source_nodes",
        "passages",
        "chunks",
        "contexts",
    )
)
"""Members whose texts, or whose emptiness, are a result even where nothing else tells it."""
IDS = (
    "id", "source_id", "document_id", "doc_id", "chunk_id", "_id", "id_", "node_id", "passage_id", "file_id", "pid",
)  # fmt: skip
KNOWN_BY = frozenset((*IDS, "url", "link", "source", "title", "metadata", "filename", "file_name", "path"))
TEXTS = (
    "content", "page_content", "text", "document", "body", "chunk", "chunk_text", "pagecontent", "passage", "snippet",
)  # fmt: skip
WRAPPERS = ("outputs", "output", "result", "response")
_DEEPEST = 5
_ASIDE = frozenset({"messages", "input", "inputs", "query", "arguments", "usage", "metadata"})
"""Members that hold what was asked, or how, and no result."""
_STORED = ("payload", "_source", "derivedStructData", "structData", "_additional")
"""Under which a store keeps what was put into it: Qdrant's `payload`, Elasticsearch's `_source`, Weaviate's `_additional`."""
SAID = ("answer", "result", "output", "response", "text", "content")
ASKED = ("question", "query", "input", "user_input", "q")


def as_mapping(value: Any) -> dict[str, Any] | None:
    """Take a document's members out of what a library wraps them in; None where it is no mapping."""
    if isinstance(value, str) and value.startswith("page_content="):
        return _of_text(value)
    if not isinstance(value, dict):
        return None
    if value.get("lc") == 1 and isinstance(value.get("kwargs"), dict):
        return dict(value["kwargs"])
    for name in ("node", "document"):
        if isinstance(held := value.get(name), dict):
            inner = {**held, "metadata": held.get("metadata") or held.get("extra_info") or {}}
            return as_mapping(inner | {other: said for other, said in value.items() if other != name})
    stored = next((value[name] for name in _STORED if isinstance(value.get(name), dict)), None)
    if stored is not None and "metadata" not in value:
        value = {name: said for name, said in value.items() if said is not stored} | {"metadata": dict(stored)}
    return _with_words(value)


def _with_words(value: dict[str, Any]) -> dict[str, Any]:
    """Take the words out of a content in parts, and the address out of a location, as Bedrock and OpenAI give them."""
    content, location = value.get("content"), value.get("location")
    parts = [content] if isinstance(content, dict) else content if isinstance(content, list) else []
    words = [part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]
    if words and len(words) == len(parts):
        value = {**value, "content": "\n".join(words)}
    if isinstance(location, dict):
        places = [held for held in location.values() if isinstance(held, dict)]
        found = [said for held in places for said in held.values() if isinstance(said, str)]
        value = {"source": found[0], **value} if found else value
    return value


def _of_text(value: str) -> dict[str, Any] | None:
    """Read LangChain's ``page_content='…' metadata={…}``, which is what is left where a document was printed."""
    head, found, tail = value.removeprefix("page_content=").rpartition(" metadata=")
    try:
        content = ast.literal_eval(head if found else tail)
        metadata = ast.literal_eval(tail) if found else {}
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    if not isinstance(content, str) or not isinstance(metadata, dict):
        return None
    return {"page_content": content, "metadata": {str(name): said for name, said in metadata.items()}}


def documents_within(value: Any, *, texts: bool) -> list[Any] | None:
    """Find the documents in what a retriever or a tool returned: the first list of nothing else, level by level.

    None where there are none to be seen. With `texts`, a list of texts is documents too.
    """
    level = [("", value)]
    for _ in range(_DEEPEST):
        for name, held in level:
            found = _columns(held) if isinstance(held, dict) else _documents(held, texts=texts or name in LISTS)
            if found is not None:
                return found
        level = [
            (name, inner)
            for _, held in level
            if isinstance(held, dict)
            for name, inner in held.items()
            if name not in _ASIDE and isinstance(inner, dict | list)
        ]
    return None


def _documents(value: Any, *, texts: bool) -> list[Any] | None:
    if not isinstance(value, list) or (not value and not texts):
        return None
    if value and all(isinstance(item, dict) and item.keys() >= {"type", "text"} for item in value):
        return _of_parts(value)
    return value if all(_is_document(item, texts=texts) for item in value) else None


def _of_parts(parts: Sequence[Mapping[str, Any]]) -> list[Any] | None:
    """Read the documents that a tool of the Model Context Protocol gave as the JSON of its text parts."""
    read = [unpacked(part["text"], "", []) for part in parts if isinstance(part["text"], str)]
    inner = [one for one in read if isinstance(one, dict | list)]
    if not inner or len(inner) != len(parts):
        return None
    return documents_within(inner[0] if len(inner) == 1 else inner, texts=False)


def _is_document(item: Any, *, texts: bool) -> bool:
    if isinstance(item, list | tuple):
        return len(item) == len(("document", "score")) and _is_document(item[0], texts=texts)
    if isinstance(item, str):
        return texts or item.startswith("page_content=")
    if not isinstance(item, dict) or "role" in item or "tool_calls" in item:
        return False
    members = as_mapping(item) or {}
    if isinstance(lc_id := item.get("id"), list) and item.get("lc") == 1:
        return bool(lc_id) and lc_id[-1] == "Document"
    return _has_words(members) or (texts and "id" in members)


def can_be_cited(item: Any) -> bool:
    """Check whether something that a tool gave is a document: words, and something that they are known by."""
    members = as_mapping(item) or {}
    return _has_words(members) and any(members.get(name) for name in KNOWN_BY)


def _has_words(members: Mapping[str, Any]) -> bool:
    stored = members.get("metadata")
    return any(
        isinstance(held.get(name), str) for held in (members, stored) if isinstance(held, dict) for name in TEXTS
    )


def columns_of(ids: Sequence[Any], **columns: Any) -> list[dict[str, Any]]:
    """Make documents of columns: the ids and, where they are as long, their other members."""
    rows: list[dict[str, Any]] = [{"id": one} for one in ids]
    for name, column in columns.items():
        if isinstance(column, list) and len(column) == len(rows):
            for row, said in zip(rows, column, strict=True):
                if said is not None:
                    row[name] = said
    return rows


def _columns(value: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Read columns as Chroma returns them, one list of each for a query."""
    ids = value.get("ids")
    if not isinstance(ids, list):
        return None
    flat = {name: _first_of(value.get(name)) for name in ("documents", "metadatas", "scores")}
    return columns_of(_first_of(ids) or [], content=flat["documents"], metadata=flat["metadatas"], score=flat["scores"])


def _first_of(column: Any) -> list[Any] | None:
    if not isinstance(column, list):
        return None
    return column[0] if column and isinstance(column[0], list) else column


def _words(value: Any, names: Sequence[str], depth: int = 0) -> str | None:
    """Find the one text that a value stands for."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return _words(value[0], names, depth + 1) if len(value) == 1 and depth < len(names) else None
    if not isinstance(value, dict) or depth >= len(names):
        return None
    named = next((value[name] for name in names if isinstance(value.get(name), str)), None)
    if named is not None:
        return str(named)
    inner = ("inputs", "outputs", "kwargs", "args", "output")
    within = (_words(value[name], names, depth + 1) for name in inner if value.get(name))
    found = next((words for words in within if words is not None), None)
    if found is None and depth and len(value) == 1:
        return _words(next(iter(value.values())), (), 0) if isinstance(next(iter(value.values())), str) else None
    return found


def asked(value: Any) -> str | None:
    """Find the question in what a step took: ``{"query": …}``, ``{"inputs": {"question": …}}``, ``{"args": ["…"]}``."""
    found = _words(value, ASKED)
    return None if found is None else sound(found)


def answered(value: Any) -> str | None:
    """Find the answer in what a step gave: ``{"outputs": {"answer": …}}``, a text as JSON; a structured answer stays JSON."""
    inner = next((value[name] for name in WRAPPERS if value.get(name)), value) if isinstance(value, dict) else value
    if isinstance(inner, dict) and "claims" in inner:
        return json_text(inner)
    found = _words(inner, SAID)
    if found is None:
        return None if inner is value else json_text(inner)
    return sound(found)
