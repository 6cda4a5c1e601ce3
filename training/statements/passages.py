"""Passages: their sentences, windows around an answer, and runs of words shared with held-out text."""

from __future__ import annotations

import re
from collections.abc import Iterable

WHOLE = 220
RUN = 12
_END = re.compile(
    r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!\bDr\.)(?<!\bMr\.)(?<!\bSt\.)(?<!\bvs\.)(?<!\bMrs\.)(?<!\bc\.)[\"'”)\]]*\s+(?=[A-ZÀ-Þ\"“(\d])"
)


def sentences(text: str) -> list[str]:
    """The sentences of a passage, in order."""
    return [part.strip() for part in _END.split(text) if part and part.strip()]


def window(text: str, *, holding: str | None = None, words: int = WHOLE) -> str:
    """The passage whole up to `words` words, else whole sentences around the one holding a string (the last ones where none is named)."""
    if len(text.split()) <= words:
        return text
    parts = sentences(text)
    at = next((i for i, part in enumerate(parts) if holding and holding in part), len(parts) - 1)
    low = high = at
    size = len(parts[at].split())
    while True:
        grew = False
        for step in (-1, 1):
            new = low - 1 if step < 0 else high + 1
            if 0 <= new < len(parts) and size + len(parts[new].split()) <= words:
                size += len(parts[new].split())
                low, high, grew = min(low, new), max(high, new), True
        if not grew:
            return " ".join(parts[low : high + 1])


def runs(text: str) -> set[int]:
    """Hashes of every run of twelve words, case and punctuation aside."""
    words = re.findall(r"\w+", text.lower())
    return {hash(tuple(words[at : at + RUN])) for at in range(len(words) - RUN + 1)}


def all_runs(texts: Iterable[str]) -> set[int]:
    """The runs of many texts together."""
    found: set[int] = set()
    for text in texts:
        found |= runs(text)
    return found
