"""Replies of OpenAI's interfaces: what becomes of them, and that they are scored as they should be.

Expected values: the types of openai-python and the examples of its guides for what fields mean (`index` of a file_citation:
issue 2512 of openai/openai-python), the buckets of the design for what scores mean.
"""

from __future__ import annotations

import pytest
from converter_examples.openai_responses import (
    ANSWER,
    DOCUMENTS,
    LEASE,
    LINK,
    LINKED,
    MARKED,
    QUESTION,
    RESPONSE,
    ROWS,
    WEB_PAGE,
    completion,
    file_citation,
    found,
    mark,
    response,
    search,
    spoken,
    thread_message,
    url_citation,
)

import showable
from showable.converters.chat_completion import CUT_OFF, ONE_CHOICE, STOPPED
from showable.converters.exchange import NO_QUESTION
from showable.converters.openai_annotations import _Marks
from showable.converters.openai_file_search import NOT_INCLUDED
from showable.converters.openai_responses import (
    CONTINUES,
    FAILED,
    NO_LOG,
    OpenAIResponses,
)
from showable.converters.shape import FieldError, Row
from showable.records.record import Record

FOUND = found()


def convert(fields):
    return OpenAIResponses().convert(Row(fields, "row-1"))


def answered(text, *annotations, results=(FOUND,)):
    return convert({"input": QUESTION, "output": response(search(*results), spoken(text, *annotations))})


def claims(converted):
    return [(c.text, [each.source_id or each.url for each in c.citations]) for c in converted.record.answer.claims]


REFUSAL = "The documents do not say what the deposit is."
BUCKETS = [
    ("both sentences cited", ANSWER, [file_citation(28), file_citation(len(ANSWER))], "correct", None, 0),
    ("one sentence uncited", ANSWER, [file_citation(len(ANSWER))], "correct", None, 1),
    ("a file that was not found", ANSWER, [file_citation(28, "file-x")], "unsupported", "invented_source", 1),
    ("no annotation", ANSWER, [], "unsupported", "uncited", 2),
    ("not in the file", "The notice period is 90 days.", [file_citation(28)], "wrong", "contradicts_source", 0),
    ("a refusal", REFUSAL, [], "refused", "unjudged", 0),
    ("a refusal that cites", REFUSAL, [file_citation(len(REFUSAL))], "refused", "unjudged", 0),
    ("no words", "", [], "unknown", "empty_answer", None),
]


@pytest.mark.parametrize(
    ("text", "annotations", "bucket", "cause", "extra"), [row[1:] for row in BUCKETS], ids=[row[0] for row in BUCKETS]
)
def test_scores(text, annotations, bucket, cause, extra):
    card = showable.score(answered(text, *annotations).record, judge="lexical")
    assert (card.bucket, card.cause, card.extra_claim_count) == (bucket, cause, extra)


POINTS = [
    # a text, the points of its annotations, and how many citations each claim gets
    (ANSWER, [28], [1, 0]),  # before the full stop
    (ANSWER, [29], [1, 0]),  # behind it
    (ANSWER, [30], [1, 0]),  # where the next sentence begins
    (ANSWER, [31], [0, 1]),
    (ANSWER, [len(ANSWER), len(ANSWER) + 99], [0, 1]),
    ("The fee is 5%, and the term is 3 years.", [38], [1, 1]),  # it closes both parts, as a marker there does
    ("The fee is 5%, and the term is 3 years.", [13, 38], [1, 1]),
    ("The fee is 5%, and the term is 3 years.", [13], [1, 0]),
    ("Key terms:\n\n- The fee is 5%\n- The term is 3 years", [27], [1, 0]),
    ("Key terms:\n\n- The fee is 5%\n- The term is 3 years", [10], [1, 1]),
    ("Hello!", [6], None),
]


@pytest.mark.parametrize(("text", "points", "counts"), POINTS)
def test_points(text, points, counts):
    record = answered(text, *(file_citation(point) for point in points)).record
    assert [len(claim.citations) for claim in record.answer.claims] == (counts or [])


def test_the_log_is_what_file_search_found():
    results = [
        found(score=0.4),
        found("file-annex", "The rent is 900 euros.", filename="annex.pdf"),
        found(text="More."),
    ]
    record = answered(ANSWER, file_citation(28), results=[*results, found()]).record
    assert [(s.source_id, s.title, s.text, s.score) for s in record.retrieved] == [
        ("file-lease", "lease.pdf", f"{LEASE}\n\nMore.", 0.9),
        ("file-annex", "annex.pdf", "The rent is 900 euros.", 0.9),
    ]
    assert record.retrieved[0].metadata == {"passages": 2}


