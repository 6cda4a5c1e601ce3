"""Documents and messages as libraries serialise them: LangChain's constructors and texts, LlamaIndex's nodes, Chroma's columns."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from showable.traces.conventions.values import json_text, sound

LISTS = (
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
)
KNOWN_BY = ("id", "url", "link", "source", "source_id", "doc_id", "document_id", "chunk_id", "title", "metadata")
WRAPPERS = ("outputs", "output", "result", "response")
TEXTS = ("page_content", "content", "text", "document", "chunk")
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
    if isinstance(node := value.get("node"), dict):
        inner = {**node, "metadata": node.get("metadata") or node.get("extra_info") or {}}
        return inner | {name: said for name, said in value.items() if name != "node"}
    if isinstance(payload := value.get("payload"), dict) and "metadata" not in value:
        return {**{name: said for name, said in value.items() if name != "payload"}, "metadata": dict(payload)}
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


def documents_within(value: Any, *, texts: bool, depth: int = 0) -> list[Any] | None:
    """Find the documents in what a retriever's task returned; None where there are none to be seen.

    With `texts`, a list of texts are documents too. Looks two wrappers deep and no deeper.
    """
    if isinstance(value, dict):
        columns = _columns(value)
        if columns is not None:
            return columns
        for name in LISTS:
            if isinstance(value.get(name), list):
                return documents_within(value[name], texts=True)
        if depth < len(("wrapper", "wrapper")):
            within = (documents_within(value.get(name), texts=texts, depth=depth + 1) for name in WRAPPERS)
            return next((found for found in within if found is not None), None)
        return None
    if not isinstance(value, list) or (not value and not texts):
        return None
    return value if all(_is_document(item, texts=texts) for item in value) else None


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
    return any(isinstance(members.get(name), str) for name in TEXTS) or (texts and "id" in members)


def can_be_cited(item: Any) -> bool:
    """Say whether something that a tool gave is a document: words, and something that they are known by."""
    members = as_mapping(item) or {}
    return any(isinstance(members.get(name), str) for name in TEXTS) and any(members.get(name) for name in KNOWN_BY)


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
