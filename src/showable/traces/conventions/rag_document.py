"""The dialect ``rag.document.{i}.{id,content,score}``: documents, and nothing else."""

from __future__ import annotations

from typing import Any

from showable.traces.conventions.convention import Convention, Slots
from showable.traces.conventions.documents import written
from showable.traces.conventions.writing import grouped
from showable.traces.facts import SpanFacts

SLOTS: Slots = {"documents": ("rag.document", "rag.documents")}
_NOT = "documents, and nothing else"
CANNOT_SAY = {
    "documents.title": _NOT,
    "documents.page": _NOT,
    "documents.url": _NOT,
    "documents.doi": _NOT,
    "documents.metadata": _NOT,
} | dict.fromkeys(
    (
        "kind", "inputs", "outputs", "input_text", "output_text", "rerank_input", "reranked", "evaluations", "model",
        "prompt_version", "session", "tokens_in", "tokens_out", "cost_usd", "finish", "metadata", "tool_calls",
    ),
    _NOT,
)  # fmt: skip


def write(facts: SpanFacts) -> dict[str, Any]:
    """Write the documents of a retriever."""
    said: dict[str, Any] = {} if facts.documents is None or facts.documents else {"rag.document": "[]"}
    for index, source in enumerate(facts.documents or ()):
        members = written(source)
        said |= {
            f"rag.document.{index}.{name}": members[name] for name in ("id", "content", "score") if name in members
        }
    return said | grouped(facts)


RAG_DOCUMENT = Convention("rag_document", SLOTS, {}, write, CANNOT_SAY)
