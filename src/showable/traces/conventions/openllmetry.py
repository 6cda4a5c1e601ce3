"""Traceloop's OpenLLMetry: `traceloop.span.kind`, prompts flattened, documents only as the output of a retriever's task."""

from __future__ import annotations

from typing import Any

from showable.traces.conventions.convention import Convention, Slots
from showable.traces.conventions.documents import written
from showable.traces.conventions.values import json_text
from showable.traces.conventions.writing import gen_ai_figures, grouped, put
from showable.traces.facts import Kind, SpanFacts

CARRIERS = frozenset({"RETRIEVER", "TOOL", "UNKNOWN"})
"""Kinds of span whose output is written as documents."""
ASSOCIATED = "traceloop.association.properties"

# Source of the names: opentelemetry-semantic-conventions-ai 0.5.1 and opentelemetry-instrumentation-langchain 0.62.4.
SLOTS: Slots = {
    "kind": ("gen_ai.operation.name", "llm.request.type", "traceloop.span.kind"),
    "inputs": ("gen_ai.input.messages", "gen_ai.prompt"),
    "outputs": ("gen_ai.output.messages", "gen_ai.completion"),
    "system": ("gen_ai.system_instructions",),
    "entity_input": ("traceloop.entity.input", "gen_ai.task.input"),
    "entity_output": ("traceloop.entity.output", "gen_ai.task.output"),
    "document_ids": ("db.vector.results.ids",),
    "document_scores": ("db.vector.results.scores",),
    "model": ("gen_ai.response.model", "gen_ai.request.model"),
    "prompt_version": ("traceloop.prompt.version", "traceloop.prompt.version_name"),
    "session": (f"{ASSOCIATED}.session_id", f"{ASSOCIATED}.thread_id"),
    "tokens_in": ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "prompt_tokens"),
    "tokens_out": ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "completion_tokens"),
    "finish": ("gen_ai.response.finish_reasons", "gen_ai.response.finish_reason", "llm.response.finish_reason"),
    "metadata": (ASSOCIATED,),
}
KINDS: dict[str, Kind] = {
    "chat": "LLM",
    "completion": "LLM",
    "llm_request": "LLM",
    "vector_db_retrieve": "RETRIEVER",
    "rerank": "RERANKER",
    "embedding": "EMBEDDING",
    "workflow": "CHAIN",
    "task": "CHAIN",
    "execute_task": "CHAIN",
    "agent": "AGENT",
    "tool": "TOOL",
    "unknown": "UNKNOWN",
}
CANNOT_SAY = {
    "documents": "only of a retriever, a tool or a span of no kind: what other spans gave is an answer",
    "output_text": "not beside documents, which take traceloop.entity.output",
    "rerank_input": "no key for what a reranker got",
    "reranked": "no key for what a reranker gave",
    "evaluations": "no key for evaluations",
    "cost_usd": "no key for cost",
    "metadata": "association properties: names with words, numbers, or true and false",
    "tool_calls": "only with the calls themselves, which are not kept",
}


def write(facts: SpanFacts) -> dict[str, Any]:
    """Write facts with OpenLLMetry's keys, documents in the form its LangChain instrumentation gives them, with ids."""
    said: dict[str, Any] = {}
    name = OPENLLMETRY.kind_name(facts.kind)
    if facts.kind in {"CHAIN", "AGENT", "TOOL", "UNKNOWN"}:
        said["traceloop.span.kind"] = name
    elif facts.kind == "RETRIEVER":
        said |= {"traceloop.span.kind": "task", "gen_ai.operation.name": name}
    elif name is not None:
        said["llm.request.type"] = name
    for prefix, messages in (("gen_ai.prompt", facts.inputs), ("gen_ai.completion", facts.outputs)):
        if messages is not None and not messages:
            said[prefix] = "[]"
        for index, message in enumerate(messages or ()):
            said |= {f"{prefix}.{index}.role": message.role, f"{prefix}.{index}.content": message.content}
    put(said, "traceloop.entity.input", facts.input_text)
    if facts.documents is not None and facts.kind in CARRIERS:
        said["traceloop.entity.output"] = json_text({"documents": [_document(source) for source in facts.documents]})
    else:
        put(said, "traceloop.entity.output", facts.output_text)
    put(said, "traceloop.prompt.version", facts.prompt_version)
    put(said, f"{ASSOCIATED}.session_id", facts.session)
    for key, value in (facts.metadata or {}).items():
        if isinstance(value, str | int | float):
            said[f"{ASSOCIATED}.{key}"] = value
    return said | gen_ai_figures(facts) | grouped(facts)


def _document(source: Any) -> dict[str, Any]:
    members = written(source)
    if "content" in members:
        members["page_content"] = members.pop("content")
    return members


OPENLLMETRY = Convention("openllmetry", SLOTS, KINDS, write, CANNOT_SAY)
