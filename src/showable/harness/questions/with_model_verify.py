"""Verify what a model wrote: a judge reads the passage, a search reads the corpus, and what does not hold is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from showable.harness.questions.absence import absent
from showable.harness.questions.candidates import Candidate
from showable.harness.questions.labelled_ground import Ground
from showable.harness.questions.shape import PROTOCOL
from showable.harness.questions.with_model_reply import Kind, Written
from showable.records.evidence import Judge, Pair, Verdict
from showable.records.record import Category, Gold, GoldEvidence, Question, Source

_EXPECTED = {part.category: part.expected for part in PROTOCOL}
_SUPPORT = 0.5
_ANSWERED = 0.99
"""A few sentences with so much of a question's words may well answer it."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a model wrote, for which category, about which passage, beside which near miss."""

    written: Written
    kind: Kind
    category: Category
    passage: Source
    other: Source | None = None


async def verify(drafts: Sequence[Draft], ground: Ground, judge: Judge) -> tuple[list[Candidate], Counter[str]]:
    """Keep the drafts that hold, as candidates, and count the others by what is wrong with them.

    The passage must support the statement of the answer; the near miss must not; the passage must not support a premise
    that is said to be false. What is said to be missing must be absent from the corpus.
    """
    pairs = [pair for draft in drafts for pair in _pairs(draft)]
    verdicts = iter(await judge.verdicts(pairs) if pairs else [])
    kept, refused = list[Candidate](), Counter[str]()
    for number, draft in enumerate(drafts):
        own = [next(verdicts) for _ in _pairs(draft)]
        fault = _absence_fault(draft, ground) if draft.kind == "unanswerable" else _support_fault(own)
        if fault is None:
            kept.append(_candidate(draft, number))
        else:
            refused[fault] += 1
    return kept, refused


def _pairs(draft: Draft) -> list[Pair]:
    """Return what a judge is asked: the statement first, then what must not be supported."""
    written, text = draft.written, draft.passage.text or ""
    if draft.kind == "unanswerable":
        return []
    pairs = [Pair(written.statement, text, question=written.question)]
    if draft.kind == "adversarial":
        pairs.append(Pair(written.premise, text))
    elif draft.other is not None:
        pairs.append(Pair(written.statement, draft.other.text or "", question=written.question))
    return pairs


def _support_fault(verdicts: Sequence[Verdict]) -> str | None:
    if any(verdict.label == "unknown" for verdict in verdicts):
        return "judge_unknown"
    if not _supports(verdicts[0]):
        return "not_supported"
    return "near_miss_or_premise_supported" if any(map(_supports, verdicts[1:])) else None


def _supports(verdict: Verdict) -> bool:
    return verdict.p >= _SUPPORT if verdict.p is not None else verdict.label == "supported"


def _absence_fault(draft: Draft, ground: Ground) -> str | None:
    if absent(draft.written.missing, ground.words) is not None:
        return "not_absent"
    share, _ = ground.words.most_covered(draft.written.question)
    return "may_be_answered" if share >= _ANSWERED else None


def _candidate(draft: Draft, number: int) -> Candidate:
    written, unanswerable = draft.written, draft.kind == "unanswerable"
    expected = _EXPECTED[draft.category]
    start, end = written.span or (None, None)
    gold = Gold(
        answer=None if unanswerable else written.answer,
        answerable=not unanswerable,
        evidence=() if unanswerable else (GoldEvidence(source_id=draft.passage.source_id, start=start, end=end),),
        category=draft.category,
        expected=("refused",) if unanswerable else expected,
        why=_why(draft),
    )
    metadata: dict[str, object] = {"absent": list(written.missing)} if unanswerable else {}
    if draft.other is not None:
        metadata["other_documents"] = [str(draft.other.metadata.get("document", draft.other.source_id))]
    question = Question(
        id=f"model:{draft.category}:{number}",
        question=written.question,
        gold=gold,
        force_null=draft.category == "null_retrieval",
        metadata=metadata,
    )
    document = str(draft.passage.metadata.get("document", draft.passage.source_id))
    return Candidate(question=question, document=document, made_by=f"model:{draft.kind}")


def _why(draft: Draft) -> str:
    written = draft.written
    if draft.category == "null_retrieval":
        return f"the retrieval returns nothing; the corpus says: {written.statement}"
    if draft.kind == "unanswerable":
        return f"no few sentences of the corpus hold {', '.join(map(repr, written.missing))} together"
    if draft.kind == "adversarial":
        return f"it takes for granted: {written.premise} The passage says: {written.statement}"
    if draft.other is not None:
        return f"{written.statement} {draft.other.source_id} is a near miss that does not say so"
    return written.statement
