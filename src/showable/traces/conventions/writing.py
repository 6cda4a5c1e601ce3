"""What the conventions' writers share: lists flattened, figures under `gen_ai`, and the keys of no convention."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from showable.records.record import Source
from showable.traces.conventions.citations import write_citations
from showable.traces.conventions.documents import written
from showable.traces.conventions.values import json_text
from showable.traces.facts import Message, SpanFacts


def put(said: dict[str, Any], key: str, value: Any) -> None:
    """Set an attribute where there is something to say."""
    if value is not None:
        said[key] = value


def message_items(prefix: str, messages: Sequence[Message] | None) -> dict[str, Any]:
    """Write messages as ``prefix.{i}.message.{role,content}``; none at all as an empty list, which cannot be flattened."""
    if messages is None:
        return {}
    said: dict[str, Any] = {} if messages else {prefix: "[]"}
    for index, message in enumerate(messages):
        said[f"{prefix}.{index}.message.role"] = message.role
        said[f"{prefix}.{index}.message.content"] = message.content
    return said


def document_items(prefix: str, sources: Sequence[Source] | None) -> dict[str, Any]:
    """Write documents as ``prefix.{i}.document.{id,content,score,metadata}``, metadata as JSON."""
    if sources is None:
        return {}
    said: dict[str, Any] = {} if sources else {prefix: "[]"}
    for index, source in enumerate(sources):
        for name, value in written(source).items():
            said[f"{prefix}.{index}.document.{name}"] = json_text(value) if name == "metadata" else value
    return said


def gen_ai_figures(facts: SpanFacts) -> dict[str, Any]:
    """Write the model, the tokens and why the model stopped as all that use `gen_ai` name them."""
    said: dict[str, Any] = {}
    put(said, "gen_ai.request.model", facts.model)
    put(said, "gen_ai.usage.input_tokens", facts.tokens_in)
    put(said, "gen_ai.usage.output_tokens", facts.tokens_out)
    put(said, "gen_ai.response.finish_reasons", None if facts.finish is None else [facts.finish])
    return said


def grouped(facts: SpanFacts) -> dict[str, Any]:
    """Write what no convention has a key for and this project publishes: citations, profile, cohort."""
    said = write_citations(facts.citations)
    put(said, "showable.profile", facts.profile)
    put(said, "showable.cohort", facts.cohort)
    return said
