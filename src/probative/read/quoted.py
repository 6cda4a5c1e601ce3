"""Words that a plain-text answer puts in quotation marks: they claim to stand in the source, and are looked for there."""

from __future__ import annotations

import re

_QUOTED = re.compile(r"“([^“”\n]{12,})”|\"([^\"\n]{12,})\"|«([^«»\n]{12,})»")
_LEAST_WORDS = 4
"""Shorter quotations are titles, terms and scare quotes as often as they are quotations."""


def find_quoted(claim: str) -> str | None:
    """Give the longest quotation of at least four words in a claim, without its marks, or None."""
    found = (next(filter(None, match.groups())) for match in _QUOTED.finditer(claim))
    long_enough = [words for words in found if len(words.split()) >= _LEAST_WORDS]
    return max(long_enough, key=len, default=None)
