"""Rows of ragas. The names are those of `ragas.dataset_schema` 0.4.3 and of the data sets of v0.1."""

import csv
import io
import json

import pytest
from converter_examples.ragas import ROWS
from tables import every_row

import showable
from showable.converters.fields import NO_ANSWER, NO_LOG
from showable.converters.ragas import EARLIER, OLD_NAMES, TOOLS, Ragas
from showable.converters.shape import FieldError, Row

Q = {"user_input": "What is the capital of France?", "response": "Paris [1]."}


def convert(**fields):
    return Ragas().convert(Row(fields, "row-1", line=1))


def test_a_sample_becomes_a_record_with_its_gold_and_loses_its_scores():
    made = Ragas().convert(Row(ROWS[0], "row-1"))
    record = made.record
    assert (record.id, record.question, record.answer) == ("row-1", ROWS[0]["user_input"], ROWS[0]["response"])
    assert [(source.source_id, source.text) for source in record.retrieved] == [
        ("1", ROWS[0]["retrieved_contexts"][0]),
        ("2", ROWS[0]["retrieved_contexts"][1]),
    ]
    assert record.gold.answer == "June 26, 2015"
    assert [one.source_id for one in record.gold.evidence] == ["1"]
    assert made.lost == ("rubrics", "faithfulness", "answer_relevancy")
    assert made.notes == ()


CONTEXTS = [  # source: what a retrieval that was not logged, and one that found nothing, are in a Record
    ("missing", {}, None),
    ("null", {"retrieved_contexts": None}, None),
    ("empty", {"retrieved_contexts": []}, ()),
    ("empty cell", {"retrieved_contexts": ""}, None),
    ("empty list in a cell", {"retrieved_contexts": "[]"}, ()),
    ("one passage", {"retrieved_contexts": ["a"]}, (("1", "a"),)),
    ("ids", {"retrieved_contexts": ["a", "b"], "retrieved_context_ids": ["x", 7]}, (("x", "a"), ("7", "b"))),
    ("ids alone", {"retrieved_context_ids": ["x"]}, (("x", None),)),
    (
        "python list",
        {"retrieved_contexts": "['a', \"it's\", 'b\\n\\'c\\'']"},
        (("1", "a"), ("2", "it's"), ("3", "b\n'c'")),
    ),
    ("numpy list", {"retrieved_contexts": "['a'\n \"it's\" 'c']"}, (("1", "a"), ("2", "it's"), ("3", "c"))),
    ("json list", {"retrieved_contexts": '["a", "b"]'}, (("1", "a"), ("2", "b"))),
    (
        "a passage as text",
        {"retrieved_contexts": "Paris [the capital] is large."},
        (("1", "Paris [the capital] is large."),),
    ),
    ("a passage that begins with a mark", {"retrieved_contexts": "[1] Paris."}, (("1", "[1] Paris."),)),
]


@every_row(("fields", "expected"), [row[1:] for row in CONTEXTS])
def test_contexts_are_the_retrieval_log(fields, expected):
    retrieved = convert(**Q, **fields).record.retrieved
    assert (None if retrieved is None else tuple((one.source_id, one.text) for one in retrieved)) == expected


WRONG = [
    ({"retrieved_contexts": 7}, "retrieved_contexts", "expected a list of strings, got int"),
    ({"retrieved_contexts": ["a", None]}, "retrieved_contexts", "expected a list of strings"),
    ({"retrieved_contexts": "['a', 7]"}, "retrieved_contexts", "expected a list of strings"),
    ({"retrieved_contexts": "['a', 'b"}, "retrieved_contexts", "neither JSON nor Python: is it cut?"),
    ({"retrieved_contexts": "['a' 'b', 'c']"}, "retrieved_contexts", "expected a list with commas"),
    ({"retrieved_contexts": "[1] one\n[2] two"}, "retrieved_contexts", "numbered passages in one text"),
    ({"retrieved_contexts": ["a"], "retrieved_context_ids": ["x", "y"]}, "retrieved_context_ids", "got 2 for 1"),
    ({"retrieved_context_ids": [True]}, "retrieved_context_ids", "expected a list of ids"),
    ({"response": ["a"]}, "response", "expected a string, got a list"),
    ({"user_input": " "}, "user_input", "expected a text"),
    ({"reference": 7}, "reference", "expected a string, got a number"),
    ({"id": 1.5}, "id", "expected a string or a whole number, got a number"),
]


@every_row(("fields", "field", "said"), WRONG)
def test_a_field_that_is_not_what_ragas_writes_is_named(fields, field, said):
    with pytest.raises(FieldError) as told:
        convert(**(Q | fields))
    assert told.value.field == field
    assert said in told.value.message


def test_the_names_of_v01_are_read_and_named_in_errors():
    made = Ragas().convert(Row(ROWS[4], "row-1"))
    assert (made.record.question, made.record.answer) == ("Who wrote Hamlet?", "William Shakespeare [1].")
    assert made.record.gold.answer == "William Shakespeare"
    assert made.lost == ("faithfulness",)
    assert made.notes == (OLD_NAMES,)
    with pytest.raises(FieldError) as told:
        convert(question="Q", answer="A", contexts=["a", 7])
    assert told.value.field == "contexts"


def test_several_ground_truths_are_an_answer_and_its_aliases():
    made = convert(question="Q", answer="A", contexts=[], ground_truths=["one", "two"])
    assert (made.record.gold.answer, made.record.gold.aliases) == ("one", ("two",))
    assert len(made.notes) == 2


def test_a_row_without_an_answer_is_none_and_said():
    made = convert(user_input="Q", reference="R")
    assert made.record.answer is None
    assert made.notes == (NO_ANSWER, NO_LOG)


