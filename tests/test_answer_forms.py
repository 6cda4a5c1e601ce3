"""The same answer as plain text with markers, and as a text whose claims stand at their spans: both read alike."""

from __future__ import annotations

import re

import pytest
from tables import every_row, most_rows

from showable.read.answer import read_answer
from showable.records import Answer, Citation, Claim, Record, Source

LOG = (
    Source(source_id="lease", text="The notice period is thirty days."),
    Source(source_id="rent", text="Rent falls due monthly."),
)
IDS = {"1": "lease", "2": "rent"}
Q = "What is the notice period?"

# (question, sentences with the numbers of what they cite). Hand-made: answers, refusals with pointers, refusals of a
# part, hedges, answers that decline first, absences that are the answer, courtesies.
ANSWERS = [
    (Q, [("The notice period is thirty days.", "1")]),
    (Q, [("The notice period is thirty days.", "1"), ("Rent falls due monthly.", "2")]),
    (Q, [("The notice period is thirty days.", ""), ("Rent falls due monthly.", "2")]),
    (Q, [("The passages do not state the notice period.", "")]),
    (Q, [("The passages do not state the notice period.", "12")]),
    (Q, [("The passages do not state the notice period.", ""), ("The closest passage is about rent.", "2")]),
    (Q, [("The passages do not state the notice period.", "1"), ("Please check Schedule 2 of the lease.", "1")]),
    (Q, [("I could not find an answer.", ""), ("Rent falls due monthly.", "2")]),
    (Q, [("I don't know.", ""), ("It is probably thirty days.", "1")]),
    (Q, [("The documents do not mention the notice period.", "1"), ("However, it is probably 30 days.", "")]),
    (
        "What are the notice period and the penalty?",
        [("The notice period is 30 days.", "1"), ("The documents do not mention the penalty.", "2")],
    ),
    (
        "What are the notice period and the penalty?",
        [("The documents do not mention the penalty.", "2"), ("The notice period is 30 days.", "1")],
    ),
    (
        "What was capital spending in 2022?",
        [
            ("The income statement does not explicitly state capital spending.", "1"),
            ("Capital spending was 40 dollars in 2022.", "2"),
        ],
    ),
    (Q, [("The exact notice period is not stated.", "1"), ("The notice period is 30 days under clause 4.", "2")]),
    ("Does the lease mention a renewal?", [("The lease does not mention a renewal.", "1")]),
    (
        "Is there any mention of a deposit in the lease?",
        [("There is no mention of a deposit in the lease.", "1"), ("Rent falls due monthly.", "2")],
    ),
    (Q, [("Which lease do you mean?", ""), ("There are two leases.", "12")]),
    (Q, [("That is outside the scope of these documents.", ""), ("They cover rent.", "2")]),
    (Q, [("While the lease does not explicitly say so, the notice period is 30 days.", "1")]),
    (Q, [("I don't know the answer, but the notice period is 30 days.", "1")]),
    (
        "What is the dose for children?",
        [("The passages describe the drug in adults.", "1"), ("They do not give a dose for children.", "2")],
    ),
    (
        "What is the dose for children?",
        [("The doctors treat adults.", "1"), ("They do not give a dose to children.", "2")],
    ),
    (Q, [("No answer was found in the passages.", "12")]),
    (Q, [("Not stated in the passages.", "")]),
    (Q, [("Yes.", ""), ("The notice period is thirty days.", "1")]),
    (Q, [("Yes.", "1")]),
    (Q, [("I'm not entirely sure, but the notice period is 30 days.", "1")]),
    (Q, [("The notice period is 30 days.", "1"), ("I am not a lawyer and cannot give legal advice.", "")]),
    (Q, [("Hello!", ""), ("The notice period is 30 days.", "1"), ("I hope this helps.", "")]),
    (Q, [("The passages do not state the notice period, but the deposit is two months' rent.", "2")]),
    (Q, [("The deposit is two months' rent.", "2"), ("However, the documents do not state the notice period.", "1")]),
    (Q, [("The firm does not have any debt.", "1"), ("Rent falls due monthly.", "2")]),
    (
        "What was the margin in 2022?",
        [
            ("The income statement does not specify a figure for the margin.", "1"),
            ("Revenue was 100 dollars.", "2"),
            ("Therefore we can conclude that the margin was 60 percent.", "12"),
        ],
    ),
]


def _marked(words, marks):
    return words[:-1] + "".join(f" [{mark}]" for mark in marks) + words[-1]


def _structured(sentences, *, markers, all_claims):
    text, claims = "", []
    for words, marks in sentences:
        part = _marked(words, marks) if markers else words
        span = (len(text), len(text) + len(part))
        if marks or all_claims:
            cited = tuple(Citation(source_id=IDS[mark]) for mark in marks)
            claims.append(Claim(text=words, span=span, citations=cited))
        text += f"{part} "
    return Answer(text=text.strip(), claims=tuple(claims))


def _read(question, answer):
    return read_answer(Record(id="r", question=question, retrieved=LOG, answer=answer))


def _said(reading):
    claims = sorted(
        (re.sub(r"\W+", " ", claim.text.casefold()).strip(), sorted({c.source_id for c in claim.citations}), role)
        for claim, role in zip(reading.answer.claims, reading.roles, strict=True)
    )
    return reading.refusal.extent, reading.refusal.kind, claims, sorted({c.source_id for c in reading.loose})


@every_row("markers", [False, True])
@every_row("all_claims", [False, True])
@most_rows(
    ("question", "sentences"), ANSWERS, floor=0.93
)  # plain text alone is put to the trained reader, and loses its lead-ins
def test_text_and_claims_with_spans_read_as_the_text_does(question, sentences, markers, all_claims):
    plain = " ".join(_marked(words, marks) for words, marks in sentences)
    given = _structured(sentences, markers=markers, all_claims=all_claims)
    assert _said(_read(question, given)) == _said(_read(question, plain))


def test_a_compound_claim_at_its_span_stays_one_and_adds_none():
    text = "Rent falls due monthly, but the fee is not refundable."
    given = Answer(text=text, claims=(Claim(text=text, span=(0, len(text)), citations=(Citation(source_id="rent"),)),))
    assert [claim.text for claim in _read(Q, given).answer.claims] == [text]


@pytest.mark.parametrize("span", [(0, 10), (0, 79), (40, 79)])
def test_a_span_that_holds_other_words_settles_nothing(span):
    text = "The notice period is thirty days under clause 4. The passages do not state the fee."
    claim = Claim(text="The passages do not state the deposit.", span=span, citations=(Citation(source_id="lease"),))
    reading = _read(Q, Answer(text=text, claims=(claim,)))
    assert [claim.text for claim in reading.answer.claims] == ["The notice period is thirty days under clause 4"]
    assert [citation.source_id for citation in reading.loose] == ["lease"]


def test_many_claims_on_the_whole_text_are_read():
    text = "I do not know. " * 500
    claims = tuple(Claim(text="I do not know.", span=(0, len(text))) for _ in range(500))
    assert _read(Q, Answer(text=text, claims=claims)).answer.claims == ()
