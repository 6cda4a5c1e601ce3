"""Is what a question asks for really not in the corpus?"""

from __future__ import annotations

from collections.abc import Iterator

from showable.harness.questions.absence import ONE_OF, absent, stems_of
from showable.harness.questions.check_found import Found, Problem, Unchecked
from showable.harness.questions.labelled_ground import Ground
from showable.records.record import Category, Gold, Question

_CLAIMED: frozenset[Category] = frozenset({"tempt_unsupported", "unanswerable", "adversarial"})
"""Where a question that cannot be answered cannot because nothing is said of it; what is out of scope needs no search."""


_ASKED_WITH: frozenset[Category] = frozenset({"unanswerable", "adversarial"})
"""Where the terms have to do with the question; of the well known it is often the answer that is looked for."""


def check_absence(question: Question, gold: Gold, ground: Ground) -> Iterator[Found]:
    """Look for the terms that `metadata.absent` says no passage holds together; of one document where `absent_from` names it."""
    if gold.category == "refusal_due":
        why = "whether a question is out of scope, or ambiguous, is for a person"
        yield Unchecked(what="refusal due", why=why, ids=(question.id,))
    if gold.answerable is not False or gold.category not in _CLAIMED:
        return
    terms, document = question.metadata.get("absent"), question.metadata.get("absent_from")
    if not isinstance(terms, list) or not terms or not all(isinstance(term, str) and term for term in terms):
        if terms:
            said = "expected a list of terms"
            yield Problem(id=question.id, field="metadata.absent", code="absent_terms", problem=said)
        else:
            why = "metadata.absent names no terms that could be looked for"
            yield Unchecked(what="absence", why=why, ids=(question.id,))
        return
    if (unfit := _unfit(terms, question, gold)) is not None:
        yield Problem(id=question.id, field="metadata.absent", code="absent_terms", problem=unfit)
        return
    words = ground.words if document is None else ground.words_of_document.get(str(document))
    if words is None:
        said = f"{document!r} is no document of the corpus"
        yield Problem(id=question.id, field="metadata.absent_from", code="unknown_document", problem=said)
    elif (held := absent(terms, words)) is not None:
        hint = "" if document is not None else " (metadata.absent_from names the document, where only one is asked)"
        yield Problem(
            id=question.id, field="metadata.absent", code="not_absent", problem=f"is not absent: {held}{hint}"
        )


def _unfit(terms: list[str], question: Question, gold: Gold) -> str | None:
    """Say why looking for these terms would show nothing."""
    blank = next((term for term in terms if not stems_of(term.replace(ONE_OF, " "))), None)
    if blank is not None:
        return f"{blank!r} holds no word that could be looked for"
    stems = {stem for term in terms for stem in stems_of(term.replace(ONE_OF, " "))}
    if gold.category in _ASKED_WITH and stems.isdisjoint(stems_of(question.question)):
        return f"none of its words ({', '.join(map(repr, terms))}) is in the question, so their absence shows nothing"
    return None
