"""Documents and messages in the forms that libraries give them, and values that lie about their type or were cut."""

import json

import pytest
from tables import every_row

from showable.records.record import Source
from showable.records.spans import Span
from showable.traces.conventions.documents import content_id
from showable.traces.conventions.read import read_span
from showable.traces.facts import Message, TracedCitation

LANGCHAIN = "langchain-core 1.7.2: Document.to_json(), str(Document), model_dump()"
LLAMA = "llama-index-core: NodeWithScore.model_dump()"
CHROMA = "chromadb: Collection.query()"
PINECONE = "pinecone: QueryResponse.to_dict()"
OPENINFERENCE = "openinference-instrumentation-langchain 0.1.80, _tracer.py: content and metadata, no id"
ASCII = "sha256 of the text, first 16 hexadecimal digits: printf Warm. | sha256sum"
WARM_ID = "sha256:bb4487cc2f7b2c3b"


def read(attributes, name=""):
    return read_span(Span("0" * 32, "1" * 16, name=name, attributes=attributes))


def codes(facts):
    return [code for code, _ in facts.problems]


A, WARM = Source(source_id="a"), Source(source_id="a", text="Warm.")
HASHED = Source(source_id=WARM_ID, text="Warm.")
DOCUMENTS = [
    ("mappings", [{"id": "a", "content": "Warm.", "score": 0.5}], (Source(source_id="a", text="Warm.", score=0.5),), [], "OTLP arrays of maps"),
    ("JSON texts", ['{"id": "a", "content": "Warm."}'], (WARM,), [], "OTLP arrays hold texts only, where maps are refused"),
    ("JSON within JSON", json.dumps(json.dumps([{"id": "a"}])), (A,), [], "a value encoded twice"),
    ("one object", '{"id": "a"}', (A,), [], "a list of one, unwrapped"),
    ("wrapped", '{"documents": [{"id": "a"}]}', (A,), [], "a response, whole"),
    ("nested document", '[{"document": {"id": "a", "content": "Warm."}, "score": 0.5}]', (Source(source_id="a", text="Warm.", score=0.5),), [], "OpenInference, nested"),
    ("content is JSON", '[{"id": "a", "content": "{\\"page_content\\": \\"Warm.\\", \\"metadata\\": {\\"tier\\": 1}}"}]', (Source(source_id="a", text="Warm.", metadata={"tier": 1}),), [], LANGCHAIN),
    ("content is JSON of its own", '[{"id": "a", "content": "{\\"heat\\": 3}"}]', (Source(source_id="a", text='{"heat": 3}'),), [], "a document that is data"),
    ("constructor", '[{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "document", "Document"], "kwargs": {"id": "a", "page_content": "Warm."}}]', (WARM,), [], LANGCHAIN),
    ("printed", ["page_content='Warm.' metadata={'title': 'Heat', 'id': 'a'}"], (Source(source_id="a", text="Warm.", title="Heat", metadata={"id": "a"}),), ["id_from_metadata"], LANGCHAIN),
    ("dumped", '[{"id": null, "metadata": {"page": 0, "page_label": "1"}, "page_content": "Warm.", "type": "Document"}]', (Source(source_id=WARM_ID, text="Warm.", page="1", metadata={"page": 0, "page_label": "1"}),), ["hashed_ids"], LANGCHAIN),
    ("pair with a score", [[{"id": "a", "page_content": "Warm."}, 0.5]], (Source(source_id="a", text="Warm.", score=0.5),), [], "langchain-core: similarity_search_with_score"),
    ("node", '[{"node": {"id_": "a", "text": "Warm.", "extra_info": {"url": "https://example.org"}}, "score": 0.5}]', (Source(source_id="a", text="Warm.", score=0.5, url="https://example.org"),), [], LLAMA),
    ("text in metadata", '[{"id": "a", "score": 0.5, "metadata": {"text": "Warm."}}]', (Source(source_id="a", text="Warm.", score=0.5),), [], PINECONE),
    ("payload", '[{"id": 3, "score": 0.5, "payload": {"text": "Warm."}}]', (Source(source_id="3", text="Warm.", score=0.5),), [], "qdrant-client: ScoredPoint.model_dump()"),
    ("no id", '[{"content": "Warm."}]', (HASHED,), ["hashed_ids"], ASCII),
    ("bare texts and ids", ["Warm and dry.", "a"], (Source(source_id=content_id("Warm and dry."), text="Warm and dry."), A), ["bare_documents", "hashed_ids"], "a text has spaces"),
    ("neither id nor text", '[{"score": 1}, {"id": "a"}]', (A,), ["empty_document"], "nothing to cite"),
    ("empty", "[]", (), [], "it returned nothing"),
    ("empty list", [], (), [], "it returned nothing"),
    ("null", None, None, [], "not said"),
    ("text where a list is due", "Warm.", None, ["type"], "no guess"),
    ("number where a list is due", 3, None, ["type"], "no guess"),
    ("cut in a text", '[{"id": "a"}, {"id": "b", "content": "War', (A, Source(source_id="b")), ["cut"], "attribute_value_length_limit of SDKs"),
    ("cut in an id", '[{"id": "a"}, {"id": "doc-1', (A,), ["cut", "empty_document"], "half an id is another id"),
    ("cut in a number", '[{"id": "a"}, {"id": 12', (A,), ["cut", "empty_document"], "half an id is another id"),
    ("cut with a mark", '[{"id": "a"},...', (A,), ["cut"], "tools that say that they cut"),
    ("broken", '[{"id": a}]', None, ["type"], "not JSON"),
    ("numbers as texts", '[{"id": 12.0, "score": "0.5"}]', (Source(source_id="12", score=0.5),), [], "attributes that lie about their type"),
    ("bad types", '[{"id": "a", "score": true, "metadata": 4}]', (A,), ["type", "type"], "attributes that lie about their type"),
    ("not finite", '[{"id": "a", "score": NaN}]', (A,), ["type"], "JSON as Python writes it"),
]  # fmt: skip