def test_searches_of_earlier_turns():
    cites = spoken(ANSWER, file_citation(28, "file-early"))
    kept = response(search(found()), cites, previous_response_id="resp_0")
    assert convert(kept).record.retrieved is None
    assert CONTINUES in convert(kept).notes
    assert (
        convert(response(search(found("file-early")), cites, previous_response_id="resp_0")).record.retrieved
        is not None
    )
    handed_on = [search(found("file-early")), {"role": "user", "content": QUESTION}]
    record = convert({"request": {"input": handed_on}, "response": response(search(found()), cites)}).record
    assert [source.source_id for source in record.retrieved] == ["file-early", "file-lease"]


def test_what_is_known_of_a_file_is_kept():
    given = {"status": "superseded", "year": 2020, "draft": False}
    record = answered(ANSWER, file_citation(28), results=[found(attributes=given)]).record
    assert record.retrieved[0].metadata == given
    assert showable.score(record, judge="lexical").cause == "bad_source"


LOGS = [
    ([search()], (), ()),
    ([search(included=False)], None, (NOT_INCLUDED,)),
    ([search(found()), search(included=False)], None, (NOT_INCLUDED,)),
    ([], None, (NO_LOG,)),
]


@pytest.mark.parametrize(("searches", "retrieved", "notes"), LOGS)
def test_no_results(searches, retrieved, notes):
    converted = convert({"input": QUESTION, "output": response(*searches, spoken(ANSWER, file_citation(28)))})
    assert (converted.record.retrieved, converted.notes) == (retrieved, notes)


def test_a_retrieval_that_found_nothing():
    card = showable.score(answered(ANSWER, results=[]).record, judge="lexical")
    assert card.cause == "answered_on_null_retrieval"


def test_messages_stand_one_after_the_other_and_annotations_with_them():
    converted = convert(
        response(search(found()), spoken("I will look.", file_citation(3)), spoken(ANSWER, file_citation(28)))
    )
    assert converted.record.answer.text == f"I will look.\n\n{ANSWER}"
    assert claims(converted)[0] == ("The notice period is 30 days", ["file-lease"])


def test_a_link_that_the_text_holds_is_cited_once():
    for given in (response(spoken(LINKED, LINK)), completion(LINKED, WEB_PAGE)):
        converted = convert(given)
        assert claims(converted) == [("The notice period is 30 days", ["https://example.com/a"])]
        assert NO_LOG in converted.notes


def test_a_page_may_be_cited_for_words():
    text = "The notice period is 30 days. The rent is 900 euros."
    converted = convert(response(spoken(text, url_citation(text, "The rent is 900 euros."))))
    assert claims(converted) == [
        ("The notice period is 30 days", []),
        ("The rent is 900 euros", ["https://example.com/a"]),
    ]


def test_marks_of_threads_are_taken_out_of_the_text():
    text = "The notice period is 30 days【4:0†source】【4:1†source】. It must be given in writing【4:0†source】."
    first, second = (
        mark(text, "【4:0†source】", quote="The notice period is 30 days."),
        mark(text, "【4:1†source】", "file-b"),
    )
    again = {**first, "start_index": text.rindex("【"), "end_index": len(text) - 1}
    converted = convert(thread_message(text, first, second, again))
    assert converted.record.answer.text == ANSWER
    assert claims(converted) == [
        ("The notice period is 30 days", ["file-lease", "file-b"]),
        ("It must be given in writing", ["file-lease"]),
    ]
    assert converted.record.answer.claims[0].citations[0].quoted_span == "The notice period is 30 days."
    loose = showable.score(converted.record, judge="lexical").loose
    assert not loose


def test_a_mark_that_stands_elsewhere_is_looked_for():
    given = {**mark(MARKED, "【4:0†source】"), "start_index": 2, "end_index": 14}
    converted = convert(thread_message(MARKED, given))
    assert converted.record.answer.text == "The notice period is 30 days."
    assert claims(converted) == [("The notice period is 30 days", ["file-lease"])]


def test_offsets_move_as_marks_are_taken_out():
    marks = _Marks("ab[1]cd[2]e")
    marks.take_out(2, 5)
    marks.take_out(7, 10)
    marks.take_out(8, 9)
    assert marks.cleaned == "abcde"
    assert [marks.moved(at) for at in range(12)] == [0, 1, 2, 2, 2, 2, 3, 4, 4, 4, 4, 5]


def test_a_listed_thread_gives_each_answer_its_question():
    shape = OpenAIResponses()
    for data in (
        DOCUMENTS[0]["data"],
        list(reversed([{**m, "created_at": 9 - i} for i, m in enumerate(DOCUMENTS[0]["data"])])),
    ):
        ((place, fields),) = shape.rows({"object": "list", "data": data})
        record = shape.convert(Row(fields, "row-1", place=place)).record
        assert (record.id, record.question) == ("msg_assistant", QUESTION)
    assert shape.rows({"object": "list", "data": []}) is None
    assert shape.rows([RESPONSE]) is None
    assert shape.rows({"object": "list", "data": [{"object": "model"}]}) is None


