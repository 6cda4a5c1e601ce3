"""Candidates from the text of documents alone, with neither labels nor a model: few, plain, and each with its place in the text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

from showable.harness.corpora.corpus import Corpus
from showable.harness.questions.candidates import Candidate
from showable.harness.questions.from_text_facts import WHETHER, Fact, find_facts
from showable.harness.questions.from_text_refusals import ambiguous, out_of_scope
from showable.harness.questions.from_text_rivals import Rivals, figure_beside
from showable.harness.questions.from_text_swaps import adjacent_document, wrong_value, wrong_year
from showable.harness.questions.labelled_ground import Ground
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