@every_row(("value", "documents", "problems"), [row[1:4] for row in DOCUMENTS])
def test_documents_in_the_forms_of_libraries(value, documents, problems):
    facts = read({"retrieval.documents": value})
    assert (facts.documents, codes(facts)) == (documents, problems)


ENTITIES = [
    ("a list of documents", "task", "", [{"page_content": "Warm.", "id": "a"}], (WARM,), LANGCHAIN),
    ("a chain of documents", "task", "", {"outputs": [{"page_content": "Warm.", "id": "a"}], "kwargs": {}}, (WARM,), LANGCHAIN),
    ("columns", "task", "", {"ids": [["a"]], "documents": [["Warm."]], "distances": [[0.1]]}, (WARM,), CHROMA),
    ("matches", "task", "", {"matches": [{"id": "a", "metadata": {"text": "Warm."}}]}, (WARM,), PINECONE),
    ("texts of a retriever", "task", "retrieve.task", ["Warm and dry."], (Source(source_id=content_id("Warm and dry."), text="Warm and dry."),), "traceloop @task"),
    ("nothing of a retriever", "task", "retrieve.task", [], (), "traceloop @task"),
    ("texts of another step", "task", "split", ["Warm and dry."], None, "traceloop @task"),
    ("messages", "task", "", [{"role": "user", "content": "How warm?"}], None, "traceloop @task"),
    ("sources of a workflow", "workflow", "", {"answer": "Warm.", "source_documents": [{"page_content": "x"}]}, None, LANGCHAIN),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "name", "gave", "documents"), [row[1:5] for row in ENTITIES], ids=[row[0] for row in ENTITIES]
)
def test_documents_in_what_a_step_gave(kind, name, gave, documents):
    facts = read({"traceloop.span.kind": kind, "traceloop.entity.output": json.dumps(gave)}, name)
    assert facts.documents == documents
    assert (facts.output_text is None) == (documents is not None)


def test_a_step_that_reranks_gives_what_it_reranked():
    facts = read(
        {"traceloop.span.kind": "task", "traceloop.entity.output": '[{"id": "a", "text": "Warm."}]'}, "Rerank.task"
    )
    assert (facts.kind, facts.documents, facts.reranked) == ("RERANKER", None, (WARM,))


