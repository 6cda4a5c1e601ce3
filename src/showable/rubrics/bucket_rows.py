"""The rows of the bucket table: when each holds, and which bucket and cause it then gives.

Every condition is three-valued. The numbers are those of the table in the docs (docs/concepts.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from showable.records.findings import Outcome
from showable.records.record import Gold
from showable.records.scorecard import Bucket, Cause
from showable.rubrics.answer_facts import AnswerFacts, ClaimFacts
from showable.rubrics.gold_text import says_none, says_unstated
from showable.rubrics.resolvability import Defect, Resolution

YES, NO, MAYBE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN


def any_of(outcomes: Iterable[Outcome]) -> Outcome:
    """Say yes where one is, else not known where one is not known; no of nothing."""
    seen = set(outcomes)
    return YES if YES in seen else MAYBE if MAYBE in seen else NO


def all_of(outcomes: Iterable[Outcome]) -> Outcome:
    """Say no where one is, else not known where one is not known; yes of nothing."""
    seen = set(outcomes)
    return NO if NO in seen else MAYBE if MAYBE in seen else YES


def negated(outcome: Outcome) -> Outcome:
    """Turn yes and no round; what is not known, or does not apply, stays not known."""
    return {YES: NO, NO: YES}.get(outcome, MAYBE)


def when(condition: bool) -> Outcome:  # noqa: FBT001 - it lifts a bool
    """Say yes or no."""
    return YES if condition else NO


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table: when it holds, and what it then says. `doubt` says what could not be decided."""

    holds: Callable[[AnswerFacts], Outcome]
    bucket: Bucket
    cause: Callable[[AnswerFacts], Cause | None]
    why: str
    doubt: str


def _disagrees(claim: ClaimFacts) -> Outcome:
    return MAYBE if claim.gold == "unknown" else when(claim.gold == "disagrees")


# 1 ── it declines or asks back, no claim answers the question, asides are supported
def _refuses(facts: AnswerFacts) -> Outcome:
    if facts.extent in {"none", "refused_then_answered"} or facts.answering:
        return NO
    return all_of(_aside_holds(claim) for claim in facts.claims)


def _aside_holds(claim: ClaimFacts) -> Outcome:
    """An aside stands on its own citation where it has one, else on any passage of the log."""
    return claim.own if claim.cited else claim.log


def _refusal_cause(facts: AnswerFacts) -> Cause:
    gold = facts.gold
    if facts.retrieved == 0 or (gold is not None and answerable(gold) is False):
        return "warranted"
    if gold is None or facts.evidence_retrieved is MAYBE:
        return "unjudged"
    return "over_refusal" if facts.evidence_retrieved is YES else "warranted"


def answerable(gold: Gold) -> bool | None:
    """Return whether gold holds the question answerable: by its word, its answer, its category or bucket; else None.

    "There is no deposit" answers a question after the deposit, "not stated" tells that nothing does.
    """
    if gold.answerable is not None:
        return gold.answerable
    if gold.answer and not says_none(gold.answer):
        return True
    if gold.category in {"unanswerable", "refusal_due"} or gold.expected == ("refused",):
        return False
    unstated = says_unstated(gold.answer) if gold.answer else None
    if unstated is not None:
        return not unstated
    return True if gold.evidence or gold.category == "answerable" else None


# 2 ── an answering claim disagrees with gold
def _contradicts_gold(facts: AnswerFacts) -> Outcome:
    if facts.agreement == "disagrees" and facts.answering:
        return YES
    return any_of(_disagrees(claim) for claim in facts.answering)


def _gold_cause(facts: AnswerFacts) -> Cause:
    backed = any(claim.gold == "disagrees" and claim.own is YES for claim in facts.answering)
    return "wrong_source" if backed else "contradicts_gold"


# 3 ── gold says unanswerable, and an answering claim is supported by its citation
def _answers_another(facts: AnswerFacts) -> Outcome:
    if facts.gold is None or answerable(facts.gold) is not False:
        return NO
    return any_of(claim.own for claim in facts.answering)


