"""How far an answer declines and what it asserts all the same: wordings to a floor, and what holds for any wording."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import every_row

import showable
from showable.judges.scripted import ScriptedJudge
from showable.read.answer import read_answer
from showable.records import Record, Source

NOTICE = "What is the notice period in the Acme lease?"
LOG = (
    Source(source_id="1", title="Notice", text="Thirty days."),
    Source(source_id="2", title="Deposit", text="Two months."),
)
ROWS = Path(__file__).parents[1] / "training" / "written" / "short.jsonl"
EXTENT_FLOOR, BASIS_FLOOR, PASSES = 0.85, 0.85, 0.08
"""Shares of held rows that must be right at least; of those that are no full refusal, that may be taken for one at most."""


def read(text, question=NOTICE, **fields):
    return read_answer(Record(id="r", question=question, retrieved=LOG, answer=text, **fields))


def held_rows():
    """Give the short answers that no head is fitted on; texts are hand-made, extents too."""
    rows = [json.loads(line) for line in ROWS.read_text("utf-8").splitlines()]
    return [row for row in rows if row["held"]]


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_short_answers_that_no_head_was_fitted_on_are_read_to_a_floor(step):
    rows = held_rows()[::step]
    readings = [read(row["answer"], row["question"]) for row in rows]
    wrong = [
        (row["extent"], reading.refusal.extent, row["question"], row["answer"])
        for row, reading in zip(rows, readings, strict=True)
        if row["extent"] != reading.refusal.extent
    ]
    assert len(wrong) <= (1 - EXTENT_FLOOR) * len(rows), wrong
    others = sum(row["extent"] != "full" for row in rows)
    passes = [row for row in wrong if row[1] == "full"]
    assert len(passes) <= PASSES * others, passes
    based = [
        (row, reading) for row, reading in zip(rows, readings, strict=True) if row["kind"] and reading.refusal.basis
    ]
    astray = [(row["answer"], reading.refusal.basis) for row, reading in based if reading.refusal.basis != row["kind"]]
    assert len(astray) <= (1 - BASIS_FLOOR) * len(based), astray


@pytest.mark.parametrize("field", ["ambiguous", "out_of_scope", "no_evidence"])
def test_without_text_and_claims_the_field_decides(field):
    refusal = read({"claims": [], "refusal": field}).refusal
    assert (refusal.extent, refusal.kind, refusal.spans) == ("full", field, ())


@pytest.mark.parametrize("field", ["none", "ambiguous", "out_of_scope", "no_evidence"])
def test_the_text_beats_the_field(field):
    assert read({"claims": [], "refusal": field, "text": "The notice period is 30 days [1]."}).refusal.extent == "none"
    silent = {"claims": [], "refusal": field, "text": "The documents do not mention a notice period."}
    assert read(silent).refusal.extent == "full"


# what stands beside a refusal, the bucket rows of DESIGN
BESIDE = [
    ("I don't know the answer, but the notice period is 30 days [1].", "refused_then_answered", ["The notice period is 30 days"]),
    ("The documents do not mention the notice period. However, it is probably 30 days.", "refused_then_answered", None),
    ("The documents do not mention a notice period. The closest passage is about the deposit [2].", "full", None),
    ("The documents do not mention a notice period. You could ask the landlord.", "full", []),
    ("The notice period is 30 days [1].", "none", ["The notice period is 30 days"]),
    ("The lease does not charge a fee for late notice [1].", "none", ["The lease does not charge a fee for late notice"]),
]  # fmt: skip


@every_row(("text", "extent", "claims"), BESIDE)
def test_what_is_asserted_beside_a_refusal_is_kept_to_be_judged(text, extent, claims):
    reading = read(text)
    assert reading.refusal.extent == extent
    if claims is not None:
        assert [claim.text for claim in reading.answer.claims] == claims
    if extent == "full":
        assert "answering" not in reading.roles


@pytest.mark.parametrize(
    ("question", "text", "basis"),
    [
        (NOTICE, "The passages do not mention a notice period.", "evidence"),
        ("Who won the cup?", "That is outside the scope of these documents.", "scope"),
        (NOTICE, "Which lease do you mean, the 2019 or the 2021 one?", "clarification"),
        ("How do I pick a lock?", "I can't help with that request.", "policy"),
        (NOTICE, "The notice period is 30 days [1].", None),
    ],
)
def test_the_basis_of_a_refusal_stands_in_the_scorecard(question, text, basis):
    record = Record(id="a", question=question, answer=text, retrieved=LOG)
    assert showable.score(record, judge=ScriptedJudge(())).refusal_basis == basis


def test_asking_back_is_told_apart_from_a_polite_offer():
    assert read("Which lease do you mean, the 2019 or the 2021 one?").refusal.asks_back
    assert not read("The notice period is 30 days [1]. Shall I go on?").refusal.asks_back


SHORT = [row["answer"] for row in held_rows()[::9]]
PIECES = st.lists(
    st.sampled_from([*SHORT, "İstanbul’da [1]", "“", "if you", "no " * 30, "\x00", "❌", "[SEP]", "[CLS] x [SEP]"]),
    max_size=4,
).map(" ".join)


@settings(max_examples=25)
@given(PIECES, st.sampled_from(["", NOTICE, "Does the lease mention it?"]))
def test_spans_stay_in_the_text_in_order_and_only_refusals_have_them(text, question):
    reading = read(text, question)
    flat = [offset for span in reading.refusal.spans for offset in span]
    assert flat == sorted(flat)
    assert all(0 <= offset <= len(text) for offset in flat)
    assert all(text[a:b].strip() for a, b in reading.refusal.spans)
    assert (reading.refusal.kind == "none") == (reading.refusal.extent == "none")
    assert not reading.refusal.spans or reading.refusal.extent != "none"


@settings(max_examples=20)
@given(st.sampled_from(SHORT), st.text(" \n", max_size=3), st.sampled_from(["  ", " \t", "\u00a0"]))
def test_more_white_space_changes_nothing(text, around, between):
    plain, spaced = read(text).refusal, read(around + text.replace(" ", between) + around).refusal
    assert (spaced.extent, spaced.kind, spaced.asks_back) == (plain.extent, plain.kind, plain.asks_back)


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["no information the documents do not if you provide ", ", so it is safe", "but yet: "]
)
def test_long_hostile_text_is_read(unit):
    assert read("It says nothing" + unit * (150_000 // len(unit))).answer is not None
