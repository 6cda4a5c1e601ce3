"""Tables with named columns: which names are taken for what, and what a cell of passages may hold."""

import pytest
from tables import every_row

import showable
from showable.converters.csv_columns import NAMES, CsvColumns, column
from showable.converters.fields import NO_ANSWER, NO_LOG, Fields
from showable.converters.passages import read_log
from showable.converters.shape import FieldError, Row

Q = {"question": "What is the capital of France?", "answer": "Paris [1]."}


def convert(**fields):
    return CsvColumns().convert(Row(fields, "row-1", line=2))


@every_row("name", NAMES["question"])
@every_row("answer", NAMES["answer"])
def test_every_documented_name_is_taken(name, answer):
    fields = {name.replace("_", " ").title(): "Q", answer.upper(): "A"}
    assert CsvColumns().fits(fields)
    record = convert(**fields).record
    assert (record.id, record.question, record.answer, record.retrieved) == ("row-1", "Q", "A", None)


def test_every_name_is_in_the_docstring_and_means_one_thing():
    said = CsvColumns.__doc__
    names = [name for names in NAMES.values() for name in names]
    assert [name for name in names if name not in said] == []
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("name", "expected"), [(" User Query ", "user_query"), ("Ground-Truth", "ground_truth"), ("A  b", "a_b")]
)
def test_names_are_compared_in_small_letters(name, expected):
    assert column(name) == expected


def sources(**fields):
    retrieved = convert(**Q, **fields).record.retrieved
    return None if retrieved is None else [(one.source_id, one.text) for one in retrieved]


CELLS = [
    (None, None),
    ("[]", []),
    ("null", None),
    ("Paris is the capital.", [("1", "Paris is the capital.")]),
    ("two\nlines", [("1", "two\nlines")]),
    ("[1] Paris.", [("1", "[1] Paris.")]),
    ('["a", "b"]', [("1", "a"), ("2", "b")]),
    ("['a', \"it's\"]", [("1", "a"), ("2", "it's")]),
    ("['a' 'b']", [("1", "a"), ("2", "b")]),
    ('[{"text": "a", "id": 7}, {"content": "b", "doc_id": "x"}]', [("7", "a"), ("x", "b")]),
    ("[{'page_content': 'a', 'metadata': {'page': 3}}]", [("1", "a")]),
]


@every_row(("cell", "expected"), CELLS)
@every_row("name", ["contexts", "documents"])
def test_a_cell_of_passages_is_a_list_or_one_passage(name, cell, expected):
    assert sources(**{name: cell}) == expected


@pytest.mark.parametrize(
    ("fields", "field", "said"),
    [
        ({"contexts": "[1] a\n[2] b"}, "contexts", "numbered passages in one text: write them as a JSON list"),
        ({"contexts": "['a', 7]"}, "contexts[1]", "expected a text, or an object with a text"),
        ({"contexts": "['a', 'b"}, "contexts", "is it cut?"),
        ({"contexts": '[{"text": "a", "id": 1}, "b"]'}, "contexts", "expected an id for every passage, or for none"),
        ({"contexts": '["a"]', "context_ids": '["x", "y"]'}, "context_ids", "expected one id a passage, got 2 for 1"),
        ({"contexts": '["a"]', "context_1": "b"}, "context_1", "in contexts or in numbered columns, got both"),
        (
            {"contexts": "a", "passages": "b"},
            "passages",
            "expected one column for the contexts, got contexts and passages",
        ),
        ({"context_1": "a", "passage_1": "b"}, "passage_1", "expected one column for passage 1, got two"),
        ({"source_1": "handbook.pdf"}, "source_1", "expected source_1_text or source_1_id: is it a text or a name?"),
        ({"question": None}, "question", "expected a text"),
        ({"id": 1.5}, "id", "expected a string or a whole number, got a number"),
    ],
)
def test_what_is_ambiguous_or_broken_is_one_clear_line(fields, field, said):
    with pytest.raises(FieldError) as told:
        convert(**(Q | fields))
    assert told.value.field == field
    assert said in told.value.message


def test_a_missing_column_is_told_with_the_names_there_are_and_those_that_are_known():
    with pytest.raises(FieldError) as told:
        convert(Frage="Q", Antwort="A")
    assert str(told.value).endswith("prompt, user_query or user_question; the columns are Frage, Antwort")


def test_numbered_columns_are_passages_in_the_order_of_their_numbers():
    assert sources(context_2="b", context_10="c", context_1="a") == [("1", "a"), ("2", "b"), ("10", "c")]
    named = {
        "source_1_text": "a",
        "source_1_id": "x",
        "source_1_title": "T",
        "source_2_text": None,
        "source_2_id": None,
    }
    record = convert(**Q, **named).record
    assert [(one.source_id, one.text, one.title) for one in record.retrieved] == [("x", "a", "T")]
    assert sources(context_1=None, context_2=None) is None


def test_ids_gold_and_category_are_carried_over_and_scores_are_not():
    made = convert(
        **Q,
        id="7",
        contexts='["a", "b"]',
        context_ids='["x", "y"]',
        ground_truth="Paris",
        gold_ids='["y"]',
        category="unanswerable",
        reviewer="second floor",
        faithfulness="0.93",
        share="55 %".replace(" ", ""),
        empty=None,
    )
    record = made.record
    assert (record.id, [one.source_id for one in record.retrieved]) == ("7", ["x", "y"])
    assert (record.gold.answer, record.gold.category) == ("Paris", "unanswerable")
    assert [one.source_id for one in record.gold.evidence] == ["y"]
    assert record.metadata == {"reviewer": "second floor"}
    assert made.lost == ("faithfulness", "share")


def test_an_empty_answer_is_none_and_said():
    made = convert(question="Q", answer=None)
    assert (made.record.answer, made.notes) == (None, (NO_ANSWER, NO_LOG))


def test_markers_resolve_and_are_judged_after_conversion():
    def bucket(answer, **fields):
        card = showable.score(convert(**(Q | {"answer": answer} | fields)).record, judge="lexical")
        return card.bucket, card.cause

    columns = {"context_1": "Lyon is a large city in France.", "context_2": "Paris is the capital of France."}
    assert bucket("Paris is the capital of France [2].", **columns) == ("correct", None)
    assert bucket("Paris is the capital of France [1].", **columns)[1] == "miscited"
    assert bucket("Paris is the capital of France [3].", **columns)[1] == "invented_source"
    named = columns | {"context_1_id": "lyon", "context_2_id": "atlas"}
    assert bucket("Paris is the capital of France [atlas].", **named) == ("correct", None)


def test_what_a_passage_holds_besides_is_carried_or_told():
    cell = (
        '[{"text": "a", "id": "x", "score": 0.5, "page": 3, "embedding": [1]}, {"text": "b", "id": "y", "lang": "en"}]'
    )
    converted = convert(**Q, contexts=cell)
    assert (converted.record.retrieved[0].score, converted.record.retrieved[0].page) == (0.5, 3)
    assert converted.lost == ("contexts.embedding", "contexts.lang")


def test_an_id_in_metadata_that_a_record_cannot_hold_is_the_passages_id_all_the_same():
    fields = Fields({"retrieved": [{"content": "a", "metadata": {"source": "lease", "rank": float("nan")}}]})
    (source,) = read_log(fields, "retrieved")
    assert (source.source_id, source.text, source.metadata) == ("lease", "a", {})
    assert fields.lost_inside() == ("retrieved.metadata",)
