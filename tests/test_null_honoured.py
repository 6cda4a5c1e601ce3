"""A question that is to be put with an empty retrieval and was not shows nothing; a pipeline that failed is said to have."""

import asyncio

import pytest

from showable.evaluation import evaluate_one
from showable.judges.scripted import ScriptedJudge
from showable.records import GENERAL, Record

LEASE = {"source_id": "lease", "text": "The notice period is thirty days."}
CLAIM = "The notice period is thirty days"
JUDGE = ScriptedJudge.of({CLAIM: "supported"})
NULL = {"category": "null_retrieval", "answerable": False, "expected": ["refused"]}
DECLINES = "Nothing was found on this, so I cannot answer."


def graded(answer, retrieved, gold=NULL, **more):
    given = {
        "id": "r",
        "question": "What is the notice period?",
        "retrieved": retrieved,
        "answer": answer,
        "gold": gold,
    }
    return asyncio.run(evaluate_one(Record.model_validate(given | more), JUDGE, GENERAL)).scorecard


ROWS = [
    ("honoured and refused", DECLINES, [], NULL, "refused", "warranted", ""),
    ("honoured and answered", f"{CLAIM}.", [], NULL, "unsupported", "answered_on_null_retrieval", ""),
    ("a passage all the same", f"{CLAIM} [lease].", [LEASE], NULL, "unknown", "null_not_honoured", "holds 1 passage"),
    ("a refusal is no pass either", DECLINES, [LEASE, LEASE | {"source_id": "b"}], NULL, "unknown", "null_not_honoured", "holds 2 passages"),
    ("nothing was logged", DECLINES, None, NULL, "unknown", "null_not_honoured", "whether it was empty is not known"),
    ("no answer comes first", None, [LEASE], NULL, "unknown", "empty_answer", "there is no answer"),
    ("another category", f"{CLAIM} [lease].", [LEASE], {"category": "answerable", "answer": "thirty days"}, "correct", None, ""),
    ("no gold", DECLINES, None, None, "refused", "unjudged", ""),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_an_empty_retrieval_is_asked_for_and_not_given(row):
    _, answer, retrieved, gold, bucket, cause, why = row
    card = graded(answer, retrieved, gold)
    assert (card.bucket, card.cause) == (bucket, cause), card.why
    assert why in card.why


FAILED = "there is no answer: the pipeline failed: "
FAILURES = [
    ("said", {"ask": {"error": "no answer within 60 s"}}, FAILED + "no answer within 60 s"),
    ("on one line, of characters that show", {"ask": {"error": "a\n b\x1b[2J\u202e"}}, FAILED + "a b [2J"),
    ("shortened", {"ask": {"error": "x" * 900}}, FAILED + "x" * 199 + "…"),
    ("empty", {"ask": {"error": " \n"}}, "there is no answer"),
    ("none", {"ask": {"error": None}}, "there is no answer"),
    ("of another shape", {"ask": "error"}, "there is no answer"),
    ("not recorded", {}, "there is no answer"),
]


@pytest.mark.parametrize(("metadata", "why"), [row[1:] for row in FAILURES], ids=[row[0] for row in FAILURES])
def test_a_pipeline_that_failed_is_said_to_have(metadata, why):
    card = graded(None, None, None, metadata=metadata)
    assert (card.bucket, card.cause, card.why) == ("unknown", "empty_answer", why)


def test_an_answer_beside_an_error_is_read_as_it_is():
    card = graded(f"{CLAIM} [lease].", [LEASE], None, metadata={"ask": {"error": "tried twice"}})
    assert card.bucket == "correct"
