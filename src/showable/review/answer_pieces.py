"""The answer in pieces: what belongs to which claim, and which pieces are its citation markers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
    owner = _owners(text, claims)
    cuts = {0, len(text), *(at for span, _, _ in markers for at in span)}
    cuts |= {at for at in range(1, len(text)) if owner[at] != owner[at - 1]}
    bounds = sorted(cuts)
    marked = {span[0]: (span, pair, claim) for span, pair, claim in markers}
    pieces, seen = [], set[int]()
    for start, end in pairwise(bounds):
        pair = marked[start][1] if start in marked else None
        claim = marked[start][2] if start in marked else owner[start]
        first = claim is not None and pair is None and claim not in seen
        if first and claim is not None:
            seen.add(claim)
        pieces.append(Piece(text[start:end], claim, pair, first))
    return tuple(pieces)


def _owners(text: str, claims: Sequence[ClaimShown]) -> list[int | None]:
    owner: list[int | None] = [None] * len(text)
    for number, claim in enumerate(claims):
        start, end = _inside(claim.span, text)
        for at in range(start, end):
            if owner[at] is None:
                owner[at] = number
    return owner


def _markers(text: str, claims: Sequence[ClaimShown]) -> list[tuple[Span, int, int]]:
    """Give the places of citation markers, in order, none over another: ``[1, 2]`` is one place with two citations."""
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