def test_a_refusal_for_want_of_a_part_of_the_evidence_is_not_called_one_too_many():
    made = convert(
        user_input="What is the notice period and the deposit?",
        response="The passages do not say what the deposit is, so I cannot answer.",
        reference="Thirty days; two months' rent.",
        retrieved_contexts=["The notice period is thirty days."],
        reference_contexts=["The notice period is thirty days.", "The deposit is two months' rent."],
    )
    card = showable.score(made.record, judge="lexical")
    assert (card.bucket, card.cause) == ("refused", "unjudged")


def test_reference_contexts_that_are_not_in_the_log_are_lost_not_guessed_at():
    made = convert(
        **Q, retrieved_contexts=["Paris  is the\ncapital.", "b"], reference_contexts=["Paris is the capital.", "c"]
    )
    assert (made.record.gold, made.lost) == (None, ("reference_contexts",))
    made = convert(
        **Q, retrieved_contexts=["Paris  is the\ncapital.", "b"], reference_contexts=["Paris is the capital."]
    )
    assert ([one.source_id for one in made.record.gold.evidence], made.lost) == (["1"], ())
    made = convert(**Q, reference_context_ids=["x", 7, "x"])
    assert [one.source_id for one in made.record.gold.evidence] == ["x", "7"]


@pytest.mark.parametrize(
    ("category", "gold", "metadata"),
    [("Tempt wrong", "tempt_wrong", {}), ("hard", None, {"category": "hard"}), (None, None, {})],
)
def test_a_category_is_golds_where_gold_knows_it(category, gold, metadata):
    record = convert(**Q, category=category).record
    assert (record.gold.category if record.gold else None) == gold
    assert record.metadata == metadata


HUMAN, AI = {"type": "human", "content": "Q"}, {"type": "ai", "content": "A"}
TOOL = {"type": "tool", "content": "found"}
CALL = {"type": "ai", "content": "", "tool_calls": [{"name": "search", "args": {}}]}
TURNS = [
    ("one turn", [HUMAN, AI], "A", (), ()),
    ("earlier turns", [{"type": "human", "content": "Hi"}, {"type": "ai", "content": "Yes?"}, HUMAN, AI], "A", (EARLIER,), ()),
    ("a tool between", [HUMAN, CALL, TOOL, AI], "A", (TOOLS,), ("user_input",)),
    ("two answers", [HUMAN, {"type": "ai", "content": "Wait."}, AI], "A", (), ("user_input",)),
    ("other names of roles", [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "A"}], "A", (), ()),
]  # fmt: skip


@every_row(("turns", "answer", "notes", "lost"), [row[1:] for row in TURNS])
@every_row("written", [list, json.dumps, repr])
def test_a_conversation_is_its_last_question_and_the_answer_to_it(turns, answer, notes, lost, written):
    made = convert(user_input=written(turns))
    before = turns[: turns.index(HUMAN)] if HUMAN in turns else []
    assert [turn.text for turn in made.record.history] == [turn["content"] for turn in before]
    assert (made.record.question, made.record.answer) == ("Q", answer)
    assert (made.notes, made.lost) == ((*notes, NO_LOG), lost)


@pytest.mark.parametrize(
    ("turns", "field"),
    [
        ([AI], "user_input"),
        ([HUMAN, AI, HUMAN], "user_input"),
        ([HUMAN, CALL, TOOL], "user_input"),
        ([HUMAN, {"type": "ai", "content": 7}], "user_input[1].content"),
        ([HUMAN, {"type": "robot", "content": "A"}], "user_input[1].type"),
        ([HUMAN, "A"], "user_input[1]"),
    ],
)
def test_a_conversation_without_an_answer_to_its_last_question_is_refused(turns, field):
    with pytest.raises(FieldError) as told:
        convert(user_input=turns)
    assert told.value.field == field


def test_markers_resolve_and_are_judged_after_conversion():
    def bucket(response, contexts, **more):
        record = convert(
            user_input="What is the capital of France?", response=response, retrieved_contexts=contexts, **more
        ).record
        card = showable.score(record, judge="lexical")
        return card.bucket, card.cause

    contexts = ["Lyon is a large city in France.", "Paris is the capital of France."]
    assert bucket("Paris is the capital of France [2].", contexts, reference="Paris") == ("correct", None)
    assert bucket("Paris is the capital of France [1].", contexts)[1] == "miscited"
    assert bucket("Paris is the capital of France [3].", contexts)[1] == "invented_source"
    assert bucket("Paris is the capital of France [1].", [])[1] == "answered_on_null_retrieval"
    ids = {"retrieved_context_ids": ["lyon", "atlas"]}
    assert bucket("Paris is the capital of France [atlas].", contexts, **ids) == ("correct", None)


def test_a_table_written_by_ragas_is_read_like_its_lines(tmp_path):
    handle = io.StringIO()
    writer = csv.DictWriter(handle, fieldnames=["user_input", "retrieved_contexts", "response", "reference"])
    writer.writeheader()
    rows = [
        Q | {"retrieved_contexts": ['It\'s "one"', "two\nlines"], "reference": "Paris"},
        Q | {"retrieved_contexts": []},
    ]
    writer.writerows(rows)
    (tmp_path / "a.csv").write_text(handle.getvalue())
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    from showable.converters.convert_file import open_records

    made = []
    for name in ("a.csv", "a.jsonl"):
        with open_records(tmp_path / name) as reading:
            assert reading.found.name == "ragas"
            made.append(reading.path.read_bytes())
    assert made[0] == made[1]
