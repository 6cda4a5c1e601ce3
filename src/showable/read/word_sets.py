"""Sets of words, written the way a reader checks them: as running text."""

from __future__ import annotations


def word_set(words: str) -> frozenset[str]:
    """Make a set of the words between the spaces."""
    return frozenset(words.split())
