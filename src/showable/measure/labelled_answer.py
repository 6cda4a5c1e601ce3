"""Which answer a label was given on, and what of it can be labelled."""

from __future__ import annotations

from collections.abc import Iterator

from showable.records.labels import Target, answer_digest
from showable.records.record import Answer, Record
from showable.records.scorecard import Scorecard


def digest_of(record: Record, card: Scorecard) -> str:
    """Return the digest that labels on this answer carry: of its text, and of the claims that were read from it."""
    answer = record.answer
    text = answer.text if isinstance(answer, Answer) else answer
    claims = [(claim.text, [citation.source_id for citation in claim.citations]) for claim in card.claims]
    return answer_digest(text, claims)


def citation_targets(card: Scorecard) -> Iterator[Target]:
    """Yield a target for every citation of every claim."""
    for index, claim in enumerate(card.claims):
        for place in range(len(claim.citations)):
            yield Target(card.id, "support", index, place)


def target_problem(card: Scorecard, target: Target) -> str | None:
    """Return which claim or citation of a target this answer does not have, or None."""
    if target.claim is None:
        return None
    if target.claim >= len(card.claims):
        return (
            f"claim: the answer has {_counted(len(card.claims), 'claim')}, counted from 0; there is no {target.claim}"
        )
    cited = len(card.claims[target.claim].citations)
    if target.citation is not None and target.citation >= cited:
        return f"citation: the claim has {_counted(cited, 'citation')}, counted from 0; there is no {target.citation}"
    return None


def source_of(card: Scorecard, target: Target) -> str | None:
    """Name the source that a target's citation points to; None for other targets, and where it points to none."""
    if target.claim is None or target.citation is None:
        return None
    return card.claims[target.claim].citations[target.citation].source_id


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" + ("" if count == 1 else "s")
