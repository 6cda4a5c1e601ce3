"""Short refusals, as systems give them in place of an answer, and short answers made of the same words.

Both tables are hand-made: the ways to say that there is no answer, written out over what was sought (an answer, the
information, relevant documents), whether it is there, and where it was looked for.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row, most_rows

from showable.read.answer import read_answer
from showable.read.refusal_phrases import TERSE
from showable.records import Record, Source

LOG = (Source(source_id="a", text="Alpha."), Source(source_id="b", text="Beta."))

REFUSALS = [
    "No answer found",
    "No answer found.",
    "N/A",
    "Not found in context.",
    "The answer is not in the documents",
    "The answer is not in the documents.",
    "I don't have enough information to answer",
    "unanswerable",
    "NO ANSWER",
    "Information not available",
    "Information not available.",
    "Unable to answer based on the provided context",
    "None of the passages answer the question.",
    "None of the passages contain the answer.",
    "No answer is found.",
    "No answer was found in the passages.",
    "No answer was found.",
    "I could not find an answer.",
    "I couldn't find an answer to that.",
    "No answer could be found.",
    "No answer can be given.",
    "No answer available.",
    "There is no answer.",
    "There is no answer in the documents.",
    "There is no answer to this question in the provided passages.",
    "No relevant information found.",
    "No relevant documents found.",
    "No relevant passages were found.",
    "No results found.",
    "No results.",
    "No matching documents were found.",
    "No match found.",
    "Nothing found.",
    "Nothing relevant was found.",
    "Not answerable.",
    "Not answerable from the given context.",
    "Question cannot be answered.",
    "The question is unanswerable.",
    "This question is not answerable from the passages.",
    "This cannot be answered from the documents.",
    "Answer not found.",
    "Answer not found in the documents.",
    "The answer was not found.",
    "The answer could not be found.",
    "The answer cannot be found in the text.",
    "The answer isn't in the provided text.",
    "The answer is not given.",
    "The answer is not available in the context.",
    "Answer: N/A",
    "Answer: not found",
    "Unknown.",
    "CANNOT ANSWER",
    "CANNOTANSWER",
    "Cannot be determined.",
    "Cannot determine.",
    "Insufficient context.",
    "Insufficient information to answer.",
    "Not enough information.",
    "Not enough context to answer the question.",
    "Not mentioned.",
    "Not mentioned in the text.",
    "No information is available.",
    "No information available in the provided documents.",
    "I don't know.",
    "I do not know the answer.",
    "idk",
    "No idea.",
    "Sorry, I can't answer that.",
    "Sorry, no answer was found.",
    "Unfortunately, no answer was found.",
    "I'm sorry, but no relevant information was found.",
    "I was unable to find an answer.",
    "I was unable to find any information on this in the documents.",
    "I found no answer.",
    "We could not find an answer.",
    "We found no answer in the passages.",
    "The documents do not answer this.",
    "The provided documents do not contain the answer to your question.",
    "The search results do not contain an answer.",
    "I could not find any information about that in the documents you shared.",
    "The provided text does not contain information about this.",
    "I'm unable to answer this from the sources provided.",
    "Based on the provided context, I cannot answer this question.",
    "Information unavailable.",
    "Data not available.",
    "Details are not available.",
    "No details were found.",
    "No evidence found.",
    "No evidence was found in the passages.",
    "Nothing in the passages answers this.",
    "None of the sources address this.",
    "It is not in the documents.",
    "That is not in the passages.",
    "This information is not in the provided sources.",
    "This is not covered in the documents.",
    "Not covered.",
    "Not in the documents.",
    "Not in the provided context",
    "Not stated in the passages.",
    "No such information exists in the documents.",
    "No such information was found.",
    "The documents are silent on this.",
    "Unanswerable from the passages.",
    "The context does not say.",
    "I can't find that in the sources.",
    "I cannot find an answer in the sources.",
    "No definitive answer was found.",
    "No specific answer was found in the documents.",
    "No direct answer was found.",
    "The requested information is not available in the retrieved documents. Please try another query or topic.",
    "I found nothing about this.",
    "Could not find an answer.",
    "Couldn't find any relevant information.",
    "Answer unavailable.",
    "The answer is unknown.",
    "Answer not available",
    "Answer is not present in the context.",
    "Not found.",
    "not found",
    "No Answer Present.",
    "no answer possible",
    "There isn't enough information.",
    "There is insufficient information in the documents.",
    "I was not able to find the answer.",
    "An answer could not be found in the passages.",
    "An answer was not found.",
    "An answer is not available.",
    "The passages provide no answer.",
    "The passages give no answer to this.",
    "The context provides no answer.",
]

ANSWERS = [
    "No answer was found to the riddle of the Sphinx until Oedipus came [1].",
    "N/A was the code used for missing rows [1].",
    "None of the passages of the strait is open in winter [1].",
    "Not found guilty, he was released [1].",
    "No answer was found to Fermat's conjecture until 1994 [1].",
    "The court found no answer to the charge and entered judgment [1].",
    "No information was given to the jury about the plea [1].",
    "Not found in Europe, the species lives in Peru [1].",
    "None of the defendants was present [1].",
    "No evidence was found of a causal link between the two [1].",
    "No evidence of fraud was found by the auditor [1].",
    "Nothing was found in the vault when it was opened [1].",
    "No results were published until 2019 [1].",
    "The answer is not 42 [1].",
    "The answer is no [1].",
    "The answer is no.",
    "No.",
    "No, it is not [1].",
    "Unknown to the buyer, the roof leaked [1].",
    "The author of the letter is unknown [1].",
    "None.  The lease sets no deposit [1].",
    "Null results were reported in two trials [1].",
    "No matches were played in 1916 [1].",
    "No match was found for the DNA sample [1].",
    "Answer: 30 days [1].",
    "The answer is found in clause 4: thirty days [1].",
    "Not mentioned in the will, the nephew sued [1].",
    "An answer was not filed within 21 days, so default was entered [1].",
    "No answer was filed by the defendant [1].",
    "The defendant found no answer to the motion [1].",
    "No drug was found to cure it [1].",
    "Nothing in the lease answers for damage by the landlord [1].",
    "Insufficient sleep raises the risk [1].",
    "Cannot be combined with alcohol [1].",
    "Not available in generic form, it costs 40 dollars [1].",
    "No data were lost in the crash [1].",
    "No relevant documents were produced by the plaintiff before trial [1].",
    "He was unable to answer the prosecutor's question [1].",
    "The witness could not find an answer and fell silent [1].",
    "No traces were found at the site [1].",
    "No deposit is required [1].",
    "There is no answer to the charge, the court held [1].",
    "No remains were found in the tomb [1].",
    "Nothing is due before May [1].",
    "Not guilty.",
    "No deposit.",
    "None of the tenants [1].",
    "No one was found liable [1].",
    "No weapons of mass destruction were found in Iraq [1].",
    "Data not encrypted at rest must be deleted [1].",
    "The missing ship was not found until 1985 [1].",
    "The body was never found [1].",
    "The original deed could not be found, so a copy was admitted [1].",
    "No answer from the tower was received for 20 minutes [1].",
    "We found no significant difference between the arms [1].",
    "There is no antidote [1].",
    "The results were not available to the board until March [1].",
    "The drug is not available in Japan [1].",
    "Information not disclosed to the SEC led to the fine [1].",
    "Unavailable witnesses may be deposed [1].",
    "An answer to the complaint is due in 21 days [1].",
    "No evidence was found.",
    "There is no evidence.",
    "It is not in the plan.",
    "Not included in the plan.",
    "No match was found.",
    "The evidence was not found.",
    "No such documents were found.",
    "Not available in Japan.",
    "Not found in Europe.",
    "No answer was given.",
    "The details are unknown.",
    "No results differed between arms [1].",
    "No match.",
    "Nothing was found.",
    "None.",
    "Not in the lease.",
    "The ship was not found.",
    "This is not in the bill.",
]


def read(text, question):
    return read_answer(Record(id="r", question=question, retrieved=LOG, answer=text))


@most_rows("text", REFUSALS, floor=0.99)
def test_a_short_refusal_declines_and_asserts_nothing(text):
    reading = read(text, "What is the notice period?")
    assert reading.refusal.extent == "full"
    assert reading.refusal.basis in {"evidence", "policy"}
    assert reading.answer.claims == ()


@every_row("text", ANSWERS)
def test_a_short_answer_made_of_such_words_is_an_answer(text):
    assert read(text, "What happened?").refusal.extent == "none"


@pytest.mark.parametrize("mark", [" [1]", " [1][2]", " [a]"])
@pytest.mark.parametrize("text", ["Not stated in the passages", "It is not in the documents", "No answer was found"])
def test_a_short_refusal_may_cite_what_was_searched(text, mark):
    assert read(f"{text}{mark}.", "What is the notice period?").refusal.extent == "full"


_WORDS = (
    "no ",
    "not ",
    "answer ",
    "the ",
    "found ",
    "is ",
    "in ",
    "documents ",
    "relevant ",
    "sorry ",
    " ",
    ".",
    "[1]",
    "[",
)


@given(st.lists(st.sampled_from(_WORDS), max_size=80).map("".join))
def test_heaps_of_declining_words_are_read(text):
    TERSE.fullmatch(text)
    read(text, "What happened?")
