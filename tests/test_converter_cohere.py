"""Replies of Cohere's chat interface: what becomes of them, and that they are scored as they should be.

Expected values: the types of cohere-python and the examples of "RAG Citations" for what fields mean, the buckets of the
design for what scores mean.
"""

from __future__ import annotations

import pytest
from converter_examples.cohere import (
    ANNEX,
    ANSWER,
    DOCUMENTS_ASKED,
    FIRST,
    LEASE,
    QUESTION,
    REPLY,
    ROWS,
    TOOL_REPLY,
    TOOL_TURNS,
    cited,
    reply,
    request,
    source,
)

import showable
from showable.converters.cohere import CITED_ONLY, CUT_OFF, FAILED, MISPLACED, NO_DOCUMENTS, Cohere
from showable.converters.exchange import NO_QUESTION, NO_REQUEST
from showable.converters.shape import FieldError, Row
from showable.records.record import Record


def convert(fields):
    return Cohere().convert(Row(fields, "row-1"))


def answered(text, *citations, documents=DOCUMENTS_ASKED, **more):
    return convert({"request": request(documents), "response": reply(text, *citations, **more)})


def scored(text, *citations, **more):
    return showable.score(answered(text, *citations, **more).record, judge="lexical")


def claims(converted):
    return [
        (claim.text, [citation.source_id for citation in claim.citations]) for claim in converted.record.answer.claims
    ]


TWO = "The notice period is 30 days. The rent is 900 euros a month."
REFUSAL = "The documents do not say what the deposit is."
BUCKETS = [
    ("cited and supported", TWO, [("30 days.", "doc:0"), ("900 euros", "doc:1")], "correct", None, 0),
    ("one sentence uncited", TWO, [("30 days.", "doc:0")], "correct", None, 1),
    ("a document that was not there", ANSWER, [("30 days.", "doc:9")], "unsupported", "invented_source", 0),
    ("the wrong document", ANSWER, [("30 days.", "doc:1")], "unsupported", "miscited", 0),
    ("no citation", ANSWER, [], "unsupported", "uncited", 1),
    ("a refusal", REFUSAL, [], "refused", "unjudged", 0),
    ("a refusal that cites", REFUSAL, [("documents", "doc:0")], "refused", "unjudged", 0),
    ("an empty text", "", [], "unknown", "empty_answer", None),
]


@pytest.mark.parametrize(
    ("text", "places", "bucket", "cause", "extra"), [row[1:] for row in BUCKETS], ids=[row[0] for row in BUCKETS]
)
def test_scores(text, places, bucket, cause, extra):
    card = scored(text, *(cited(text, words, source(name)) for words, name in places))
    assert (card.bucket, card.cause, card.extra_claim_count) == (bucket, cause, extra)


def test_the_log_is_the_documents_of_the_request_and_never_those_in_citations():
    record = answered(
        ANSWER, cited(ANSWER, "30 days.", source("doc:9", snippet="The notice period is 30 days."))
    ).record
    assert [(s.source_id, s.title, s.text) for s in record.retrieved] == [
        ("doc:0", "Lease", LEASE),
        ("doc:1", "Annex", ANNEX),
    ]
    alone = convert(REPLY)
    assert (alone.record.retrieved, alone.notes) == (None, (NO_QUESTION, NO_REQUEST))


def test_a_citation_is_no_quotation_and_spans_the_words_it_hangs_on():
    record = answered(ANSWER, cited(ANSWER, "30 days.", source())).record
    (citation,) = record.answer.claims[0].citations
    assert citation.quoted_span is None
    assert record.answer.text[slice(*citation.span)] == "30 days."


DOCUMENTS = [
    # a document of a request, its id, text, title and address
    ("Rent is due.", "doc:0", "Rent is due.", None, None),
    ({"data": "Rent is due."}, "doc:0", "Rent is due.", None, None),
    ({"id": "a", "data": {"text": "Rent is due."}}, "a", "Rent is due.", None, None),
    ({"id": 4, "data": {"text": "Rent is due."}}, "4", "Rent is due.", None, None),
    (
        {"data": {"title": "T", "url": "https://example.com", "snippet": "S", "date": "May"}},
        "doc:0",
        "S\ndate: May",
        "T",
        "https://example.com",
    ),
    ({"data": {"clause": "Rent is due.", "n": 3}}, "doc:0", "clause: Rent is due.\nn: 3", None, None),
    ({"data": '{"text": "Rent is due.", "n": 3}'}, "doc:0", "Rent is due.\nn: 3", None, None),
    ({"data": {"title": "T"}}, "doc:0", None, "T", None),
    ({"data": "{not JSON"}, "doc:0", "{not JSON", None, None),
    ({"title": "T", "text": "S", "secret": "x", "_excludes": ["secret"]}, "doc:0", "S", "T", None),
]


@pytest.mark.parametrize(("document", "source_id", "text", "title", "url"), DOCUMENTS)
def test_documents(document, source_id, text, title, url):
    (read,) = answered(ANSWER, documents=[document]).record.retrieved
    assert (read.source_id, read.text, read.title, read.url) == (source_id, text, title, url)


def test_no_documents_given_is_a_retrieval_that_returned_nothing():
    assert answered(ANSWER, documents=[]).record.retrieved == ()
    assert scored(ANSWER, documents=[]).cause == "answered_on_null_retrieval"
    unlogged = answered(ANSWER, documents=None)
    assert (unlogged.record.retrieved, unlogged.notes) == (None, (NO_DOCUMENTS,))


