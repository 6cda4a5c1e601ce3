"""What the tools are told of a scorecard: whether it is acceptable, a line to read, and the facts as JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from showable.records import Bucket, ClaimScore, Scorecard
from showable.report.untrusted import printable
from showable.shippable.why import in_short

DECIDED: tuple[Bucket, ...] = ("correct", "wrong", "unsupported", "refused")
"""The buckets of an answer that could be judged."""
_SHOWN = 160
_LEFT_OUT = {"id", "chunks", "checks", "question_hash", "expected", "labelled", "release"}


def acceptable(card: Scorecard) -> bool | None:
    """Return whether the answer may be shown: it is correct or a refusal. None where that could not be decided."""
    return None if card.bucket == "unknown" else card.bucket in ("correct", "refused")


def in_words(card: Scorecard) -> str:
    """Return in one line the bucket, its cause and why, and the first claim that is to be mended, safe for a terminal."""
    said = [printable(in_short(card))]
    if card.bucket != "correct":
        said += _first_fault(card)
    return "; ".join(said)


def facts(card: Scorecard, signature: str) -> dict[str, Any]:
    """Return the bucket, the cause, the axes, the claims and the findings as JSON values, with what computed them."""
    return card.model_dump(mode="json", exclude=_LEFT_OUT) | {"signature": signature}


def _first_fault(card: Scorecard) -> Iterator[str]:
    for number, claim in enumerate(card.claims, 1):
        if said := _fault(claim):
            yield f"claim {number} {said}: “{printable(claim.text, limit=_SHOWN)}”"
            return


def _fault(claim: ClaimScore) -> str:
    if claim.gold == "disagrees":
        return "disagrees with gold"
    if claim.contradicted_by:
        return f"is contradicted by {', '.join(printable(one, limit=40) for one in claim.contradicted_by[:3])}"
    return {"supported": "", "uncited": "cites nothing"}.get(claim.support, f"is {claim.support} by what it cites")
