"""The words of a sentence as hashed n-grams: which columns of a table of weights they add up."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from showable.records.regex import regex

COLUMNS = 1 << 14
_WORD = regex(r"\w+(?:['’]\w+)?|[?=%$€£:]")
_MOST_WORDS = 80
_SENTENCE, _BEFORE, _QUESTION = "s", "b", "q"


def columns_of(sentence: str, before: str, question: str) -> NDArray[np.int64]:
    """Return the columns of a sentence's one, two and three words in a row, and of the words of what stands around it.

    They are normalised by the caller: each counts one over the root of their number.
    """
    found = [
        *_grams(sentence, _SENTENCE, 3),
        *_grams(before, _BEFORE, 1),
        *_grams(question, _QUESTION, 1),
    ]
    return np.unique(np.array(found, dtype=np.int64))


def _grams(text: str, where: str, longest: int) -> Iterator[int]:
    words = [word.replace("’", "'") for word in _WORD.findall(text.lower())[:_MOST_WORDS]]
    words = ["0" if word.isdigit() else word for word in words]
    padded = ["<", *words, ">"] if longest > 1 else words
    for size in range(1, longest + 1):
        for at in range(len(padded) - size + 1):
            yield crc32(f"{where}{' '.join(padded[at : at + size])}".encode()) % COLUMNS
