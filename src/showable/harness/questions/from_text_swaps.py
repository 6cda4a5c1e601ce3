"""Questions with something exchanged: another value, a year of which nothing is said, another document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from showable.harness.questions.absence import absent, content_stems
from showable.harness.questions.candidates import Candidate
from showable.harness.questions.from_text_facts import WHETHER, Fact, title_of
from showable.harness.questions.from_text_rivals import Rivals
from showable.harness.questions.labelled_ground import Ground, unanswered
from showable.read.quantities import find_quantities
from showable.records.record import Gold, GoldEvidence, Question

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_STATED = 0.5
"""A document of which a few sentences hold more of a question's words than this may answer it."""
_TOUCHED = 0.34
"""The same of a question of yes or no, which a document may also answer by saying the opposite."""
_TRIED = 6
"""Documents that a question is put to before it is given up."""
_ENOUGH = 20
"""With fewer questions of a category, documents that hold no word of a question are asked it too."""
_YEARS_AWAY = (7, -7, 11, -11, 13, -13, 17)
_FEWEST_WORDS = 2
_BELIEVABLE = 10
_PASSAGES = 60


def wrong_value(facts: Sequence[Fact], rivals: Rivals) -> Iterator[Candidate]:
    """Ask whether a fact is what it is not: the value is one that the corpus states of something else. The answer is no."""
    for fact in facts:
        rival = None if fact.turned is None or fact.superseded else rivals.of_same_unit(fact)
        if rival is None or fact.turned is None:
            continue
        if not _is_false(fact, rival):
            continue
        auxiliary, subject, before, after = fact.turned
        asked = " ".join(f"{auxiliary} {subject} {before} {_value(rival)} {after}".split())
        gold = Gold(
            answer="No",
            aliases=(fact.answer,),
            answerable=True,
            evidence=(GoldEvidence(source_id=fact.source.source_id, start=fact.span[0], end=fact.span[1]),),
            category="adversarial",
            expected=("correct", "refused"),
            why=f"the document says {fact.answer}; {_value(rival)} is what “{rival.title}” says of something else",
        )
        question = Question(
            id=f"sentence:wrong_value:{fact.source.source_id}:{fact.start}",
            question=f"According to “{fact.title}”, {asked}?",
            gold=gold,
            metadata={"other_documents": [rival.document]} if rival.document != fact.document else {},
        )
        yield Candidate(question=question, document=fact.document, made_by="sentence:wrong_value")


def _is_false(fact: Fact, rival: Fact) -> bool:
    """Check whether the rival's value in this fact's place makes a false statement, and one that could be believed.

    What must be done within 30 days is also done within 45, and what may last up to 30 may last 14: neither is false.
    """
    mine, theirs = (next(iter(find_quantities(one.answer)), None) for one in (fact, rival))
    if mine is None or theirs is None or fact.turned is None:
        return False
    _, _, before, after = fact.turned
    if set(re.findall(r"\d[\d.,]*", theirs.text)) & set(re.findall(r"\d[\d.,]*", f"{before} {after}")):
        return False
    limit, other_limit = (one.answer[: quantity.span[0]].strip() for one, quantity in ((fact, mine), (rival, theirs)))
    if limit != other_limit or before.endswith(" by") or before == "by":
        return False
    if before.endswith("within") and theirs.value >= mine.value:
        return False
    return mine.kind in {"date", "year"} or 1 / _BELIEVABLE <= theirs.value / (mine.value or 1) <= _BELIEVABLE


def _value(fact: Fact) -> str:
    """Return the answer as it may stand in another sentence."""
    return re.sub(r"^every\s|\s(?:of|after|before|from)\s.*", "", fact.answer)


def wrong_year(facts: Sequence[Fact], ground: Ground) -> Iterator[Candidate]:
    """Exchange the year in a question for one that the corpus has nothing on."""
    for fact in facts:
        years = _YEAR.findall(fact.asks)
        if len(years) != 1 or fact.kind == WHETHER:
            continue
        year = next((y for away in _YEARS_AWAY if not absent_reason(y := str(int(years[0]) + away), ground)), None)
        if year is None:
            continue
        asked = _YEAR.sub(year, fact.asks)
        yield unanswered(
            "adversarial",
            f"{fact.source.source_id}:{fact.start}",
            f"According to “{fact.title}”, {asked}?",
            "sentence:wrong_year",
            f"the document says it of {years[0]}; the corpus has nothing on {year}",
            document=fact.document,
            absent=[year],
        )


def absent_reason(term: str, ground: Ground) -> str | None:
    """Return where the corpus holds a term; None where it does not."""
    return absent([term], ground.words)


def adjacent_document(facts: Sequence[Fact], ground: Ground) -> Iterator[Candidate]:
    """Ask one document for what another states, where the one asked has nothing of the kind.

    It holds a word of the question, so that it may well be asked; only a small corpus asks documents that hold none.
    """
    near, far = list[Candidate](), list[Candidate]()
    for candidate, document, fact in _asked_elsewhere(facts, ground):
        touched = not content_stems(fact.asks).isdisjoint(ground.words_of_document[document].vocabulary)
        (near if touched else far).append(candidate)
    yield from near
    enough = Counter(candidate.category for candidate in near)
    yield from (candidate for candidate in far if enough[candidate.category] < _ENOUGH)


def _asked_elsewhere(facts: Sequence[Fact], ground: Ground) -> Iterator[tuple[Candidate, str, Fact]]:
    documents = list(ground.corpus.by_document)
    for number, fact in enumerate(facts):
        words = fact.asks.split(" ", 1)[-1]
        if len(words.split()) < _FEWEST_WORDS:
            continue
        near = [source.metadata.get("document") for source in ground.search.search(fact.source.text or "", _PASSAGES)]
        tried = [str(name) for name in dict.fromkeys(near) if name not in {fact.document, None}][:_TRIED] or documents
        silent = [name for name in tried if name != fact.document and not _may_state(name, fact, ground)]
        stems = content_stems(fact.asks)
        silent.sort(key=lambda name: stems.isdisjoint(ground.words_of_document[name].vocabulary))
        for candidate in _put_to(silent[0], fact, ground, adversarial=number % 2 == 1) if silent else ():
            yield candidate, silent[0], fact


def _put_to(other: str, fact: Fact, ground: Ground, *, adversarial: bool) -> Iterator[Candidate]:
    title = title_of(other, ground.corpus.by_document[other])
    if title == fact.title:
        return
    made = unanswered(
        "adversarial" if adversarial else "unanswerable",
        f"{fact.source.source_id}:{fact.start}",
        f"According to “{title}”, {fact.asks}?",
        "sentence:other_document_asked",
        f"“{title}” says nothing of it; “{fact.title}” does: {fact.answer}",
        document=other,
        others=[fact.document],
    )
    metadata = made.question.metadata | {"absent_from": other, "absent": _terms(fact)}
    yield made.model_copy(update={"question": made.question.model_copy(update={"metadata": metadata})})


def _may_state(document: str, fact: Fact, ground: Ground) -> bool:
    words = ground.words_of_document[document]
    share, _ = words.most_covered(fact.asks)
    return share > (_TOUCHED if fact.kind == WHETHER else _STATED) or absent(_terms(fact), words) is not None


def _terms(fact: Fact) -> list[str]:
    """Return the words of a question that a passage answering it would have to hold."""
    return [word for word in re.findall(r"[^\W_]+(?:[.,]\d+)*", fact.asks) if content_stems(word)]