# 4 ── a claim is contradicted by a retrieved passage, not confirmed by gold, not supported by its own citation
def contradicts_source(facts: AnswerFacts) -> Outcome:
    """Whether a retrieved passage contradicts what its own citation does not support."""
    return any_of(
        all_of((claim.contradicted, _unbacked(claim, facts), negated(_confirmed(claim)))) for claim in facts.claims
    )


def _unbacked(claim: ClaimFacts, facts: AnswerFacts) -> Outcome:
    """Its own citation settles a conflict of sources, unless the profile leaves such a conflict open."""
    return MAYBE if claim.own is YES and facts.conflict_unsettled else negated(claim.own)


def _confirmed(claim: ClaimFacts) -> Outcome:
    return MAYBE if claim.gold == "unknown" else when(claim.gold == "agrees")


# 4a ── a claim is reckoned from numbers of what it cites, and the reckoning does not come out
def _miscalculated(facts: AnswerFacts) -> Outcome:
    return any_of(all_of((claim.miscalculated, negated(_confirmed(claim)))) for claim in facts.claims)


# 5 ── it declines, then answers without support
def _refused_then_answered(facts: AnswerFacts) -> Outcome:
    if facts.extent == "none":
        return NO
    unsupported = any_of(negated(claim.own) for claim in facts.answering)
    return unsupported if facts.extent == "refused_then_answered" else NO


# 6 ── it asserts although the retrieval returned nothing
def _null_retrieval(facts: AnswerFacts) -> Outcome:
    if not facts.claims:
        return NO
    return MAYBE if facts.retrieved is None else when(facts.retrieved == 0)


# 7 ── it cites an id that is not in the retrieval log
def invented(facts: AnswerFacts) -> Outcome:
    """Whether a citation leads to nothing that was retrieved."""
    return any_of(negated(r.in_log) for r in _resolutions(facts) if r.in_log is not Outcome.NOT_APPLICABLE)


# 8 ── a quote is not in its source, the page is wrong, a registry objects
def _defective(facts: AnswerFacts) -> Outcome:
    return any_of(YES if r.defects else MAYBE if r.unsure else NO for r in _resolutions(facts))


def _defect_cause(facts: AnswerFacts) -> Cause:
    order: tuple[Defect, ...] = ("bad_quote", "wrong_page", "bad_source")
    known = {defect for r in _resolutions(facts) for defect in r.defects}
    return next(defect for defect in order if defect in known)


def _resolutions(facts: AnswerFacts) -> Iterator[Resolution]:
    yield from facts.loose
    for claim in facts.claims:
        yield from claim.resolutions


# 9, with a corpus ── the corpus behind the log contradicts a claim that nothing in the log supports
def contradicts_corpus(facts: AnswerFacts) -> Outcome:
    """A corpus that both supports and contradicts a claim is at odds with itself, and accuses nobody."""
    return any_of(
        all_of(
            (negated(claim.log), claim.corpus_contradicts, negated(claim.corpus_supports), negated(_confirmed(claim)))
        )
        for claim in facts.claims
        if claim.corpus_contradicts is not Outcome.NOT_APPLICABLE
    )


# 9, with a corpus ── the corpus supports every claim that the log does not
def _retrieval_miss(facts: AnswerFacts) -> Outcome:
    if any(claim.corpus_supports is Outcome.NOT_APPLICABLE for claim in facts.claims):
        return NO
    held = (any_of((claim.log, claim.corpus_supports)) for claim in facts.claims)
    return all_of((_no_evidence(facts), *held))


# 9, with a corpus ── a claim has no support in the log, and none was found in the corpus
def _no_evidence_anywhere(facts: AnswerFacts) -> Outcome:
    looked_up = [claim for claim in facts.claims if claim.corpus_supports is not Outcome.NOT_APPLICABLE]
    return any_of(all_of((negated(claim.log), negated(claim.corpus_supports))) for claim in looked_up)


# 9 ── a claim has no support anywhere in the log
def _no_evidence(facts: AnswerFacts) -> Outcome:
    return any_of(negated(claim.log) for claim in facts.claims)


# 10 ── the log supports a claim, the source it cites does not
def _miscited(facts: AnswerFacts) -> Outcome:
    return any_of(negated(claim.own) for claim in facts.claims if claim.cited)


