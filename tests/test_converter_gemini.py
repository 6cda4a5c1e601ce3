"""Gemini replies with grounding metadata: what becomes of them, and that they are scored as they should be.

Expected values: the types of python-genai and the reference of the interface for what fields mean, the buckets of the
design for what scores mean.
"""

from __future__ import annotations

import pytest
from converter_examples.gemini import (
    ANSWER,
    ASKED,
    CLAUSE,
    GROUNDED,
    QUESTION,
    RENT,
    ROWS,
    SNAKE,
    WEB,
    candidate,
    passage,
    reply,
    support,
)
from hypothesis import given
from hypothesis import strategies as st

import showable
from showable.converters.exchange import NO_QUESTION
from showable.converters.gemini import BLOCKED, CUT_OFF, NO_LOG, ONE_CANDIDATE, STOPPED, Gemini
from showable.converters.gemini_grounding import MISPLACED, Parts
from showable.converters.shape import FieldError, Row
from showable.records.record import Record

CHUNKS = [passage(CLAUSE), passage(RENT)]


def convert(fields):
    return Gemini().convert(Row(fields, "row-1"))


def answered(text, *supports, chunks=CHUNKS, **more):
    return convert({"request": ASKED, "response": reply(candidate(text, chunks, supports, **more))})


def scored(text, *supports, **more):
    return showable.score(answered(text, *supports, **more).record, judge="lexical")


def spans(converted):
    answer = converted.record.answer
    return [[answer.text[slice(*citation.span)] for citation in claim.citations] for claim in answer.claims]


REFUSAL = "The documents do not say what the deposit is."
BUCKETS = [
    ("supported", ANSWER, [(CLAUSE, 0), (RENT, 1)], "correct", None, 0),
    ("one sentence without support", ANSWER, [(CLAUSE, 0)], "correct", None, 1),
    ("a chunk that is not there", CLAUSE, [(CLAUSE, 7)], "unsupported", "invented_source", 0),
    ("the wrong chunk", CLAUSE, [(CLAUSE, 1)], "unsupported", "miscited", 0),
    ("no support", CLAUSE, [], "unsupported", "uncited", 1),
    ("a refusal", REFUSAL, [], "refused", "unjudged", 0),
    ("no words", "", [], "unknown", "empty_answer", None),
]


@pytest.mark.parametrize(
    ("text", "places", "bucket", "cause", "extra"), [row[1:] for row in BUCKETS], ids=[row[0] for row in BUCKETS]
)
def test_scores(text, places, bucket, cause, extra):
    card = scored(text, *(support(text, words, index) for words, index in places))
    assert (card.bucket, card.cause, card.extra_claim_count) == (bucket, cause, extra)


def test_offsets_count_bytes():
    # "The café’s notice period is 30 days." has 36 characters and 39 bytes: read as characters, the second segment is off
    converted = answered(ANSWER, support(ANSWER, CLAUSE, 0), support(ANSWER, RENT, 1))
    assert spans(converted) == [[CLAUSE], [RENT]]
    assert MISPLACED not in converted.notes


def test_offsets_of_characters_are_put_right_by_the_words():
    at = ANSWER.index(RENT)
    wrong = {"segment": {"startIndex": at, "endIndex": at + len(RENT), "text": RENT}, "groundingChunkIndices": [1]}
    converted = answered(ANSWER, wrong)
    assert spans(converted) == [[], [RENT]]
    assert MISPLACED in converted.notes


def test_offsets_count_from_the_part():
    parts = {"role": "model", "parts": [{"text": "hm", "thought": True}, {"text": CLAUSE + " "}, {"text": RENT}]}
    converted = answered("", support(RENT, RENT, 1, part=2), support(CLAUSE, CLAUSE, 0, part=1), content=parts)
    assert converted.record.answer.text == ANSWER
    assert spans(converted) == [[CLAUSE], [RENT]]
    assert "candidates.content.parts.thought" in converted.lost


@given(st.text(max_size=20), st.text(max_size=20))
def test_the_place_of_a_byte_is_the_character_it_begins(before, words):
    parts = Parts()
    parts.add("x")
    parts.add(before + words)
    at = len(before.encode())
    assert parts.place(1, at) == 1 + len(before)
    assert parts.place(1, at + len(words.encode())) == parts.place(1, 10**9) == len(parts.text)


def test_a_byte_inside_a_character_is_that_character():
    parts = Parts()
    parts.add("aéb")
    assert [parts.place(0, at) for at in (-3, 0, 1, 2, 3, 4, 9)] == [0, 0, 1, 1, 2, 3, 3]
    assert parts.place(5, 0) == 0


def test_the_log_is_the_passages_that_a_retrieval_tool_brought_cited_or_not():
    record = answered(
        CLAUSE, support(CLAUSE, CLAUSE, 0), chunks=[*CHUNKS, passage("X", uri="https://example.com/x")]
    ).record
    assert [(s.source_id, s.text, s.url) for s in record.retrieved] == [
        ("chunk-0", CLAUSE, None),
        ("chunk-1", RENT, None),
        ("chunk-2", "X", "https://example.com/x"),
    ]
    assert record.retrieved[0].metadata == {"uri": "gs://bucket/lease.pdf"}


def test_pages_of_the_web_alone_are_no_log():
    converted = convert(WEB)
    assert converted.record.retrieved is None
    assert NO_LOG in converted.notes
    (citation,) = converted.record.answer.claims[0].citations
    assert (citation.source_id, citation.url) == (None, "https://example.com/redirect/1")


