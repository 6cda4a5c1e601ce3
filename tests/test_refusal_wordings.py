"""Wordings of refusals beside sentences that look like them: the frame makes the refusal, not the noun in it."""

from __future__ import annotations

import pytest
from tables import most_rows

from showable.read.answer import read_answer
from showable.records import Record, Source

HEIGHT = "How tall is the tower?"
PRICE = "What is the price and the delivery time?"
OPENED = "When did the bridge open and how much did it cost?"
LOG = (Source(source_id="1", text="The file was put together for the reader."),)

# What carries text, in one frame: the nouns are hand-made, and the rule is the docstring of `paper_nouns`.
CARRIERS = ["datasheet", "brochure", "booklet", "prospectus", "newsletter", "monograph", "dossier", "minutes", "notice", "bulletin", "circular", "guidebook", "ordinance", "FAQ", "wiki", "catalogue", "email", "treaty", "spec", "PDF"]  # fmt: skip
# Who speaks, and what has no text: what they do not say is told, and nothing is declined.
SPEAKERS = ["council", "witness", "minister", "company", "judge", "landlord", "committee", "ambassador"]

# Each is hand-made, and declines the whole of the question.
REFUSALS = [
    "The height is not given anywhere in the council minutes.",
    "The height doesn't appear in the minutes.",
    "The height isn't recorded in the transcript.",
    "How tall it is is not reproduced in the booklet.",
    "How tall it is remains unsaid.",
    "The height goes unmentioned in the brochure.",
    "The guidebook never mentions the height.",
    "The guidebook is mum on the height.",
    "The guidebook has nothing to say about the height.",
    "The guidebook leaves out the height.",
    "The text skips the height altogether.",
    "The article passes over the height in silence.",
    "The leaflet avoids the question.",
    "The leaflet is no help here.",
    "The leaflet offers no clue as to the height.",
    "The leaflet gives no hint of the height.",
    "The leaflet doesn't so much as mention the height.",
    "The leaflet does not put a figure on the height.",
    "The leaflet doesn't go so far as to state the height.",
    "There is not a word in the leaflet about the height.",
    "There's nothing in the guidebook about the height.",
    "You won't find the height in the guidebook.",
    "One searches the guidebook in vain for the height.",
    "Its height is nowhere to be found in the guidebook.",
    "The height cannot be told from it.",
    "The height can't be worked out from the extract.",
    "It is unclear from the policy.",
    "The recording ends before she gets to the height.",
    "These pages won't tell you that.",
    "The leaflet refers to Appendix B for dimensions, and I don't have Appendix B.",
    "The relevant page is missing.",
    "The table of heights is illegible in the scan.",
    "That point lies beyond the material I was given.",
    "All I have is the page on the bells.",
    "I searched the handbook and the bulletins and came up empty.",
    "I looked through all four annexes without success.",
    "I checked the handbook to no avail.",
    "We don't seem to have an article on that yet.",
    "Regarding the tower, the search gave me no result.",
    "cant see a height in here, sorry",
    "couldnt find it in the docs",
    "i dont know",
    "Height: not given.",
    "Height: not stated in the leaflet",
    "I must leave this unanswered.",
    "I therefore refrain from answering.",
    "I'd rather not guess.",
    "I don't wish to speculate.",
    "I'd only be guessing.",
    "I'm not in a position to say.",
    "I've got nothing on that.",
    "I'm drawing a blank on that one.",
]

