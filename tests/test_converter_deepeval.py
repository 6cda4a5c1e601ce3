"""Test cases of DeepEval. The names are those of `deepeval.test_case`, `deepeval.dataset` and `deepeval.test_run` 4.3."""

import json

import pytest
from converter_examples.deepeval import DOCUMENTS, ROWS
from tables import every_row

import showable
from showable.converters.convert_file import open_records
from showable.converters.deepeval import PARTED, DeepEval, snake
from showable.converters.fields import NO_ANSWER, NO_LOG
from showable.converters.shape import FieldError, Row

Q = {"input": "What is the capital of France?", "actual_output": "Paris [1]."}


def convert(**fields):
    return DeepEval().convert(Row(fields, "row-1", line=1))


def test_a_test_case_becomes_a_record_and_loses_its_costs():
    made = DeepEval().convert(Row(ROWS[0], "row-1"))
    record = made.record
    assert (record.question, record.answer) == (ROWS[0]["input"], ROWS[0]["actual_output"])
    assert [source.source_id for source in record.retrieved] == ["1", "2"]
    assert record.gold.answer == "June 26, 2015"
    assert [one.source_id for one in record.gold.evidence] == ["1"]
    assert record.metadata == {"court": "Supreme Court", "name": "obergefell", "tags": ["law"]}
    assert made.lost == ("token_cost", "completion_time")


def test_what_a_saved_run_writes_is_read_by_its_own_names_and_loses_its_scores():
    made = DeepEval().convert(Row(ROWS[1], "row-1"))
    assert (made.record.answer, made.record.gold.answer) == ("Paris.", "Paris")
    assert [(one.source_id, one.text) for one in made.record.retrieved] == [
        ("atlas.pdf", "Paris is the capital of France.")
    ]
    assert made.lost == ("toolsCalled", "success", "metricsData", "runDuration", "order")
    assert "success" not in made.record.metadata


def test_the_ideal_context_is_never_the_retrieval_log():
    record = convert(**Q, context=["Paris is the capital of France."]).record
    assert record.retrieved is None
    assert record.gold is None
    made = convert(**Q, context=["a", "b"], retrieval_context=["a"])
    assert (made.record.gold, made.lost) == (None, ("context",))
    made = convert(**Q, context=["a"], retrieval_context=[])
    assert made.record.retrieved == ()
    assert made.lost == ("context",)


def sources(**fields):
    retrieved = convert(**Q, **fields).record.retrieved
    return None if retrieved is None else [(one.source_id, one.title, one.text) for one in retrieved]


RETRIEVED = [
    (None, None),
    ([], []),
    (["a", "b"], [("1", None, "a"), ("2", None, "b")]),
    ("a|b", [("1", None, "a"), ("2", None, "b")]),
    ('["a|b"]', [("1", None, "a|b")]),
    ("a", [("1", None, "a")]),
    ([{"context": "a", "source": "x"}, {"context": "b", "source": "y"}], [("x", None, "a"), ("y", None, "b")]),
    ([{"context": "a", "source": "x"}, {"context": "b", "source": "x"}], [("1", "x", "a"), ("2", "x", "b")]),
    (["deepeval_source=x,deepeval_context=a, b", "c"], [("1", "x", "a, b"), ("2", None, "c")]),
    ("deepeval_source=x,deepeval_context=a|deepeval_source=y,deepeval_context=b", [("x", None, "a"), ("y", None, "b")]),
]


@every_row(("given", "expected"), RETRIEVED)
@every_row("name", ["retrieval_context", "retrievalContext"])
def test_the_retrieval_context_is_the_log_in_every_form_that_is_written(name, given, expected):
    assert sources(**{name: given}) == expected


def test_contexts_that_were_joined_are_parted_and_that_is_said():
    assert PARTED in convert(**Q, retrieval_context="a|b").notes
    assert convert(**Q, retrieval_context=["a|b"]).notes == ()


