"""Questions that no document of a corpus is there to answer: advice, forecasts, opinions, errands, and what only the asker knows."""

from __future__ import annotations

import random
from collections.abc import Sequence

from showable.harness.questions.candidates import Candidate
from showable.harness.questions.from_text_facts import title_of
from showable.harness.questions.labelled_ground import Ground, unanswered

_OF_A_DOCUMENT = (
    ("advice", "Given my own circumstances, would it be wise for me to rely on “{title}”?"),
    ("advice", "What would you do in my place after reading “{title}”?"),
    ("advice", "Should I show “{title}” to a lawyer or keep it to myself?"),
    ("advice", "Which parts of “{title}” should I ignore?"),
    ("forecast", "How will “{title}” have been changed in ten years’ time?"),
    ("forecast", "Will the people concerned still agree with “{title}” next year?"),
    ("forecast", "How many people will read “{title}” next month?"),
    ("opinion", "Is “{title}” well written, in your opinion?"),
    ("opinion", "Who do you think is to blame for the weaknesses of “{title}”?"),
    ("opinion", "Is what “{title}” lays down morally right?"),
    ("errand", "Please send “{title}” to my colleague and tell me when she has opened it."),
    ("errand", "Write me a song about “{title}”."),
    ("errand", "Translate “{title}” into Finnish."),
    ("errand", "Please correct the mistakes in “{title}” and upload it again."),
    ("asker", "Have I already read “{title}”?"),
    ("asker", "Did my manager mention “{title}” to you yesterday?"),
    ("asker", "How long will it take me to understand “{title}”?"),
    ("asker", "Does “{title}” apply to what happened to me last week?"),
    ("inner", "What was the author of “{title}” feeling while writing it?"),
    ("inner", "Which drafts of “{title}” were thrown away, and why?"),
)
_OF_NOTHING = (
    ("errand", "Book a table for two this evening, please."),
    ("errand", "Set an alarm for half past six tomorrow."),
    ("errand", "Please restart the printer on my floor."),
    ("errand", "Play something calm while I work."),
    ("advice", "Should I accept the job that I was offered on Friday?"),
    ("advice", "What present would please my sister?"),
    ("advice", "Is it safe for me to stop taking my tablets?"),
    ("advice", "Which shares should I buy this week?"),
    ("forecast", "Will it rain here tomorrow afternoon?"),
    ("forecast", "Who will win the next election?"),
    ("opinion", "Which of your answers are you proudest of?"),
    ("opinion", "Do you prefer tea or coffee?"),
    ("asker", "Where did I leave my keys?"),
    ("asker", "What is my account balance today?"),
    ("asker", "What is the name of the neighbour who moved in beside me?"),
    ("asker", "How many unread messages do I have?"),
)
_WHY = {
    "advice": "out of scope: it asks for advice about the asker's own affairs",
    "forecast": "out of scope: it asks about the future, of which no document can tell",
    "opinion": "out of scope: it asks for an opinion",
    "errand": "out of scope: it asks for something to be done, not to be told",
    "asker": "out of scope: only the asker, or a system that is not here, can know",
    "inner": "out of scope: it asks what went on in private",
}


def out_of_scope(ground: Ground, seed: int) -> list[Candidate]:
    """Put each question to one document, another for each; then those that name no document."""
    documents = sorted(ground.corpus.by_document)
    random.Random(f"{seed} out of scope").shuffle(documents)  # noqa: S311 - a reproducible choice, nothing secret
    made = []
    for place, (kind, asked) in enumerate(_OF_A_DOCUMENT):
        document = documents[place % len(documents)]
        title = title_of(document, ground.corpus.by_document[document])
        made.append(_refusal(f"{kind}:{place}", kind, asked.format(title=title), document))
    made.extend(_refusal(f"{kind}:any:{place}", kind, asked, "") for place, (kind, asked) in enumerate(_OF_NOTHING))
    return made


def _refusal(key: str, kind: str, asked: str, document: str) -> Candidate:
    return unanswered("refusal_due", key, asked, f"out_of_scope:{kind}", _WHY[kind], document=document)


def ambiguous(key: str, question: str, answers: Sequence[tuple[str, str]], documents: Sequence[str]) -> Candidate:
    """Make a question that two documents answer in different ways, and that does not say which is meant."""
    said = "; ".join(f"“{title}” says {answer}" for title, answer in answers)
    return unanswered(
        "refusal_due",
        key,
        question,
        "sentence:ambiguous",
        f"ambiguous: {said}; the question does not say which is meant",
        document=documents[0],
        others=documents[1:],
    )