def test_results_of_tools_are_the_log_by_the_ids_that_citations_use():
    record = convert({"request": {"messages": TOOL_TURNS}, "response": TOOL_REPLY}).record
    assert [(s.source_id, s.text) for s in record.retrieved] == [
        ("look_up_1:0", "clause: The notice period is 30 days.")
    ]
    assert record.question == QUESTION
    assert showable.score(record, judge="lexical").bucket == "correct"
    own = {"type": "document", "document": {"id": "1", "data": "The notice period is 30 days."}}
    turns = [*TOOL_TURNS[:2], {"role": "tool", "tool_call_id": "x", "content": [own]}]
    assert convert({"request": {"messages": turns}, "response": TOOL_REPLY}).record.retrieved[0].source_id == "1"
    spoken = [*TOOL_TURNS[:2], {"role": "tool", "tool_call_id": "x", "content": "30 days"}]
    assert convert({"request": {"messages": spoken}, "response": TOOL_REPLY}).record.retrieved[0].source_id == "x:0"


def test_offsets_count_characters_of_one_content():
    parts = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "Ünder 𝒜: "},
        {"type": "text", "text": ANSWER},
    ]
    place = cited(ANSWER, "30 days.", source(), content_index=2)
    converted = answered("", place, content=parts)
    text = converted.record.answer.text
    assert text == "Ünder 𝒜: " + ANSWER
    assert text[slice(*converted.record.answer.claims[-1].citations[0].span)] == "30 days."
    assert converted.lost == ("usage", "message.content.thinking")


PLACES = [
    # start and end as given, the words that are cited in "The fee is 5 euros. It was 5 euros before."
    (11, 18, "5 euros", (11, 18), False),
    (12, 19, "5 euros", (11, 18), True),
    (30, 37, "5 euros", (27, 34), True),
    (11, 18, "5 dollars", (11, 18), True),
    (0, 900, None, (0, 42), False),
]


@pytest.mark.parametrize(("start", "end", "words", "span", "noted"), PLACES)
def test_words_that_stand_elsewhere_are_looked_for(start, end, words, span, noted):
    text = "The fee is 5 euros. It was 5 euros before."
    converted = answered(text, {"start": start, "end": end, "text": words, "sources": [source()]})
    found = {c.span for claim in converted.record.answer.claims for c in claim.citations}
    assert (found, MISPLACED in converted.notes) == ({span}, noted)


def test_citations_of_a_plan_or_a_thought_are_not_the_answers():
    converted = answered(ANSWER, cited(ANSWER, "30 days.", source(), type="PLAN"))
    assert (converted.record.answer, converted.lost) == (ANSWER, ("usage", "message.tool_plan"))


def test_version_1():
    asked = {"message": QUESTION, "documents": [{"title": "Lease", "snippet": LEASE}, {"snippet": ANNEX}]}
    record = convert({"request": asked, "response": FIRST}).record
    assert (record.id, record.question) == ("g1", QUESTION)
    assert [s.source_id for s in record.retrieved] == ["doc_0", "doc_1"]
    assert showable.score(record, judge="lexical").bucket == "correct"


def test_the_documents_of_a_reply_of_version_1_are_the_cited_ones_and_no_log():
    converted = convert(FIRST)
    assert converted.record.retrieved is None
    assert converted.notes == (NO_REQUEST, CITED_ONLY)
    assert converted.record.question == QUESTION  # from the history that the reply holds


NOTES = [
    (reply(ANSWER, finish_reason="MAX_TOKENS"), CUT_OFF),
    (reply("", finish_reason="ERROR"), FAILED),
]


@pytest.mark.parametrize(("fields", "note"), NOTES)
def test_notes(fields, note):
    assert note in convert(fields).notes


def test_the_question_may_be_recorded_alone():
    converted = convert({"input": QUESTION, "output": REPLY})
    assert (converted.record.question, converted.record.retrieved) == (QUESTION, None)
    assert NO_REQUEST in converted.notes


@pytest.mark.parametrize("row", ROWS)
def test_examples_fit_and_can_be_written_down(row):
    assert Cohere().fits(row)
    record = convert(row).record
    assert Record.model_validate_json(record.model_dump_json()) == record


FOREIGN = [
    # a choice of a chat completion, which has a message and a finish_reason too
    {"index": 0, "message": {"role": "assistant", "content": "a"}, "finish_reason": "stop"},
    {"index": 0, "message": {"role": "assistant", "content": None}, "finish_reason": "STOP"},
    {"message": {"role": "assistant", "content": "a"}, "finish_reason": "COMPLETE"},
    {"text": "a", "citations": []},
    {"text": "a", "citations": ["b"]},
    {"text": ["a"], "generation_id": "g"},
    {"text": "a", "source_id": "b"},
    {"question": "q", "answer": "a", "citations": [{"start": 0, "end": 1, "document_ids": []}]},
    {},
]


@pytest.mark.parametrize("fields", FOREIGN)
def test_what_is_of_another_shape(fields):
    assert not Cohere().fits(fields)
    with pytest.raises(FieldError):
        convert(fields)


FAULTS = [
    (reply(ANSWER, {"start": "0", "end": 4}), "message.citations[0].start: expected a whole number, got text"),
    (reply(ANSWER, {"start": 4, "end": 0}), "message.citations[0].start: expected start and end"),
    (reply(ANSWER, {"start": 0}), "message.citations[0].start: expected start and end"),
    (reply("", content=[{"type": "text", "text": 5}]), "message.content[0].text: expected a string, got a number"),
    ({"request": {"documents": 5}, "response": REPLY}, "request.documents: expected a list, got a number"),
    ({"request": {"documents": [5]}, "response": REPLY}, "request.documents[0]: expected a document"),
]


@pytest.mark.parametrize(("fields", "told"), FAULTS)
def test_faults_are_named_by_their_path(fields, told):
    with pytest.raises(FieldError) as caught:
        convert(fields)
    assert str(caught.value).startswith(told)
