"""Reading of refusals: how far an answer declines, of what kind, and which claims answer all the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probative.read.claims import find_claims
from probative.read.reading import RefusalReading
from probative.read.refusal import assign_roles, read_refusal, settle_extent, without_declines
from probative.read.sentences import split_sentences

PEER = "peer_failures, refusals"
ROW = "DESIGN, bucket table"
HAND = "hand-made"

NOTICE = "What is the notice period in the Acme lease?"


def read(text, question="", field="none"):
    return read_refusal(text, split_sentences(text), field, question=question)


def settled(text, question="", field="none"):
    """Read an answer to the end: refusal, claims outside of what declines, roles, extent."""
    refusal = read(text, question, field)
    claims = find_claims(text, without_declines(text, split_sentences(text), refusal), [], [])
    return settle_extent(refusal, assign_roles(question, claims, refusal, text))


# text, question, extent as settled, kind, source
DECLINING = [
    ("I don't know based on the provided context.", NOTICE, "full", "no_evidence", PEER),
    ("I can't help with that.", NOTICE, "full", "harm", PEER),
    ("I don’t know.", NOTICE, "full", "no_evidence", HAND),
    ("I do not know.", "", "full", "no_evidence", HAND),
    ("The documents provided do not mention a notice period.", NOTICE, "full", "no_evidence", HAND),
    ("The provided documents don't mention the notice period of the Acme lease.", NOTICE, "full", "no_evidence", HAND),
    ("There is not enough information.", NOTICE, "full", "no_evidence", HAND),
    ("There isn't enough information in the passages to answer this question.", NOTICE, "full", "no_evidence", HAND),
    ("There is insufficient information to say.", NOTICE, "full", "no_evidence", HAND),
    ("The notice period cannot be determined from the excerpts.", NOTICE, "full", "no_evidence", HAND),
    ("This cannot be answered from the retrieved sources.", NOTICE, "full", "no_evidence", HAND),
    ("The filing doesn't state the total current liabilities, so I can't compute it.", "What is the operating cash flow ratio?", "full", "no_evidence", HAND),
    ("Without access to the cash flow statement I cannot calculate the ratio.", "What is the operating cash flow ratio?", "full", "no_evidence", HAND),
    ("Unable to determine from the context.", NOTICE, "full", "no_evidence", HAND),
    ("Cannot be determined.", NOTICE, "full", "no_evidence", HAND),
    ("Not stated.", NOTICE, "full", "no_evidence", HAND),
    ("Not mentioned in the documents", NOTICE, "full", "no_evidence", HAND),
    ("No answer found.", NOTICE, "full", "no_evidence", HAND),
    ("N/A", NOTICE, "full", "no_evidence", HAND),
    ("Unanswerable", NOTICE, "full", "no_evidence", HAND),
    ("I could not find anything about a notice period in the sources.", NOTICE, "full", "no_evidence", HAND),
    ("I found no mention of a notice period.", NOTICE, "full", "no_evidence", HAND),
    ("I was unable to locate the notice period.", NOTICE, "full", "no_evidence", HAND),
    ("None of the retrieved passages mention the notice period.", NOTICE, "full", "no_evidence", HAND),
    ("None of the sources specifies a notice period.", NOTICE, "full", "no_evidence", HAND),
    ("The lease does not specify a notice period.", NOTICE, "full", "no_evidence", HAND),
    ("The lease is silent on the notice period.", NOTICE, "full", "no_evidence", HAND),
    ("The notice period is not specified in the lease.", NOTICE, "full", "no_evidence", HAND),
    ("The notice period is not included in the provided excerpt.", NOTICE, "full", "no_evidence", HAND),
    ("The excerpts contain no information on the notice period.", NOTICE, "full", "no_evidence", HAND),
    ("No information about the notice period was found.", NOTICE, "full", "no_evidence", HAND),
    ("Unfortunately, the context lacks details of the notice period.", NOTICE, "full", "no_evidence", HAND),
    ("I'm afraid the search results don't say how long the notice period is.", NOTICE, "full", "no_evidence", HAND),
    ("It is not possible to determine the notice period from these pages.", NOTICE, "full", "no_evidence", HAND),
    ("It is unclear from the provided text how long the notice period is.", NOTICE, "full", "no_evidence", HAND),
    ("As an AI, I don't have access to the lease.", NOTICE, "full", "no_evidence", HAND),
    ("I have no information about that.", NOTICE, "full", "no_evidence", HAND),
    ("To answer this I would need the second page of the lease. Please upload it.", NOTICE, "full", "no_evidence", HAND),
    ("I would need more information to answer. If you can provide the lease, I can look it up.", NOTICE, "full", "no_evidence", HAND),
    ("You haven't provided the lease, so I cannot tell.", NOTICE, "full", "no_evidence", HAND),
    ("We do not have enough information to answer your question.", NOTICE, "full", "no_evidence", HAND),
    ("The study did not report five-year survival.", "What was five-year survival in the study?", "full", "no_evidence", HAND),
    ("The notice period is not explicitly stated in the lease.", NOTICE, "full", "no_evidence", HAND),
    ("The documents do not mention a notice period. The closest passage is about the deposit [1].", NOTICE, "full", "no_evidence", ROW),
    ("The documents do not mention a notice period; section 4 covers the deposit instead [1].", NOTICE, "full", "no_evidence", ROW),
    ("The filing has no 2022 figure. In 2021 revenue was $5 million [1].", "What was revenue in 2022?", "full", "no_evidence", ROW),
    ("That is outside the scope of these documents.", "Who won the cup?", "full", "out_of_scope", HAND),
    ("Your question is outside the scope of the provided materials.", "Who won the cup?", "full", "out_of_scope", HAND),
    ("I can only answer questions about tenancy law.", "Who won the cup?", "full", "out_of_scope", HAND),
    ("This falls outside my area of expertise.", "Who won the cup?", "full", "out_of_scope", HAND),
    ("Your question is unrelated to the documents I was given.", "Who won the cup?", "full", "out_of_scope", HAND),
    ("Sorry, that's beyond the scope of what I can answer here.", "Who won the cup?", "full", "out_of_scope", HAND),
    ("Which agreement do you mean, the 2019 or the 2021 one?", NOTICE, "full", "ambiguous", HAND),
    ("Could you clarify which lease you are asking about?", NOTICE, "full", "ambiguous", HAND),
    ("Do you mean the Acme lease of 2019 or that of 2021?", NOTICE, "full", "ambiguous", HAND),
    ("Your question is ambiguous. Please specify the year.", NOTICE, "full", "ambiguous", HAND),
    ("It is not clear which of the two leases you mean. Please clarify.", NOTICE, "full", "ambiguous", HAND),
    ("There are two Acme leases. Which one are you asking about?", NOTICE, "full", "ambiguous", HAND),
    ("Sorry, but I can't assist with that request.", NOTICE, "full", "harm", HAND),
    ("I cannot fulfill your request. It is against my ethical guidelines.", NOTICE, "full", "harm", HAND),
    ("I must decline to answer that.", NOTICE, "full", "harm", HAND),
    ("I won't help with this; it is illegal and harmful.", NOTICE, "full", "harm", HAND),
    ("I cannot provide instructions for illegal activities.", NOTICE, "full", "harm", HAND),
    ("I cannot provide instructions on how to do that. It would be unethical and illegal.", NOTICE, "full", "harm", HAND),
    ("I cannot help you compute the ratio, because the excerpts do not contain current liabilities.", "What is the ratio?", "full", "no_evidence", HAND),
    ("I don't know the answer, but the notice period is 30 days.", NOTICE, "refused_then_answered", "no_evidence", ROW),
    ("The documents do not mention the notice period. However, it is probably 30 days.", NOTICE, "refused_then_answered", "no_evidence", ROW),
    ("The context does not say. The notice period in the Acme lease is 30 days.", NOTICE, "refused_then_answered", "no_evidence", ROW),
    ("I cannot determine it from the passages, but it is probably 30 days.", NOTICE, "refused_then_answered", "no_evidence", ROW),
    ("The notice period is 30 days [1]. The documents do not mention the penalty.", "What are the notice period and the penalty?", "partial", "no_evidence", ROW),
    ("The documents do not mention the penalty. The notice period is 30 days [1].", "What are the notice period and the penalty?", "partial", "no_evidence", ROW),
    ("The report states that sales were $5m [1]. It does not mention the margin.", "What were sales and the margin?", "partial", "no_evidence", ROW),
    ("The agreement does not address copies.", "According to the agreement, is it true, false, or not addressed: copies may be kept?", "full", "no_evidence", HAND),
    ("Not addressed.", "Is it true, false, or not addressed: copies may be kept?", "full", "no_evidence", HAND),
    ("The leaflet gives no dose for children.", "What is the dose for children?", "full", "no_evidence", HAND),
    ("Sales were $5m in 2021 [1]. The report does not give sales for 2022.", "What were sales in 2021 and 2022?", "partial", "no_evidence", ROW),
    ("The lease runs for five years [1], but it does not say when it began.", "How long does the lease run?", "partial", "no_evidence", ROW),
    ("The rent is $900 [1] and includes heating [2]. I could not find the name of the landlord.", "What is the rent?", "partial", "no_evidence", HAND),
]  # fmt: skip

ANSWERING = [
    ("I'm sorry to hear that. The notice period is 30 days [2].", NOTICE, PEER),
    ("The policy says 'we cannot answer questions on claims' [1].", "What does the policy say on questions?", PEER),
    ('The clerk replied: "I don\'t know." [1]', "What did the clerk reply?", HAND),
    ("The letter states “we are unable to help with that” [3].", "What does the letter state?", HAND),
    ("", NOTICE, PEER),
    ("   \n ", NOTICE, HAND),
    ("It is not true that the documents do not mention a notice period: it is 30 days [1].", NOTICE, HAND),
    ("It would be wrong to say that the lease does not mention notice; clause 3 sets 30 days [1].", NOTICE, HAND),
    ("The agreement does not provide for a renewal [1].", "Can the agreement be renewed?", HAND),
    ("The lease does not include parking [1].", "Is parking included?", HAND),
    ("The lease does not mention a renewal term.", "Does the lease mention a renewal term?", HAND),
    ("No, the contract does not contain an arbitration clause [1].", "Does the contract contain an arbitration clause?", HAND),
    ("The agreement does not specify a cap on liability.", "Does the agreement specify a cap on liability?", HAND),
    ("There is no mention of a deposit in the lease.", "Is there any mention of a deposit in the lease?", HAND),
    ("The company did not disclose its margin [1].", "Did the company disclose its margin?", HAND),
    ("The company did not report a loss in 2021 [1].", "How did the company fare in 2021?", HAND),
    ("The tenant may not sublet [1].", "May the tenant sublet?", HAND),
    ("The tenant cannot terminate before 2025 [1].", "When can the tenant terminate?", HAND),
    ("The trial did not include children [1].", "Whom did the trial include?", HAND),
    ("The data do not show a difference between the arms [1].", "Was there a difference?", HAND),
    ("There is no evidence that aspirin lowers the risk [2].", "Does aspirin lower the risk?", HAND),
    ("No deaths were reported [1].", "How many died?", HAND),
    ("Service is not available on Sundays [1].", "When is the service available?", HAND),
    ("Parking is not provided [1].", "Is parking provided?", HAND),
    ("The court held that damages cannot be determined by a jury alone [1].", "What did the court hold?", HAND),
    ("The witness said that she could not identify the man [1].", "What did the witness say?", HAND),
    ("I'm not a lawyer, but the notice period is 30 days [1].", NOTICE, HAND),
    ("I cannot give legal advice, but the notice period is 30 days [1].", NOTICE, HAND),
    ("Please note that figures may vary. The fee is $5 [1].", "What is the fee?", HAND),
    ("I cannot stress this enough: the dose is 5 mg [1].", "What is the dose?", HAND),
    ("It is not explicitly stated, but the notice period is 30 days [1].", NOTICE, HAND),
    ("Although the lease does not explicitly say so, the notice period is 30 days [1].", NOTICE, HAND),
    ("I'm not entirely sure, but the notice period is 30 days [1].", NOTICE, HAND),
    ("If the lease does not specify a period, the statute sets 30 days [1].", "What if no period is specified?", HAND),
    ("The notice period is 30 days [1]. Let me know if you need any clarification!", NOTICE, HAND),
    ("The notice period is 30 days [1]. Would you like me to look up the deposit?", NOTICE, HAND),
    ("The notice period is 30 days [1]. Does this help?", NOTICE, HAND),
    ("The notice period is 30 days [1]. If you provide the date, I can reckon the last day.", NOTICE, HAND),
    ("Claims of this kind are outside the scope of the policy [1].", "Are such claims covered?", HAND),
    ("The patent covers only the hinge; the lid is beyond its claims [1].", "What does the patent cover?", HAND),
    ("Notice must be given in writing; please provide it 30 days ahead [1].", NOTICE, HAND),
    ("It is illegal to sell the drug without a prescription [1].", "Is it legal to sell the drug?", HAND),
    ("The claimant, who did not know of the defect, may rescind [1].", "May the claimant rescind?", HAND),
    ("The firm does not have any debt securities listed on an exchange [1].", "Which debt securities are listed?", HAND),
    ("According to its 2022 filing, Acme does not have any subsidiaries [1].", "Which subsidiaries has Acme?", HAND),
    ("The total was $5 million, which is not material [1].", "What was the total?", HAND),
    ("The only fee is the annual one of $40 [1].", "What is the fee?", HAND),
    ("Unclear writing is not a ground for appeal [1].", "What are grounds for appeal?", HAND),
    ("30 days [1].", NOTICE, HAND),
    ("Please note that Acme does not have a public address [1].", "Where is Acme?", HAND),
    ("It lacks the enzymes for that [1].", "Why can rice not move?", HAND),
    ("The filing reports that Acme does not have any debt [1].", "What debt has Acme?", HAND),
    ("No therapy was given during the arrest [1].", "What therapy was given?", HAND),
    ("Two sensors are required to determine the direction [1].", "What does the motor need?", HAND),
    ("None [1].", "How many are listed?", HAND),
]  # fmt: skip


@pytest.mark.parametrize(("text", "question", "extent", "kind", "source"), DECLINING)
def test_declining_answers_are_read_with_extent_and_kind(text, question, extent, kind, source):
    assert source
    refusal = settled(text, question)
    assert (refusal.extent, refusal.kind) == (extent, kind)
    assert refusal.spans


@pytest.mark.parametrize(("text", "question", "source"), ANSWERING)
def test_answers_that_only_sound_like_refusals_are_answers(text, question, source):
    assert source
    assert read(text, question) == RefusalReading()


@pytest.mark.parametrize("field", ["ambiguous", "out_of_scope", "no_evidence"])
def test_without_text_the_field_decides(field):
    refusal = read_refusal("", [], field)
    assert (refusal.extent, refusal.kind, refusal.spans) == ("full", field, ())


@pytest.mark.parametrize("field", ["none", "ambiguous", "out_of_scope", "no_evidence"])
def test_the_text_beats_the_field(field):
    assert read("The notice period is 30 days [1].", NOTICE, field).extent == "none"
    assert read("The documents do not mention a notice period.", NOTICE, field).extent == "full"


def test_the_field_names_the_kind_only_where_the_text_names_no_topic():
    assert read("I cannot answer that.", NOTICE, "out_of_scope").kind == "out_of_scope"
    assert read("The lease does not mention a notice period.", NOTICE, "out_of_scope").kind == "no_evidence"


def test_asking_back_is_told_apart_from_a_polite_offer():
    assert read("Which lease do you mean, the 2019 or the 2021 one?", NOTICE).asks_back
    assert not read("The notice period is 30 days [1]. Shall I go on?", NOTICE).asks_back


# question, answer, roles of its claims in order, source
ROLES = [
    (
        NOTICE,
        "The documents do not mention a notice period. The closest passage is about the deposit [1].",
        ["aside"],
        ROW,
    ),
    (NOTICE, "I cannot find the notice period. Section 4 covers the deposit instead [1].", ["aside"], HAND),
    (NOTICE, "I cannot find the notice period. Leases usually set 30 days.", ["aside"], HAND),
    (
        "What were sales in 2022?",
        "The report does not give sales for 2022. Sales were $5m in 2021 [1].",
        ["aside"],
        HAND,
    ),
    (NOTICE, "The lease does not state a notice period. However, the landlord wants 30 days.", ["answering"], ROW),
    (NOTICE, "The context does not say. The notice period in the Acme lease is 30 days.", ["answering"], ROW),
    (NOTICE, "The notice period is 30 days [1]. Rent is due monthly [2].", ["answering", "answering"], ROW),
    (
        "What are the notice period and the penalty?",
        "The notice period is 30 days [1]. I could not find the penalty. The excerpts only cover chapters 1 to 3.",
        ["answering", "aside"],
        HAND,
    ),
]


@pytest.mark.parametrize(("question", "text", "roles", "source"), ROLES)
def test_claims_of_a_declining_answer_are_answers_or_asides(question, text, roles, source):
    assert source
    sentences = split_sentences(text)
    refusal = read_refusal(text, sentences, question=question)
    claims = find_claims(text, without_declines(text, sentences, refusal), [], [])
    assert list(assign_roles(question, claims, refusal, text)) == roles


def test_a_long_explanation_of_what_is_missing_is_still_a_full_refusal():
    text = (
        "I'm sorry, but the information provided does not include the operating cash flow ratio of Acme for 2015.\n\n"
        "The ratio is usually calculated by dividing cash from operations by current liabilities. The excerpts are missing:\n\n"
        "- the balance sheet, which would be found in the annual report\n"
        "- the notes, which typically list the liabilities\n\n"
        "The documents cover revenue and dividends only. To calculate the ratio, you would need to consult the 2015 "
        "annual report. If you can provide these figures, I can compute it for you."
    )
    refusal = settled(text, "What is the operating cash flow ratio of Acme in 2015?")
    assert (refusal.extent, refusal.kind) == ("full", "no_evidence")


def test_what_declines_is_cut_out_of_a_sentence_that_goes_on_to_assert():
    text = "I don't know the answer, but the notice period is 30 days [2]."
    sentences = split_sentences(text)
    refusal = read_refusal(text, sentences, question=NOTICE)
    assert [text[a:b] for a, b in refusal.spans] == ["I don't know the answer"]
    kept = without_declines(text, sentences, refusal)
    assert [text[s.start : s.end] for s in kept] == ["the notice period is 30 days [2]."]


def test_sentences_that_do_not_decline_are_kept_whole():
    text = "30 days [1]. I could not find the name of the landlord. Yes."
    sentences = split_sentences(text)
    refusal = read_refusal(text, sentences, question=NOTICE)
    kept = without_declines(text, sentences, refusal)
    assert [text[s.start : s.end] for s in kept] == ["30 days [1].", "Yes."]


def test_nothing_is_settled_where_nothing_is_declined():
    assert settle_extent(RefusalReading(), ("answering",)) == RefusalReading()


PIECES = st.lists(
    st.sampled_from(
        [text for text, *_ in DECLINING]
        + [text for text, *_ in ANSWERING if text.strip()]
        + ["İstanbul’da [1]", "“", "if you", "no " * 30, "\x00", "❌"]
    ),
    max_size=4,
).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(PIECES, st.sampled_from(["", NOTICE, "Does the lease mention it?"]), st.sampled_from(["none", "ambiguous"]))
def test_spans_stay_in_the_text_in_order_and_only_refusals_have_them(text, question, field):
    refusal = read(text, question, field)
    flat = [offset for span in refusal.spans for offset in span]
    assert flat == sorted(flat)
    assert all(0 <= offset <= len(text) for offset in flat)
    assert all(text[a:b].strip() for a, b in refusal.spans)
    assert (refusal.kind == "none") == (refusal.extent == "none")


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([(text, question) for text, question, *_ in DECLINING]),
    st.text(" \t\n", max_size=3),
    st.sampled_from(["  ", " \t", "\u00a0"]),
)
def test_more_white_space_changes_nothing(case, around, between):
    text, question = case
    plain, spaced = read(text, question), read(around + text.replace(" ", between) + around, question)
    assert (spaced.extent, spaced.kind, spaced.asks_back) == (plain.extent, plain.kind, plain.asks_back)


def test_long_hostile_text_is_read():
    text = "no information the documents do not if you provide there is no not enough " * 2000
    assert read_refusal(text, split_sentences(text)).extent in {"none", "partial", "full"}
