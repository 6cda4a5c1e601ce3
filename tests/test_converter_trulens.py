"""TruLens: `schema/groundtruth.py`, `schema/record.py`, the BEIR loader, and the table of `get_records_and_feedback`."""

import json

import pytest
from converter_examples.trulens import ROWS

import showable
from showable.converters.fields import FAILED, NO_ANSWER, NO_LOG
from showable.converters.shape import FieldError, Row
from showable.converters.trulens import FROM_CALLS, GOLDEN, IN_CALLS, NAMELESS, TruLens

ANSWER = "Swifts nest under eaves [1]."
RECORDED = {"record_id": "r", "app_id": "a", "input": "Where do swifts nest?", "output": ANSWER}
GOLD = {"query": "Where do swifts nest?", "expected_response": "Under eaves."}


def convert(base, **changed):
    return TruLens().convert(Row(base | changed, "row-1", line=1))


def call(name, returned):
    return {"stack": [{"path": "app", "method": {"name": name}}], "args": {}, "rets": returned}


def test_a_golden_row_is_a_question_with_gold_and_no_answer():
    made = convert(GOLD)
    assert (made.record.answer, made.record.retrieved, made.record.gold.answer) == (None, None, "Under eaves.")
    assert made.notes == (GOLDEN, NO_LOG)
    card = showable.score(made.record, judge="lexical")
    assert (card.bucket, card.cause) == ("unknown", "empty_answer")


@pytest.mark.parametrize(
    ("chunks", "log", "evidence", "notes"),
    [
        ([{"id": "c1", "text": "x"}, {"chunk_id": 7, "text": "y"}], None, ["c1", "7"], ()),
        (["Swifts nest under eaves."], ["a", "Swifts nest  under eaves."], ["2"], ()),
        (["Swifts nest under eaves."], ["a"], [], (NAMELESS,)),
        # a part of the evidence would pass for all of it
        (["Swifts nest under eaves.", "b"], ["Swifts nest under eaves."], [], (NAMELESS,)),
        ([{"id": "c1", "text": "x"}, "b"], ["a"], [], (NAMELESS,)),
        # source: BEIR's qrels give 0 to a passage that is judged and not relevant
        ([{"id": "c1", "text": "x", "expected_score": 0}, {"id": "c2", "text": "y", "expected_score": 2}], None, ["c2"], ()),
        ("Swifts nest under eaves.", ["Swifts nest under eaves."], ["1"], ()),
        ([], ["a"], [], ()),
    ],
)  # fmt: skip
def test_expected_chunks_are_gold_evidence_and_never_the_log(chunks, log, evidence, notes):
    made = convert(GOLD, expected_chunks=chunks, response=ANSWER, retrieved_contexts=log)
    assert [one.source_id for one in made.record.gold.evidence] == evidence
    assert [source.text for source in made.record.retrieved or ()] == (log or [])
    assert made.notes == ((NO_LOG,) if log is None else ()) + notes
    assert made.lost == (("expected_chunks",) if notes else ())


LANGCHAIN = [{"page_content": "Swifts nest under eaves.", "metadata": {"source": "birds.txt"}, "type": "Document"}]
LLAMA = [{"node": {"id_": "n1", "text": "Swifts nest under eaves.", "metadata": {}}, "score": 0.8}]


@pytest.mark.parametrize(
    ("calls", "expected", "note"),
    [
        ([call("retrieve", ["Swifts nest under eaves."])], ["1"], FROM_CALLS),
        ([call("_get_relevant_documents", LANGCHAIN), call("get_relevant_documents", LANGCHAIN)], ["birds.txt"], FROM_CALLS),
        ([call("_retrieve", LLAMA), call("query", {"response": "x"})], ["n1"], FROM_CALLS),
        ([call("retrieve", [])], [], FROM_CALLS),
        ([call("retrieve", ["a"]), call("retrieve", ["b"])], None, IN_CALLS),  # several retrievals: none is the log
        ([call("search", ["a"])], None, IN_CALLS),
        ([call("retrieve", {"documents": [["a"]]})], None, IN_CALLS),
        ([{"stack": None}, 7, {"stack": [None]}, {"stack": [{"method": "retrieve"}]}], None, IN_CALLS),
        ([], None, NO_LOG),
    ],
)  # fmt: skip
def test_the_log_is_what_one_retrieving_method_returned(calls, expected, note):
    for record in ({"calls": calls}, json.dumps({"calls": calls})):
        made = convert(RECORDED, record_json=record)
        log = made.record.retrieved
        assert (log if log is None else [source.source_id for source in log]) == expected
        assert note in made.notes


@pytest.mark.parametrize(
    ("question", "answer", "read"),
    [
        # source: `orm.Record.parse` keeps both as JSON; older tables show them so
        ('"Where?"', '"There \\"now\\"."', ("Where?", 'There "now".')),
        ('"Where?"', "There.", ('"Where?"', "There.")),
        ('"Where?"', "null", ("Where?", None)),
        ("Where?", '"There."', ("Where?", '"There."')),
    ],
)
def test_texts_in_json_are_read_where_both_are(question, answer, read):
    record = convert(RECORDED, input=question, output=answer).record
    assert (record.question, record.answer) == read


def test_a_failed_app_has_no_answer_and_says_so():
    made = TruLens().convert(Row(ROWS[4], "row-5"))
    assert made.record.answer is None
    assert made.notes == (NO_LOG, FAILED)
    assert convert(RECORDED, output=None).notes == (NO_LOG, NO_ANSWER)


def test_feedback_is_lost_and_what_names_the_app_is_kept():
    made = TruLens().convert(Row(ROWS[3], "row-4"))
    assert {"Groundedness", "Groundedness_calls", "Groundedness feedback cost in USD"} <= set(made.lost)
    assert made.record.metadata["app_name"] == "birds"


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, ("correct", None)),
        ({"output": "Swifts nest under eaves [9]."}, ("unsupported", "invented_source")),
        ({"output": "The documents do not say where they nest."}, ("refused", "unjudged")),
        ({"output": None, "main_error": "Timeout"}, ("unknown", "empty_answer")),
    ],
)
def test_a_record_lands_where_a_person_puts_it(changed, expected):
    made = convert(RECORDED, record_json={"calls": [call("retrieve", ["Swifts nest under eaves.", "b"])]}, **changed)
    card = showable.score(made.record, judge="lexical")
    assert (card.bucket, card.cause) == expected


@pytest.mark.parametrize(
    ("base", "changed", "said"),
    [
        (GOLD, {"query": None}, "query: expected a string, got null"),
        (GOLD, {"expected_response": ["a"]}, "expected_response: expected a string, got a list"),
        (GOLD, {"expected_chunks": 7}, "expected_chunks: expected a list, got a number"),
        (GOLD, {"expected_chunks": [[]]}, "expected_chunks[0]: expected text or an object, got a list"),
        (RECORDED, {"input": None}, "main_input: this field is missing"),
        (RECORDED, {"input": {"a": 1}}, "input: expected a string, got an object"),
        (RECORDED, {"output": 7}, "output: expected a string, got a number"),
        (RECORDED, {"record_id": []}, "record_id: expected a string or a whole number, got a list"),
    ],
)
def test_a_wrong_type_is_named_with_its_field(base, changed, said):
    with pytest.raises(FieldError) as told:
        convert(base, **changed)
    assert str(told.value) == said