# 11 ── no citation in the whole answer
def _uncited(facts: AnswerFacts) -> Outcome:
    bare = (MAYBE if claim.perhaps_cited else when(not claim.cited) for claim in facts.claims)
    return all_of(bare) if facts.claims else NO


# 12 ── nothing asserted, nothing declined; or the gold answer is nowhere in it
def _no_answer(facts: AnswerFacts) -> Outcome:
    if not facts.answering and facts.extent == "none":
        return YES
    if facts.agreement == "unknown":
        return MAYBE
    return when(facts.agreement == "absent")


# 13 ── the rest
def _correct_cause(facts: AnswerFacts) -> Cause | None:
    if facts.extent != "none":
        return "partial"
    return "incomplete" if facts.incomplete else None


def _always(_facts: AnswerFacts) -> Outcome:
    return YES


def _fixed(cause: Cause) -> Callable[[AnswerFacts], Cause | None]:
    return lambda _facts: cause


TABLE: tuple[Row, ...] = (
    Row(_refuses, "refused", _refusal_cause, "it declines and asserts nothing unsupported",
        "whether what it says beside declining is supported"),
    Row(_contradicts_gold, "wrong", _gold_cause, "a claim that answers the question disagrees with the gold answer",
        "whether it agrees with the gold answer"),
    Row(_answers_another, "wrong", _fixed("answers_another_question"),
        "gold says there is no answer, yet a claim and its citation give one, so it is about something else",
        "whether a claim is supported by its citation"),
    Row(contradicts_source, "wrong", _fixed("contradicts_source"), "a retrieved passage contradicts a claim",
        "whether a retrieved passage contradicts a claim"),
    Row(_miscalculated, "wrong", _fixed("miscalculated"), "a claim reckons from its sources, and does not come out",
        "whether a reckoning comes out"),
    Row(_refused_then_answered, "unsupported", _fixed("refused_then_answered"),
        "it declines, then answers all the same without support", "whether what it says after declining is supported"),
    Row(_null_retrieval, "unsupported", _fixed("answered_on_null_retrieval"),
        "it asserts although the retrieval returned nothing", "whether anything was retrieved"),
    Row(invented, "unsupported", _fixed("invented_source"), "it cites a source that is not in the retrieval log",
        "whether a cited source is in the retrieval log"),
    Row(_defective, "unsupported", _defect_cause, "a citation does not hold: its quotation, its page or its source's standing",
        "whether a quotation, a page or a source's standing holds"),
    Row(contradicts_corpus, "wrong", _fixed("contradicts_corpus"),
        "the corpus contradicts a claim that nothing retrieved supports",
        "whether the corpus contradicts a claim that nothing retrieved supports"),
    Row(_retrieval_miss, "unsupported", _fixed("retrieval_miss"),
        "the corpus supports what nothing retrieved does: the retriever failed, not the generator",
        "whether the corpus supports what nothing retrieved does"),
    Row(_no_evidence_anywhere, "unsupported", _fixed("no_evidence"),
        "a claim has no support in the retrieval log, and none was found in the corpus",
        "whether the retrieval log or the corpus supports a claim"),
    Row(_no_evidence, "unsupported", _fixed("no_evidence"), "a claim has no support anywhere in the retrieval log",
        "whether the retrieval log supports a claim"),
    Row(_miscited, "unsupported", _fixed("miscited"), "the log supports a claim, the source it cites does not",
        "whether a cited source supports its claim"),
    Row(_uncited, "unsupported", _fixed("uncited"), "there is no citation in the whole answer", "whether it has a citation"),
    Row(_no_answer, "unsupported", _fixed("no_answer"), "the question is not answered",
        "whether the gold answer is in it"),
    Row(_always, "correct", _correct_cause, "everything asserted is supported by what it cites", ""),
)  # fmt: skip
"""Rows 1 to 13, in the order in which they are read; row 0 (nothing that could be judged) is decided before them."""
OF_CITATIONS = tuple(row for row in TABLE if row.holds in {invented, _defective})
"""The rows that hold for citations alone, whatever the sentences around them do."""
