"""Word lists written as plain text."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a text, separated by spaces or lines."""
    return frozenset(text.split())
