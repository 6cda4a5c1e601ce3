"""What stands beside a passage: the one before and the one after it, in its document, or else in the retrieval log."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from showable.review.page_context import PassageShown

_STEM = re.compile(r"^(.+?)[#:/_-](?:p|page|chunk|part|para|c|s)?[-_ ]?(\d{1,6})$", re.IGNORECASE)
"""``policy-v2#3``, ``doc_12_p4``, ``10-K:chunk-7``: the document, and the place in it."""
_NUMBER = re.compile(r"\d{1,6}")


@dataclass(frozen=True, slots=True)
class Beside:
    """The passages before and after one, as places in the list of passages; `same` says that they are of its document."""

    before: int | None = None
    after: int | None = None
    same: bool = False


def beside(passages: Sequence[PassageShown]) -> tuple[Beside, ...]:
    """Give the neighbours of every passage: by page or number where other passages of its document were retrieved, else by rank."""
    placed = [_place(passage) for passage in passages]
    by_document: dict[str, list[tuple[int, int]]] = {}
    for at, place in enumerate(placed):
        if place is not None:
            by_document.setdefault(place[0], []).append((place[1], at))
    ranks: dict[int, int] = {}
    for members in by_document.values():
        members.sort()
        ranks |= {at: rank for rank, (_, at) in enumerate(members)}
    found = []
    for at, place in enumerate(placed):
        family = by_document[place[0]] if place else []
        if place is None or len(family) < 2:  # noqa: PLR2004 - alone in its document
            found.append(Beside(at - 1 if at else None, at + 1 if at + 1 < len(passages) else None))
            continue
        rank = ranks[at]
        before = family[rank - 1][1] if rank else None
        after = family[rank + 1][1] if rank + 1 < len(family) else None
        found.append(Beside(before, after, same=True))
    return tuple(found)


def _place(passage: PassageShown) -> tuple[str, int] | None:
    """Give the document of a passage and its place in it: by the shape of its id, else by title and page."""
    if shape := _STEM.match(passage.source_id):
        return f"id {shape[1]}", int(shape[2])
    page = _NUMBER.fullmatch((passage.page or "").strip())
    return (f"title {passage.title}", int(page[0])) if page and passage.title else None