# question, an answer made of such words; each hand-made
ANSWERS = [
    ("What did the council say?", "The council doesn't say when the works begin."),
    ("What did the witness say about the car?", "The witness did not say what colour it was."),
    ("Who is excluded?", "Children under six are not included in the study."),
    ("What does the plan leave out?", "The plan leaves out dental care."),
    ("What does the policy cover?", "The policy covers flood but not fire."),
    ("What does my plan include?", "Your plan covers only dental work."),
    ("What did I order?", "Your order covers two lamps."),
    ("What does your service cover?", "Our service covers only the UK."),
    ("Does the contract provide a guarantee?", "The contract gives no guarantee."),
    ("When must the dose not be taken?", "The dose must not be given within 30 minutes of a meal."),
    ("What happened in the last minutes?", "No goal was scored in the last ten minutes of the match."),
    ("Is caffeine found in the extract?", "Caffeine is not found in the leaf extract."),
    ("How can the code be obtained?", "The code is not given by email."),
    ("Did the police find him?", "They searched the woods for two days without success."),
    ("What did Scott find?", "He looked for the pole in vain."),
    ("What is missing from the collection?", "Two pages are missing from the manuscript."),
    ("Why was the fee waived?", "The fee was waived because the scan was unreadable."),
    ("What if the file is not uploaded?", "Applications whose files have not been uploaded are rejected."),
    ("Which items were never delivered?", "The tables have not been supplied."),
    ("What happens with illegible forms?", "Forms that are illegible are returned."),
    ("How did the fire start?", "How the fire began was never established."),
    ("What is the status?", "Status: not approved."),
    ("What is the result?", "Result: not found to be infringing."),
    ("How did the minister react?", "The minister dodged the question."),
    ("What did the court decide?", "The court left open whether the clause was void."),
    ("What does the guide advise for beginners?", "The guide avoids jargon and starts with simple knots."),
    ("What is the guidebook's style?", "The guidebook skips the usual sights and leads you to quiet lanes."),
    ("What do the experts guess?", "They would not speculate on the cause."),
    ("What do we have?", "We only have one lift."),
    ("What do I have?", "I only have good news: the grant was approved."),
    ("Did the search bring up anything?", "The search turned up three rifles and no ammunition."),
    ("Can I bring a dog?", "No dogs allowed."),
    ("Are there any side effects?", "I found no side effects; the drug was tolerated by all patients."),
    ("Are there exemptions from the tax?", "I could find no exemptions. Every household pays it."),
    ("What happened to the letters?", "The letters could not be found and were presumed burnt, the report says."),
    ("What became of the documents?", "The documents could not be found."),
]

# question, an answer of a part beside what is missing; each hand-made
PARTIALS = [
    (PRICE, "The desk costs £240. The delivery time is not given in the brochure."),
    (PRICE, "The desk costs £240. Delivery time: not stated."),
    (PRICE, "The desk costs £240. On delivery the brochure is silent."),
    (OPENED, "It opened on 3 May 1931. How much it cost isn't something the article mentions."),
    (OPENED, "It opened on 3 May 1931. The cost remains unstated."),
    (OPENED, "It opened on 3 May 1931. I searched for the cost without success."),
    ("What did she hold and on which case did she rely?", "She held the clause void. The extract doesn't identify the case."),
    ("Which countries signed and which ratified?", "Norway and Chile signed. The table of ratifications is missing from the scan."),
]  # fmt: skip


def extent(question, text):
    return read_answer(Record(id="r", question=question, answer=text, retrieved=LOG)).refusal.extent


@most_rows("noun", CARRIERS, floor=0.99)
def test_whatever_carries_text_may_be_silent(noun):
    assert extent(HEIGHT, f"The {noun} doesn't say.") == "full"
    assert extent(HEIGHT, f"The {noun} doesnt mention the height.") == "full"


@pytest.mark.parametrize("noun", SPEAKERS)
def test_the_silence_of_one_who_speaks_is_told(noun):
    assert extent("What was said?", f"The {noun} doesn't say.") == "none"


@most_rows("text", REFUSALS, floor=0.96)
def test_what_is_asked_and_is_not_there_is_declined_in_full(text):
    assert extent(HEIGHT, text) == "full"


@most_rows(("question", "text"), ANSWERS, floor=0.88)
def test_an_answer_made_of_such_words_is_an_answer(question, text):
    assert extent(question, text) == "none"


@most_rows(("question", "text"), PARTIALS, floor=0.75)
def test_an_answered_part_beside_what_is_missing_stays_answered(question, text):
    assert extent(question, text) == "partial"
