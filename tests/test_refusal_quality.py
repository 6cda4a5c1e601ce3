"""Refusal quality: which points a refusal earns, and that each says why."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tables import every_row

from showable.read.refusal import read_refusal
from showable.read.sentences import split_sentences
from showable.rubrics.refusal_quality import grade_refusal

PEER = "peer_failures, refusals"
AXIS = "DESIGN, five axes"
HAND = "hand-made"


def grade(text, citations=0, titles=()):
    return grade_refusal(text, read_refusal(text, split_sentences(text)), citations, titles)


# text, points earned (r reason, p pointer, c calm), source
QUALITY = [
    ("I don't know.", "", AXIS),
    ("I don't know based on the provided context.", "", AXIS),
    ("Unknown.", "", AXIS),
    ("Unanswerable.", "", AXIS),
    ("I can't help with that.", "", PEER),
    ("I'm sorry, but I cannot assist with that request because of my guidelines. See section 4.", "", PEER),
    ("I am unable to answer this question.", "", HAND),
    ("As an AI, I cannot give legal advice. Please see section 4.", "", PEER),
    ("The passages are on adults. They do not give a dose for children.", "rc", AXIS),
    ("I cannot tell you how long the notice period is.", "", HAND),
    ("There is not enough information.", "", HAND),
    ("Could you clarify?", "", HAND),
    ("Sorry, I cannot answer. Please consult a professional.", "", HAND),
    ("I don't know. Please provide more information.", "", HAND),
    ("I don't know. Call a lawyer immediately!", "", HAND),
    ("The documents do not mention a renewal term.", "rc", AXIS),
    ("The documents do not contain the answer.", "rc", HAND),
    ("The leaflet does not give a dose for children. Please consult a qualified professional.", "rc", HAND),
    ("I could not find the notice period in the lease.", "rc", HAND),
    ("That is outside the scope of these documents.", "rc", HAND),
    ("I can only answer questions about tenancy law.", "rc", HAND),
    ("Without the balance sheet I cannot compute the ratio.", "rc", HAND),
    ("I cannot answer that. Check the lease's schedule 2.", "pc", HAND),
    ("I don't know. The closest passage is about the deposit.", "pc", HAND),
    ("The documents do not mention a renewal term. The closest passage is about termination.", "rpc", AXIS),
    ("The lease does not state a renewal term; section 4 covers termination instead.", "rpc", HAND),
    ("The filing does not give 2022 revenue. Please consult the 2022 annual report.", "rpc", HAND),
    ("The excerpts do not name the owner. Contact the land registry.", "rpc", HAND),
    ("The sources do not say who signed. Ask again with the contract's name.", "rpc", HAND),
    ("The context does not state the fee. If you provide the fee schedule, I can compute it.", "rpc", HAND),
    ("The documents do not mention children; they cover adults only.", "rpc", HAND),
    ("Which agreement do you mean, the lease or the loan?", "rpc", HAND),
    ("The documents do not mention the dose. URGENT: seek help at once.", "r", AXIS),
    ("The leaflet gives no dose for children. You must act now!!", "r", HAND),
    ("The excerpts do not give the fee. You should have uploaded the schedule.", "r", HAND),
    ("The documents do not mention it. Your question is badly put.", "r", HAND),
    ("The filing does not state the fee. Check schedule 2 immediately or you will be fined.", "rp", HAND),
    ("The documents do not mention emergency exits or dangerous goods.", "rc", HAND),
]


@every_row(("text", "earned", "source"), QUALITY)
def test_points_are_earned_for_reason_pointer_and_calm(text, earned, source):
    assert source
    score, points = grade(text)
    assert "".join(point.point[0] for point in points if point.earned) == earned
    assert score == len(earned)
    assert all(point.why for point in points)


def test_a_citation_is_a_pointer():
    text = "The lease does not state a renewal term."
    assert [grade(text, citations=n)[0] for n in (0, 1)] == [2, 3]


def test_naming_a_retrieved_source_is_a_pointer():
    text = "The Acme  lease of 2019 does not state a renewal term."
    assert grade(text, titles=["Acme Lease of 2019"])[0] == 3
    assert grade(text, titles=["Beta loan", "a", ""])[0] == 2


def test_a_vague_step_is_no_pointer_and_says_so():
    _, points = grade("The documents do not mention a dose. Please see a doctor or other reliable sources.")
    assert not points[1].earned
    assert "no concrete next step" in points[1].why


def test_a_safety_refusal_earns_nothing_and_says_why():
    score, points = grade("I can't help with that.", citations=2, titles=["that"])
    assert score == 0
    assert {point.why for point in points} == {"a refusal on policy says nothing about the evidence"}


@settings(max_examples=50)
@given(
    st.lists(st.sampled_from([text for text, *_ in QUALITY]), min_size=1, max_size=3).map(" ".join),
    st.integers(0, 2),
    st.text(" \n", max_size=3),
)
def test_quality_counts_its_points_and_ignores_white_space(text, citations, around):
    score, points = grade(text, citations)
    assert 0 <= score == sum(point.earned for point in points) <= 3
    assert [point.point for point in points] == ["reason", "pointer", "calm"]
    assert grade(around + text.replace(" ", "  ") + around, citations)[0] == score
