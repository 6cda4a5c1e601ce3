"""OpenInference: `openinference.span.kind`, lists flattened as ``llm.input_messages.{i}.message.content``."""

from __future__ import annotations

from typing import Any

from showable.traces.conventions.convention import Convention, Slots
from showable.traces.conventions.values import json_text
from showable.traces.conventions.writing import document_items, grouped, message_items, put
from showable.traces.facts import Evaluation, Kind, SpanFacts

# Source of the names: openinference-semantic-conventions 0.1.42, trace/__init__.py.
SLOTS: Slots = {
    "kind": ("openinference.span.kind",),
    "inputs": ("llm.input_messages", "llm.prompts"),
    "outputs": ("llm.output_messages", "llm.choices"),
    "input_text": ("input.value", "reranker.query"),
    "output_text": ("output.value",),
    "documents": ("retrieval.documents",),
    "rerank_input": ("reranker.input_documents",),
    "reranked": ("reranker.output_documents",),
    "evaluations": ("evaluations", "annotations"),
    "model": ("llm.response.model_name", "llm.model_name", "llm.request.model_name"),
    "prompt_version": ("llm.prompt_template.version",),
    "session": ("session.id",),
    "tokens_in": ("llm.token_count.prompt",),
    "tokens_out": ("llm.token_count.completion",),
    "cost_usd": ("llm.cost.total",),
    "finish": ("llm.finish_reason",),
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
    "unknown": "UNKNOWN",
    "prompt": "UNKNOWN",
    "decision": "UNKNOWN",
}
CANNOT_SAY = {
    "evaluations.target_span_id": "a link of the span, not an attribute",
    "evaluations.error": "no key for an evaluation that failed",
    "tool_calls": "only with the calls themselves, which are not kept",
}


def write(facts: SpanFacts) -> dict[str, Any]:
    """Write facts with OpenInference's keys."""
    said: dict[str, Any] = {}
    put(said, "openinference.span.kind", (OPENINFERENCE.kind_name(facts.kind) or "unknown").upper())
    said |= message_items("llm.input_messages", facts.inputs)
    said |= message_items("llm.output_messages", facts.outputs)
    said |= document_items("retrieval.documents", facts.documents)
    said |= document_items("reranker.input_documents", facts.rerank_input)
    said |= document_items("reranker.output_documents", facts.reranked)
    put(said, "input.value", facts.input_text)
    put(said, "output.value", facts.output_text)
    put(said, "llm.model_name", facts.model)
    put(said, "llm.prompt_template.version", facts.prompt_version)
    put(said, "llm.token_count.prompt", facts.tokens_in)
    put(said, "llm.token_count.completion", facts.tokens_out)
    put(said, "llm.cost.total", facts.cost_usd)
    put(said, "llm.finish_reason", facts.finish)
    put(said, "session.id", facts.session)
    put(said, "metadata", None if facts.metadata is None else json_text(facts.metadata))
    for index, evaluation in enumerate(facts.evaluations):
        said |= _evaluation(f"evaluations.{index}.evaluation", evaluation)
    return said | grouped(facts)


def _evaluation(prefix: str, evaluation: Evaluation) -> dict[str, Any]:
    said: dict[str, Any] = {f"{prefix}.name": evaluation.name}
    put(said, f"{prefix}.score", evaluation.score)
    put(said, f"{prefix}.label", evaluation.label)
    put(said, f"{prefix}.explanation", evaluation.explanation)
    return said


OPENINFERENCE = Convention("openinference", SLOTS, KINDS, write, CANNOT_SAY)
