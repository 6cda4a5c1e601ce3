"""What a span says, whichever convention it says it in: read by `conventions.read`, written by `conventions.write`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from showable.records.record import Source

Kind = Literal[
    "LLM", "RETRIEVER", "RERANKER", "EMBEDDING", "CHAIN", "AGENT", "TOOL", "GUARDRAIL", "EVALUATOR",
    "CONVERSATION", "VECTOR_DB", "A2A_CLIENT", "A2A_SERVER", "UNKNOWN",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation. `content` is its text, parts of other kinds left out and said among the problems."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class TracedCitation:
    """A citation as an instrumented pipeline publishes it: `llm.output.citations`. `claim` is the words that it hangs on.

    One `provided` by a model's API names its source in that API's way: by any of `names`, or by its `index` from 0 among what was sent.
    """

    source_id: str | None = None
    claim: str | None = None
    quoted_span: str | None = None
    page: int | str | None = None
    url: str | None = None
    start: int | None = None
    end: int | None = None
    names: tuple[str, ...] = ()
    index: int | None = None
    provided: bool = False


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A score that somebody hung on a span: ours or another tool's."""

    name: str
    score: float | None = None
    label: str | None = None
    explanation: str | None = None
    target_span_id: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class SpanFacts:
    """The facts of one span. None means that the span does not say; an empty tuple that it says there were none.

    `inputs` and `outputs` are the messages of a model call, in order; `input_text` and `output_text` what the span took and gave where it
    says so in one value (a chain's question, a structured answer as JSON text). `documents` is what a retriever returned, in rank
    order, whatever its source ids (None for a missing id: see `hashed`); `rerank_input` and `reranked` what a reranker got and gave. `hashed` says that ids
    were made of the documents' content because they came without. `conventions` names those whose keys were read.
    `problems` says in words what could not be read: (code, words).
    """

    kind: Kind = "UNKNOWN"
    conventions: Sequence[str] = ()
    inputs: Sequence[Message] | None = None
    outputs: Sequence[Message] | None = None
    input_text: str | None = None
    output_text: str | None = None
    documents: Sequence[Source] | None = None
    rerank_input: Sequence[Source] | None = None
    reranked: Sequence[Source] | None = None
    hashed: bool = False
    citations: Sequence[TracedCitation] | None = None
    evaluations: Sequence[Evaluation] = ()
    model: str | None = None
    prompt_version: str | None = None
    profile: str | None = None
    cohort: str | None = None
    session: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    finish: str | None = None
    tool_calls: bool = False
    metadata: dict[str, Any] | None = None
    problems: Sequence[tuple[str, str]] = ()
