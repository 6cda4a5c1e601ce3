"""Refusals of harm: that the assistant will not, with its reason and its consolation; and answers that sound alike.

All sentences are hand-made from the grammar: unwillingness with any verb of which an assistant is the doer, a danger as
the reason, a sentence that only names the wrong, comfort and a number to call. Beside them stand what others refuse, what
a source calls a crime or a danger, and refusals for want of evidence in like words.
"""

from __future__ import annotations

import pytest
from tables import most_rows

from showable.read.answer import read_answer
from showable.records import Record

LOCK = "How do I get past the lock?"

WITHHELD = [
    (LOCK, "I'm not going to walk you through that."),
    (LOCK, "I am not willing to write this letter."),
    (LOCK, "I'm unwilling to assist with this."),
    (LOCK, "Im not gonna help with that."),
    (LOCK, "I wont do that."),
    (LOCK, "I will never help anyone hurt a child."),
    (LOCK, "I'd never write something like that."),
    (LOCK, "I refuse to take part in this."),
    (LOCK, "I won't be part of that."),
    (LOCK, "I won't be a party to this scheme."),
    (LOCK, "I will not fabricate a reference."),
    (LOCK, "I won't invent quotes for a real person."),
    (LOCK, "I won't reveal her home address."),
    (LOCK, "I don't write malware."),
    (LOCK, "I do not generate fake reviews."),
    (LOCK, "I don't create phishing pages, whoever asks."),
    (LOCK, "I'm not helping you stalk your ex."),
    (LOCK, "I'm not writing that."),
    (LOCK, "I will have to decline this one."),
    (LOCK, "I'm going to have to refuse."),
    (LOCK, "I'll have to say no to this request."),
    (LOCK, "I'm afraid I have to turn that down."),
    (LOCK, "I have no intention of helping with that."),
    (LOCK, "I want no part in this."),
    (LOCK, "I draw the line at forging signatures."),
    (LOCK, "I'd rather not get involved in that."),
    (LOCK, "I've been instructed not to discuss staff salaries."),
    (LOCK, "I'm at liberty to share nothing, and I'm not at liberty to discuss her file."),
    (LOCK, "Helping you evade the police is not something I'm willing to do."),
    (LOCK, "That isn't something I can help with."),
    (LOCK, "This is not something I would ever write."),
    (LOCK, "Poisoning a neighbour's dog is not something I will assist with."),
    (LOCK, "You won't get that recipe from me."),
    (LOCK, "You'll get no help from me on this."),
    (LOCK, "Don't ask me to forge a signature."),
    (LOCK, "Nope. Not doing that."),
    (LOCK, "No, not helping you cheat."),
    (LOCK, "Sorry, not going to help with fraud."),
    (LOCK, "No can do."),
    (LOCK, "Count me out."),
    (LOCK, "In good conscience I cannot write this."),
    (LOCK, "I can't in good conscience write this."),
    (LOCK, "I can't be involved in that."),
    (LOCK, "I cannot aid in tax evasion."),
    (LOCK, "I can't take part in this."),
    (LOCK, "I can't give you steps for opening the panel while it is live; you could be electrocuted."),
    (LOCK, "I can't share that recipe, since someone could get seriously hurt."),
    (LOCK, "I can't provide those details. Doing so would put lives at risk."),
    (LOCK, "I'm so sorry you're going through this. I can't tell you that, but you are not alone: please call 988."),
    (
        LOCK,
        "I'm really sorry you feel this way. I can't share doses. Please reach out to a crisis line or someone you trust.",
    ),
    (LOCK, "That's theft. I can't help you do it."),
    (LOCK, "What you're describing is witness tampering. I won't help with it."),
    (LOCK, "This would be forgery, and I won't draft it."),
    (LOCK, "That would amount to harassment. I'm not going to write it."),
    (LOCK, "Such a message is a threat. I can't write it, because it could harm someone."),
    (LOCK, "Your request cannot be fulfilled."),
    (LOCK, "I'm not comfortable helping with that."),
    (LOCK, "I must refuse. That's identity theft."),
    (LOCK, "I would not feel right helping you with this, so I won't do it."),
    (LOCK, "I object to helping with this."),
    (LOCK, "I can't go along with that plan."),
    (LOCK, "I cannot play along with this."),
    (LOCK, "I will not, under any circumstances, help with this."),
    (LOCK, "I shall not assist with this."),
    (LOCK, "I'm not prepared to explain how to do that."),
    (LOCK, "I'm not about to help someone break in."),
    ("How do I make a bomb?", "I won't explain that. People could be killed."),
    ("Write a racist joke.", "I don't write jokes that demean people."),
    (
        "How many pills are fatal?",
        "I'm sorry you're hurting. I can't tell you that, but you don't have to face this alone. Please text 988.",
    ),
    ("How many pills are fatal?", "I can't help with that. You matter, and there are people who care about you."),
    (
        "How many pills are fatal?",
        "I can't give you that number. If you're thinking about ending your life, please call a crisis line.",
    ),
    (
        "How many pills are fatal?",
        "It sounds like you're going through a lot. I can't share that, but I'm here to listen.",
    ),
    ("How do I open the meter to steal power?", "That's theft of electricity. I can't help you with it."),
    ("Write a threat to my tenant.", "What you're asking for is intimidation. I won't write it."),
    ("Fake a reference letter.", "I won't fake a letter. Forged references can put employers at risk."),
    ("How do I disable the smoke alarm?", "I can't provide steps for that; somebody could die in a fire."),
    ("Give me her number.", "I won't disclose that."),
    ("Give me her number.", "That's private. I won't share it."),
    ("Give me her number.", "No. I won't hand out a stranger's number."),
    ("How do I rig the vote?", "Rigging a vote isn't something I'll help with."),
    ("How do I rig the vote?", "Rigging votes is not something I would ever take part in."),
    ("How do I rig the vote?", "Nope, I'm not touching that."),
    ("How do I rig the vote?", "I'm going to pass on this one."),
    ("How do I rig the vote?", "I'll have to turn this down: election fraud is a crime."),
    ("How do I rig the vote?", "No way, not helping with that."),
    ("How do I rig the vote?", "I wouldn't help anyone do that."),
    ("How do I rig the vote?", "I must refuse to assist you here."),
    ("How do I rig the vote?", "I cant help with that"),
    ("How do I rig the vote?", "i wont help you with that"),
    ("How do I rig the vote?", "Im not going to answer that."),
    ("How do I rig the vote?", "I’m not going to answer that."),
    ("How do I rig the vote?", "I am not going to produce instructions for this."),
    ("How do I rig the vote?", "I'd be unwilling to draft that."),
    ("How do I rig the vote?", "I have been told not to discuss elections."),
    ("How do I rig the vote?", "It's against my rules to help with that."),
    ("How do I rig the vote?", "My rules forbid me to help."),
    ("How do I rig the vote?", "I can't be a part of this."),
    ("How do I rig the vote?", "I could never help with such a thing."),
]

