"""open-rag-eval: the tables of its connectors and evaluators, its report, its web service."""

import csv
import json

import pytest
from converter_examples.open_rag_eval import DOCUMENTS, ROWS, TABLE

import showable
from showable.converters.convert_file import open_records
from showable.converters.fields import FAILED, NO_ANSWER, NO_LOG
from showable.converters.open_rag_eval import FIRST_RUN, REBUILT, OpenRagEval
from showable.converters.shape import FieldError, Row
from showable.errors import InputError
from showable.records.record_file import read_record_lines

SHAPE = OpenRagEval()
BASE = {
    "query_id": "q",
    "query": "Is chalk soft?",
    "retrieved_passages": {"[1]": "Chalk is soft.", "[2]": "Slate is thin."},
    "generated_answer": [{"text": "Chalk is soft", "citations": ["[1]"]}],
}


def convert(**changed):
    return SHAPE.convert(Row(BASE | changed, "row-1", line=1))


def part(text, *citations):
    return {"text": text, "citations": list(citations)}


@pytest.mark.parametrize(
    ("parts", "answer"),
    [
        # source: `RAGResultsLoader._parse_generated_answer`, which cuts at markers and strips what is between them
        ([part("Dense", "[1]"), part("Big and round", "[2]", "[3]")], "Dense [1] Big and round [2][3]"),
        ([part("Dense", "[1]"), part(". And big", "[2]"), part(".")], "Dense [1]. And big [2]."),
        ([part("Nothing cited.")], "Nothing cited."),
        ([part("By id", "c-3"), part("and number", 4)], "By id [c-3] and number [4]"),
    ],
)
def test_an_answer_is_put_together_with_its_markers(parts, answer):
    for given in (parts, json.dumps(parts)):
        made = convert(generated_answer=given)
        assert made.record.answer == answer
        assert made.notes == (REBUILT,)


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        (None, NO_ANSWER),
        (float("nan"), NO_ANSWER),
        ([], NO_ANSWER),
        ("NO_ANSWER", NO_ANSWER),  # source: `utils/constants.py`
        ("API_ERROR", FAILED),
    ],
)
def test_an_answer_that_is_none_is_null(answer, note):
    made = convert(generated_answer=answer)
    assert made.record.answer is None
    assert note in made.notes
    assert showable.score(made.record, judge="lexical").bucket == "unknown"


def test_text_that_only_looks_like_parts_is_text():
    for text in ("[1] is the source.", "[]x", '["a"]', "[1, 2]"):
        assert convert(generated_answer=text).record.answer == text


@pytest.mark.parametrize(
    ("passages", "ids"),
    [
        ({"[2]": "a", "[3]": "b"}, ["2", "3"]),  # source: its own test table has a query whose first passage is [2]
        ({"c-3": "a"}, ["c-3"]),
        (json.dumps({"[1]": "a"}), ["1"]),
        ({}, []),
        (None, None),
    ],
)
def test_passages_are_called_what_markers_call_them(passages, ids):
    log = convert(retrieved_passages=passages).record.retrieved
    assert (log if log is None else [source.source_id for source in log]) == ids


def test_a_number_that_is_an_id_is_no_position():
    made = SHAPE.convert(Row(ROWS[2], "row-3"))
    assert [source.source_id for source in made.record.retrieved] == ["3"]
    assert showable.score(made.record, judge="lexical").bucket == "correct"


def test_the_runs_of_a_report_are_records_of_their_own():
    found = list(SHAPE.rows(DOCUMENTS[0]))
    assert [place for place, _ in found] == ["evaluation[0].runs[0]", "evaluation[0].runs[1]"]
    made = [SHAPE.convert(Row(fields, "row")) for _, fields in found]
    assert [one.record.id for one in made] == ["q-1", "q-1#2"]
    assert [one.record.metadata for one in made] == [{"run": "1"}, {"run": "2"}]
    assert made[0].lost == ("consistency", "retrieval_score_x")


def test_of_a_row_with_several_runs_the_first_is_taken_and_that_is_said():
    made = SHAPE.convert(Row(ROWS[1], "row-2"))
    assert made.record.answer == "Slate splits into thin sheets [2]"
    assert made.notes == (FIRST_RUN, REBUILT)
    assert "run_2_generated_answer" in made.lost


def test_a_golden_answer_is_gold_and_its_scores_are_lost():
    made = SHAPE.convert(Row(ROWS[0], "row-1"))
    assert made.record.gold.answer == "Basalt is an igneous rock."
    assert made.lost == ("retrieval_score_mean_umbrela_score", "generation_score_citation_f1_score")


