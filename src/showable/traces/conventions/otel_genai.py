"""OpenTelemetry's conventions for generative AI: `gen_ai.operation.name`, messages as JSON of parts, documents of ids and scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from showable.records.record import Source
from showable.traces.conventions.convention import Convention, Slots
from showable.traces.conventions.documents import written
from showable.traces.conventions.values import json_text
from showable.traces.conventions.writing import gen_ai_figures, grouped, put
from showable.traces.facts import Kind, Message, SpanFacts

# Source of the names: opentelemetry-semantic-conventions 0.66b2, gen_ai_attributes.py, and the messages of
# opentelemetry-util-genai 1.3b0; the older gen_ai.prompt and gen_ai.completion are in both.
SLOTS: Slots = {
    "kind": ("gen_ai.operation.name",),
    "inputs": ("gen_ai.input.messages", "gen_ai.prompt"),
    "outputs": ("gen_ai.output.messages", "gen_ai.completion"),
    "system": ("gen_ai.system_instructions",),
    "input_text": ("gen_ai.retrieval.query.text", "gen_ai.memory.query.text", "gen_ai.tool.call.arguments"),
    "output_text": ("gen_ai.tool.call.result",),
    "documents": ("gen_ai.retrieval.documents",),
    "memories": ("gen_ai.memory.records",),
    "evaluation.name": ("gen_ai.evaluation.name",),
    "evaluation.score": ("gen_ai.evaluation.score.value",),
    "evaluation.label": ("gen_ai.evaluation.score.label",),
    "evaluation.explanation": ("gen_ai.evaluation.explanation",),
    "model": ("gen_ai.response.model", "gen_ai.request.model"),
    "prompt_version": ("gen_ai.prompt.version",),
    "session": ("gen_ai.conversation.id",),
    "tokens_in": ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
    "tokens_out": ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
    "finish": ("gen_ai.response.finish_reasons",),
}
KINDS: dict[str, Kind] = {
    "chat": "LLM",
    "generate_content": "LLM",
    "text_completion": "LLM",
    "retrieval": "RETRIEVER",
    "search_memory": "RETRIEVER",
    "rerank": "RERANKER",
    "embeddings": "EMBEDDING",
    "invoke_workflow": "CHAIN",
    "invoke_agent": "AGENT",
    "create_agent": "AGENT",
    "execute_tool": "TOOL",
    "create_memory": "UNKNOWN",
    "update_memory": "UNKNOWN",
    "upsert_memory": "UNKNOWN",
    "delete_memory": "UNKNOWN",
}
CANNOT_SAY = {
    "input_text": "messages only, and the query of a retrieval",
    "output_text": "messages only",
    "rerank_input": "no key for what a reranker got",
    "reranked": "no key for what a reranker gave",
    "evaluations": "events of the name gen_ai.evaluation.result, not attributes",
    "cost_usd": "no key for cost",
    "metadata": "no key for metadata",
    "tool_calls": "only with the calls themselves, which are not kept",
}


def write(facts: SpanFacts) -> dict[str, Any]:
    """Write facts with OpenTelemetry's keys; a document's text and metadata are members beyond its `id` and `score`."""
    said: dict[str, Any] = {}
    put(said, "gen_ai.operation.name", OTEL_GENAI.kind_name(facts.kind))
    put(said, "gen_ai.input.messages", _parts(facts.inputs))
    put(said, "gen_ai.output.messages", _parts(facts.outputs))
    put(said, "gen_ai.retrieval.documents", _documents(facts.documents))
    put(said, "gen_ai.conversation.id", facts.session)
    put(said, "gen_ai.prompt.version", facts.prompt_version)
    return said | gen_ai_figures(facts) | grouped(facts)


def _parts(messages: Sequence[Message] | None) -> str | None:
    if messages is None:
        return None
    return json_text([{"role": it.role, "parts": [{"type": "text", "content": it.content}]} for it in messages])


def _documents(sources: Sequence[Source] | None) -> str | None:
    return None if sources is None else json_text([written(source) for source in sources])


OTEL_GENAI = Convention("otel_genai", SLOTS, KINDS, write, CANNOT_SAY, flattens=False)
