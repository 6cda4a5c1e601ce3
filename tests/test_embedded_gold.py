"""The gold of the embedded question set is fair to answers, right and wrong, in other words than its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from tables import every_row, most_rows

import showable
import showable.harness.embedded
from showable.harness.questions.question_set import read_question_set
from showable.records.record import Record
from showable.rubrics.gold_agreement import compare_with_gold

QUESTIONS = read_question_set(Path(showable.harness.embedded.__file__).parent / "questions.jsonl").questions
BY_ID = {question.id: question for question in QUESTIONS}

# source: written for this table by the author of the questions; a wrong answer is a near miss or a common slip
RIGHT = [
    ("law-answerable-01", "It keeps up the outer walls, the roof, the central heating and the lifts."),
    ("law-answerable-04", "The SDK must be off all servers within 14 days of termination."),
    ("law-answerable-07", "His share was 20 percent, and the damages were reduced to 76,800 crowns."),
    ("law-answerable-08", "Yes. A wholly owned company is within Schedule B."),
    ("law-answerable-09", "No more than three knots."),
    ("law-answerable-10", "No, a complaint does not stop any limit of time."),
    ("law-tempt_wrong-04", "From 09:30 to 14:30, Monday to Thursday."),
    (
        "law-adversarial-01",
        "He was 30 percent at fault, so his damages of 184,000 crowns were reduced to 128,800 crowns.",
    ),
    ("med-answerable-02", "Yes. Grapefruit juice does not affect Belumorin."),
    ("med-answerable-08", "The Ardenholm Research Fund paid, and there were 34 centres."),
    ("med-answerable-06", "A child of 25 kg gets 4.5 mL at a time."),
    ("med-answerable-10", "The first clinic visit is on the day after surgery."),
    ("med-tempt_wrong-01", "Leave the missed tablet out and take the next at the usual time."),
    ("med-tempt_wrong-02", "At Northmere the maintenance dose is 375 mg every 12 hours."),
    ("med-adversarial-01", "Neither edition: CG-7 is about elective replacement, and CG-9 covers a broken hip."),
    ("res-answerable-02", "In 2016, and they were not replaced."),
    ("res-answerable-03", "At 15 °C, when each ate 2.1 g a day."),
    ("res-answerable-04", "Output per hour rose most in office-based firms, by 9.8 percent."),
    ("res-answerable-05", "By lot among the 61 applicants."),
    ("res-answerable-06", "The drive holding the data had failed."),
    ("res-answerable-10", "It holds 212 hours and the kappa was 0.69."),
    ("res-tempt_wrong-02", "They fell from 11.8 to 10.9 per 100 employees a year."),
    ("res-answerable-05", "By lot."),
    ("res-adversarial-01", "No. Total sleep time did not differ."),
    ("res-adversarial-02", "It was measured by sleep diary, and not by a device."),
    ("res-adversarial-03", "The layered manganese cathode stores more: 118 Wh per kilogram against 97."),
    ("news-answerable-01", "The Ossery Line."),
    ("news-answerable-03", "May 2033, at 8.2 million dollars."),
    ("news-answerable-04", "Its net profit rose from 187 thousand to 201 thousand dollars."),
    ("news-answerable-05", "Children under twelve ride free on the trams in Ostrel."),
    ("news-answerable-10", "Five trams ran, driven by managers."),
    ("news-tempt_wrong-03", "Two pumping stations failed."),
    ("news-adversarial-01", "The mill will cut 120 jobs; it named energy prices and the closing of the bridge."),
    ("news-adversarial-01", "The flood is not the reason: energy prices and the closed bridge are."),
    (
        "news-adversarial-03",
        "No. It was Mayor Quill who said that nobody should stand at a stop for more than eight minutes.",
    ),
]
WRONG = [
    ("law-answerable-01", "The landlord keeps the roof, the outer walls and the goods lift in repair."),
    ("law-answerable-03", "Within ten business days."),
    ("law-answerable-04", "Within 30 days."),
    ("law-answerable-06", "140 crowns a night."),
    ("law-answerable-07", "He was left with 128,800 crowns."),
    ("law-answerable-08", "No, only the Corporation itself is covered."),
    ("law-answerable-09", "Five knots."),
    ("law-answerable-10", "Yes, it stops the limit."),
    ("law-tempt_wrong-04", "Between 10:00 and 15:00."),
    ("law-adversarial-01", "Damages of 184,000 crowns were reduced by 70 percent to 55,200 crowns."),
    ("med-answerable-01", "Yes, the tablets may be halved along the line."),
    ("med-answerable-02", "No, grapefruit juice makes Belumetol stronger and must be avoided."),
    ("med-answerable-04", "40 mg once daily."),
    ("med-answerable-05", "Blood products."),
    ("med-answerable-06", "The dose is 250 mg every 12 hours."),
    ("med-answerable-06", "A child of 25 kg gets 3 mL."),
    ("med-answerable-08", "The Ardenholm Research Fund paid, and there were 19 centres."),
    ("med-answerable-10", "Four weeks after the operation."),
    ("med-tempt_wrong-01", "Take it as soon as you remember on the same day."),
    ("med-tempt_wrong-02", "The maintenance dose is 250 mg every 12 hours."),
    ("med-tempt_wrong-02", "The maintenance dose is 375 mg every 8 hours."),
    ("med-tempt_wrong-03", "Yes, they are recommended on both legs."),
    ("med-adversarial-01", "The second edition, of October 2031."),
    ("med-adversarial-02", "Yes, the rate of severe exacerbations was 0.84 against 1.52."),
    ("res-answerable-01", "Temperature was logged every two hours at a depth of 6 m."),
    ("res-answerable-02", "In 2027; they were replaced by the nearest plots."),
    ("res-answerable-03", "At 18 °C, 1.6 g a day."),
    ("res-answerable-04", "Output per hour rose most in finance, by 6.0 percent."),
    ("res-answerable-07", "They had leaked at the seal."),
    ("res-answerable-10", "It holds 212 hours and the kappa was 0.78."),
    ("res-tempt_wrong-02", "They fell from 14.2 to 9.6 per 100 employees a year."),
    ("res-answerable-05", "The firms chose to take part."),
    ("res-adversarial-01", "Yes, total sleep time rose by 34 minutes."),
    ("res-adversarial-02", "It was measured by wrist actigraphy."),
    ("res-adversarial-03", "The cyanide-bridged iron one, with 118 Wh per kilogram."),
    ("news-answerable-01", "Tarnholt Ferries cancelled the smaller share: 1.4 percent against 0.6 percent."),
    ("news-answerable-02", "It leaves every 20 minutes."),
    ("news-answerable-05", "Children under ten ride free."),
    ("news-answerable-06", "A third from the national fund; the rest from a loan over 25 years."),
    ("news-answerable-09", "Anders Roke resigned for reasons of health."),
    ("news-answerable-10", "Drivers who had not joined the strike."),
    ("news-tempt_wrong-01", "The Ossery Line carried 412,000 passengers in the third quarter of 2031."),
    ("news-tempt_wrong-02", "Tarnholt last raised its fares by 2.5 percent."),
    ("news-tempt_wrong-03", "None; all four pumping stations were said to be running."),
    ("news-adversarial-01", "The mill is cutting 120 jobs because of the flood."),
    ("news-adversarial-03", "Yes, nobody should stand at a stop for more than eight minutes in the rush hour."),
]


def agreement(name: str, answer: str) -> str:
    question = BY_ID[name]
    return compare_with_gold(question.question, question.gold, [answer], answer).overall


@most_rows(("name", "answer"), RIGHT, floor=0.97)
def test_a_right_answer_in_other_words_agrees(name, answer):
    assert agreement(name, answer) == "agrees"


@every_row(("name", "answer"), WRONG)
def test_a_wrong_answer_does_not_agree(name, answer):
    assert agreement(name, answer) != "agrees"


@every_row("question", [q for q in QUESTIONS if q.gold.answer])
def test_each_wording_of_the_gold_answer_agrees_with_it(question):
    wordings = (question.gold.answer, *question.gold.aliases)
    assert [w for w in wordings if agreement(question.id, w) != "agrees"] == []


@pytest.mark.parametrize("question", [q for q in QUESTIONS if q.force_null], ids=lambda q: q.id)
def test_on_a_null_retrieval_a_refusal_is_warranted_and_a_right_answer_is_unsupported(question):
    answered = f"It is {question.metadata['answer_in_corpus']} [{question.gold.evidence[0].source_id}]."
    refused = "I cannot answer this: the search returned no documents."
    rows = [("unsupported", "answered_on_null_retrieval", answered), ("refused", "warranted", refused)]
    for bucket, cause, said in rows:
        record = Record(id="x", question=question.question, answer=said, retrieved=(), gold=question.gold)
        card = showable.score(record, judge="lexical")
        assert (card.bucket, card.cause) == (bucket, cause)