QUESTIONS = [
    ({"input": QUESTION}, QUESTION),
    ({"input": [{"role": "user", "content": QUESTION}, {"type": "item_reference", "id": "a"}]}, QUESTION),
    ({"input": [{"role": "user", "content": [{"type": "input_text", "text": QUESTION}]}, {"role": "assistant", "content": "x"}]}, QUESTION),
    ({"messages": [{"role": "system", "content": "x"}, {"role": "user", "content": QUESTION}]}, QUESTION),
    ([{"role": "user", "content": QUESTION}], QUESTION),
    (QUESTION, QUESTION),
    ({"model": "gpt-test"}, ""),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "question"), QUESTIONS)
def test_questions(asked, question):
    converted = convert({"request": asked, "response": RESPONSE})
    assert (converted.record.question, NO_QUESTION in converted.notes) == (question, not question)


def refusing(text):
    return response(
        {
            "type": "message",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "refusal", "refusal": text}],
        }
    )


def test_a_refusal_of_the_model_is_the_answer():
    said = "I'm sorry, but I can't help with that."
    for given in (refusing(said), completion(None, refusal=said)):
        record = convert(given).record
        assert record.answer == said
        assert showable.score(record, judge="lexical").bucket == "refused"


def test_an_answer_given_as_a_function_call_is_read_from_it():
    arguments = '{"claims": [{"text": "The notice period is 30 days.", "citations": [{"source_id": "file-lease"}]}]}'
    call = {"type": "function_call", "call_id": "c", "name": "answer", "arguments": arguments, "status": "completed"}
    converted = convert({"input": QUESTION, "output": response(search(found()), call)})
    assert (showable.score(converted.record, judge="lexical").bucket, converted.lost) == ("correct", ())
    other = convert(response({**call, "arguments": "{}"}))
    assert (other.record.answer, other.lost) == ("", ("tool_calls",))
    chat = {"id": "c", "type": "function", "function": {"name": "answer", "arguments": arguments}}
    assert showable.score(convert(completion(None, tool_calls=[chat])).record, judge="lexical").claims


NOTES = [
    (response(status="incomplete", incomplete_details={"reason": "max_output_tokens"}), CUT_OFF),
    (response(status="incomplete", incomplete_details={"reason": "content_filter"}), STOPPED),
    (response(status="failed", error={"code": "server_error", "message": "x"}), FAILED),
    ({**completion("a"), "choices": completion("a")["choices"] * 2}, ONE_CHOICE),
]


@pytest.mark.parametrize(("fields", "note"), NOTES)
def test_notes(fields, note):
    assert note in convert(fields).notes


def test_files_that_a_tool_made_are_cited_nowhere():
    made = [
        {"type": "file_path", "file_id": "file-m", "index": 4},
        {"type": "container_file_citation", "file_id": "cfile", "container_id": "c", "start_index": 0, "end_index": 4},
    ]
    converted = answered(ANSWER, *made)
    assert converted.record.answer == ANSWER
    assert converted.lost == ("output.content.annotations.container_file_citation",)


@pytest.mark.parametrize("row", ROWS)
def test_examples_fit_and_can_be_written_down(row):
    assert OpenAIResponses().fits(row)
    record = convert(row).record
    assert Record.model_validate_json(record.model_dump_json()) == record


FOREIGN = [
    {"object": "response"},
    {"object": "response", "output": "a"},
    {"object": "thread.message", "role": "user", "content": []},
    {"object": "list", "data": []},
    {"object": ["response"], "output": []},
    {"output": [], "status": "completed"},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a", "annotations": []}]},
    {"response": "a", "user_input": "q"},
    {},
]


@pytest.mark.parametrize("fields", FOREIGN)
def test_what_is_of_another_shape(fields):
    assert not OpenAIResponses().fits(fields)
    with pytest.raises(FieldError):
        convert(fields)


PART = "output[0].content[0].annotations[0]"
FAULTS = [
    (response(spoken("a", {"type": "file_citation", "file_id": "f"})), f"{PART}.index: expected a whole number from 0"),
    (response(spoken("a", {"type": "file_citation", "index": 1})), f"{PART}.file_id: expected the id of the file"),
    (response(spoken("a", {"type": "url_citation", "url": "x"})), f"{PART}.start_index: expected start_index and"),
    (response(spoken("a", 5)), f"{PART}: expected an object, got a number"),
    (response(spoken(5)), "output[0].content[0].text: expected a string, got a number"),
    (response(search({"text": "a"})), "output[0].results[0].file_id: expected the id of the file"),
    (response(search(found(score="high"))), "output[0].results[0].score: expected a number, got text"),
]


@pytest.mark.parametrize(("fields", "told"), FAULTS)
def test_faults_are_named_by_their_path(fields, told):
    with pytest.raises(FieldError) as caught:
        convert(fields)
    assert str(caught.value).startswith(told)
