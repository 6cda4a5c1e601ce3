"""Small traces, built span by span as instrumentations write them, for tests of what reads traces."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from showable.records.spans import Span

TRACE = "0af7651916cd43dd8448eb211c80319c"
SECOND = 1_000_000_000
BEGUN = 1_700_000_000 * SECOND
LEASE = {
    "lease-4": "The tenant may end the lease with a notice of 30 days in writing.",
    "lease-7": "The deposit is two months' rent and is held in a separate account.",
    "lease-9": "Pets are allowed with the written consent of the landlord.",
}
QUESTION = "What notice must the tenant give?"
ANSWER = "The tenant must give a notice of 30 days [lease-4]."


def span(
    name: str,
    kind: str | None = None,
    parent: str | None = "root",
    at: tuple[float, float] = (0.0, 1.0),
    *,
    trace: str = TRACE,
    service: str = "lease-qa",
    status: Any = "ok",
    **attributes: Any,
) -> Span:
    """Build a span whose id is its name; `at` is seconds since the trace began. `input`, `output` are values; `__` in a key stands for a dot."""
    said: dict[str, Any] = {} if kind is None else {"openinference.span.kind": kind}
    for key, value in attributes.items():
        said[{"input": "input.value", "output": "output.value"}.get(key, key.replace("__", "."))] = value
    return Span(
        trace_id=trace,
        span_id=name,
        parent_id=parent,
        name=name,
        start_ns=BEGUN + int(at[0] * SECOND),
        end_ns=BEGUN + int(at[1] * SECOND),
        service=service,
        attributes=said,
        status=status,
    )


def documents(
    passages: Mapping[str, str | None] | Sequence[str], prefix: str = "retrieval.documents"
) -> dict[str, Any]:
    """Write documents as OpenInference does: by id, or a list of texts without ids."""
    listed = passages.items() if isinstance(passages, Mapping) else [(None, text) for text in passages]
    said: dict[str, Any] = {}
    for number, (named, text) in enumerate(listed):
        if named is not None:
            said[f"{prefix}.{number}.document.id"] = named
        if text is not None:
            said[f"{prefix}.{number}.document.content"] = text
    return said


def messages(asked: str | Sequence[tuple[str, str]] | None, answer: str | None, **more: Any) -> dict[str, Any]:
    """Write what a model got (a question, or messages as (role, content)) and what it gave."""
    said: dict[str, Any] = dict(more)
    listed = [("user", asked)] if isinstance(asked, str) else asked or []
    for number, (role, content) in enumerate(listed):
        said[f"llm.input_messages.{number}.message.role"] = role
        said[f"llm.input_messages.{number}.message.content"] = content
    if answer is not None:
        said["llm.output_messages.0.message.role"] = "assistant"
        said["llm.output_messages.0.message.content"] = answer
    return said


def lease_trace(
    answer: str = ANSWER,
    *,
    question: str = QUESTION,
    passages: Mapping[str, str | None] | Sequence[str] | None = LEASE,
    citations: Sequence[Mapping[str, Any]] | None = None,
    trace: str = TRACE,
    **llm: Any,
) -> list[Span]:
    """Build a chain that retrieves and answers; `passages` None has no retriever. `llm` are more attributes of the answering span."""
    spans = [span("root", "CHAIN", None, (0, 3), trace=trace, input=question, output=answer)]
    if passages is not None:
        found = documents(passages) or {"retrieval.documents": "[]"}
        spans.append(span("retriever", "RETRIEVER", at=(0.1, 0.5), trace=trace, input=question, **found))
    if citations is not None:
        llm["llm.output.citations"] = json.dumps(citations)
    prompt = [("system", "Answer from the passages."), ("user", question)]
    spans.append(span("llm", "LLM", at=(1, 2.5), trace=trace, **messages(prompt, answer, **llm)))
    return spans
