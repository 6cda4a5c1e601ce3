"""Where a sentence of an answer stands and what marks it has: numbers beside the encoder's states."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from showable.records.regex import regex

Span = tuple[int, int]
NAMES = (
    "first",
    "last",
    "place",
    "alone",
    "length",
    "asks",
    "leads_in",
    "bracketed",
    "numbered",
    "words",
    "terse",
    "of_question",
    "of_sentence",
    "bulleted",
    "heading",
    "equation",
    "quoted",
    "goes_on",
)
"""What each number says; `of_question` is the share of the question's words that the sentence has, `of_sentence` of its own."""
_SIGNS = " \t\n\r-*•#>_."
_WORD = regex(r"\w+")
_MANY_WORDS, _LONG, _FEW_WORDS = 30, 300, 4


def form_of(question: str, text: str, spans: Sequence[Span]) -> NDArray[np.float32]:
    """Return the numbers of `NAMES` for each span of `text`, `[spans, len(NAMES)]`."""
    asked = set(_WORD.findall(question.casefold()))
    counted = [word.start() for word in _WORD.finditer(text)]
    begin, finish = len(text) - len(text.lstrip(_SIGNS)), len(text.rstrip(_SIGNS))
    rows = []
    for start, end in spans:
        first, last = start <= begin, end >= finish
        words, before = text[start:end], text[max(0, start - 6) : start].rpartition("\n")[2].strip()
        found = _WORD.findall(words.casefold())
        shared = asked.intersection(found)
        bare = words.strip().rstrip("*_ ")
        rows.append(
            (
                first,
                last,
                bisect_left(counted, start) / max(1, len(counted)),
                first and last,
                min(len(counted), _LONG) / _LONG,
                bare.endswith("?"),
                bare.endswith(":"),
                any(sign in words for sign in "[(【"),
                any(map(str.isdigit, words)),
                min(len(found), 2 * _MANY_WORDS) / _MANY_WORDS,
                len(found) < _FEW_WORDS,
                len(shared) / max(1, len(asked)),
                len(shared) / max(1, len(set(found))),
                before.startswith(("-", "*", "•")),
                before.startswith("#"),
                "=" in words,
                any(sign in words for sign in '"“'),
                words[:1].islower(),
            )
        )
    return np.array(rows, dtype=np.float32).reshape(len(rows), len(NAMES))
