"""The reference pipeline: what it quotes, what it refuses, and that it says why."""

from __future__ import annotations

import asyncio
import json
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row

from showable.api import score
from showable.errors import SettingError
from showable.harness.pipelines.extractive import ENOUGH_COVERED, ENOUGH_SAID, Extractive
from showable.harness.pipelines.pipeline import Asked, Pipeline
from showable.harness.pipelines.question_words import stem, take_apart
from showable.harness.pipelines.reference import ReferencePipeline
from showable.read.answer import read_answer
from showable.records.record import Record, Source
from showable.rubrics.refusal_quality import grade_refusal

DOCUMENTS = [
    Source.model_validate(json.loads(line))
    for line in (files("showable.demo") / "data" / "documents.jsonl").read_text("utf-8").splitlines()
]


def source(source_id, text, title=None, **metadata):
    return Source(source_id=source_id, text=text, title=title, metadata=metadata)


SWIM = source(
    "swim#1", "The pool opens at 07:00. A ticket costs 6 crowns. Children under five swim free.", "Brelle Baths"
)
SKATE = source("skate#1", "The rink opens at 10:30. A ticket costs 9 crowns.", "Tornby Rink")
OLD = source("fees-1#1", "The library fine is 20 cents a day.", "Library rules, version 1", superseded_by="fees-2")
NEW = source(
    "fees-2#1",
    "The library fine is 50 cents a day. It is never more than 8 crowns.",
    "Library rules, version 2",
    status="current",
)
STORY = source("news#1", "The new bridge will cost 90 million crowns, the council said.", "Bridge to be built")
CORRECTION = source(
    "news-2#1",
    "Our story gave the cost of the new bridge as 90 million crowns. The new bridge will cost 19 million crowns.",
    "Correction: Bridge to be built",
)
SMALL = [SWIM, SKATE, OLD, NEW, STORY, CORRECTION]


def asked_of(sources, question, *, force_null=False, k=5):
    async def go():
        pipeline = ReferencePipeline(sources, k=k)
        try:
            return await pipeline.ask(Asked(id="q", question=question, force_null=force_null))
        finally:
            await pipeline.aclose()

    return asyncio.run(go())


def reading_of(question, reply):
    record = Record(id="q", question=question, answer=reply.answer, retrieved=reply.retrieved, shown=reply.shown)
    return read_answer(record)


def is_good_refusal(question, reply):
    """Say whether the reader sees a refusal that asserts nothing, of the best quality, citing nothing outside the log."""
    reading = reading_of(question, reply)
    titles = [one.title for one in reply.retrieved if one.title]
    quality, points = grade_refusal(reading.text, reading.refusal, len(reading.loose), titles)
    ids = {one.source_id for one in reply.retrieved}
    assert {citation.source_id for citation in reading.loose} <= ids, reading.loose
    assert reading.refusal.extent == "full", reading.text
    assert reading.answer.claims == (), reading.text
    assert quality == 3, (reading.text, points)