OUTPUTS = [
    ('{"outputs": {"answer": "Warm."}}', "Warm."),
    (
        '{"outputs": {"claims": [], "refusal": "none", "text": "Warm."}, "kwargs": {}}',
        '{"claims":[],"refusal":"none","text":"Warm."}',
    ),
    ('{"claims": []}', '{"claims":[]}'),
    ('"Warm."', "Warm."),
    ("Warm.", "Warm."),
    ('{"heat": 3}', '{"heat": 3}'),
]


@pytest.mark.parametrize(("gave", "words"), OUTPUTS)
def test_what_a_workflow_answered(gave, words):
    assert read({"traceloop.span.kind": "workflow", "traceloop.entity.output": gave}).output_text == words


INPUTS = [
    ({"input.value": '{"question": "How warm?"}'}, "How warm?"),
    ({"input.value": '"How warm?"'}, "How warm?"),
    ({"input.value": '"Warm," who said that?'}, '"Warm," who said that?'),
    ({"input.value": '{"model": "m", "messages": []}'}, '{"model": "m", "messages": []}'),
    ({"traceloop.entity.input": '{"args": ["How warm?"], "kwargs": {}}'}, "How warm?"),
    ({"traceloop.entity.input": '{"args": [], "kwargs": {"question": "How warm?"}}'}, "How warm?"),
    ({"traceloop.entity.input": '{"inputs": "How warm?"}'}, "How warm?"),
]


@pytest.mark.parametrize(("attributes", "words"), INPUTS)
def test_the_question_is_found_in_what_a_step_took(attributes, words):
    assert read(attributes).input_text == words


def test_items_out_of_order_stand_in_theirs_and_a_gap_is_said():
    facts = read({f"retrieval.documents.{index}.document.id": f"d{index}" for index in (10, 9, 0, 2)})
    assert [source.source_id for source in facts.documents] == ["d0", "d2", "d9", "d10"]
    assert facts.problems == (("gap", "retrieval.documents has 4 items and lacks 7 before the last"),)


def test_ids_that_only_the_output_has_are_taken_from_it():
    flattened = {
        "retrieval.documents.0.document.content": "Warm.",
        "retrieval.documents.0.document.metadata": '{"title": "Heat"}',
    }
    gave = '{"documents": [{"id": "a", "metadata": {"title": "Heat"}, "page_content": "Warm.", "type": "Document"}]}'
    facts = read({"openinference.span.kind": "RETRIEVER", "output.value": gave, **flattened})
    assert facts.documents == (Source(source_id="a", text="Warm.", title="Heat"),)
    assert (facts.hashed, facts.problems) == (False, ())


def test_an_item_may_be_json_under_its_index():
    assert read({"retrieval.documents.0": '{"id": "a", "content": "Warm."}'}).documents == (WARM,)


MIXED = [
    ("ids from one, texts from the other, by rank", '[{"id": "a", "score": 0.5}]', {"content": "Warm."}),
    ("the same ids", '[{"id": "b"}, {"id": "a", "score": 0.5}]', {"id": "a", "content": "Warm."}),
]


@pytest.mark.parametrize(("whole", "item"), [row[1:] for row in MIXED], ids=[row[0] for row in MIXED])
def test_two_conventions_on_a_span_say_one_retrieval(whole, item):
    flattened = {f"retrieval.documents.0.document.{name}": value for name, value in item.items()}
    facts = read({"gen_ai.retrieval.documents": whole, **flattened})
    assert facts.documents[-1] == Source(source_id="a", text="Warm.", score=0.5)
    assert not facts.hashed


