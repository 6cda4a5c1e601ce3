"""The answer in pieces: what belongs to which claim, and which pieces are its citation markers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise

from showable.review.page_context import ClaimShown

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the answer: its claim if it is in one, its pair if it is a citation marker; `first` of its claim."""

    text: str
    claim: int | None = None
    pair: int | None = None
    first: bool = False


def answer_pieces(text: str, claims: Sequence[ClaimShown]) -> tuple[Piece, ...]:
    """Cut an answer at its claims and their citation markers; spans that lie outside it, or on another, are passed over.

    Pairs are counted through the answer from 0, claim by claim; a claim without a citation counts as one. Where claims overlap, a character belongs to the first
    of them; each claim with a place of its own has exactly one piece that is its `first`.
    """
    markers = list(_markers(text, claims))
    owned = _owned(text, claims)
    bounds = sorted({0, len(text), *(at for span, _, _ in markers for at in span), *(at for at, _ in owned)})
    marked = {span[0]: (span, pair, claim) for span, pair, claim in markers}
    pieces, seen = [], set[int]()
    for start, end in pairwise(bounds):
        owner = owned[bisect_right(owned, start, key=lambda place: place[0]) - 1][1]
        pair = marked[start][1] if start in marked else None
        claim = marked[start][2] if start in marked else owner
        first = claim is not None and pair is None and claim not in seen
        if first and claim is not None:
            seen.add(claim)
        pieces.append(Piece(text[start:end], claim, pair, first))
    return tuple(pieces)


def _owned(text: str, claims: Sequence[ClaimShown]) -> list[tuple[int, int | None]]:
    """Return where another claim, or none, begins to own the text: the first of those that cover a place does."""
    spans = sorted((*_inside(claim.span, text), number) for number, claim in enumerate(claims))
    bounds = sorted({0, *(at for start, end, _ in spans for at in (start, end))} - {len(text)})
    covering: list[tuple[int, int]] = []  # a heap of claims by number, each with its end
    owned: list[tuple[int, int | None]] = []
    waiting = iter(spans)
    upcoming = next(waiting, None)
    for at in bounds:
        while upcoming is not None and upcoming[0] <= at:
            heappush(covering, (upcoming[2], upcoming[1]))
            upcoming = next(waiting, None)
        while covering and covering[0][1] <= at:
            heappop(covering)
        owner = covering[0][0] if covering else None
        if not owned or owned[-1][1] != owner:
            owned.append((at, owner))
    return owned


def _markers(text: str, claims: Sequence[ClaimShown]) -> list[tuple[Span, int, int]]:
    """Return the places of citation markers, in order, none over another: ``[1, 2]`` is one place with two citations."""
    found, pair = [], 0
    for number, claim in enumerate(claims):
        for citation in claim.citations:
            span = _inside(citation.span, text)
            if span[0] < span[1]:
                found.append((span, pair, number))
            pair += 1
        pair += not claim.citations
    kept: list[tuple[Span, int, int]] = []
    for one in sorted(found):
        if not kept or one[0][0] >= kept[-1][0][1]:
            kept.append(one)
    return kept


def _inside(span: Sequence[int] | None, text: str) -> Span:
    if span is None or not 0 <= span[0] < span[1] <= len(text):
        return 0, 0
    return span[0], span[1]
