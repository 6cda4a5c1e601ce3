"""Candidates from the text of documents alone, with neither labels nor a model: few, plain, and each with its place in the text."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

from showable.harness.corpora.corpus import Corpus
from showable.harness.questions.candidates import Candidate
from showable.harness.questions.from_text_facts import WHETHER, Fact, find_facts, title_of
from showable.harness.questions.from_text_rivals import Rivals, figure_beside
from showable.harness.questions.from_text_swaps import adjacent_document, wrong_value, wrong_year
from showable.harness.questions.labelled_ground import Ground, unanswered
from showable.harness.questions.shape import PROTOCOL
from showable.records.record import Category, Gold, GoldEvidence, Question
from showable.rubrics.gold_text import normalised

_EXPECTED = {part.category: part.expected for part in PROTOCOL}


def candidates(corpus: Corpus, seed: int) -> list[Candidate]:
    """Make candidates of every category but `tempt_unsupported`, which takes knowledge that is not in the text.

    What a document states in a plain sentence is asked for, document named. A near miss is a fact of the same kind, about
    much the same, with another answer. A question is taken to have no answer in a document only where no few sentences of
    it hold most of the question's words.
    """
    ground, facts = Ground(corpus), find_facts(corpus)
    rivals = Rivals(facts)
    made = chain(
        (
            _answered(fact, "answerable", f"sentence:{fact.kind}", _states(fact))
            for fact in facts
            if not fact.superseded
        ),
        (_answered(fact, "null_retrieval", _null(fact), _NULL, null=True) for fact in facts),
        _near_misses(facts, rivals),
        wrong_value(facts, rivals),
        wrong_year(facts, ground),
        adjacent_document(facts, ground),
        _ambiguous(facts),
        out_of_scope(ground, seed),
    )
    return list(made)


def _null(fact: Fact) -> str:
    return "sentence:null_whether" if fact.kind == WHETHER else "sentence:null"


_NULL = "the retrieval returns nothing, so nothing may be asserted, whatever the corpus says"


def _states(fact: Fact) -> str:
    return f"“{fact.title}” states it in so many words"


def named(fact: Fact, asks: str | None = None) -> str:
    """Write the question with its document named."""
    return f"According to “{fact.title}”, {asks or fact.asks}?"


def _answered(
    fact: Fact, category: Category, made_by: str, why: str, *, null: bool = False, others: Sequence[str] = ()
) -> Candidate:
    gold = Gold(
        answer=fact.answer,
        answerable=True,
        evidence=(GoldEvidence(source_id=fact.source.source_id, start=fact.span[0], end=fact.span[1]),),
        category=category,
        expected=_EXPECTED[category],
        why=why,
    )
    asked = Question(
        id=f"{made_by}:{fact.source.source_id}:{fact.start}",
        question=named(fact),
        gold=gold,
        force_null=null,
        metadata={"other_documents": list(others)} if others else {},
    )
    return Candidate(question=asked, document=fact.document, made_by=made_by)


def _near_misses(facts: Sequence[Fact], rivals: Rivals) -> Iterator[Candidate]:
    """Ask for facts beside which another stands: of the same wording elsewhere, of an older version, or a figure close by."""
    for fact in facts:
        if fact.superseded or fact.kind == WHETHER:
            continue
        rival = rivals.of(fact)
        if rival is not None:
            yield _beside_rival(fact, rival)
        elif fact.kind != "definition" and (figure := figure_beside(fact)) is not None:
            why = f"the same passage gives another figure of the kind, {figure}, for something else"
            yield _answered(fact, "tempt_wrong", "sentence:figure_beside", why)


def _beside_rival(fact: Fact, rival: Fact) -> Candidate:
    where = "the superseded " if rival.superseded else ""
    why = f"{where}“{rival.title}” says {rival.answer} of much the same"
    kind = "superseded" if rival.superseded else "other_document" if rival.document != fact.document else "beside"
    others = [rival.document] if rival.document != fact.document else []
    return _answered(fact, "tempt_wrong", f"sentence:{kind}", why, others=others)


def _ambiguous(facts: Sequence[Fact]) -> Iterator[Candidate]:
    """Leave the document out of a question that several answer, each in its own way."""
    same: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        if not fact.superseded and fact.kind != WHETHER:
            same[normalised(fact.asks)].append(fact)
    for group in same.values():
        differing = {normalised(fact.answer): fact for fact in reversed(group)}
        if len({fact.document for fact in differing.values()}) < 2:  # noqa: PLR2004 - one document is not ambiguous
            continue
        both = sorted(differing.values(), key=lambda fact: fact.document)
        for first, second in pairwise(both):  # a pair each, so that setting documents aside leaves some of them
            yield ambiguous(
                f"{first.source.source_id}:{first.start}",
                f"{first.asks[0].upper()}{first.asks[1:]}?",
                [(fact.title, fact.answer) for fact in (first, second)],
                list(dict.fromkeys(fact.document for fact in (first, second))),
            )


# Questions that no document of a corpus is there to answer: advice, forecasts, opinions, errands, and what only the asker knows.


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
