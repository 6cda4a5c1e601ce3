"""Candidates for the regression set: an issue's answers as questions, with gold that a reviewer confirms or writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from showable.harness.questions.question_set import QuestionSet
from showable.harness.questions.regressions import problems_of
from showable.production.feed.actions import Actor, act
from showable.production.feed.nouns import Issue
from showable.production.feed.store import FeedStore
from showable.records.promotion import Candidate, CandidateKind
from showable.records.record import Answer, BucketName, Category, Gold, GoldEvidence, Question, Record, Source
from showable.records.scorecard import ClaimScore, Scorecard
from showable.stores.promotions import Promotions

MOST: Mapping[CandidateKind, int] = {"representative": 5, "boundary": 3, "neighbour": 2}
_EXPECTED: Mapping[Category, tuple[BucketName, ...]] = {
    "answerable": ("correct",),
    "unanswerable": ("refused",),
    "null_retrieval": ("refused",),
}
_WHY: Mapping[Category, str] = {
    "answerable": "what is right has to be written by the reviewer",
    "unanswerable": "nothing that was retrieved supports the answer; whether another document does is for the reviewer to say",
    "null_retrieval": "the retrieval returned nothing",
}
_ELSEWHERE = frozenset({"leak", "near_duplicate", "duplicate_id"})
"""What refuses a proposal; gold that is not whole yet is what the reviewer is for."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed, how many of it are new, and which candidates are refused, each with why."""

    kept: tuple[Candidate, ...]
    new: int
    refused: Mapping[str, Sequence[str]]


def named_answers(issue: Issue) -> set[str]:
    """Return the answers that candidates are made of."""
    return {answer for _, answer, _ in _ids(issue)}


def propose(
    feed: FeedStore,
    actor: Actor,
    issue: Issue,
    answers: Mapping[str, tuple[Record, Scorecard]],
    promotions: Promotions,
    *,
    others: Sequence[QuestionSet] = (),
) -> Proposal:
    """Write an issue's candidates down for reviewers; what nearly repeats a question of `others` is refused."""
    kept: list[Candidate] = []
    refused = {}
    for one in candidates_of(issue, answers):
        so_far = QuestionSet(name="this proposal", questions=tuple(other.question for other in kept))
        problems = [p.problem for p in problems_of(one.question, [*others, so_far]) if p.code in _ELSEWHERE]
        if problems:
            refused[one.id] = problems
        else:
            kept.append(one)
    new = promotions.propose(kept)
    act(feed, actor, issue.issue, "promote", {"candidates": [one.id for one in kept], "new": new})
    return Proposal(tuple(kept), new, refused)


def candidates_of(issue: Issue, answers: Mapping[str, tuple[Record, Scorecard]]) -> list[Candidate]:
    """Return an issue's candidates: representatives, answers at its boundary, and passing neighbours.

    Answers that are no longer there are left out, as are those whose question was chosen already.
    """
    chosen: list[Candidate] = []
    asked: set[str] = set()
    for kind, answer_id, p in _ids(issue):
        held = answers.get(answer_id)
        if held is None or sum(one.kind == kind for one in chosen) >= MOST[kind]:
            continue
        record, card = held
        key = " ".join(record.question.split()).casefold()
        if key and key not in asked:
            asked.add(key)
            chosen.append(_candidate(issue, kind, record, card, p))
    return chosen


def _ids(issue: Issue) -> Iterator[tuple[CandidateKind, str, float]]:
    for one in issue.representatives:
        yield "representative", one.id, one.p
    for one in issue.boundary:
        yield "boundary", one.id, one.p
    for identifier in issue.neighbours:
        yield "neighbour", identifier, 0.0


def _candidate(issue: Issue, kind: CandidateKind, record: Record, card: Scorecard, p: float) -> Candidate:
    name = f"{issue.issue}:{record.id}"
    gold = _given(record.gold) or _proposed(record, card)
    why = f"{issue.issue}, answer {record.id}: {gold.why}"
    question = Question(
        id=name,
        question=record.question,
        gold=gold.model_copy(update={"why": why, "bucket": None}),
        force_null=gold.category == "null_retrieval",
        metadata={"made_by": "feed", "issue": issue.issue, "answer": record.id, "kind": kind},
    )
    return Candidate(
        id=name,
        issue=issue.issue,
        answer_id=record.id,
        kind=kind,
        p=p,
        question=question,
        answer=_text(record),
        passages=_passages(record),
        bucket=card.bucket,
        cause=card.cause,
    )


def _given(gold: Gold | None) -> Gold | None:
    """Return gold that people had given already, None where it says nothing of what is right."""
    if gold is None or gold.category is None or not gold.expected:
        return None
    return gold.model_copy(update={"why": gold.why or "the gold that the question had"})


def _proposed(record: Record, card: Scorecard) -> Gold:
    category = _category(record, card)
    return Gold(
        answerable={"answerable": True, "unanswerable": False}.get(category),
        evidence=tuple(_evidence(record, card)) if category == "answerable" else (),
        category=category,
        expected=_EXPECTED[category],
        why=_WHY[category],
    )


def _category(record: Record, card: Scorecard) -> Category:
    """Return what a question is by its answer's cause: what no passage supports is unanswerable until a person says otherwise."""
    if card.cause == "answered_on_null_retrieval" or record.retrieved == ():
        return "null_retrieval"
    if card.cause == "no_evidence" or (card.bucket == "refused" and card.cause != "over_refusal"):
        return "unanswerable"
    return "answerable"


def _evidence(record: Record, card: Scorecard) -> Iterator[GoldEvidence]:
    """Yield the passages that the worst claim turns on: those that contradict or support it, else those it cites."""
    held = {source.source_id for source in record.retrieved or ()}
    worst = min(card.claims, key=_badness, default=None)
    if worst is None:
        return
    cited = [citation.source_id for citation in worst.citations if citation.source_id]
    for source_id in dict.fromkeys([*worst.contradicted_by, *worst.supported_by] or cited):
        if source_id in held:
            yield GoldEvidence(source_id=source_id)


def _badness(claim: ClaimScore) -> int:
    order = ("contradicted", "unsupported", "partial", "uncited", "unknown", "supported")
    return order.index(claim.support)


def _text(record: Record) -> str:
    answer = record.answer
    if isinstance(answer, Answer):
        return answer.text or " ".join(claim.text for claim in answer.claims)
    return answer or ""


def _passages(record: Record) -> tuple[Source, ...]:
    return tuple(source.model_copy(update={"score": None}) for source in record.retrieved or () if source.text)