@every_row(
    ("question", "source_id", "words"),
    [  # read off the documents by their author
        ("What is the annual rent of Unit 4?", "lease-12#1", "£38,400"),
        ("How much is the deposit?", "lease-12#3", "£9,600"),
        ("Who keeps the roof in repair?", "lease-12#2", "The Landlord keeps the roof"),
        ("Is notice by email valid service under the lease?", "lease-12#3", "is not valid service"),
        ("On what date does the Mutual Non-Disclosure Agreement take effect?", "nda-04#2", "12 February 2031"),
        ("Within how many business days must copies be returned or destroyed?", "nda-04#2", "20 business days"),
        ("On how many production servers may the SDK be installed?", "licence-31#1", "up to 40"),
        ("When are the fees for the Cartovane Maps SDK due?", "licence-31#1", "within 45 days of invoice"),
        ("What was the turnout at the general election of 2030?", "wire-vote#1", "68.0 percent"),
        ("How many votes did Peta Lund get?", "wire-vote#1", "2,105"),
        ("When will the new member be sworn in?", "wire-vote#2", "on 1 June"),
        ("How many vehicles cross the Merrin Bridge each day?", "wire-bridge#1", "22,000"),
        ("How many annotators wrote the answers of VALDEN-ASK?", "card-ask#2", "Fourteen annotators"),
        ("What did the cathode deliver at 0.1 C?", "paper-cell#1", "142 mAh"),
        ("Does the abatement apply where the failure was caused by the Tenant?", "lease-12#2", "does not apply"),
        ("For how long is ravextin given after an elective hip replacement?", "guide-clot-v2#1", "35 days"),
    ],
)
def test_it_quotes_the_sentence_that_answers(question, source_id, words):
    reply = asked_of(DOCUMENTS, question)
    assert words in reply.answer.text
    assert {c.source_id for claim in reply.answer.claims for c in claim.citations} == {source_id}
    assert reading_of(question, reply).refusal.extent == "none"


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("How many passengers did the Ossery Line carry?", '"Ossery"'),
        ("Who won the World Cup in 1998?", '"1998"'),
        ("What is the capital of France?", '"France"'),
        ("What is the maximum daily dose of ibuprofen?", '"ibuprofen"'),
        ("What was canopy cover on the Sorrel Coast in 2023?", '"2023"'),
        ("Who decides on the second power line?", '"decides"'),
        ("When was the policy last changed?", "a date"),
        ("May the tenant of Unit 4 sublet part of the premises?", '"sublet"'),
        ("Is Cassavirin safe in pregnancy?", '"pregnancy"'),
    ],
)
def test_what_does_not_stand_there_is_refused_with_what_is_missing_and_the_closest_passage(question, says):
    reply = asked_of(DOCUMENTS, question)
    assert reply.answer.refusal == "no_evidence"
    assert says in reply.answer.text
    is_good_refusal(question, reply)


@pytest.mark.parametrize(
    "question", ["How much does a ticket cost?", "What does a ticket cost?", "How much is a ticket?"]
)
def test_two_documents_with_two_answers_are_asked_back_about(question):
    reply = asked_of(SMALL, question)
    assert reply.answer.refusal == "ambiguous"
    assert "Brelle Baths" in reply.answer.text
    assert "Tornby Rink" in reply.answer.text
    is_good_refusal(question, reply)


def test_naming_one_of_the_two_settles_it():
    assert "9 crowns" in asked_of(SMALL, "How much does a ticket for the Tornby Rink cost?").answer.text
    assert "6 crowns" in asked_of(SMALL, "How much does a ticket for the Brelle Baths cost?").answer.text


def test_two_documents_that_agree_are_no_ambiguity():
    twin = source("swim-2#1", "A ticket costs 6 crowns.", "Price list")
    assert "6 crowns" in asked_of([SWIM, twin], "How much does a ticket cost?").answer.text


def test_what_is_superseded_is_not_quoted_where_its_successor_is_there():
    reply = asked_of(SMALL, "What is the library fine?")
    assert "50 cents" in reply.answer.text
    assert "20 cents" not in reply.answer.text


@pytest.mark.parametrize(
    "question",
    ["What was the library fine under version 1?", "What was the library fine in version 1 of the library rules?"],
)
def test_a_question_about_what_is_superseded_is_told_so(question):
    reply = asked_of(SMALL, question)
    assert "not answer this from documents in force" in reply.answer.text
    assert "Library rules, version 1" in reply.answer.text
    is_good_refusal(question, reply)


@pytest.mark.parametrize("status", ["superseded", "Retracted", "withdrawn", "repealed"])
def test_only_a_document_out_of_force_answers(status):
    question = "What is the library fine?"
    reply = asked_of([source("x#1", "The library fine is 20 cents a day.", "Old rules", status=status), SWIM], question)
    assert reply.answer.claims == ()
    is_good_refusal(question, reply)