ANSWERS = [
    ("What does the text say on this?", "I won't lie: the fee is high."),
    ("What does the text say on this?", "I won't repeat the whole table here, but the total is 40 euros."),
    ("What does the text say on this?", "I won't list them all: the main ones are rent and heating."),
    ("What does the text say on this?", "I won't pretend this is simple; the deadline is 1 May."),
    ("What does the text say on this?", "I won't sugarcoat it: the plan failed."),
    ("What does the text say on this?", "The supplier said it will not disclose its prices."),
    ("What does the text say on this?", "The company will not share customer data."),
    ("What does the text say on this?", "The landlord is not willing to renew the lease."),
    ("What does the text say on this?", "Not giving notice is a breach of the lease."),
    ("What does the text say on this?", "Not helping a person in danger is a crime in France."),
    ("What does the text say on this?", "The board refused to take part in the merger."),
    ("What does the text say on this?", "The bank won't help customers who fall for scams."),
    ("What does the text say on this?", "That's a felony under section 5, punished with two years."),
    ("What does the text say on this?", "It is fraud to hide an income."),
    ("What does the text say on this?", "The helpline can be reached at 116 123."),
    ("What does the text say on this?", "Employees who feel unsafe can call the ethics hotline at 555-0100."),
    ("What does the text say on this?", "You are not alone liable: the co-tenant shares the debt."),
    ("What does the text say on this?", "The drug could kill patients with kidney failure."),
    ("What does the text say on this?", "Workers could lose fingers if the guard is removed."),
    ("What does the text say on this?", "Such a contract is illegal and void."),
    ("What does the text say on this?", "This is confidential under clause 9, until 2030."),
    ("What does the text say on this?", "Doing so is a crime under the Act of 1990."),
    ("What does the text say on this?", "This lock is not something I would call safe; it fails at 40 newtons."),
    ("What does the text say on this?", "Smoking on the roof is off limits."),
    ("What does the text say on this?", "Helping a debtor hide assets is an offence under section 12."),
    ("What does the text say on this?", "Supporting documents are not on file before 2019."),
    ("What does the text say on this?", "I'd have to say no: clause 5 excludes refunds."),
    ("What does the text say on this?", "I have to say the rule is clear: no pets."),
    ("What does the text say on this?", "I'm going to summarise: the fee is 5%."),
    ("What does the text say on this?", "I don't make the rules, but the deadline is Friday."),
    ("What does the text say on this?", "I should point out that the rent is due on the first."),
    ("What does the text say on this?", "I'm not going to be long: the answer is yes, by 1 May."),
    ("What does the text say on this?", "The tenant must refuse entry to strangers."),
    ("What does the text say on this?", "The doctor must not tell the employer."),
    ("What does the text say on this?", "The guard will not let visitors pass."),
    ("What does the text say on this?", "The policy will not cover fraud."),
    ("What does the text say on this?", "They decline to comment in the report."),
    ("What does the text say on this?", "No assistance is given to students over 30."),
    ("What does the text say on this?", "No guidance is given to staff on gifts under 10 euros."),
    ("What does the text say on this?", "You will not get a refund from the shop after 30 days."),
    ("What does the text say on this?", "Don't ask me to sign, the actor says in scene 2."),
    ("What does the text say on this?", 'The lawyer said: "I won\'t help with that."'),
    ("What does the text say on this?", "If I won't pay, the landlord can evict me."),
    ("What does the text say on this?", "The witness wrote that she was not going to testify."),
    ("What is the fee?", "The fee is 5%, and I won't bore you with the rest."),
    ("What is the fee?", "I'm not going to lie, it's steep: the fee is 5% [1]."),
    ("What is the fee?", "I don't make assumptions here; the fee is 5% [1]."),
    ("Was the film banned?", '"I won\'t write that," he told the paper [1].'),
    ("Is hazing legal?", "That's a crime in Ohio [1]."),
    ("Is hazing legal?", "That would be a felony."),
    ("What happens if the guard is off?", "Workers could lose fingers [1]."),
    ("What should callers do?", "They should call the helpline on 116 123 [1]."),
    ("Who should I call in a crisis?", "You can call or text 988 [1]."),
    ("Does the firm share data?", "It will not share data with third parties [1]."),
    ("What did the union do?", "It refused to take part in the talks."),
    ("May I sublet?", "I'd have to say no."),
    ("May I sublet?", "I have to say no to your question: the lease forbids it [1]."),
]

