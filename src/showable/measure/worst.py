"""Which scorecards to look at first, held in constant memory."""

from __future__ import annotations

from bisect import insort

from showable.records.findings import Outcome
from showable.records.scorecard import ClaimScore, Scorecard

WORST_SHOWN = 10
SEVERITY = {"wrong": 0, "unsupported": 1, "unknown": 2, "refused": 3, "correct": 4}
"""Buckets from the worst to the best, for sorting and for ties."""

_SUPPORT_FAULTS = {"contradicted": 1, "unsupported": 2, "partial": 3, "uncited": 4, "unknown": 5}

Place = tuple[int, int, str]


def place(card: Scorecard) -> Place:
    """Return a sort key, the worst first: by bucket, then by bad claims (contradicted or unsupported), then by id.

    Of the refusals those come first that refused what could have been answered.
    """
    bad = sum(claim.support in ("contradicted", "unsupported") for claim in card.claims)
    return SEVERITY[card.bucket], -bad - (card.cause == "over_refusal"), card.id


def needs_a_look(card: Scorecard) -> bool:
    """Check whether something is to be mended: not acceptable, unknown, or an over-refusal."""
    return card.bucket not in ("correct", "refused") or card.cause == "over_refusal"


class Worst:
    """Keeps the worst scorecards of a stream; which ones does not depend on the order of the stream."""

    def __init__(self, size: int = WORST_SHOWN) -> None:
        """Start empty, to hold at most `size` cards."""
        self._size = size
        self._kept: list[tuple[Place, Scorecard]] = []

    def add(self, card: Scorecard) -> None:
        """Look at one scorecard, and keep it if it is among the worst so far."""
        if not needs_a_look(card):
            return
        entry = (place(card), card)
        if len(self._kept) < self._size or entry[0] < self._kept[-1][0]:
            insort(self._kept, entry, key=lambda kept: kept[0])
            del self._kept[self._size :]

    def cards(self) -> list[Scorecard]:
        """Return what was kept, the worst first."""
        return [card for _, card in self._kept]


def failing_claim(card: Scorecard) -> ClaimScore | None:
    """Return the claim that most likely decided the bucket, or None where every claim holds (or there is none)."""
    ranked = [(_fault(claim), number, claim) for number, claim in enumerate(card.claims) if _fault(claim) is not None]
    return min(ranked, key=lambda entry: entry[:2])[2] if ranked else None


def _fault(claim: ClaimScore) -> int | None:
    """Rank what is the matter with a claim, from 0 the worst; None where nothing is."""
    if claim.gold == "disagrees":
        return 0
    if claim.corpus_contradicted is Outcome.PASS and claim.corpus_support is Outcome.FAIL:
        return _SUPPORT_FAULTS["contradicted"]
    if claim.support in _SUPPORT_FAULTS:
        return _SUPPORT_FAULTS[claim.support]
    if any(Outcome.FAIL in (citation.exists, citation.supports) for citation in claim.citations):
        return len(_SUPPORT_FAULTS) + 1
    return None
