"""What each convention's spans are read as. `source` says where a row's keys and form come from."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from tables import every_row

from showable.records.record import Source
from showable.records.spans import Span, SpanEvent
from showable.traces.conventions.keys import CONVENTIONS, KEYS
from showable.traces.conventions.read import NOTHING, read_span
from showable.traces.facts import Evaluation, Message, TracedCitation

OPENINFERENCE = "openinference-semantic-conventions 0.1.42, trace/__init__.py"
FI = "fi-instrumentation-otel 1.1.0, fi_types.py"
TRACEAI = "traceAI-openai 0.1.10, _request_attributes_extractor.py and _response_attributes_extractor.py"
OTEL = "opentelemetry-semantic-conventions 0.66b2, gen_ai_attributes.py"
OTEL_MESSAGES = "opentelemetry-util-genai 1.3b0, types.py"
OPENAI_V2 = "opentelemetry-instrumentation-openai-v2 2.4b0, utils.py: events with a body"
SEMCONV_AI = "opentelemetry-semantic-conventions-ai 0.5.1"
TRACELOOP_LANGCHAIN = "opentelemetry-instrumentation-langchain 0.62.4, callback_handler.py"
DIALECT = "rag.document.{i}.{id,content,score}, as pipelines write it by hand"
PUBLISHED = "docs/citations-in-traces.md"
LANGFUSE = "Langfuse's OpenTelemetry attributes, as its SDKs set them"


def read(attributes, events=(), name=""):
    return read_span(Span("0" * 32, "1" * 16, name=name, attributes=attributes, events=events))


def event(name, at_ns=0, **attributes):
    return SpanEvent(name, at_ns, attributes)


ASKED = (Message("system", "Cite."), Message("user", "How warm?"))
SAID = (Message("assistant", "Warm [a]."),)
SPANS = [
    (
        "openinference llm",
        {
            "openinference.span.kind": "LLM",
            "llm.input_messages.0.message.role": "system",
            "llm.input_messages.0.message.content": "Cite.",
            "llm.input_messages.1.message.role": "user",
            "llm.input_messages.1.message.contents.0.message_content.type": "text",
            "llm.input_messages.1.message.contents.0.message_content.text": "How warm?",
            "llm.output_messages.0.message.role": "assistant",
            "llm.output_messages.0.message.content": "Warm [a].",
            "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "search",
            "llm.model_name": "gpt-4o",
            "llm.prompt_template.version": "v3",
            "llm.token_count.prompt": 12,
            "llm.token_count.completion": 5,
            "llm.token_count.total": 17,
            "llm.cost.total": 0.25,
            "llm.finish_reason": "stop",
            "session.id": "s-1",
            "metadata": '{"team": "law", "experiment_id": "exp-7"}',
        },
        {
            "kind": "LLM", "conventions": ("openinference",), "inputs": ASKED, "outputs": SAID, "tool_calls": True,
            "model": "gpt-4o", "prompt_version": "v3", "tokens_in": 12, "tokens_out": 5, "cost_usd": 0.25, "finish": "stop",
            "session": "s-1", "metadata": {"team": "law", "experiment_id": "exp-7"}, "cohort": "exp-7", "problems": (),
        },
        OPENINFERENCE,
    ),
    (
        "openinference retriever",
        {
            "openinference.span.kind": "RETRIEVER",
            "input.value": "How warm?",
            "retrieval.documents.0.document.id": "a",
            "retrieval.documents.0.document.content": "Warm.",
            "retrieval.documents.0.document.score": 0.5,
            "retrieval.documents.0.document.metadata": '{"title": "Weather", "page": 3, "tier": "law"}',
            "retrieval.documents.1.document.id": 7,
        },
        {
            "kind": "RETRIEVER", "conventions": ("openinference",), "input_text": "How warm?", "problems": (),
            "documents": (
                Source(source_id="a", text="Warm.", score=0.5, title="Weather", page=3, metadata={"tier": "law"}),
                Source(source_id="7"),
            ),
        },
        OPENINFERENCE,
    ),
    (
        "openinference reranker and evaluations",
        {
            "openinference.span.kind": "RERANKER",
            "reranker.query": "How warm?",
            "reranker.input_documents.0.document.id": "a",
            "reranker.input_documents.1.document.id": "b",
            "reranker.output_documents.0.document.id": "b",
            "evaluations.0.evaluation.name": "relevance",
            "evaluations.0.evaluation.score": 1,
            "evaluations.0.evaluation.label": "good",
            "evaluations.0.evaluation.annotator_kind": "LLM",
        },
        {
            "kind": "RERANKER", "input_text": "How warm?", "documents": None,
            "rerank_input": (Source(source_id="a"), Source(source_id="b")), "reranked": (Source(source_id="b"),),
            "evaluations": (Evaluation("relevance", 1.0, "good"),), "problems": (),
        },
        OPENINFERENCE,
    ),
    (
        "openinference completion",
        {"llm.prompts.0.prompt.text": "How warm?", "llm.choices.0.completion.text": "Warm [a]."},
        {"kind": "LLM", "inputs": (Message("user", "How warm?"),), "outputs": SAID},
        OPENINFERENCE,
    ),
    (
        "fi llm",
        {
            "gen_ai.span.kind": "LLM",
            "gen_ai.input.messages.0.message.role": "system",
            "gen_ai.input.messages.0.message.content": "Cite.",
            "gen_ai.input.messages.1.message.role": "user",
            "gen_ai.input.messages.1.message.content": "How warm?",
            "gen_ai.output.messages.0.message.role": "assistant",
            "gen_ai.output.messages.0.message.content": "Warm [a].",
            "gen_ai.request.model": "gpt-4o",
            "gen_ai.usage.input_tokens": 12,
            "gen_ai.usage.output_tokens": 5,
            "gen_ai.usage.total_tokens": 17,
            "input.value": '{"model": "gpt-4o", "messages": []}',
        },
        {
            "kind": "LLM", "conventions": ("fi",), "inputs": ASKED, "outputs": SAID, "model": "gpt-4o", "tokens_in": 12,
            "tokens_out": 5, "input_text": '{"model": "gpt-4o", "messages": []}', "tool_calls": False, "problems": (),
        },
        TRACEAI,
    ),
    (
        "fi legacy",
        {"fi.span.kind": "retriever", "retrieval.documents": '[{"document.id": "a", "document.content": "Warm."}]'},
        {"kind": "RETRIEVER", "conventions": ("fi",), "documents": (Source(source_id="a", text="Warm."),)},
        FI,
    ),
    (
        "fi evaluator",
        {
            "gen_ai.span.kind": "EVALUATOR",
            "gen_ai.evaluation.name": "groundedness",
            "gen_ai.evaluation.score.value": 0.5,
            "gen_ai.evaluation.score.label": "partly",
            "gen_ai.evaluation.explanation": "One claim is not there.",
            "gen_ai.evaluation.target_span_id": "00f067aa0ba902b7",
        },
        {
            "kind": "EVALUATOR",
            "evaluations": (Evaluation("groundedness", 0.5, "partly", "One claim is not there.", "00f067aa0ba902b7"),),
        },
        FI,
    ),
    (
        "fi vector store",
        {"gen_ai.span.kind": "VECTOR_DB", "db.vector.results.ids": ["a", "b"], "db.vector.results.scores": "[0.5, 0.25]"},
        {"kind": "VECTOR_DB", "documents": (Source(source_id="a", score=0.5), Source(source_id="b", score=0.25))},
        FI,
    ),
    (
        "otel llm",
        {
            "gen_ai.operation.name": "chat",
            "gen_ai.system_instructions": '[{"type":"text","content":"Cite."}]',
            "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"How warm?"}]}]',
            "gen_ai.output.messages": json.dumps(
                [
                    {
                        "role": "assistant",
                        "parts": [
                            {"type": "reasoning", "content": "Hm."},
                            {"type": "text", "content": "Warm [a]."},
                            {"type": "tool_call", "id": "1", "name": "search", "arguments": {}},
                        ],
                        "finish_reason": "stop",
                    }
                ]
            ),
            "gen_ai.request.model": "gpt-4o",
            "gen_ai.response.model": "gpt-4o-2024-08-06",
            "gen_ai.usage.input_tokens": "12",
            "gen_ai.usage.output_tokens": 5,
            "gen_ai.conversation.id": "s-1",
            "gen_ai.prompt.version": "v3",
        },
        {
            "kind": "LLM", "conventions": ("otel_genai",), "inputs": ASKED, "outputs": SAID, "finish": "stop",
            "tool_calls": True, "model": "gpt-4o-2024-08-06", "tokens_in": 12, "tokens_out": 5, "session": "s-1",
            "prompt_version": "v3", "problems": (("parts", "gen_ai.output.messages has a part that is not text: reasoning"),),
        },
        f"{OTEL}; {OTEL_MESSAGES}",
    ),
    (
        "otel retrieval, ids without text",
        {
            "gen_ai.operation.name": "retrieval",
            "gen_ai.retrieval.query.text": "How warm?",
            "gen_ai.retrieval.documents": '[{"id":"a","score":0.5},{"id":12}]',
        },
        {
            "kind": "RETRIEVER", "conventions": ("otel_genai",), "input_text": "How warm?", "hashed": False, "problems": (),
            "documents": (Source(source_id="a", score=0.5), Source(source_id="12")),
        },
        f"{OTEL}; {OTEL_MESSAGES}",
    ),
    (
        "openllmetry llm",
        {
            "llm.request.type": "chat",
            "traceloop.span.kind": "task",
            "gen_ai.prompt.0.role": "system",
            "gen_ai.prompt.0.content": "Cite.",
            "gen_ai.prompt.1.role": "user",
            "gen_ai.prompt.1.content": '[{"type": "text", "text": "How warm?"}]',
            "gen_ai.completion.0.role": "assistant",
            "gen_ai.completion.0.content": "Warm [a].",
            "gen_ai.completion.0.finish_reason": "stop",
            "gen_ai.usage.prompt_tokens": 12,
            "gen_ai.usage.completion_tokens": 5,
            "traceloop.prompt.version": 3,
            "traceloop.association.properties.session_id": "s-1",
            "traceloop.association.properties.Tenant": "law",
        },
        {
            "kind": "LLM", "conventions": ("openllmetry",), "inputs": ASKED, "outputs": SAID, "finish": "stop", "tokens_in": 12,
            "tokens_out": 5, "prompt_version": "3", "session": "s-1", "metadata": {"Tenant": "law"}, "problems": (),
        },
        SEMCONV_AI,
    ),
    (
        "openllmetry retriever task",
        {
            "traceloop.span.kind": "task",
            "gen_ai.operation.name": "vector_db_retrieve",
            "traceloop.entity.input": '{"query": "How warm?", "tags": [], "metadata": null, "kwargs": {}}',
            "traceloop.entity.output": '{"documents": [{"page_content": "Warm.", "metadata": {"source_id": "a"}}], "count": 1}',
        },
        {
            "kind": "RETRIEVER", "conventions": ("openllmetry",), "input_text": "How warm?", "output_text": None,
            "documents": (Source(source_id="a", text="Warm.", metadata={"source_id": "a"}),),
            "problems": (("id_from_metadata", "traceloop.entity.output has documents whose id is only among their metadata"),),
        },
        TRACELOOP_LANGCHAIN,
    ),
    (
        "openllmetry workflow",
        {
            "traceloop.span.kind": "workflow",
            "traceloop.entity.input": '{"inputs": {"question": "How warm?"}, "tags": []}',
            "traceloop.entity.output": '{"outputs": {"answer": "Warm [a]."}, "kwargs": {}}',
        },
        {"kind": "CHAIN", "input_text": "How warm?", "output_text": "Warm [a].", "documents": None},
        TRACELOOP_LANGCHAIN,
    ),
    (
        "rag.document",
        {"rag.document.0.id": "a", "rag.document.0.content": "Warm.", "rag.document.0.score": 0.5, "rag.document.1.id": "b"},
        {
            "kind": "RETRIEVER", "conventions": ("rag_document",),
            "documents": (Source(source_id="a", text="Warm.", score=0.5), Source(source_id="b")),
        },
        DIALECT,
    ),
    (
        "published citations, a list",
        {"llm.output.citations": '[{"claim": "Warm", "source_id": "a", "quoted_span": "warm", "page": 3, "start": 0, "end": 4}]'},
        {"citations": (TracedCitation("a", "Warm", "warm", 3, None, 0, 4),), "conventions": (), "problems": ()},
        PUBLISHED,
    ),
    (
        "published citations, flattened",
        {
            "LLM.Output.Citations.1.citation.source_id": "b",
            "llm.output.citations.0.citation.source_id": 7,
            "llm.output.citations.0.citation.page": "iv",
            "llm.output.citations.0.citation.url": "https://example.org/a",
        },
        {"citations": (TracedCitation("7", page="iv", url="https://example.org/a"), TracedCitation("b"))},
        PUBLISHED,
    ),
    (
        "grouping",
        {
            "showable.profile": "legal", "langfuse.experiment.id": "exp-7", "langfuse.observation.prompt.version": 4,
            "langfuse.session.id": "s-1",
        },
        {"profile": "legal", "cohort": "exp-7", "prompt_version": "4", "session": "s-1", "conventions": ()},
        LANGFUSE,
    ),
]  # fmt: skip


@every_row(("attributes", "expected"), [row[1:3] for row in SPANS])
def test_spans_of_each_convention(attributes, expected):
    facts = read(attributes)
    assert {name: getattr(facts, name) for name in expected} == expected


EVENTS = [
    (
        "events with a body",
        {"gen_ai.operation.name": "chat"},
        [
            event("gen_ai.choice", 3, body={"index": 0, "finish_reason": "stop", "message": {"content": "Warm [a]."}}),
            event("gen_ai.user.message", 2, body='{"content": "How warm?"}'),
            event("gen_ai.system.message", 1, body={"content": "Cite."}),
        ],
        {"inputs": ASKED, "outputs": SAID, "finish": "stop", "conventions": ("otel_genai",), "kind": "LLM"},
        OPENAI_V2,
    ),
    (
        "details of an inference",
        {"gen_ai.operation.name": "chat"},
        [
            event(
                "gen_ai.client.inference.operation.details",
                **{
                    "gen_ai.input.messages": [{"role": "user", "parts": [{"type": "text", "content": "How warm?"}]}],
                    "gen_ai.output.messages": [{"role": "assistant", "parts": [{"type": "text", "content": "Warm [a]."}]}],
                    "gen_ai.system_instructions": [{"type": "text", "content": "Cite."}],
                },
            )
        ],
        {"inputs": ASKED, "outputs": SAID},
        "opentelemetry-util-genai 1.3b0, _inference_invocation.py",
    ),
    (
        "older content events",
        {},
        [
            event("gen_ai.content.prompt", **{"gen_ai.prompt": '[{"role": "user", "content": "How warm?"}]'}),
            event("gen_ai.content.completion", **{"gen_ai.completion": '[{"role": "assistant", "content": "Warm [a]."}]'}),
        ],
        {"inputs": (Message("user", "How warm?"),), "outputs": SAID},
        "OpenTelemetry semantic conventions 1.27, gen_ai.content.prompt and gen_ai.content.completion",
    ),
    (
        "evaluation",
        {},
        [
            event(
                "gen_ai.evaluation.result",
                **{"gen_ai.evaluation.name": "faith", "gen_ai.evaluation.score.value": 1.0, "error.type": "timeout"},
            )
        ],
        {"evaluations": (Evaluation("faith", 1.0, error="timeout"),), "conventions": ("otel_genai",)},
        OTEL,
    ),
    (
        "rows of a vector store",
        {"db.system": "chroma"},
        [
            event("db.query.result", **{"db.query.result.id": "a", "db.query.result.document": "Warm."}),
            event("db.query.result", **{"db.query.result.id": "b", "db.query.result.metadata": '{"title": "Ice"}'}),
        ],
        {
            "kind": "RETRIEVER", "conventions": ("openllmetry",),
            "documents": (Source(source_id="a", text="Warm."), Source(source_id="b", title="Ice")),
        },
        SEMCONV_AI,
    ),
    (
        "rows of Milvus",
        {},
        [event("db.search.result", **{"db.search.result.id": "a", "db.search.result.entity": '{"text": "Warm."}'})],
        {"documents": (Source(source_id="a", text="Warm."),)},
        SEMCONV_AI,
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("attributes", "events", "expected"), [row[1:4] for row in EVENTS], ids=[row[0] for row in EVENTS]
)
def test_events_say_what_the_span_does_not(attributes, events, expected):
    facts = read(attributes, events)
    assert {name: getattr(facts, name) for name in expected} == expected


def test_the_span_itself_is_believed_before_its_events():
    said = {"gen_ai.completion.0.content": "Warm [a]."}
    assert read(said, [event("gen_ai.choice", body={"message": {"content": "Cold [a]."}})]).outputs == SAID


HIDING = "arize-ai.github.io/openinference, spec, configuration, data masking: the placeholder of hidden content"
GAVE = [  # what a call says that it gave; None: that is not recorded
    ("no messages", {"gen_ai.output.messages": "[]"}, (), OTEL_MESSAGES),
    ("a message without words", {"llm.output_messages.0.message.content": ""}, (Message("assistant", ""),), OPENINFERENCE),
    ("a message without parts", {"gen_ai.output.messages": '[{"role": "assistant", "parts": []}]'}, (Message("assistant", ""),), OTEL_MESSAGES),
    ("a role alone", {"llm.output_messages.0.message.role": "assistant"}, None, OPENINFERENCE),
    ("a role and why it stopped", {"gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.finish_reason": "stop"}, None, SEMCONV_AI),
    ("a text part without its text", {"gen_ai.output.messages": '[{"role": "assistant", "parts": [{"type": "text"}]}]'}, None, OTEL_MESSAGES),
    ("no content", {"gen_ai.output.messages": '[{"role": "assistant", "content": null}]'}, None, OTEL_MESSAGES),
    ("one of two", {"gen_ai.completion.0.role": "assistant", "gen_ai.completion.1.content": "Warm [a]."}, SAID, SEMCONV_AI),
    ("a tool that it called", {"llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "search"}, (Message("assistant", ""),), OPENINFERENCE),
    ("masked words", {"llm.output_messages.0.message.content": "__REDACTED__"}, None, HIDING),
    ("masked parts", {"llm.output_messages.0.message.contents.0.message_content.type": "text", "llm.output_messages.0.message.contents.0.message_content.text": "__REDACTED__"}, None, HIDING),
    ("masked parts without kinds", {"gen_ai.output.messages": '[{"role": "assistant", "content": ["__REDACTED__"]}]'}, None, HIDING),
    ("a masked message", {"gen_ai.output.messages": '[{"role": "assistant", "content": "__REDACTED__"}]'}, None, HIDING),
]  # fmt: skip


@every_row(("attributes", "outputs"), [row[1:3] for row in GAVE])
def test_what_was_not_recorded_is_not_nothing(attributes, outputs):
    facts = read(attributes)
    assert (facts.kind, facts.outputs) == ("LLM", outputs)
    lost = outputs is None or "gen_ai.completion.1.content" in attributes
    assert ("content_not_recorded" in {code for code, _ in facts.problems}) == lost


def test_an_event_without_its_content_says_nothing_of_what_was_given():
    facts = read({"gen_ai.operation.name": "chat"}, [event("gen_ai.choice", index=0, finish_reason="stop")])
    assert (facts.outputs, facts.finish) == (None, "stop")
    assert facts.problems == (("content_not_recorded", "an event has a message whose content was not recorded"),)


@pytest.mark.parametrize("score", [None, 0.5])
def test_masked_values_and_passages_are_none(score):
    found = {"retrieval.documents.0.document.id": "a", "retrieval.documents.0.document.content": "__REDACTED__"}
    found |= {} if score is None else {"retrieval.documents.0.document.score": score}
    facts = read({"input.value": "__REDACTED__", "output.value": "__REDACTED__", **found})
    assert (facts.input_text, facts.output_text) == (None, None)
    assert facts.documents == (Source(source_id="a", score=score),)


KINDS = [
    ({"gen_ai.span.kind": "llm"}, "LLM"),
    ({"GEN_AI.Span.Kind": " Retriever "}, "RETRIEVER"),
    ({"fi.span.kind": "FiSpanKindValues.VECTOR_DB"}, "VECTOR_DB"),
    ({"gen_ai.span.kind": "vector-db"}, "VECTOR_DB"),
    ({"openinference.span.kind": "Guardrail"}, "GUARDRAIL"),
    ({"openinference.span.kind": "PROMPT"}, "UNKNOWN"),
    ({"openinference.span.kind": "UNKNOWN", "gen_ai.operation.name": "chat"}, "LLM"),
    ({"gen_ai.operation.name": "embeddings"}, "EMBEDDING"),
    ({"traceloop.span.kind": "task", "gen_ai.operation.name": "execute_tool"}, "TOOL"),
    ({"gen_ai.operation.name": "chat", "gen_ai.span.kind": "AGENT"}, "AGENT"),
    ({"gen_ai.operation.name": "text_completion"}, "LLM"),
    ({"llm.request.type": "rerank"}, "RERANKER"),
    ({"traceloop.span.kind": "agent"}, "AGENT"),
    ({"traceloop.span.kind": "task", "traceloop.entity.output": '[{"page_content": "Warm."}]'}, "RETRIEVER"),
    ({"traceloop.span.kind": "task", "traceloop.entity.output": '"Warm."'}, "CHAIN"),
    ({"gen_ai.output.messages": "[]"}, "LLM"),
    ({"retrieval.documents": "[]"}, "RETRIEVER"),
    ({"session.id": "s"}, "UNKNOWN"),
]


@every_row(("attributes", "kind"), KINDS)
def test_the_kind_is_what_the_span_names_else_what_it_carries(attributes, kind):
    assert read(attributes).kind == kind


def test_a_kind_that_nobody_knows_is_said():
    assert read({"gen_ai.span.kind": "ORACLE"}).problems == (
        ("unknown_kind", "gen_ai.span.kind names a kind that is not known"),
    )


WHOSE = [
    ({"openinference.span.kind": "LLM", "gen_ai.request.model": "m"}, ("openinference", "otel_genai")),
    ({"gen_ai.span.kind": "LLM", "gen_ai.request.model": "m", "input.value": "x"}, ("fi",)),
    ({"input.value": "x"}, ("openinference",)),
    ({"gen_ai.usage.input_tokens": 1}, ("otel_genai",)),
    ({"traceloop.span.kind": "task", "gen_ai.usage.input_tokens": 1}, ("openllmetry",)),
    ({"gen_ai.prompt.0.content": "x"}, ("openllmetry",)),
    ({"rag.document.0.id": "a", "openinference.span.kind": "CHAIN"}, ("openinference", "rag_document")),
]


@pytest.mark.parametrize(("attributes", "names"), WHOSE)
def test_keys_that_several_conventions_have_are_of_those_that_are_there_anyway(attributes, names):
    assert read(attributes).conventions == names


def test_a_span_that_says_nothing_of_it_is_nothing():
    assert read({"http.request.method": "GET", "db.system": "postgresql", "x" * 5000: 1}) is NOTHING


def test_objects_that_an_export_nests_are_read_as_keys():
    nested = {
        "llm": {"model_name": "m", "output_messages": [{"message": {"role": "assistant", "content": "Warm [a]."}}]}
    }
    facts = read({**nested, "openinference": {"span": {"kind": "LLM"}}})
    assert (facts.kind, facts.model, facts.outputs) == ("LLM", "m", SAID)


ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/citations-in-traces.md").read_text()


@every_row("key", sorted(KEYS))
def test_every_key_that_is_read_is_on_the_page(key):
    assert f"`{key}`" in PAGE


@pytest.mark.parametrize("convention", CONVENTIONS, ids=lambda it: it.name)
def test_what_a_convention_cannot_say_is_on_the_page(convention):
    assert all(f"| {why} |" in PAGE for why in convention.cannot_say.values())


def test_every_code_of_a_problem_is_on_the_page():
    sources = (path.read_text() for path in (ROOT / "src/showable/traces/conventions").glob("*.py"))
    codes = {code for source in sources for code in re.findall(r'notes\.append\(\s*\(\s*"(\w+)"', source)}
    assert len(codes) == 14
    assert {code for code in codes if f"| `{code}` |" not in PAGE} == set()


@pytest.mark.parametrize("kind", ["CHAIN", "tool", "nobody's", "RETRIEVER", 7])
def test_a_span_that_says_its_kind_alone_is_read_as_one_that_says_more(kind):
    alone = read_span(Span("t", "s", attributes={"openinference.span.kind": kind}))
    more = read_span(Span("t", "s", attributes={"openinference.span.kind": kind, "input.value": "Why?"}))
    assert alone == replace(more, input_text=None)
