"""RAGChecker: `RAGResult` and `RetrievedDoc` of its `container.py`, in which every field but the first five may be missing."""

import pytest
from converter_examples.ragchecker import DOCUMENTS, ROWS

import showable
from showable.converters.fields import NO_ANSWER, NO_LOG
from showable.converters.passages import POSITIONS
from showable.converters.ragchecker import RagChecker
from showable.converters.shape import FieldError, Row

BASE = {"query": "Is chalk soft?", "gt_answer": "Yes.", "response": "Chalk is soft [1].", "retrieved_context": []}
CHALK = [{"doc_id": "c", "text": "Chalk is soft."}, {"doc_id": "s", "text": "Slate splits into thin sheets."}]


def convert(**changed):
    return RagChecker().convert(Row(BASE | changed, "row-1", line=1))


def bucket(**changed):
    card = showable.score(convert(**changed).record, judge="lexical")
    return card.bucket, card.cause


def test_every_field_of_a_record_has_its_own_source():
    made = RagChecker().convert(Row(ROWS[1], "row-9"))
    assert made.record.model_dump(exclude_defaults=True) == {
        "id": "q-2",
        "question": "How many boats had the keeper of Skerry Point?",
        "answer": "The keeper had two boats [almanac-13].",
        "retrieved": (
            {"source_id": "almanac-12", "text": "The lighthouse at Skerry Point was first lit on 3 May 1844."},
            {"source_id": "almanac-13", "text": "Its keeper had two boats and a mule."},
        ),
        "gold": {"answer": "Two."},
    }
    assert made.notes == ()


def test_the_opinions_of_its_judges_are_lost_and_named():
    assert RagChecker().convert(Row(ROWS[1], "row-9")).lost == (
        "response_claims",
        "gt_answer_claims",
        "answer2response",
        "response2answer",
        "retrieved2response",
        "retrieved2answer",
        "metrics",
    )


@pytest.mark.parametrize(
    ("changed", "retrieved", "notes"),
    [
        ({"retrieved_context": []}, (), ()),  # source: the retriever was asked and found nothing
        ({"retrieved_context": None}, None, (NO_LOG,)),  # source: nothing was logged
        ({"response": None}, (), (NO_ANSWER,)),
        ({"response": float("nan")}, (), (NO_ANSWER,)),  # source: pandas writes a missing text as NaN
    ],
)
def test_what_is_not_there_is_not_made_up(changed, retrieved, notes):
    made = convert(**changed)
    assert made.record.retrieved == retrieved
    assert made.notes == notes


@pytest.mark.parametrize(
    ("ids", "answer", "expected"),
    [
        # source: `doc_id` of RAGChecker's own example file is 000, 001 …; a prompt counts its passages from 1
        (["000", "001"], "Chalk is soft [1].", ["doc:000", "doc:001"]),
        (["000", "001"], "Chalk is soft [000].", ["000", "001"]),
        (["0", "1"], "Chalk is soft [1].", ["0", "1"]),
        (["000", "001"], "Chalk is soft [9].", ["000", "001"]),
        (["000", "001"], "Chalk is soft.", ["000", "001"]),
        ([None, None], "Chalk is soft [1].", ["1", "2"]),
        (["a", None], "Chalk is soft [1].", ["a", "passage 2"]),
        (["a", "a"], "Chalk is soft [1].", ["a", "a"]),  # passages of one document
    ],
)
def test_ids_are_kept_unless_no_marker_can_mean_them(ids, answer, expected):
    log = [{"doc_id": i, "text": "Chalk is soft."} for i in ids]
    made = convert(retrieved_context=log, response=answer)
    assert [source.source_id for source in made.record.retrieved] == expected
    assert made.notes == ((POSITIONS,) if expected[0].startswith("doc:") else ())


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"retrieved_context": CHALK}, ("correct", None)),
        ({"retrieved_context": [c | {"doc_id": f"00{i}"} for i, c in enumerate(CHALK)]}, ("correct", None)),
        ({"retrieved_context": CHALK, "response": "Chalk is soft [9]."}, ("unsupported", "invented_source")),
        ({"retrieved_context": CHALK, "response": "The documents do not say if it is.", "gt_answer": None}, ("refused", "unjudged")),
        ({"retrieved_context": CHALK, "response": None}, ("unknown", "empty_answer")),
        ({"retrieved_context": None, "gt_answer": None}, ("unknown", "undecided")),
    ],
)  # fmt: skip
def test_a_row_lands_where_a_person_puts_it(changed, expected):
    assert bucket(**changed) == expected


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"query": None}, "query: expected a string, got null"),
        ({"response": ["x"]}, "response: expected a string, got a list"),
        ({"retrieved_context": "text"}, "retrieved_context: expected a list, got text"),
        ({"retrieved_context": [7]}, "retrieved_context[0]: expected a text, or an object with a text or an id"),
        ({"retrieved_context": [{}]}, "retrieved_context[0]: expected a text, or an object with a text or an id"),
        ({"retrieved_context": [{"text": {}}]}, "retrieved_context[0].text: expected a string, got an object"),
        ({"query_id": True}, "query_id: expected a string or a whole number, got true or false"),
        ({"response": "\ud800"}, "response: expected text, got half a character (a lone surrogate)"),
    ],
)
def test_a_wrong_type_is_named_with_its_field(changed, said):
    with pytest.raises(FieldError) as told:
        convert(**changed)
    assert str(told.value) == said


def test_items_are_found_in_results_and_in_input_data():
    assert [place for place, _ in RagChecker().rows(DOCUMENTS[0])] == ["input_data[0]"]
    assert [place for place, _ in RagChecker().rows(DOCUMENTS[1])] == ["results[0]", "results[1]", "results[2]"]
    for other in ({"results": []}, {"results": [{"query": "q"}]}, [], None):
        assert RagChecker().rows(other) is None