MESSAGES = [
    ("OpenAI's", '[{"role": "user", "content": "How warm?"}]', "How warm?", "openai chat.completions"),
    ("parts", '[{"role": "user", "content": [{"type": "text", "text": "How"}, {"type": "text", "text": "warm?"}]}]', "How\nwarm?", "openai"),
    ("Responses", '[{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "How warm?"}]}]', "How warm?", "openai responses"),
    ("LangChain's", '[[{"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "HumanMessage"], "kwargs": {"content": "How warm?"}}]]', "How warm?", LANGCHAIN),
    ("dumped", '[{"type": "human", "content": "How warm?"}]', "How warm?", LANGCHAIN),
    ("wrapped", '{"messages": [{"role": "user", "content": "How warm?"}]}', "How warm?", "a request, whole"),
    ("a text", "How warm?", "How warm?", "a text where a list is due"),
    ("texts", ["How warm?"], "How warm?", "fi-instrumentation-otel 1.1.0: gen_ai.prompts"),
    ("cut", '[{"role": "user", "parts": [{"type": "text", "content": "How warm?', "How warm?", "attribute_value_length_limit of SDKs"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "content"), [row[1:3] for row in MESSAGES], ids=[row[0] for row in MESSAGES])
def test_messages_in_the_forms_of_libraries(value, content):
    facts = read({"gen_ai.input.messages": value})
    assert facts.inputs == (Message("user", content),)
    assert codes(facts) == (["cut"] if isinstance(value, str) and value.endswith("warm?") and value[0] == "[" else [])


def test_what_is_no_text_is_said_by_its_kind():
    image = {"type": "image_url", "image_url": {"url": "https://example.org/x.png"}}
    facts = read({"gen_ai.input.messages": [{"role": "user", "content": [image, {"type": "<b>\n", "x": 1}]}]})
    assert facts.inputs == (Message("user", ""),)
    assert facts.problems == (
        ("parts", "gen_ai.input.messages has a part that is not text: image_url"),
        ("parts", "gen_ai.input.messages has a part that is not text: of an unnamed kind"),
    )


def test_what_a_tool_gave_is_read_as_its_message():
    part = {"type": "tool_call_response", "id": "1", "response": {"heat": 3}}
    assert read({"gen_ai.input.messages": [{"role": "tool", "parts": [part]}]}).inputs == (
        Message("tool", '{"heat":3}'),
    )


FIGURES = [
    ({"llm.token_count.prompt": "12"}, "tokens_in", 12, []),
    ({"llm.token_count.prompt": 12.0}, "tokens_in", 12, []),
    ({"llm.token_count.prompt": -1}, "tokens_in", None, ["type"]),
    ({"llm.token_count.prompt": True}, "tokens_in", None, ["type"]),
    ({"gen_ai.usage.input_tokens": "many", "llm.token_count.prompt": 7}, "tokens_in", 7, ["type"]),
    ({"llm.cost.total": float("inf")}, "cost_usd", None, ["type"]),
    ({"gen_ai.response.finish_reasons": '["length"]'}, "finish", "length", []),
    ({"gen_ai.response.finish_reasons.0": "stop"}, "finish", "stop", []),
    ({"metadata": '{"a": '}, "metadata", {}, ["cut"]),
    ({"metadata": "plain"}, "metadata", None, ["type"]),
    ({"llm.output.citations": '["a", 7]'}, "citations", (TracedCitation("a"), TracedCitation("7")), []),
    ({"llm.output.citations": "[]"}, "citations", (), []),
    (
        {"llm.output.citations": '[{"source_id": "a"}, {"sou'},
        "citations",
        (TracedCitation("a"),),
        ["cut", "empty_citation"],
    ),
    ({"llm.output.citations": "a, b"}, "citations", None, ["type", "unreadable"]),
]


@every_row(("attributes", "name", "value", "problems"), FIGURES)
def test_values_that_lie_about_their_type(attributes, name, value, problems):
    facts = read(attributes)
    assert (getattr(facts, name), codes(facts)) == (value, problems)


@every_row("name", ["", "document", "message", "content", "metadata"])
@every_row("key", ["retrieval.documents", "llm.output_messages", "input.value", "metadata", "traceloop.entity.output"])
def test_what_is_nested_too_deeply_is_said(key, name):
    value = "x"
    for _ in range(2000):
        value = {name: value} if name else [value]
    assert codes(read({key: value})) == ["too_deep"]
    text = '{"a":' * 199 + "1" + "}" * 199
    assert read({key: text}).problems is not None