@pytest.mark.parametrize(
    ("fields", "field", "said"),
    [
        ({"actual_output": 7}, "actual_output", "expected a string, got a number"),
        ({"input": None}, "input", "expected a text"),
        ({"retrieval_context": [7]}, "retrieval_context[0]", "expected a text, or an object with context and source"),
        ({"retrieval_context": [{"context": 7, "source": "x"}]}, "retrieval_context[0]", "expected a text"),
        ({"retrieval_context": {"a": 1}}, "retrieval_context", "expected a list of strings, got dict"),
        ({"context": [1]}, "context", "expected a list of strings"),
        ({"metadata": [1]}, "metadata", "expected an object"),
        ({"additional_metadata": "{'a': "}, "additional_metadata", "neither JSON nor Python"),
        ({"actualOutput": "Lyon."}, "actualOutput", "expected what actual_output says, under both of its names"),
        ({"turns": []}, "turns", "conversations are not read"),
    ],
)
def test_a_field_that_is_not_what_deepeval_writes_is_named(fields, field, said):
    with pytest.raises(FieldError) as told:
        convert(**(Q | fields))
    assert told.value.field == field
    assert said in told.value.message


@every_row("name", ["metadata", "additional_metadata", "additionalMetadata", "custom_column_key_values"])
@every_row("written", [dict, json.dumps, repr])
def test_metadata_is_carried_over_under_all_its_names(name, written):
    assert convert(**Q, **{name: written({"team": "blue"})}).record.metadata == {"team": "blue"}


def test_a_golden_without_an_answer_is_said():
    made = convert(input="Q", expected_output="R")
    assert (made.record.answer, made.notes) == (None, (NO_ANSWER, NO_LOG))


def test_the_documents_of_saved_runs_are_taken_apart():
    places = [[place for place, _ in DeepEval().rows(document)] for document in DOCUMENTS]
    assert places == [["testCases[0]"], ["test_results[0]"], ["testRunData.testCases[0]"]]
    assert DeepEval().rows({"testCases": [{"vars": {}}]}) is None


def test_conversations_of_a_saved_run_are_told_and_not_passed_over(tmp_path):
    path = tmp_path / "run.json"
    path.write_text(json.dumps(DOCUMENTS[0] | {"conversationalTestCases": [{"name": "c", "turns": []}]}))
    with open_records(path) as reading:
        assert reading.found.records == 1
        assert [str(problem) for problem in reading.found.problems] == [
            f"{path}: conversationalTestCases[0].turns: expected a test case of one turn: conversations are not read"
        ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("actualOutput", "actual_output"),
        ("actual_output", "actual_output"),
        ("mcpToolsCalled", "mcp_tools_called"),
        ("input", "input"),
    ],
)
def test_names_are_compared_as_python_writes_them(name, expected):
    assert snake(name) == expected


def test_a_table_in_deepevals_names_is_read_as_deepevals(tmp_path):
    path = tmp_path / "goldens.csv"
    path.write_text(
        "input,actual_output,expected_output,retrieval_context,context,name,tools_called,additional_metadata\n"
        'Q,"A [2].",G,one|two,one,,"[{""name"": ""t""}]","{""team"": ""blue""}"\n'
    )
    with open_records(path) as reading:
        assert (reading.found.name, reading.found.records) == ("deepeval", 1)
        assert reading.found.lost == {"tools_called": 1}


def test_markers_resolve_and_are_judged_after_conversion():
    fields = Q | {"retrieval_context": ["Lyon is a large city in France.", "Paris is the capital of France."]}

    def bucket(answer):
        card = showable.score(
            convert(**(fields | {"actual_output": answer}), expected_output="Paris").record, judge="lexical"
        )
        return card.bucket, card.cause

    assert bucket("Paris is the capital of France [2].") == ("correct", None)
    assert bucket("Paris is the capital of France [1].")[1] == "miscited"
    assert bucket("Paris is the capital of France [3].")[1] == "invented_source"