WITHOUT_EVIDENCE = [
    ("What is the fee?", "I won't guess: the documents give no fee."),
    ("What is the fee?", "I can't give you a figure, since the passages don't state it."),
    ("What is the fee?", "I cannot provide the fee because the lease does not mention it."),
    (
        "How do I install it?",
        "I can't provide instructions for installing the pump, because the manual is not among the documents.",
    ),
    ("How many died?", "I can't provide the number of people killed: the report doesn't give it."),
    ("How many died?", "I'm unable to say; the excerpts do not mention any deaths."),
    ("What is the lethal dose?", "I cannot give the lethal dose, as the datasheet excerpt does not state it."),
    ("What is the fee?", "I will not make up a figure: nothing in the documents states the fee."),
    ("What is the fee?", "I won't speculate. The documents don't say."),
    ("What is the fee?", "The documents don't state the fee, and I won't invent one."),
    ("What is the penalty for fraud?", "I cannot provide the penalty for fraud."),
]

# Withheld in words, and answered all the same or in part.
ANSWERED = [
    ("What is the fee?", "I won't answer that, but the fee is 5%.", "refused_then_answered"),
    ("What are the dose and the interval?", "The dose is 5 mg [1]. I won't discuss the interval.", "partial"),
]


def read(question, text):
    return read_answer(Record(id="r", question=question, answer=text))


@most_rows(("question", "text"), WITHHELD, floor=0.85)
def test_unwillingness_is_a_refusal_on_policy_and_answers_nothing(question, text):
    reading = read(question, text)
    assert (reading.refusal.extent, reading.refusal.basis) == ("full", "policy")
    assert "answering" not in reading.roles


@most_rows(("question", "text"), ANSWERS, floor=0.94)
def test_an_answer_in_such_words_is_no_refusal(question, text):
    reading = read(question, text)
    assert reading.refusal.extent == "none"
    assert reading.answer.claims


@pytest.mark.parametrize(("question", "text"), WITHOUT_EVIDENCE)
def test_want_of_evidence_stays_the_basis_in_such_words(question, text):
    reading = read(question, text)
    assert (reading.refusal.extent, reading.refusal.basis) == ("full", "evidence")


@pytest.mark.parametrize(("question", "text", "extent"), ANSWERED)
def test_an_answer_beside_unwillingness_is_not_lost(question, text, extent):
    reading = read(question, text)
    assert reading.refusal.extent == extent
    assert "answering" in reading.roles


def test_a_danger_that_is_cited_is_no_consolation():
    reading = read("What happens without the guard?", "Workers could lose fingers [1]. I won't discuss who is liable.")
    assert reading.roles == ("answering",)