def test_a_correction_beats_what_it_corrects_and_not_by_quoting_the_error():
    reply = asked_of(SMALL, "How much will the new bridge cost?")
    assert "19 million" in reply.answer.text
    assert "90 million" not in reply.answer.text


def test_a_sentence_that_leans_on_the_one_before_brings_it_along():
    reply = asked_of([NEW, SWIM], "What is the library fine never more than?")
    assert [claim.text for claim in reply.answer.claims] == [
        "The library fine is 50 cents a day.",
        "It is never more than 8 crowns.",
    ]


def test_a_question_for_two_things_may_take_two_sentences():
    reply = asked_of(SMALL, "When does the pool of the Brelle Baths open, and how much does a ticket cost?")
    assert "07:00" in reply.answer.text
    assert "6 crowns" in reply.answer.text
    assert len(reply.answer.claims) == 2


def test_a_denied_question_is_not_answered_by_what_is_affirmed():
    corpus = [source("a#1", "Dogs are allowed on the ferry to Osk.", "Ferry"), SWIM]
    assert asked_of(corpus, "Are dogs allowed on the ferry to Osk?").answer.claims
    assert not asked_of(corpus, "Which dogs are not allowed on the ferry to Osk?").answer.claims


def test_a_condition_that_the_question_does_not_state_is_no_answer():
    corpus = [source("dose#1", "In adults over 75 the dose of Velosin is 10 mg. Keep it dry.", "Velosin leaflet"), SWIM]
    assert not asked_of(corpus, "What is the dose of Velosin?").answer.claims
    assert asked_of(corpus, "What is the dose of Velosin in adults over 75?").answer.claims


@pytest.mark.parametrize("question", ["", "?", "What about it?", "Tell me everything.", "…"])
def test_a_question_that_asks_for_nothing_is_asked_back_about(question):
    reply = asked_of(SMALL, question)
    assert reply.answer.refusal == "ambiguous"
    assert reply.answer.claims == ()


@pytest.mark.parametrize(
    "question", ["What is the library fine?", "How much does a ticket cost?", "When is the pool open?"]
)
def test_with_a_forced_null_nothing_is_retrieved_and_it_refuses(question):
    reply = asked_of(SMALL, question, force_null=True)
    assert (reply.retrieved, reply.shown) == ((), ())
    is_good_refusal(question, reply)


def test_every_quotation_stands_in_its_source_and_every_source_in_the_log():
    by_id = {one.source_id: " ".join(one.text.split()) for one in DOCUMENTS}
    questions = ["What is the annual rent of Unit 4?", "Who keeps the roof in repair?", "How much is the deposit?"]
    for question in questions:
        reply = asked_of(DOCUMENTS, question)
        for claim in reply.answer.claims:
            (citation,) = claim.citations
            assert citation.quoted_span in by_id[citation.source_id]
            assert citation.source_id in reply.shown


def test_an_id_that_a_reader_could_misread_stands_in_the_claim_alone():
    odd = source("Rules, p. 3 [draft]", "The library fine is 50 cents a day.", "Rules")
    question = "What is the library fine?"
    reply = asked_of([odd], question)
    assert reply.answer.text == "The library fine is 50 cents a day."
    (claim,) = reading_of(question, reply).answer.claims
    assert claim.citations[0].source_id == odd.source_id
    is_good_refusal("Where is the museum?", asked_of([odd], "Where is the library museum?"))


def test_a_quotation_from_lines_that_were_wrapped_is_still_found():
    wrapped = source("w#1", "The library fine\nis 50 cents\n  a day. It is paid\nat the desk.", "Rules")
    question = "What is the library fine?"
    reply = asked_of([wrapped], question)
    assert reply.answer.text == "The library fine is 50 cents a day. [w#1]"
    card = score(
        Record(id="q", question=question, answer=reply.answer, retrieved=reply.retrieved, shown=reply.shown),
        judge="lexical",
    )
    assert (card.bucket, card.citation_exists) == ("correct", "pass")


