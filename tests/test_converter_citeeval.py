"""CiteEval: the system output of its README, and what its `convert_to_citeeval_format.py` writes."""

import pytest
from converter_examples.citeeval import ROWS

import showable
from showable.converters.citeeval import REPLACED, CiteEval
from showable.converters.fields import NO_ANSWER, NO_LOG
from showable.converters.shape import FieldError, Row

BASE = {"id": "a", "query": "When do spring tides come?", "passages": ROWS[0]["passages"], "pred": ROWS[0]["pred"]}


def convert(**changed):
    return CiteEval().convert(Row(BASE | changed, "row-1", line=1))


@pytest.mark.parametrize("row", ROWS[:2], ids=["as given to it", "as it writes it"])
def test_passages_are_called_by_their_position_and_markers_stay(row):
    made = CiteEval().convert(Row(row, "row-9"))
    assert made.record.id == row.get("id", row.get("sample_idx"))
    assert made.record.answer == row.get("pred", row.get("prediction"))
    assert [(s.source_id, s.text, s.title) for s in made.record.retrieved] == [
        ("1", "Spring tides come twice in a lunar month, near new and full moon.", "Tides"),
        ("2", "Neap tides come a week after spring tides.", None),
    ]
    assert made.record.gold is None


def test_its_citation_list_is_lost_because_it_drops_what_the_model_cited():
    # source: `build_sent_info_for_a_response` keeps citations from 1 to 10 alone; the text has all of them
    row = ROWS[1] | {"prediction": "Neap tides come a week after spring tides [12]."}
    made = CiteEval().convert(Row(row, "row-9"))
    assert made.lost == ("prediction_sentences_and_citations",)
    card = showable.score(made.record, judge="lexical")
    assert (card.bucket, card.cause) == ("unsupported", "invented_source")


def test_an_answer_that_the_tool_put_there_itself_is_no_answer_of_the_system():
    # source: `get_sentences_and_citations` writes "No answer is found." over what its pattern matches
    made = CiteEval().convert(Row(ROWS[2], "row-9"))
    assert (made.record.answer, made.notes) == (None, (REPLACED,))
    assert convert(pred="No answer is found.").record.answer == "No answer is found."


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, ("correct", None)),
        ({"pred": "Spring tides come near new and full moon [9]."}, ("unsupported", "invented_source")),
        ({"pred": "The passages do not say when they come."}, ("refused", "unjudged")),
        ({"pred": None}, ("unknown", "empty_answer")),
        ({"passages": None}, ("unknown", "undecided")),
    ],
)
def test_a_row_lands_where_a_person_puts_it(changed, expected):
    card = showable.score(convert(**changed).record, judge="lexical")
    assert (card.bucket, card.cause) == expected


def test_what_is_not_there_is_said():
    assert convert(pred=None, passages=None).notes == (NO_LOG, NO_ANSWER)
    assert convert(ratings=[1, 0]).lost == ("ratings",)
    assert convert(passages=[{"text": "a", "rank": 3}]).lost == ("passages.rank",)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"query": 7}, "query: expected a string, got a number"),
        ({"passages": {}}, "passages: expected a list, got an object"),
        ({"passages": [["a"]]}, "passages[0]: expected a text, or an object with a text or an id"),
        ({"pred": {}}, "pred: expected a string, got an object"),
    ],
)
def test_a_wrong_type_is_named_with_its_field(changed, said):
    with pytest.raises(FieldError) as told:
        convert(**changed)
    assert str(told.value) == said


def test_markers_count_passages_whatever_numbers_are_their_ids():
    passages = [
        {"id": "2", "title": "Tides", "text": "Spring tides come near new and full moon."},
        {"id": "4561123", "title": "Tides", "text": "Neap tides come a week after spring tides."},
    ]
    made = convert(passages=passages, pred="Neap tides come a week after spring tides [2].")
    named = [(one.source_id, one.metadata) for one in made.record.retrieved]
    assert named == [("1", {"id": "2"}), ("2", {"id": "4561123"})]
    assert showable.score(made.record, judge="lexical").bucket == "correct"