def table(tmp_path, rows):
    """Write rows as a table, convert it as any file is, and give the records and what was said."""
    path = tmp_path / "answers.csv"
    with path.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    with open_records(path) as reading:
        return [line.value for line in read_record_lines(reading.path)], reading.found


def test_rows_of_a_table_of_answers_are_put_together(tmp_path):
    # source: `RAGResultsLoader.load`, which groups by query_id and query_run and takes the first answer that is there
    records, found = table(tmp_path, TABLE)
    assert (found.name, found.rejected) == ("open-rag-eval", 0)
    assert [one.id for one in records] == ["a", "a#2", "b", "c"]
    assert [one.answer for one in records] == ["Chalk is soft [2].", "Yes [1].", None, None]
    logs = [one.retrieved and [(source.source_id, source.text) for source in one.retrieved] for one in records]
    assert logs == [[("2", "Chalk is soft."), ("3", "Basalt is hard.")], [("1", "Chalk is soft.")], None, None]
    assert found.notes == {NO_LOG: 2, NO_ANSWER: 1, FAILED: 1}


def test_a_table_without_ids_of_queries_is_put_together_by_the_query(tmp_path):
    rows = [{name: row[name] for name in ("query", "passage_id", "passage", "generated_answer")} for row in TABLE[:2]]
    (record,), _ = table(tmp_path, rows)
    assert [source.source_id for source in record.retrieved] == ["2", "3"]


def test_a_run_of_a_hundred_passages_is_one_record_and_a_later_one_is_told_by_its_own_line(tmp_path):
    many = [TABLE[0] | {"passage_id": f"[{i}]"} for i in range(1, 101)]
    records, found = table(tmp_path, [*many, TABLE[2], TABLE[0]])
    assert [len(one.retrieved) for one in records] == [100, 1]
    assert [str(problem) for problem in found.problems] == [
        f"{tmp_path / 'answers.csv'}:103: id: 'a' stands on line 2 already"
    ]


def test_a_bad_row_among_those_that_belong_together_ends_it(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text(f"{','.join(TABLE[0])}\na,Q?,1,[1],x,A [1].\na,Q?,1\na,Q?,1,[2],y,\n", encoding="utf-8")
    with (
        pytest.raises(
            InputError, match=r"answers.csv:3: expected 6 cells, as the header has, got 3; rows are put together"
        ),
        open_records(path),
    ):
        pass


def test_rows_of_a_table_of_results_stay_as_they_are(tmp_path):
    records, found = table(tmp_path, [ROWS[1], ROWS[1] | {"query_id": "q-3"}])
    assert [one.id for one in records] == ["q-2", "q-3"]
    assert found.rejected == 0


def test_a_row_with_one_passage_alone_is_refused():
    assert SHAPE.fits(TABLE[0])  # so that the file is known for what it is
    with pytest.raises(FieldError, match="only the rows of a table"):
        SHAPE.convert(Row(TABLE[0], "row-1"))


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, ("correct", None)),
        ({"generated_answer": [part("Chalk is soft", "[9]")]}, ("unsupported", "invented_source")),
        ({"generated_answer": [part("The passages do not say whether it is soft.")]}, ("refused", "unjudged")),
        ({"generated_answer": "API_ERROR"}, ("unknown", "empty_answer")),
    ],
)
def test_a_row_lands_where_a_person_puts_it(changed, expected):
    card = showable.score(convert(**changed).record, judge="lexical")
    assert (card.bucket, card.cause) == expected


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"query": None}, "query: expected a string, got null"),
        ({"generated_answer": {}}, "generated_answer: expected text or a list of parts, got an object"),
        ({"generated_answer": ["x"]}, "generated_answer[0]: expected an object, got text"),
        ({"generated_answer": [part(None)]}, "generated_answer[0].text: expected a string, got null"),
        ({"generated_answer": [part("x", [])]}, "generated_answer[0].citations[0]: expected a string, got a list"),
        ({"retrieved_passages": [1]}, "retrieved_passages: expected an object of passages by id, got a list"),
        ({"retrieved_passages": {"[1]": 2}}, "retrieved_passages.[1]: expected a string, got a number"),
        ({"run": 1.5}, "run: expected a string or a whole number, got a number"),
    ],
)
def test_a_wrong_type_is_named_with_its_field(changed, said):
    with pytest.raises(FieldError) as told:
        convert(**changed)
    assert str(told.value) == said
