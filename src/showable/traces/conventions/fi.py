"""Future AGI's traceAI: `gen_ai.span.kind`, its older `fi.span.kind`, and OpenInference's keys for documents."""

from __future__ import annotations

from typing import Any

from showable.traces.conventions.convention import Convention, Slots
from showable.traces.conventions.values import json_text
from showable.traces.conventions.writing import (
    document_items,
    gen_ai_figures,
    grouped,
    message_items,
    put,
)
from showable.traces.facts import Kind, SpanFacts

# Source of the names: fi-instrumentation-otel 1.1.0, fi_types.py; how lists are flattened: traceAI-openai 0.1.10.
SLOTS: Slots = {
    "kind": ("gen_ai.span.kind", "fi.span.kind", "gen_ai.operation.name"),
    "inputs": ("gen_ai.input.messages", "llm.input_messages", "gen_ai.prompts"),
    "outputs": ("gen_ai.output.messages", "llm.output_messages"),
    "system": ("gen_ai.system_instructions",),
    "input_text": ("input.value", "gen_ai.retrieval.query", "gen_ai.reranker.query", "reranker.query"),
    "output_text": ("output.value",),
    "documents": ("retrieval.documents", "gen_ai.retrieval.documents"),
    "document_ids": ("db.vector.results.ids",),
    "document_scores": ("db.vector.results.scores",),
    "rerank_input": ("reranker.input_documents", "gen_ai.reranker.input_documents"),
    "reranked": ("reranker.output_documents", "gen_ai.reranker.output_documents"),
    "evaluation.name": ("gen_ai.evaluation.name",),
    "evaluation.score": ("gen_ai.evaluation.score.value",),
    "evaluation.label": ("gen_ai.evaluation.score.label",),
    "evaluation.explanation": ("gen_ai.evaluation.explanation",),
    "evaluation.target_span_id": ("gen_ai.evaluation.target_span_id",),
    "model": ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name"),
    "prompt_version": ("gen_ai.prompt.template.version",),
    "session": ("session.id", "gen_ai.conversation.id"),
    "tokens_in": ("gen_ai.usage.input_tokens", "llm.token_count.prompt"),
    "tokens_out": ("gen_ai.usage.output_tokens", "llm.token_count.completion"),
    "cost_usd": ("gen_ai.cost.total",),
    "finish": ("gen_ai.response.finish_reasons",),
    "metadata": ("metadata",),
}
KINDS: dict[str, Kind] = {
    "llm": "LLM",
    "retriever": "RETRIEVER",
    "reranker": "RERANKER",
    "embedding": "EMBEDDING",
    "chain": "CHAIN",
    "agent": "AGENT",
    "tool": "TOOL",
    "guardrail": "GUARDRAIL",
    "evaluator": "EVALUATOR",
    "conversation": "CONVERSATION",
    "vector_db": "VECTOR_DB",
    "a2a_client": "A2A_CLIENT",
    "a2a_server": "A2A_SERVER",
    "unknown": "UNKNOWN",
}
CANNOT_SAY = {
    "tool_calls": "only with the calls themselves, which are not kept",
    "evaluations.error": "no key for an evaluation that failed",
    "evaluations.second": "one evaluation a span",
}


def write(facts: SpanFacts) -> dict[str, Any]:
    """Write facts with traceAI's keys, lists flattened as its instrumentations do."""
    said: dict[str, Any] = {"gen_ai.span.kind": facts.kind}
    said |= message_items("gen_ai.input.messages", facts.inputs)
    said |= message_items("gen_ai.output.messages", facts.outputs)
    said |= document_items("retrieval.documents", facts.documents)
    said |= document_items("reranker.input_documents", facts.rerank_input)
    said |= document_items("reranker.output_documents", facts.reranked)
    said |= gen_ai_figures(facts)
    put(said, "input.value", facts.input_text)
    put(said, "output.value", facts.output_text)
    put(said, "session.id", facts.session)
    put(said, "gen_ai.prompt.template.version", facts.prompt_version)
    put(said, "gen_ai.cost.total", facts.cost_usd)
    put(said, "metadata", None if facts.metadata is None else json_text(facts.metadata))
    if facts.evaluations:
        first = facts.evaluations[0]
        put(said, "gen_ai.evaluation.name", first.name)
        put(said, "gen_ai.evaluation.score.value", first.score)
        put(said, "gen_ai.evaluation.score.label", first.label)
        put(said, "gen_ai.evaluation.explanation", first.explanation)
        put(said, "gen_ai.evaluation.target_span_id", first.target_span_id)
    return said | grouped(facts)


FI = Convention("fi", SLOTS, KINDS, write, CANNOT_SAY)
