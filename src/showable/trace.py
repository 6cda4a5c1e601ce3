"""Record answers as spans from one's own code, for pipelines that nothing else instruments.

One call after the fact (`answer`), or a block around the turn with its real timings (`answering`). Spans go through the program's own
OpenTelemetry tracer provider, by OpenInference's attributes and the published ``llm.output.citations``; where no provider is set up,
nothing is recorded, as everywhere in OpenTelemetry. Needs the extra ``trace``.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from showable import __version__
from showable.errors import InputError, SettingError
from showable.records.lines import explain
from showable.records.record import Answer, Citation, Source
from showable.traces.conventions.documents import written as document
from showable.traces.conventions.values import json_text
from showable.traces.conventions.write import write_span
from showable.traces.facts import Message, SpanFacts, TracedCitation

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer, TracerProvider

_MOST_ATTRIBUTES = 100
"""SDKs keep 128 attributes of a span unless told otherwise, and drop the rest without a word."""
_OF_TURN = ("profile", "prompt_version", "cohort", "session")
_FACTS = ("model", "tokens_in", "tokens_out", "cost_usd", *_OF_TURN)
_CONVENTION = "openinference"

Passage = Source | Mapping[str, Any] | str
Cited = Citation | Mapping[str, Any] | str


class Turn:
    """A question on its way to its answer. Each call ends a step, which began where the one before it ended."""

    def __init__(self, question: str, span: Span, tracer: Tracer, told: Mapping[str, Any]) -> None:
        self._question, self._tracer, self._told = question, tracer, dict(told)
        self._root, self._since = span, time.time_ns()
        self._found: dict[str, Source] = {}

    @property
    def trace_id(self) -> str | None:
        """The trace's id, 32 hexadecimal digits; None where nothing is recorded."""
        context = self._root.get_span_context()
        return f"{context.trace_id:032x}" if self._root.is_recording() and context.is_valid else None

    def retrieved(self, passages: Sequence[Passage]) -> None:
        """Record what the retriever returned, in rank order; call it for every retrieval. An empty list says that it found nothing.

        A passage is a Source, a mapping with its fields (``source_id``, ``text``, ``page`` …), or a text, whose id is then its number
        in this turn, from 1. Raises InputError for anything else.
        """
        sources = tuple(_source(given, place, len(self._found)) for place, given in enumerate(passages))
        self._found |= {source.source_id: source for source in sources}
        self._step("retrieve", SpanFacts(kind="RETRIEVER", input_text=self._question, documents=sources))

    def shown(self, ids: Sequence[str]) -> None:
        """Record which passages reached the model, in its order: what ``[1]`` means. Raises InputError for an id that was not retrieved."""
        strange = [given for given in ids if given not in self._found]
        if strange:
            raise InputError(f"was not retrieved: {', '.join(map(str, strange))}", field="shown")
        kept = tuple(self._found[given] for given in ids)
        facts = SpanFacts(
            kind="RERANKER", input_text=self._question, rerank_input=tuple(self._found.values()), reranked=kept
        )
        self._step("rerank", facts)

    def answered(self, said: Answer | str | None, *, citations: Sequence[Cited] | None = None, **told: Any) -> None:
        """Record the answer, which ends the turn.

        `said` is the text, or an Answer with its claims. `citations` are those of a text that come beside it: source ids, Citations, or mappings with a
        citation's fields and the `claim` that it is for; without them they are read from the text. `told` are facts known only now: `model`, `tokens_in`, `tokens_out`, `cost_usd` and the others of `answering`.
        """
        facts = self._told | _known(told)
        text = said.model_dump_json(exclude_defaults=True) if isinstance(said, Answer) else said
        outputs = () if text is None else (Message("assistant", text),)
        cited = None if citations is None else tuple(map(_citation, citations))
        if isinstance(said, Answer) and cited is None:
            cited = _citations_of(said)
        asked = (Message("user", self._question),)
        self._step("answer", SpanFacts(kind="LLM", inputs=asked, outputs=outputs, citations=cited, **facts))
        if text is not None:
            self._root.set_attributes(_attributes(SpanFacts(kind="CHAIN", output_text=text)))

    def _step(self, name: str, facts: SpanFacts) -> None:
        """Write a span from the end of the step before until now."""
        from opentelemetry.trace import set_span_in_context  # noqa: PLC0415 - of the extra [trace]

        # Its parent is given, not looked up: a step may be told from another thread.
        within = set_span_in_context(self._root)
        span = self._tracer.start_span(name, within, start_time=self._since, attributes=_attributes(facts))
        self._since = max(time.time_ns(), self._since + 1)
        span.end(self._since)