def test_it_looks_at_k_passages_and_needs_one():
    assert len(asked_of(SMALL, "ticket crowns fine bridge pool", k=2).retrieved) == 2
    with pytest.raises(SettingError, match="at least 1"):
        ReferencePipeline(SMALL, k=0)


def test_it_is_a_pipeline_that_costs_nothing():
    assert isinstance(ReferencePipeline(SMALL), Pipeline)
    cost = asked_of(SMALL, "What is the library fine?").cost
    assert (cost.calls, cost.usd) == (0, 0.0)


def test_a_corpus_without_text_refuses():
    assert asked_of([Source(source_id="a")], "What is the library fine?").retrieved == ()
    assert asked_of([], "What is the library fine?").answer.refusal == "no_evidence"


# --- taking a question apart -------------------------------------------------------------------------------


@every_row(
    ("question", "kind"),
    [
        ("When does it open?", "when"),
        ("On what date was it signed?", "when"),
        ("How long is the lease?", "how_long"),
        ("How many days of notice are needed?", "how_long"),
        ("What is the notice period?", "how_long"),
        ("What share of the votes did it get?", "share"),
        ("How much is the rent?", "money"),
        ("What does a ticket cost?", "money"),
        ("How many votes were cast?", "count"),
        ("Who signed it?", "who"),
        ("By whom was it signed?", "who"),
        ("Where is the office?", "where"),
        ("May the tenant sublet?", "statement"),
        ("What happens when the heating fails?", "statement"),
        ("What does a child who weighs 25 kg get?", "statement"),
        ("Does it apply where the tenant caused it?", "statement"),
    ],
)
def test_kinds_of_question(question, kind):
    assert take_apart(question).kind == kind


@pytest.mark.parametrize(
    ("kind_of_question", "gives", "lacks"),
    [
        ("When does it open?", "It opens on 3 May.", "It opens for members."),
        ("When does it open?", "It opens at 07:30.", "It opens slowly."),
        ("How long is the term?", "The term is five years.", "The term is long."),
        ("How much is the rent?", "The rent is £400.", "The rent is low."),
        ("How many members are there?", "There are 31 members.", "There are members."),
        ("What percentage voted?", "61.4 percent voted.", "Most voted."),
        ("How many seats has Unit 4?", "Unit 4 has 12 seats.", "Unit 4 has seats."),
    ],
)
def test_an_answer_holds_a_value_of_the_kind_asked_for(kind_of_question, gives, lacks):
    asked = take_apart(kind_of_question)
    assert asked.answered_by(gives)
    assert not asked.answered_by(lacks)


@pytest.mark.parametrize(
    "family",
    [
        "expire expires expired expiring",
        "deliver delivers delivered delivery",
        "destroy destroyed destroys",
        "terminate terminates terminated termination",
        "renew renewal renewed",
        "fall fell fallen",
        "cost costs",
        "policy policies",
    ],
)
def test_words_of_a_family_have_one_stem(family):
    assert len({stem(word) for word in family.split()}) == 1


@given(st.text(max_size=120))
def test_any_question_can_be_taken_apart_and_put(question):
    asked = take_apart(question)
    assert len({term.stem for term in asked.terms}) == len(asked.terms)
    found = Extractive(SMALL).find(question, SMALL)
    assert not (found.answer and found.rivals)
    if found.answer:
        assert found.answer.said >= ENOUGH_SAID
        assert found.answer.covered >= ENOUGH_COVERED


@given(st.lists(st.sampled_from(SMALL), unique_by=lambda one: one.source_id), st.text(max_size=60))
def test_what_is_out_of_force_is_never_the_answer(passages, question):
    found = Extractive(SMALL).find(f"What is the library fine {question}", passages)
    assert found.answer is None or found.answer.source.source_id != OLD.source_id
