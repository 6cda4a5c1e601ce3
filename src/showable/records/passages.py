"""A collection of passages that can be searched: the whole corpus, where the retrieval log is what a pipeline took from it."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from showable.records.record import Source


@runtime_checkable
class Passages(Protocol):
    """Passages that can be searched by words. What a search gives depends on the passages and the query alone."""

    name: str
    """`name@digest`, as the signature prints it."""

    def search(self, query: str, k: int) -> list[Source]:
        """Return at most `k` passages that share words with the query, the best first, `score` set on each."""
        ...
