"""Documents that a retriever gave, as frameworks write them into a span's output, in OpenInference's names."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from showable.traces.files.flattened import json_text, plain

_CONTENT = ("page_content", "content", "text", "document", "pageContent", "chunk")
_ID = ("id", "document_id", "doc_id", "source_id", "documentId", "chunk_id")
_SCORE = ("score", "relevance_score", "similarity", "similarity_score", "distance")
_BESIDE = (*_ID, *_SCORE, "metadata", "page_content")
_SEARCHES = re.compile(r"retriev|search|vector|similarity")
_ANSWERS = frozenset({"answer", "generation", "response", "messages", "output_text"})
_LISTS = ("documents", "docs", "results", "matches", "source_documents", "output")


def documents_of(output: Any) -> list[Any] | None:
    """Return the list of documents in a retriever's output: the list itself, or the one that a wrapper holds; None where none is."""
    if isinstance(output, Mapping):
        return next((output[name] for name in _LISTS if isinstance(output.get(name), list)), None)
    return output if isinstance(output, list) else None


def langchain_documents(output: Any) -> bool:
    """Check whether an output can only be LangChain's documents: a retriever it came from, whatever the span says."""
    return (
        isinstance(output, list)
        and bool(output)
        and all(isinstance(one, Mapping) and "page_content" in one for one in output)
    )


def searched(name: str, output: Any) -> bool:
    """Check whether a step searched, by its name and by what it gave: SDKs that know no retrievers record them as plain spans.

    What it gave must be documents and no answer, each with a text, and with an id, a score or metadata.
    """
    documents = documents_of(output)
    if not documents or _SEARCHES.search(name.casefold()) is None:
        return False
    if isinstance(output, Mapping) and output.keys() & _ANSWERS:
        return False
    return all(isinstance(one, Mapping) and _says(one, _CONTENT) and _says(one, _BESIDE) for one in documents)


def _says(one: Mapping[str, Any], names: Collection[str]) -> bool:
    return any(one.get(name) not in (None, "", {}, []) for name in names)


def document_attributes(documents: list[Any], problems: list[str]) -> dict[str, Any]:
    """Lay documents out as ``retrieval.documents.{i}.document.…``; one that is neither text nor an object is told of."""
    held: dict[str, Any] = {}
    for i, one in enumerate(documents):
        at = f"retrieval.documents.{i}.document"
        if isinstance(one, str):
            held[f"{at}.content"] = plain(one, at, problems)
        elif isinstance(one, Mapping):
            held |= _document(one, at, problems)
        else:
            problems.append(f"document {i} of its output is neither text nor an object")
    return held


def _document(one: Mapping[str, Any], at: str, problems: list[str]) -> dict[str, Any]:
    inner = one.get("document") if isinstance(one.get("document"), Mapping) else None
    if inner is not None:
        one = {**inner, **{key: value for key, value in one.items() if key != "document"}}
    metadata = one.get("metadata")
    held: dict[str, Any] = {}
    content = next((one[name] for name in _CONTENT if isinstance(one.get(name), str)), None)
    known = next((one[name] for name in _ID if isinstance(one.get(name), (str, int)) and one[name] != ""), None)
    if known is None and isinstance(metadata, Mapping):
        known = next((metadata[name] for name in _ID if isinstance(metadata.get(name), (str, int))), None)
    score = next((one[name] for name in _SCORE if isinstance(one.get(name), (int, float))), None)
    if content is not None:
        held[f"{at}.content"] = plain(content, at, problems)
    if known is not None:
        held[f"{at}.id"] = str(known)
    if score is not None:
        held[f"{at}.score"] = score
    if metadata:
        held[f"{at}.metadata"] = json_text(metadata, at, problems)
    if content is None and known is None:
        problems.append("a document of its output has neither text nor an id that is known by name")
    return held