@contextmanager
def answering(question: str, *, tracer_provider: TracerProvider | None = None, **told: Any) -> Iterator[Turn]:
    """Record a turn as it goes on: a chain, in which `retrieved`, `shown` and `answered` are the steps.

    The chain is the current span meanwhile, so that a model call which something else instruments stands in it too; then leave
    `answered` out. `told` are `model`, `profile`, `prompt_version`, `cohort`, `session`, `tokens_in`, `tokens_out` and `cost_usd`.
    Raises SettingError where OpenTelemetry is not installed.
    """
    tracer, facts = _tracer(tracer_provider), _known(told)
    of_turn = {
        name: facts[name] for name in _OF_TURN if name in facts
    }  # the model's are its own span's, and count once
    chain = _attributes(SpanFacts(kind="CHAIN", input_text=question, **of_turn))
    with tracer.start_as_current_span("answer a question", attributes=chain) as span:
        yield Turn(question, span, tracer, facts)


def answer(
    question: str,
    *,
    answer: Answer | str | None,
    retrieved: Sequence[Passage] | None = None,
    shown: Sequence[str] | None = None,
    citations: Sequence[Cited] | None = None,
    tracer_provider: TracerProvider | None = None,
    **told: Any,
) -> str | None:
    """Record a turn that is over, in one call; gives the trace's id, or None where nothing is recorded.

    `retrieved` None says that nothing was logged, an empty list that the retrieval found nothing. The rest is as for `answering` and its steps.
    """
    with answering(question, tracer_provider=tracer_provider, **told) as turn:
        if retrieved is not None:
            turn.retrieved(retrieved)
        if shown is not None:
            turn.shown(shown)
        turn.answered(answer, citations=citations)
        return turn.trace_id


def configure(endpoint: str = "http://127.0.0.1:4318", *, service: str) -> None:
    """Send this program's spans to an OTLP receiver, under a service's name: for programs that set up no tracing themselves.

    Raises SettingError where the SDK or its exporter is not installed, or a tracer provider is set already.
    """
    _need_api()
    from opentelemetry import trace as otel  # noqa: PLC0415 - of the extra [trace]

    if not isinstance(otel.get_tracer_provider(), otel.ProxyTracerProvider):
        raise SettingError("configure: this program has a tracer provider already, and spans go where it sends them")
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415 - optional
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - optional
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 - optional
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415 - optional
    except ImportError:
        raise SettingError(
            "configure needs OpenTelemetry's SDK: pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http"
        ) from None
    provider = TracerProvider(resource=Resource.create({"service.name": service}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(f"{endpoint.rstrip('/')}/v1/traces")))
    otel.set_tracer_provider(provider)


def _need_api() -> None:
    try:
        import opentelemetry.trace  # noqa: F401, PLC0415 - of the extra [trace]
    except ImportError:
        raise SettingError("recording spans needs OpenTelemetry: pip install 'showable[trace]'") from None


def _tracer(provider: TracerProvider | None) -> Tracer:
    _need_api()
    from opentelemetry.trace import get_tracer  # noqa: PLC0415 - of the extra [trace]

    return get_tracer("showable", __version__, provider)


def _known(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts that are told. Raises SettingError for a name that is none of them."""
    strange = sorted(told.keys() - set(_FACTS))
    if strange:
        raise SettingError(f"{', '.join(strange)}: no such fact of a turn; expected {', '.join(_FACTS)}")
    return {name: value for name, value in told.items() if value is not None}


def _source(given: Passage, place: int, before: int) -> Source:
    if isinstance(given, Source):
        return given
    fields = {"source_id": str(before + place + 1), "text": given} if isinstance(given, str) else given
    try:
        return Source.model_validate(fields)
    except ValidationError as error:
        inner, said = explain(error)
        raise InputError(said, field=f"retrieved[{place}].{inner}") from None


def _citation(given: Cited) -> TracedCitation:
    """Read a citation: its source's id, a Citation, or a mapping with its fields and perhaps the `claim` that it is for."""
    claim, fields = None, given
    if isinstance(given, str):
        fields = {"source_id": given}
    elif isinstance(given, Mapping):
        claim, fields = given.get("claim"), {name: value for name, value in given.items() if name != "claim"}
    try:
        cited = Citation.model_validate(fields)
    except ValidationError as error:
        inner, said = explain(error)
        raise InputError(said, field=f"citations.{inner}") from None
    return _traced(cited, None if claim is None else str(claim))


def _citations_of(answer: Answer) -> tuple[TracedCitation, ...]:
    return tuple(_traced(citation, claim.text) for claim in answer.claims for citation in claim.citations)


def _traced(cited: Citation, claim: str | None) -> TracedCitation:
    start, end = cited.span or (None, None)
    return TracedCitation(cited.source_id, claim, cited.quoted_span, cited.page, cited.url, start, end)


def _attributes(facts: SpanFacts) -> dict[str, Any]:
    """Write facts as attributes; passages all in one, where an attribute for each field would be more than SDKs keep."""
    written = write_span(facts, _CONVENTION)
    if len(written) <= _MOST_ATTRIBUTES:
        return written
    bare = write_span(replace(facts, documents=None, rerank_input=None, reranked=None), _CONVENTION)
    lists = {
        "retrieval.documents": facts.documents,
        "reranker.input_documents": facts.rerank_input,
        "reranker.output_documents": facts.reranked,
    }
    return bare | {
        key: json_text([document(s) for s in sources]) for key, sources in lists.items() if sources is not None
    }