def test_snake_case_and_the_pages_of_a_passage():
    record = convert({"request": ASKED, "response": SNAKE}).record
    (source,) = record.retrieved
    assert (source.text, source.title, source.page) == (CLAUSE, "Mietvertrag", "3-4")
    assert showable.score(record, judge="lexical").bucket == "correct"
    one = passage(CLAUSE, ragChunk={"text": CLAUSE, "pageSpan": {"firstPage": 3, "lastPage": 3}})
    assert answered(CLAUSE, chunks=[one]).record.retrieved[0].page == 3


def test_the_page_that_a_file_search_gives():
    assert answered(CLAUSE, chunks=[passage(CLAUSE, pageNumber=7)]).record.retrieved[0].page == 7


def test_a_segment_supported_by_two_chunks_cites_both():
    record = answered(CLAUSE, support(CLAUSE, CLAUSE, 0, 1, 0)).record
    assert [c.source_id for c in record.answer.claims[0].citations] == ["chunk-0", "chunk-1"]


QUESTIONS = [
    ({"contents": QUESTION}, QUESTION),
    ({"contents": ["Guten Tag.", QUESTION]}, f"Guten Tag.\n{QUESTION}"),
    ({"contents": {"parts": [{"text": QUESTION}]}}, QUESTION),
    (
        {"contents": [{"role": "user", "parts": [{"text": QUESTION}]}, {"role": "model", "parts": [{"text": "x"}]}]},
        QUESTION,
    ),
    ({"contents": [{"role": "user", "parts": [{"inlineData": {}}, {"text": QUESTION}]}]}, QUESTION),
    ([{"role": "user", "parts": [{"text": QUESTION}]}], QUESTION),
    (QUESTION, QUESTION),
    ({"model": "gemini-test"}, ""),
]


@pytest.mark.parametrize(("asked", "question"), QUESTIONS)
def test_questions(asked, question):
    converted = convert({"request": asked, "response": GROUNDED})
    assert (converted.record.question, NO_QUESTION in converted.notes) == (question, not question)


NOTES = [
    (reply(candidate(CLAUSE, finishReason="MAX_TOKENS")), CUT_OFF, CLAUSE),
    (reply(candidate("", content={}, finishReason="SAFETY")), STOPPED, ""),
    (reply(candidate(CLAUSE, finishReason="FinishReason.STOP"), candidate(RENT)), ONE_CANDIDATE, CLAUSE),
    ({"promptFeedback": {"blockReason": "SAFETY"}}, BLOCKED, None),
    ({"candidates": [], "prompt_feedback": {"block_reason": "OTHER"}}, BLOCKED, None),
]


@pytest.mark.parametrize(("fields", "note", "answer"), NOTES)
def test_notes(fields, note, answer):
    converted = convert(fields)
    assert note in converted.notes
    assert STOPPED not in converted.notes or note is STOPPED
    assert converted.record.answer == answer
    if not answer:
        assert showable.score(converted.record, judge="lexical").cause == "empty_answer"


def test_what_is_lost():
    recited = {"citations": [{"startIndex": 0, "endIndex": 9, "uri": "https://example.com"}]}
    converted = answered(CLAUSE, support(CLAUSE, CLAUSE, 0), citationMetadata=recited)
    assert converted.lost == (
        "usageMetadata",
        "candidates.citationMetadata",
        "candidates.groundingMetadata.groundingSupports.confidenceScores",
        "candidates.groundingMetadata.retrievalQueries",
    )
    assert [c.source_id for c in converted.record.answer.claims[0].citations] == ["chunk-0"]


@pytest.mark.parametrize("row", ROWS)
def test_examples_fit_and_can_be_written_down(row):
    assert Gemini().fits(row)
    record = convert(row).record
    assert Record.model_validate_json(record.model_dump_json()) == record


FOREIGN = [
    {"candidates": []},
    {"candidates": ["a"]},
    {"candidates": [{"name": "a"}]},
    {"candidates": {"content": {}}},
    {"promptFeedback": "good"},
    {"question": "q", "answer": "a"},
    {},
]


@pytest.mark.parametrize("fields", FOREIGN)
def test_what_is_of_another_shape(fields):
    assert not Gemini().fits(fields)
    with pytest.raises(FieldError):
        convert(fields)


BAD = {"segment": {"text": CLAUSE}, "groundingChunkIndices": [-1]}
METADATA = "candidates[0].groundingMetadata"
FAULTS = [
    (
        reply(candidate(CLAUSE, [], [BAD])),
        f"{METADATA}.groundingSupports[0].groundingChunkIndices[0]: expected the index",
    ),
    (
        reply(candidate(CLAUSE, [], [{"segment": {}, "groundingChunkIndices": [0]}])),
        f"{METADATA}.groundingSupports[0].segment.endIndex: expected a whole number",
    ),
    (reply(candidate(CLAUSE, [5])), f"{METADATA}.groundingChunks[0]: expected an object, got a number"),
    (reply(candidate(CLAUSE, [passage(5)])), f"{METADATA}.groundingChunks[0].retrievedContext.text: expected a string"),
    (reply(candidate(5)), "candidates[0].content.parts[0].text: expected a string, got a number"),
]


@pytest.mark.parametrize(("fields", "told"), FAULTS)
def test_faults_are_named_by_their_path(fields, told):
    with pytest.raises(FieldError) as caught:
        convert(fields)
    assert str(caught.value).startswith(told)
