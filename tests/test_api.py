"""The Python door: score, evaluate, gate, read_records; inside a running loop; to pandas."""

import asyncio
import json

import pytest

import showable
from showable.records import Cost

ROW = {
    "id": "a",
    "question": "What is the notice period?",
    "retrieved": [{"source_id": "lease", "text": "The notice period is thirty (30) days."}],
    "answer": "The notice period is thirty days [1].",
}
WORSE = ROW | {"answer": "The notice period is thirty days [9]."}


def test_score_takes_a_mapping_or_a_record():
    card = showable.score(ROW)
    assert card.bucket == "correct"
    assert card == showable.score(showable.Record.model_validate(ROW))


def test_score_takes_a_structured_answer():
    answer = showable.Answer(
        claims=[{"text": "The notice period is thirty days", "citations": [{"source_id": "lease"}]}]
    )
    record = showable.Record(id="a", question=ROW["question"], retrieved=ROW["retrieved"], answer=answer)
    assert showable.score(record).bucket == "correct"


def test_evaluate_keeps_the_order_and_sums_up():
    rows = [ROW | {"id": str(i)} for i in range(30)]
    result = showable.evaluate(rows, concurrency=4)
    assert [card.id for card in result] == [row["id"] for row in rows]
    assert result.summary.n == len(result) == 30
    assert "judge:embedded@" in str(result.summary.signature)


def test_it_works_inside_a_running_loop():
    async def notebook():
        return showable.score(ROW), showable.evaluate([ROW])

    card, result = asyncio.run(notebook())
    assert card.bucket == "correct"
    assert len(result) == 1


def test_the_loop_of_the_caller_stays_current():
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        showable.score(ROW, judge="lexical")
        showable.evaluate([ROW], judge="lexical")
        assert asyncio.get_event_loop() is loop
    finally:
        asyncio.set_event_loop(None)
        loop.close()


def test_gate_takes_results():
    good, bad = showable.evaluate([ROW]), showable.evaluate([WORSE])
    assert showable.gate(good, good).ship
    decision = showable.gate(good, bad)
    assert not decision.ship
    assert any("unsupported" in reason for reason in decision.reasons)


def test_to_pandas():
    frame = showable.evaluate([ROW, WORSE | {"id": "b"}]).to_pandas()
    assert list(frame["bucket"]) == ["correct", "unsupported"]
    assert list(frame["citation_exists"]) == ["pass", "fail"]


MISTAKES = [
    (ROW | {"answr": "x"}, "record 'a': answr: unknown field"),
    (ROW | {"question": 5}, "record 'a': question: expected a string, got 5"),
    ({}, "record '\\?': "),
]


@pytest.mark.parametrize(("row", "said"), MISTAKES)
def test_what_is_no_record_is_one_clear_line(row, said):
    with pytest.raises(showable.InputError, match=said):
        showable.score(row)


def test_two_records_of_one_id_are_refused():
    with pytest.raises(showable.InputError, match="two records have the id 'a'"):
        showable.evaluate([ROW, WORSE])


def test_an_unknown_judge_is_refused():
    with pytest.raises(showable.ShowableError, match="there is embedded"):
        showable.score(ROW, judge="magic")


# a call and what is said of it; source: the types in the signatures of the verbs
WRONG_TYPES = [
    (lambda: showable.score(ROW, judge=5), "judge: expected a name, or an object with .*, got int"),
    (lambda: showable.score(ROW, judge=object()), "judge: expected a name, or an object with .*, got object"),
    (
        lambda: showable.score(ROW, judge="lexical", profile=5),
        "profile: expected a Profile, a name or a path, got int",
    ),
    (lambda: showable.evaluate(ROW, judge="lexical"), "expected a list of records, got dict"),
    (lambda: showable.evaluate(5, judge="lexical"), "expected a list of records, got int"),
    (lambda: showable.gate([1], [2]), "expected a Result, a folder or the name of a baseline, got list"),
    (lambda: showable.gate("nowhere", None), "nowhere"),
]


@pytest.mark.parametrize(("call", "said"), WRONG_TYPES)
def test_what_is_of_a_wrong_type_is_one_clear_line(call, said):
    with pytest.raises(showable.ShowableError, match=said):
        call()


class Giving:
    """A judge that gives whatever it was made with."""

    name, prompt_hash = "giving@1", None

    def __init__(self, given):
        self.given = given

    async def verdicts(self, pairs):
        return self.given

    def estimate(self, pairs):
        return Cost()


# what the judge gives for one pair, what is said; source: the Judge protocol asks for a list of one Verdict a pair
NO_VERDICTS = [
    (None, "the judge gave NoneType in place of a list of verdicts"),
    ("no", "the judge gave str in place of a list of verdicts"),
    ([None], "the judge gave NoneType in place of a verdict"),
    ([{"label": "supported"}], "the judge gave dict in place of a verdict"),
    ([], "the judge gave 0 verdicts for 1 pairs"),
]


@pytest.mark.parametrize(("given", "said"), NO_VERDICTS)
def test_a_judge_that_gives_no_verdicts_is_unknown_and_ends_nothing(given, said):
    (card,) = showable.evaluate([ROW], judge=Giving(given))
    assert (card.bucket, card.cause) == ("unknown", "undecided")
    assert any(said in (finding.reason or "") for finding in card.findings)


def test_read_records_stops_at_the_first_bad_line(tmp_path):
    path = tmp_path / "records.jsonl"
    path.write_text(json.dumps(ROW) + "\n" + json.dumps(ROW | {"id": "b", "x": 1}) + "\n")
    with pytest.raises(showable.InputError, match=r"records.jsonl:2: x: unknown field"):
        showable.read_records(path)
    path.write_text(json.dumps(ROW) + "\n")
    assert [record.id for record in showable.read_records(path)] == ["a"]
