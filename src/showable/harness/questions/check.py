"""Check a question set that anyone wrote: each question by itself, then the set as a whole, against its corpus where there is one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from showable.harness.questions.absence import ONE_OF, absent, stems_of
from showable.harness.questions.check_evidence import check_documents, check_evidence, document_of
from showable.harness.questions.check_found import Found, Problem, SetCheck, Unchecked
from showable.harness.questions.check_gold import check_gold
from showable.harness.questions.duplicates import duplicate_pairs, first_duplicate, same_fact
from showable.harness.questions.labelled_ground import Ground
from showable.harness.questions.question_set import QuestionSet
from showable.harness.questions.shape import PROTOCOL, counts_for, roundings
from showable.records.record import Category, Gold, Question

_FEW, _EVEN_SHARES = 5, 3
"""A document may have this many questions, or so many times its even share, before the set leans on it."""


def check_set(given: QuestionSet, ground: Ground | None) -> SetCheck:
    """Check a set. Without a corpus (`ground`) all that needs one is listed as unchecked, with the reason."""
    every = [*given.questions, *given.held_out]
    found = [one for question in every for one in check_question(question, ground)]
    if given.kind != "regression":  # it is as failures came
        found.extend(_proportions(given))
    found.extend(_ids(every))
    found.extend(_duplicates(given))
    if ground is not None:
        found.extend(_changed(given, ground))
        if given.kind != "regression":
            found.extend(_balance(given.questions, ground))
    problems = tuple(one for one in found if isinstance(one, Problem))
    counted = Counter(_category(question) for question in given.questions)
    wanted = counts_for(len(given.questions) + sum(given.missing.values()))
    return SetCheck(
        ok=not problems,
        name=given.name,
        n=len(given.questions),
        held_out=len(given.held_out),
        categories={part.category: counted[part.category] for part in PROTOCOL},
        protocol={part.category: wanted[part.category] for part in PROTOCOL},
        problems=problems,
        unchecked=tuple(_unchecked(found, ground)),
    )


def check_question(question: Question, ground: Ground | None) -> Iterator[Found]:
    """Check one question by itself and against the corpus."""
    yield from check_gold(question)
    if question.gold is None or question.gold.category is None:
        return
    if ground is None:
        return
    yield from check_documents(question, ground)
    yield from check_evidence(question, question.gold, ground)
    yield from check_absence(question, question.gold, ground)


def _category(question: Question) -> str | None:
    return question.gold.category if question.gold is not None else None


def _unchecked(found: Sequence[Found], ground: Ground | None) -> Iterator[Unchecked]:
    """Sum up what could not be checked: by reason, with the questions it holds for."""
    if ground is None:
        why = "no corpus: none is in the set's folder, and none was given with --corpus"
        yield Unchecked(what="evidence, absence, superseded documents, balance over documents", why=why)
    by_reason: dict[tuple[str, str], list[str]] = defaultdict(list)
    for one in found:
        if isinstance(one, Unchecked):
            by_reason[one.what, one.why].extend(one.ids)
    for (what, why), ids in by_reason.items():
        yield Unchecked(what=what, why=why, ids=tuple(ids))


def _proportions(given: QuestionSet) -> Iterator[Problem]:
    """Compare with the protocol's shares, rounded up or down; where they are whole numbers, one more or less is a problem.

    A set that says what it is missing is compared with what it would be with that.
    """
    questions, missing = given.questions, given.missing
    whole = len(questions) + sum(missing.values())
    counted, rounded = Counter(missing) + Counter(_category(question) for question in questions), roundings(whole)
    for category, wanted in counts_for(whole).items():
        if counted[category] not in rounded[category]:
            said = f"{counted[category]} of {whole} questions are {category}; the protocol has {wanted}"
            yield Problem(code="proportions", problem=said)


def _ids(every: Sequence[Question]) -> Iterator[Problem]:
    for name, count in Counter(question.id for question in every).items():
        if count > 1:
            yield Problem(id=name, field="id", code="duplicate_id", problem=f"the id stands {count} times in the set")


def _duplicates(given: QuestionSet) -> Iterator[Problem]:
    """Look for near-duplicates in each half, and for what leaks from one into the other."""
    for half in (given.questions, given.held_out):
        for name, like in duplicate_pairs([(question.id, question.question) for question in half]):
            said = f"asks nearly the same as {like}"
            yield Problem(id=name, field="question", code="near_duplicate", problem=said)
    texts = {question.question: question.id for question in reversed(given.questions)}
    for question in given.held_out:
        if (same := first_duplicate(question.question, texts)) is not None:
            said = f"is held out, and asks nearly the same as {texts[same]}"
            yield Problem(id=question.id, field="question", code="leak", problem=said)
        elif (other := next((one for one in given.questions if same_fact(question, one)), None)) is not None:
            said = f"is held out, and has the answer and the evidence of {other.id}"
            yield Problem(id=question.id, field="gold.evidence", code="leak", problem=said)


def _changed(given: QuestionSet, ground: Ground) -> Iterator[Problem]:
    """Hold the passages against those that the set was made on: an offset into other text says nothing."""
    if given.fingerprint not in {None, ground.corpus.fingerprint}:
        said = f"the passages are not those that the set was made on ({ground.corpus.fingerprint}, not {given.fingerprint})"
        yield Problem(code="corpus_changed", problem=said)


def _balance(questions: Sequence[Question], ground: Ground) -> Iterator[Problem]:
    counted = Counter(document for question in questions if (document := document_of(question, ground)) is not None)
    if not counted:
        return
    even = sum(counted.values()) / len(ground.corpus.by_document)
    for document, count in counted.most_common():
        if count > max(_FEW, _EVEN_SHARES * even):
            said = f"{count} of {sum(counted.values())} questions are about {document}, one of {len(ground.corpus.by_document)} documents"
            yield Problem(code="unbalanced", problem=said)


# Is what a question asks for really not in the corpus?


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
    """Return why looking for these terms would show nothing."""
    blank = next((term for term in terms if not stems_of(term.replace(ONE_OF, " "))), None)
    if blank is not None:
        return f"{blank!r} holds no word that could be looked for"
    stems = {stem for term in terms for stem in stems_of(term.replace(ONE_OF, " "))}
    if gold.category in _ASKED_WITH and stems.isdisjoint(stems_of(question.question)):
        return f"none of its words ({', '.join(map(repr, terms))}) is in the question, so their absence shows nothing"
    return None
