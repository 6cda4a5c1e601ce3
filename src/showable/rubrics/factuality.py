"""The bucket: a total function of the findings, the verdicts and the gold, read from the top.

Every row of the table is a three-valued condition. A row that holds decides; a row that cannot be
decided is followed both ways; if the buckets reached that way differ, the bucket is *unknown*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from showable.records.scorecard import AnswerSupport, Bucket, Cause
from showable.rubrics.answer_facts import AnswerFacts
from showable.rubrics.bucket_rows import (
    MAYBE,
    NO,
    OF_CITATIONS,
    TABLE,
    YES,
    Row,
    contradicts_corpus,
    contradicts_source,
    invented,
)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A bucket, the engineering bug behind it, and the row of the table in words."""

    bucket: Bucket
    cause: Cause | None
    why: str


def bucket_between(readings: Sequence[AnswerFacts], support: AnswerSupport | None) -> Ruling:
    """Decide where it may be open whether all claims are supported: by the one reading left, or where both agree."""
    rulings = [bucket_of(facts) for facts in readings]
    buckets = sorted({ruling.bucket for ruling in rulings} - {"unknown"})
    if support is None or len({ruling.bucket for ruling in rulings}) == 1:
        return rulings[-1]
    said = f"the probability that all claims are supported is {support.p:.2f}; claim {support.least + 1} is the least supported"
    return Ruling("unknown", "undecided", f"{' or '.join(buckets if buckets[1:] else [*buckets, 'not'])}: {said}")


def bucket_of(facts: AnswerFacts) -> Ruling:
    """Decide the bucket of an answer."""
    if not facts.readable:
        return Ruling("unknown", facts.unreadable_cause, _unreadable(facts))
    if broken := _null_broken(facts):
        return Ruling("unknown", "null_not_honoured", broken)
    if facts.language:
        known = ruling_on_citations(facts)
        said = f"the answer is in {facts.language}, which the judge was not trained on; a chat judge may judge it"
        return known if known and known.bucket != "unknown" else Ruling("unknown", "language", said)
    ruling = _by_table(facts)
    if facts.unread and ruling.bucket in {"correct", "refused"}:
        said = f"nobody knows what these words do, a claim, a decline or talk: “{facts.unread[0]}”"
        return Ruling("unknown", "unread", said)
    return ruling


def _by_table(facts: AnswerFacts) -> Ruling:
    doubts: list[Row] = []
    for row in TABLE:
        held = row.holds(facts)
        if held is YES:
            return _settle(facts, row, doubts)
        if held is MAYBE:
            doubts.append(row)
    raise AssertionError("the last row of the table always holds")  # pragma: no cover


def ruling_on_citations(facts: AnswerFacts) -> Ruling | None:
    """Decide by the rows about citations alone, None where they are in order.

    For an answer whose sentences were not read: whether it asserts or declines is then not known.
    """
    doubts = []
    for row in OF_CITATIONS:
        held = row.holds(facts)
        if held is YES:
            return Ruling(row.bucket, row.cause(facts), row.why)
        if held is MAYBE:
            doubts.append(row.doubt)
    return Ruling("unknown", "undecided", "; ".join(doubts)) if doubts else None


def _unreadable(facts: AnswerFacts) -> str:
    if facts.unreadable_cause != "empty_answer":
        return "the answer could not be read"
    return f"there is no answer: the pipeline failed: {facts.failure}" if facts.failure else "there is no answer"


def _null_broken(facts: AnswerFacts) -> str | None:
    """Return how a question that was to be put with an empty retrieval was put otherwise: its answer then shows nothing."""
    if facts.gold is None or facts.gold.category != "null_retrieval" or facts.retrieved == 0:
        return None
    asked = "the question was to be put with an empty retrieval"
    if facts.retrieved is None:
        return f"{asked}, but nothing was logged, so whether it was empty is not known"
    return f"{asked}, but the log holds {facts.retrieved} passage{'s' if facts.retrieved > 1 else ''}"


def wanting_corpus(facts: AnswerFacts) -> list[int]:
    """Return the claims to be looked up in the corpus behind the log: those for which row 9 may be reached.

    That is where no row before it holds, and nothing in the log supports or contradicts the claim. Where it is not known
    whether the log contradicts it, row 4 is as open as the corpus could make it, and asking would settle nothing.
    """
    before = TABLE[: next(i for i, row in enumerate(TABLE) if row.holds is contradicts_corpus)]
    if not facts.readable or _null_broken(facts) or any(row.holds(facts) is YES for row in before):
        return []
    return [i for i, claim in enumerate(facts.claims) if claim.log is not YES and claim.contradicted is NO]


def _settle(facts: AnswerFacts, row: Row, doubts: list[Row]) -> Ruling:
    if (
        row.holds is invented
    ):  # that a source is made up is certain; whether some passage contradicts the claim besides is not asked
        doubts = [doubt for doubt in doubts if doubt.holds is not contradicts_source]
    reachable = {row.bucket, *(doubt.bucket for doubt in doubts)}
    if len(reachable) == 1:
        return Ruling(row.bucket, row.cause(facts), row.why)
    listed = "; ".join(dict.fromkeys(doubt.doubt for doubt in doubts))
    return Ruling("unknown", "undecided", f"{' or '.join(sorted(reachable))}: {listed}")
