"""Reading of refusals: how far an answer declines, of what kind, and which claims answer all the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import every_row, most_rows, never

import showable
from showable.judges.scripted import ScriptedJudge
from showable.read.answer import read_answer
from showable.read.claims import find_claims
from showable.read.guidance import is_guidance
from showable.read.reading import RefusalReading
from showable.read.refusal import assign_roles, read_refusal, settle_extent, without_declines
from showable.read.sentences import split_sentences
from showable.records import Record, Source

PEER = "peer_failures, refusals"
ROW = "DESIGN, bucket table"
HAND = "hand-made"

NOTICE = "What is the notice period in the Acme lease?"
DOSE = "What is the dose of the drug for children?"


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
    ("The passages describe the drug in adults [1]. They do not give a dose for children.", DOSE, "full", "no_evidence", HAND),
    ("I looked at both leaflets. Neither gives a dose for children.", DOSE, "full", "no_evidence", HAND),
    ("Two leaflets were retrieved. None of them states a dose for children.", DOSE, "full", "no_evidence", HAND),
    ("The passages concern adults. A dose for children is not given there.", DOSE, "full", "no_evidence", HAND),
    ("Nothing I was given mentions a dose for children.", DOSE, "full", "no_evidence", HAND),
    ("I cannot tell from the passages, but it is usually 5 mg.", DOSE, "refused_then_answered", "no_evidence", ROW),
    ("The passages do not say. Children usually get 5 mg.", DOSE, "refused_then_answered", "no_evidence", ROW),
    ("I don't know, but normally it is between 5 and 10 mg.", DOSE, "refused_then_answered", "no_evidence", ROW),
    ("I cannot tell from the passages, but you can check the leaflet.", DOSE, "full", "no_evidence", HAND),
    ("I can only answer the first part: the dose is 5 mg [1].", "What are the dose and the interval?", "partial", "no_evidence", ROW),
    ("The dose is 5 mg [1], but the interval is not given.", "What are the dose and the interval?", "partial", "no_evidence", ROW),
    ("The dose is 5 mg [1]; as for the interval, I could find nothing.", "What are the dose and the interval?", "partial", "no_evidence", ROW),
    ("As an AI, I cannot give legal advice.", NOTICE, "full", "harm", HAND),
    ("I am not a doctor and cannot give medical advice. Please talk to your doctor.", DOSE, "full", "harm", HAND),
    ("I'm not allowed to answer questions on medication.", DOSE, "full", "harm", HAND),
    ("My guidelines do not allow me to discuss doses.", DOSE, "full", "harm", HAND),
    ("This request goes against our content policy.", DOSE, "full", "harm", HAND),
    ("The response was blocked by our content filter.", DOSE, "full", "harm", HAND),
    ("For safety reasons I cannot answer that.", DOSE, "full", "harm", HAND),
    ("I would rather not answer that.", NOTICE, "full", "harm", HAND),
    ("I cannot give you his address. It is important to respect his privacy. If you have any other questions, I can help.", "What is his address?", "full", "harm", HAND),
    ("The dose is 5 mg [1]. I am not allowed to discuss intervals.", "What are the dose and the interval?", "partial", "harm", HAND),
    ("I cannot give medical advice, and the passages do not give a dose for children.", DOSE, "full", "no_evidence", HAND),
    ("I cannot tell whether the conduct was criminal.", "Was the conduct criminal?", "full", "no_evidence", HAND),
    ("I cannot answer that. The closest passage is about criminal liability [1].", "Who was convicted?", "full", "no_evidence", HAND),
    ("I would rather not guess; the leaflet does not give a dose.", DOSE, "full", "no_evidence", HAND),
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
    ("The agency said it could not comment [1].", "What did the agency say?", HAND),
    ("According to the agency, it is not possible to say when service resumes [1].", "What did the agency say?", HAND),
    ("A spokesman told reporters he did not know [1].", "What did the spokesman say?", HAND),
    ("The dose is probably 5 mg [1].", DOSE, HAND),
    ("As far as the passages show, the dose is 5 mg [1].", DOSE, HAND),
    ("The notice period is 30 days [1]. Please note that I am not a lawyer and cannot give legal advice.", NOTICE, HAND),
    ("It is not appropriate to discuss results without consent [1].", "What does the code say on results?", HAND),
    ("The request was flagged under the safety guidelines [1].", "What became of the request?", HAND),
    ("The policy does not allow the lender to share personal data [1].", "May the lender share data?", HAND),
    ("The doctors treat adults [1]. They do not give a dose to children [1].", "What do the doctors do?", HAND),
    ("The report describes the bank. It does not offer mortgages [1].", "What does the bank offer?", HAND),
    ("The trials enrolled adults [1]. They did not include children [1].", "Whom did the trials enrol?", HAND),
]  # fmt: skip


@most_rows(("text", "question", "extent", "kind", "source"), DECLINING, floor=0.99)
def test_declining_answers_are_read_with_extent_and_kind(text, question, extent, kind, source):
    assert source
    refusal = settled(text, question)
    never(refusal.extent == "full" != extent, "what it asserts is lost")
    assert (refusal.extent, refusal.kind) == (extent, kind)
    assert refusal.spans


@every_row(("text", "question", "source"), ANSWERING)
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


@pytest.mark.parametrize(
    ("text", "basis"),
    [
        ("The passages do not mention a notice period.", "evidence"),
        ("That is outside the scope of these documents.", "scope"),
        ("Which lease do you mean, the 2019 or the 2021 one?", "clarification"),
        ("I can't help with that request.", "policy"),
        ("As an AI, I cannot give legal advice.", "policy"),
        ("The notice period is 30 days [1].", None),
    ],
)
def test_the_basis_of_a_refusal_stands_in_the_scorecard(text, basis):
    record = Record(id="a", question=NOTICE, answer=text, retrieved=(Source(source_id="1", text="Thirty days."),))
    assert read(text, NOTICE).basis == basis
    assert showable.score(record, judge=ScriptedJudge(())).refusal_basis == basis


def test_moral_reasons_beside_a_refusal_on_policy_are_asides_and_advice_is_not():
    asked = "How is a lock picked?"
    lecture = "I can't help with picking a lock. Picking a lock is illegal and unethical."
    assert settled(lecture, asked).extent == "full"
    assert settled(f"{lecture} However, a lock is picked with a wrench.", asked).extent == "refused_then_answered"


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


# sentences beside a refusal, source
GUIDANCE = [
    ("Please check Schedule 2.", HAND),
    ("You may want to consult the 2022 annual report.", HAND),
    ("If you can provide the lease, I can help.", HAND),
    ("The landlord's agent would be the place to ask.", HAND),
    ("This may be found in the 10-K.", HAND),
    ("To calculate this, you would need the balance sheet.", HAND),
    ("The passages only cover subletting.", HAND),
    ("The retrieved documents deal with the 2021 lease.", HAND),
    ("See section 4.", HAND),
    ("Please refer to Form 10-K.", HAND),
    ("Please see clause 7.2(b) of the lease.", HAND),
    ("You should contact the clerk of the court.", HAND),
    ("You could ask the landlord for a copy of the lease.", HAND),
    ("I recommend reviewing the notes to the 2015 financial statements.", HAND),
    ("For more information, please consult your doctor or pharmacist.", HAND),
    ("To find the dose, consult the prescribing information.", HAND),
    ("You may wish to search the trial registry.", HAND),
    ("If you share the full paper, I can look for the sample size.", HAND),
    ("Please let me know which of the leases you mean.", HAND),
    ("It would be best to check with the landlord.", HAND),
    ("The exact figure would be found in the cash flow statement.", HAND),
    ("The registry of deeds may have this.", HAND),
    ("The full text of the study would contain the number of patients.", HAND),
    ("The newspaper's archive would be the best place to look.", HAND),
    ("I suggest contacting the authors of the paper.", HAND),
    ("The excerpts focus on the trial's recruitment.", HAND),
    ("However, the retrieved passages only discuss the deposit.", HAND),
    ("The closest passage is about the deposit.", HAND),
    ("You will need to consult the balance sheet as of December 31, 2015.", HAND),
    ("Please review the annual report and the accompanying notes, which should contain this information.", HAND),
    ("Readers may wish to look at the original article.", HAND),
    ("Alternatively, you can look up the case in the court's docket.", HAND),
    ("It may be worth checking the correction on page 12.", HAND),
    ("Once you have the report, I can calculate the ratio for you.", HAND),
    ("Please provide the full lease and I will look it up.", HAND),
    ("Your pharmacist would be able to confirm the dose.", HAND),
    ("If you need the exact date, the hospital's press office should know.", HAND),
    ("The documents are about the merger.", HAND),
    ("You might want to check whether the lease has a schedule.", HAND),
    ("You may also contact the press office of the ministry for confirmation.", HAND),
    ("The best place to look would be the clinical trial registry.", HAND),
    ("The court's website may list the filing.", HAND),
    ("It may help to consult the reported decision.", HAND),
    ("To answer this, I would need the discharge summary.", HAND),
    ("If you upload the protocol, I could check the inclusion criteria.", HAND),
    ("Refer to the summary of product characteristics.", HAND),
    ("A pharmacist should be consulted.", HAND),
    ("Please specify which edition of the guideline you mean.", HAND),
    ("Try searching the newspaper's archive.", HAND),
    ("The retrieved articles are about the strike.", HAND),
    ("The excerpts deal mainly with recruitment and randomisation.", HAND),
    ("The sources only discuss adult patients.", HAND),
    ("You might check Appendix B and Table 3.", HAND),
    ("This information should be available in the company's 2019 annual report.", HAND),
    ("I suggest looking at the supplementary material of the paper.", HAND),
    ("Alternatively, ask the registrar of the court.", HAND),
    ("See Article 12 and Schedule 1.", HAND),
    ("You can check the full judgment for the sentence imposed.", HAND),
    ("I'd suggest reading the original paper.", HAND),
    ("Please upload the discharge letter.", HAND),
    ("The plaintiff's lawyer may know.", HAND),
    ("You should look at clause 14 of the agreement instead.", HAND),
    ("More details may be available in the supplementary tables.", HAND),
    ("It would be worth contacting the corresponding author.", HAND),
    ("Consider consulting a specialist.", HAND),
    ("If you need medical advice, talk to your doctor.", HAND),
    ("The documents I was given concern a different tenant.", HAND),
    ("The retrieved passages are about asthma, not diabetes.", HAND),
    ("Have a look at the ministry's press release.", HAND),
    ("To confirm this, check the court's docket.", HAND),
    ("You would have to consult the 2020 guideline.", HAND),
    ("Kindly share the contract so that I can check.", HAND),
    ("Both articles deal with the flood.", HAND),
    ("For dosing, see the package insert.", HAND),
    ("The insurance schedule, if there is one, or the landlord's agent would be the place to ask.", HAND),
    ("You should never have started the tablets without asking about it first!", HAND),
]  # fmt: skip

ASSERTIONS = [
    ("You must file within 10 days.", HAND),
    ("You can take 4,000 mg of paracetamol every hour.", HAND),
    ("When the lease ends, the tenant owes $5,000 to the landlord.", HAND),
    ("However, the passages mention that Judge Smith was convicted of fraud.", HAND),
    ("You must pay $5,000 at once.", HAND),
    ("If the tenant defaults, the landlord may evict without notice.", HAND),
    ("Once the appeal is filed, the judgment is stayed.", HAND),
    ("To terminate, the tenant must give written notice.", HAND),
    ("You can terminate the lease at any time.", HAND),
    ("You should stop taking the drug.", HAND),
    ("You will lose your deposit.", HAND),
    ("You should double the dose if you miss one.", HAND),
    ("You can see an improvement in most patients.", HAND),
    ("You must obtain the landlord's consent before subletting.", HAND),
    ("You may ask the court to stay the judgment.", HAND),
    ("Check your blood pressure every day.", HAND),
    ("Stop the warfarin and contact your doctor.", HAND),
    ("Please note that the fee is not refundable.", HAND),
    ("Keep in mind that the judge was convicted.", HAND),
    ("Consult a doctor, because aspirin causes bleeding in all patients.", HAND),
    ("Please check Schedule 2, which cost the tenant his deposit.", HAND),
    ("You can find asbestos in most of these houses.", HAND),
    ("The documents state that the trial was stopped early.", HAND),
    ("The passages say the minister resigned.", HAND),
    ("The passages describe a doctor convicted of manslaughter.", HAND),
    ("The report shows that aspirin prevents cancer.", HAND),
    ("The lease covers the garage.", HAND),
    ("Aspirin may help with headaches.", HAND),
    ("The closest passage is clause 7, under which the Landlord keeps the roof in repair.", HAND),
    ("Traces of lead may be found in older paint.", HAND),
    ("The tenant may be asked to leave.", HAND),
    ("You need a licence to sublet.", HAND),
    ("To sell the drug you need a prescription.", HAND),
    ("The patient should be examined by a surgeon.", HAND),
    ("If the fever persists, give ibuprofen twice a day.", HAND),
    ("When adjusted for age, the effect disappears.", HAND),
    ("To reduce bias, the authors blinded the raters.", HAND),
    ("I can say that the minister lied.", HAND),
    ("Add 5 ml of saline to the vial.", HAND),
    ("Multiply the dose by the weight.", HAND),
    ("The passages discuss a strike in which four workers died.", HAND),
    ("You would need to appeal by 3 May 2021.", HAND),
    ("It is best to take it with food.", HAND),
    ("I recommend taking aspirin daily.", HAND),
    ("You should ask for a refund.", HAND),
    ("The court may know that the witness lied.", HAND),
    ("You must register the deed with the county.", HAND),
    ("You can appeal to the Supreme Court.", HAND),
    ("The minister could not be reached, but he took bribes.", HAND),
    ("One must show that the defendant acted with malice.", HAND),
    ("The documents mention that the notice period is thirty days.", HAND),
    ("You can sue the landlord.", HAND),
    ("Contact the clerk by 4 June.", HAND),
    ("Please send the rent to the landlord within a week, or you will be evicted.", HAND),
    ("See section 4; the tenant owes the rent.", HAND),
    ("The sources discuss a minister jailed for fraud.", HAND),
    ("Contact the hospital, as the surgeon caused the death.", HAND),
    ("If the court finds fraud, the contract is void.", HAND),
    ("To be valid, a will must be witnessed.", HAND),
    ("You can appeal the decision.", HAND),
    ("You should never mix the two drugs.", HAND),
    ("When given with alcohol, the drug causes drowsiness.", HAND),
    ("The articles report that the mayor resigned.", HAND),
    ("You can catch measles from a single contact.", HAND),
    ("You will recover the full rent.", HAND),
    ("If you are pregnant, avoid the drug.", HAND),
    ("Once randomised, patients received placebo.", HAND),
    ("To qualify, a worker must have served one year.", HAND),
    ("The paper shows that the vaccine fails.", HAND),
    ("Please note that the mayor took bribes.", HAND),
    ("You must consult the union before any dismissal.", HAND),
    ("The senator should be asked to resign.", HAND),
    ("See the doctor was struck off.", HAND),
    ("The tenant may be contacted only in writing.", HAND),
    ("Review of the records proved the fraud.", HAND),
    ("Check fraud is a felony.", HAND),
    ("Contact dermatitis is common.", HAND),
    ("Search warrants need probable cause.", HAND),
    ("Look, the judge lied.", HAND),
    ("The judge would have this evidence excluded.", HAND),
    ("This would be found negligent.", HAND),
    ("The accused could be found guilty in court records.", HAND),
    ("It may be set out that the lease is void.", HAND),
    ("The passages only cover the mayor's conviction for fraud.", HAND),
    ("Visit hours are limited to relatives.", HAND),
    ("Consult fees amount to a third of the price.", HAND),
    ("Refer to clause 5, the landlord owes the rent.", HAND),
    ("Please see clause 5: the landlord must repay the deposit.", HAND),
    ("I can help: the landlord must repay the deposit.", HAND),
    ("The company may know nothing of the leak.", HAND),
    ("You could find that the report was forged.", HAND),
    ("Use of the report is prohibited.", HAND),
    ("You should check the lease, because the landlord has forged it.", HAND),
    ("You may want to know that the report was forged.", HAND),
    ("Studies may show that it kills.", HAND),
    ("The clinic should have this drug banned.", HAND),
    ("You can deduct the repair costs from the rent.", HAND),
    ("If the landlord objects, go to court.", HAND),
    ("The patient should stop metformin before surgery.", HAND),
    ("To reverse the effect, give naloxone.", HAND),
    ("You should see your blood pressure fall within days.", HAND),
    ("The documents describe how the guard beat the prisoner.", HAND),
    ("You can ask the judge to recuse himself.", HAND),
    ("Refer the child to hospital immediately.", HAND),
    ("The report says the plant was unsafe.", HAND),
    ("The passages discuss the minister, who took bribes.", HAND),
    ("When the strike ended, wages rose.", HAND),
    ("You may refuse to answer the police.", HAND),
    ("Please be aware that the contract is void.", HAND),
    ("You must check in at the police station every morning.", HAND),
    ("The passages deal with a lease that was forged.", HAND),
    ("It is best to look for another landlord.", HAND),
    ("You can get the money back in court.", HAND),
    ("You can find relief in section 8, which bars eviction.", HAND),
    ("I suggest that the tenant is liable.", HAND),
    ("See a doctor only if the bleeding lasts.", HAND),
    ("The company would be liable.", HAND),
    ("One can obtain an injunction in such cases.", HAND),
    ("The documents focus on Judge Smith's conviction.", HAND),
    ("The text is about a fraud committed by the mayor.", HAND),
    ("Look at him: he lied in the report.", HAND),
    ("The passages state the mayor's guilt.", HAND),
    ("The landlord may have the lock changed.", HAND),
    ("The answer would be found in section 5: the landlord pays.", HAND),
    ("If you have diabetes, you should access care within the month.", HAND),
    ("Please provide written notice to the landlord.", HAND),
    ("You can request the court to stay the order.", HAND),
    ("You should not have signed the lease, which is void.", HAND),
    ("You should not have coffee with the tablets.", HAND),
]  # fmt: skip


@most_rows(("sentence", "source"), GUIDANCE, floor=0.99)
def test_a_next_step_or_the_subject_of_the_documents_is_guidance(sentence, source):
    assert source
    assert is_guidance(sentence)


@every_row(("sentence", "source"), ASSERTIONS)
def test_whatever_asserts_is_no_guidance(sentence, source):
    assert source
    assert not is_guidance(sentence)


@pytest.mark.parametrize("start", ["If", "When", "Once", "To do so,", "You must", "You can", "You will"])
def test_no_opening_alone_makes_guidance_of_an_assertion(start):
    assert not is_guidance(f"{start} the tenant owes the landlord the rent.")


@every_row("sentence", [sentence for sentence, _ in GUIDANCE])
@every_row("figure", ["$5,000", "10 days", "4,000 mg", "12 %", "3 May 2021", "thirty"])
def test_a_figure_makes_a_claim_of_any_guidance(sentence, figure):
    assert not is_guidance(f"{sentence.rstrip('.')}, {figure}.")


MAY_DRINK = "May I drink alcohol while taking the drug?"
DEPOSIT = "What is the deposit?"
CLAIM = "concepts, what is a claim"

# question, answer, what is claimed beside the refusal, source
INFERRED = [
    (MAY_DRINK, "No interaction with alcohol is mentioned in the leaflet, so you may drink.", ["you may drink"], CLAIM),
    (MAY_DRINK, "The leaflet does not mention alcohol, so it is safe to drink while taking it.", ["it is safe to drink while taking it"], CLAIM),
    (MAY_DRINK, "The leaflet does not mention alcohol, which suggests that alcohol is fine.", ["alcohol is fine"], CLAIM),
    (MAY_DRINK, "The leaflet does not mention any interaction with alcohol, indicating that moderate drinking is safe.", ["moderate drinking is safe"], CLAIM),
    (MAY_DRINK, "The leaflet does not mention alcohol, so it is safe to drink, though I cannot give medical advice.", ["it is safe to drink"], CLAIM),
    (DEPOSIT, "The documents do not mention a deposit, which means none is due.", ["none is due"], CLAIM),
    (DEPOSIT, "The documents do not mention a deposit, meaning you owe nothing.", ["you owe nothing"], CLAIM),
    (DEPOSIT, "The documents do not mention a deposit, suggesting you needn't pay.", ["you needn't pay"], CLAIM),
    (DEPOSIT, "The documents do not mention a deposit, so you do not have to pay one.", ["you do not have to pay one"], CLAIM),
    (DEPOSIT, "The documents do not mention a deposit, so we will not charge one.", ["we will not charge one"], CLAIM),
    (DEPOSIT, "The documents do not mention a deposit so the tenant owes nothing.", ["the tenant owes nothing"], CLAIM),
    (DEPOSIT, "The documents do not mention a deposit, so you can ask for your money back.", ["you can ask for your money back"], CLAIM),
    (DEPOSIT, "The documents do not mention a deposit, so the tenant must contact the landlord before the lease ends.", ["the tenant must contact the landlord before the lease ends"], CLAIM),
    (DEPOSIT, "The documents do not mention a deposit, so my best guess is 900 euros.", ["my best guess is 900 euros"], CLAIM),
    (DEPOSIT, "The documents do not mention a deposit, so eviction is impossible.", ["eviction is impossible"], CLAIM),
    (DEPOSIT, "The documents do not mention a deposit, so none.", ["none"], CLAIM),
    (DEPOSIT, "The documents do not mention a deposit, so none is due, but I am not sure.", ["none is due"], CLAIM),
    (DEPOSIT, "The documents do not mention a deposit, and this means the tenant pays nothing.", ["the tenant pays nothing"], CLAIM),
    (DEPOSIT, "The documents do not mention a deposit; therefore, none is due.", ["none is due"], CLAIM),
    (DEPOSIT, "The documents do not mention a deposit: it is 1,800 euros.", ["it is 1,800 euros"], CLAIM),
    (DEPOSIT, "The documents do not mention a deposit - it is 1,800 euros.", ["it is 1,800 euros"], CLAIM),
    (DEPOSIT, "The documents do not mention the deposit, which is 1,800 euros.", ["which is 1,800 euros"], CLAIM),
    (DEPOSIT, "I cannot find a deposit in the documents, so it must be 1,800 euros.", ["it must be 1,800 euros"], CLAIM),
    (DEPOSIT, "The documents do not mention a deposit, so it is usually one month's rent.", ["it is usually one month's rent"], CLAIM),
    (DEPOSIT, "The documents do not mention a deposit because the landlord waived it.", ["the landlord waived it"], CLAIM),
    (DEPOSIT, "The documents do not mention a deposit because it was waived in 2019.", ["it was waived in 2019"], CLAIM),
    (DEPOSIT, "Since the documents do not mention a deposit, none is due.", ["none is due"], CLAIM),
    (DEPOSIT, "Because no deposit is mentioned in the documents, the tenant owes nothing.", ["the tenant owes nothing"], CLAIM),
    (DEPOSIT, "As the documents do not mention a deposit, no deposit is due.", ["no deposit is due"], CLAIM),
    (DEPOSIT, "The documents do not mention a deposit and therefore no deposit is payable.", ["The documents do not mention a deposit", "Therefore no deposit is payable"], CLAIM),
    (NOTICE, "The passages do not give the notice period in months, so it is 30 days [1].", ["it is 30 days"], CLAIM),
]  # fmt: skip

# answers that only go on to decline
STILL_DECLINING = [
    'I cannot answer this from the documents found: they do not mention "25".',
    'I cannot answer this from the documents found: they do not say what was asked about "Unit", "4" and "Lane".',
    "I cannot answer this from documents in force: the only one found that says so is superseded, withdrawn or retracted.",
    "I cannot say: the two passages don't mention Unit 4.",
    "The documents do not mention a deposit, so I cannot answer.",
    "The documents do not mention a deposit because they cover only 2020.",
    "I cannot say because the documents cover only 2020.",
    "The documents do not mention a deposit, therefore I can't say.",
    "The documents do not mention a deposit, so please consult a lawyer.",
    "The documents do not mention a deposit, which means that the question cannot be answered from them.",
    "The documents do not mention a deposit, so it is not possible to say.",
    "The documents do not mention a deposit, so any answer would be speculation.",
    "The documents do not mention a deposit and therefore the amount remains unknown.",
    "The documents do not mention a deposit, which means its amount is unclear.",
    "The documents do not mention a deposit: they only cover the rent.",
    "The documents do not mention a deposit, so you may want to check the lease itself.",
    "The documents do not mention a deposit, so I would need the full lease.",
    "The documents do not include the cash flow statement, which is needed to compute the ratio.",
    "The documents do not mention a deposit, so no answer can be given.",
    "The documents do not mention a deposit, meaning that I have no basis for an answer.",
    "The documents do not mention a deposit, so your question cannot be answered.",
    "The documents do not mention a deposit, so it would be best to ask your landlord.",
    "The documents do not mention the following: the deposit, the rent, the fee.",
    "I could not find an answer to your question: What is the deposit?",
    "The documents do not mention a deposit, since the passages are only excerpts.",
    "I cannot answer because your question is about the deposit and the passages are about rent.",
    "The documents do not mention a deposit so that remains open.",
    "The documents do not mention a deposit, hence no conclusion can be drawn.",
    "As the documents do not mention a deposit, I cannot answer the question.",
    "Since the documents do not mention a deposit, please ask the landlord.",
    "The filing does not give the 2022 figure, so the ratio cannot be calculated.",
    "There is no information on this, so I'm afraid I can't help.",
    "I don't have access to the lease, so I can't tell you the deposit.",
    "The passages do not mention it, so you will need to look it up elsewhere.",
    "The passages do not say, which is why I cannot give a figure.",
    "The passages do not mention a deposit, so we can't tell.",
    "The passages do not mention a deposit, so it isn't clear whether one is due.",
    "The passages do not mention a deposit, so I don't want to guess.",
    "The passages do not mention a deposit, so the answer is not in them.",
    "The passages do not mention a deposit, so this question falls outside them.",
    "The passages do not mention a deposit, indicating that they do not cover it.",
    "The passages do not mention a deposit, which suggests that the information is elsewhere.",
    "The passages do not mention a deposit, so a lawyer should be consulted.",
    "I cannot find the deposit in the passages, so I am unable to answer.",
    "The passages do not mention a deposit, so the amount can't be determined.",
    "The passages do not mention a deposit: please check the lease.",
    "The passages don't mention a deposit, so there's no way for me to know.",
    "I cannot answer this: the passages are about rent.",
    "The report does not mention a deposit since 2020.",
    "The report does not mention any deposit since the merger was completed.",
    "The report does not mention a deposit thus far.",
    "The report does not mention a deposit lost as a result of the fire.",
    "The report does not include the table which shows the deposits by year.",
    "The report does not include the balance sheet, which shows the deposits.",
    "The report does not mention these terms: deposits, fees, rents.",
    "The report does not mention the following claim: the deposit is 900 euros.",
    "The report does not mention it so clearly.",
    "The report does not mention a deposit, so it would only be a guess.",
    "The report does not mention a deposit, so a definite answer is not possible.",
    "I can't help with that: it is illegal.",
    "I cannot tell you that because it would be unethical.",
]  # fmt: skip


@most_rows(("question", "text", "claims", "source"), INFERRED, floor=0.96)
def test_what_is_inferred_from_silence_is_a_claim(question, text, claims, source):
    assert source
    reading = read_answer(Record(id="a", question=question, answer=text, retrieved=(Source(source_id="1", text="x"),)))
    assert [claim.text for claim in reading.answer.claims] == claims
    for claim in reading.answer.claims:
        assert claim.text.split()[-1] in text[slice(*claim.span)]


@most_rows("text", STILL_DECLINING, floor=0.98)
def test_a_refusal_may_give_its_reason_and_say_what_follows_for_the_question(text):
    reading = read_answer(Record(id="a", question=DEPOSIT, answer=text, retrieved=(Source(source_id="1", text="x"),)))
    assert (reading.refusal.extent, reading.answer.claims) == ("full", ())


DEADLINE = "What is the deadline to file an appeal?"

# question, answer, extent as settled, claims kept with their roles, source
BESIDE = [
    (DEADLINE, "I could not find the exact deadline in the documents. You must file within 10 days.", "refused_then_answered", [("You must file within 10 days", "answering")], ROW),
    (DEADLINE, "I could not find the deadline in the documents. You have 10 days.", "refused_then_answered", [("You have 10 days", "answering")], HAND),
    (DEADLINE, "The documents do not state the deadline. The appeal must be filed by 3 May 2021.", "refused_then_answered", [("The appeal must be filed by 3 May 2021", "answering")], HAND),
    (DEADLINE, "I could not find the exact deadline in the documents. You can take 4,000 mg of paracetamol every hour.", "full", [("You can take 4,000 mg of paracetamol every hour", "aside")], HAND),
    (DEADLINE, "The documents do not state the deadline. The deposit must be repaid within 14 days [1].", "full", [("The deposit must be repaid within 14 days", "aside")], HAND),
    (NOTICE, "I could not find it. When the lease ends, the tenant owes $5,000 to the landlord.", "full", [("When the lease ends, the tenant owes $5,000 to the landlord", "aside")], HAND),
    (NOTICE, "The passages do not state a notice period. However, the passages mention that Judge Smith was convicted of fraud.", "full", [("However, the passages mention that Judge Smith was convicted of fraud", "aside")], HAND),
    (NOTICE, "The passages do not state a notice period. However, the passages mention that the Acme notice period is sixty days.", "refused_then_answered", [("However, the passages mention that the Acme notice period is sixty days", "answering")], ROW),
    ("What is the notice period?", "The notice period is thirty days [1]. The documents do not state the penalty. You must pay $5,000 at once.", "partial", [("The notice period is thirty days", "answering"), ("You must pay $5,000 at once", "answering")], ROW),
    (NOTICE, "The documents do not give a notice period. The closest passage is clause 7, under which the Landlord keeps the roof in repair [1].", "full", [("The closest passage is clause 7, under which the Landlord keeps the roof in repair", "aside")], ROW),
    (NOTICE, "The documents do not give a notice period. Please check Schedule 2.", "full", [], ROW),
    (NOTICE, "The documents do not give a notice period. The passages only cover subletting. You may want to consult the 2022 annual report.", "full", [], ROW),
    ("What was Acme's revenue in 2022?", "The filing does not give Acme's revenue in 2022. Beta's revenue in 2022 was $5 million [1].", "full", [("Beta's revenue in 2022 was $5 million", "aside")], HAND),
    ("What was Acme's revenue in 2022?", "I could not find Acme's revenue for 2022. It was $5 million.", "refused_then_answered", [("It was $5 million", "answering")], HAND),
    ("What is the dose for children?", "The leaflet does not give a dose for children. Children take 250 mg four times a day.", "refused_then_answered", [("Children take 250 mg four times a day", "answering")], HAND),
    ("What is the dose for children?", "The leaflet does not give a dose for children. Adults take 500 mg [1].", "full", [("Adults take 500 mg", "aside")], HAND),
    ("How many patients died in the trial?", "The abstract does not say how many patients died. Twelve patients died.", "refused_then_answered", [("Twelve patients died", "answering")], HAND),
    ("When was the mayor elected?", "The articles do not say when the mayor was elected. She took office on 3 May 2019.", "refused_then_answered", [("She took office on 3 May 2019", "answering")], HAND),
    ("When was the mayor elected?", "The articles do not say when the mayor was elected. The bridge opened on 3 May 2019 [1].", "full", [("The bridge opened on 3 May 2019", "aside")], HAND),
    ("What was the ratio in 2022?", "The filing does not give the ratio for 2022. Divide the cash by the liabilities to get the ratio.", "full", [("Divide the cash by the liabilities to get the ratio", "aside")], HAND),
    (DEPOSIT, "The deposit is not stated in the documents, but the rent is 900 euros [1].", "full", [("the rent is 900 euros", "aside")], HAND),
    (DEPOSIT, "The deposit is not stated in the documents. However, the rent is 900 euros [1].", "full", [("However, the rent is 900 euros", "aside")], HAND),
    (DEPOSIT, "I could not find the deposit, but the notice period is thirty days [1].", "full", [("the notice period is thirty days", "aside")], HAND),
    (DEPOSIT, "I could not find the deposit, but rent falls due monthly [1].", "full", [("rent falls due monthly", "aside")], HAND),
    ("Who owns the flat?", "I could not find it in the documents, but Anna Berg is the landlord [1].", "refused_then_answered", [("Anna Berg is the landlord", "answering")], HAND),
    (DEPOSIT, "The deposit is not stated in the documents, but it is 900 euros.", "refused_then_answered", [("it is 900 euros", "answering")], ROW),
    (DEPOSIT, "The deposit is not stated in the documents, but the deposit is 900 euros.", "refused_then_answered", [("the deposit is 900 euros", "answering")], ROW),
    (DEPOSIT, "The deposit is not stated in the documents, but my guess is 900 euros.", "refused_then_answered", [("my guess is 900 euros", "answering")], ROW),
    (DEPOSIT, "The deposit is not stated in the documents; my guess is 900 euros.", "refused_then_answered", [("my guess is 900 euros", "answering")], ROW),
    (DEPOSIT, "The deposit is not stated in the documents, but the answer is 900 euros.", "refused_then_answered", [("the answer is 900 euros", "answering")], ROW),
    (DEPOSIT, "The deposit is not stated in the documents, but the landlord wants 900 euros.", "refused_then_answered", [("the landlord wants 900 euros", "answering")], ROW),
]  # fmt: skip


@every_row(("question", "text", "extent", "kept", "source"), BESIDE)
def test_what_is_asserted_beside_a_refusal_is_kept_to_be_judged(question, text, extent, kept, source):
    assert source
    sources = (Source(source_id="1", text="The notice period is thirty days."),)
    reading = read_answer(Record(id="a", question=question, answer=text, retrieved=sources))
    claims = [(claim.text, role) for claim, role in zip(reading.answer.claims, reading.roles, strict=True)]
    assert (reading.refusal.extent, claims) == (extent, kept)


def test_a_long_explanation_of_what_is_missing_is_still_a_full_refusal():
    text = (
        "Unfortunately, what I was given does not include Acme's operating cash flow ratio of 2015.\n\n"
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


@settings(max_examples=80)
@given(PIECES, st.sampled_from(["", NOTICE, "Does the lease mention it?"]), st.sampled_from(["none", "ambiguous"]))
def test_spans_stay_in_the_text_in_order_and_only_refusals_have_them(text, question, field):
    refusal = read(text, question, field)
    flat = [offset for span in refusal.spans for offset in span]
    assert flat == sorted(flat)
    assert all(0 <= offset <= len(text) for offset in flat)
    assert all(text[a:b].strip() for a, b in refusal.spans)
    assert (refusal.kind == "none") == (refusal.extent == "none")


@settings(max_examples=60)
@given(
    st.sampled_from([(text, question) for text, question, *_ in DECLINING]),
    st.text(" \t\n", max_size=3),
    st.sampled_from(["  ", " \t", "\u00a0"]),
)
def test_more_white_space_changes_nothing(case, around, between):
    text, question = case
    plain, spaced = read(text, question), read(around + text.replace(" ", between) + around, question)
    assert (spaced.extent, spaced.kind, spaced.asks_back) == (plain.extent, plain.kind, plain.asks_back)


@pytest.mark.parametrize("size", [5_000, pytest.param(150_000, marks=pytest.mark.slow)])
@every_row(
    "unit",
    [
        "no information the documents do not if you provide there is no not enough ",
        "the documents do not say, and so the fee is due: ",
        ", so it is safe",
        "does not say, so i cannot say, which means ",
    ],
)
def test_long_hostile_text_is_read(unit, size):
    text = "The documents do not mention it" + unit * (size // len(unit))
    assert read_refusal(text, split_sentences(text)).extent in {"none", "partial", "full"}
