"""Where words stand in a text: cheaper than a pattern where most texts hold none of them."""

from __future__ import annotations

from collections.abc import Iterable


def places(text: str, words: Iterable[str]) -> list[int]:
    """List, in order, the offsets at which any of the words begins, as a whole word or inside another."""
    found = []
    for word in words:
        at = text.find(word)
        while at >= 0:
            found.append(at)
            at = text.find(word, at + len(word))
    return sorted(found)
