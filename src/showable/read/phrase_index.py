"""Texts in which phrases are found whatever stands between their words: indexed once, then looked up."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from showable.records.regex import regex

_WORD = regex(r"\w+")
_FEW = 32
_SHORT = 64
"""So many phrases of so many letters are looked for one by one; hashes are dearer at first, and linear."""
_BASE = 0x9E3779B97F4A7C15
"""Any odd number, for it must have an inverse modulo 2^64."""


class PhraseIndex:
    """Texts by their letters and digits alone, in one case.

    Any number of phrases is looked for in the time that the texts take to sort, once for each length of a phrase
    (rolling hashes: Karp & Rabin 1987).
    """

    def __init__(self, texts: Sequence[str]) -> None:
        words = [
            (number, match.start(), folded(match[0]))
            for number, text in enumerate(texts)
            for match in _WORD.finditer(text)
        ]
        self._origins = [(number, start) for number, start, _ in words]
        self._starts = [0, *accumulate(len(word) for _, _, word in words)]
        self._letters = "".join(word for _, _, word in words)
        self._asked = 0
        self._sums: NDArray[np.uint64] | None = None
        self._sorted: dict[int, tuple[NDArray[np.uint64], NDArray[np.int64]]] = {}

    def places(self, phrase: str) -> Iterator[tuple[int, int]]:
        """Yield the number of the text and the offset of each place where a phrase may stand, in order.

        Its letters and digits stand there but for a collision of hashes, perhaps inside a word, perhaps running on into
        the next text: whoever asks looks at the place.
        """
        letters = squeezed(phrase)
        if not 0 < len(letters) <= len(self._letters):
            return
        self._asked += 1
        few = self._asked <= _FEW and len(letters) <= _SHORT
        for at in self._one_by_one(letters) if few else self._hashed(letters):
            word = bisect_right(self._starts, at) - 1
            number, start = self._origins[word]
            yield number, start + at - self._starts[word]

    def _one_by_one(self, letters: str) -> Iterator[int]:
        at = self._letters.find(letters)
        while at >= 0:
            yield at
            at = self._letters.find(letters, at + 1)

    def _hashed(self, letters: str) -> Iterator[int]:
        length = len(letters)
        if length not in self._sorted:
            hashes = self._hashes(length)
            order = np.argsort(hashes, kind="stable")
            self._sorted[length] = hashes[order], order
        hashes, order = self._sorted[length]
        wanted = _sums(letters)[-1]
        low, high = np.searchsorted(hashes, wanted, side="left"), np.searchsorted(hashes, wanted, side="right")
        return map(int, order[low:high])

    def _hashes(self, length: int) -> NDArray[np.uint64]:
        """Return the hash of each stretch of a length, by the place where it begins."""
        if self._sums is None:
            self._sums = _sums(self._letters)
        stretches = self._sums[length:] - self._sums[:-length]
        return stretches * _powers(pow(_BASE, -1, 1 << 64), len(stretches))


def _sums(letters: str) -> NDArray[np.uint64]:
    """Return the hash of each beginning of the letters, the empty one first: the letters as a number's digits, modulo 2^64."""
    digits = np.frombuffer(letters.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint64)
    return np.concatenate((np.zeros(1, np.uint64), np.cumsum(digits * _powers(_BASE, len(digits)), dtype=np.uint64)))


def _powers(base: int, count: int) -> NDArray[np.uint64]:
    factors = np.full(count, base, dtype=np.uint64)
    factors[:1] = 1
    return np.cumprod(factors, dtype=np.uint64)


def squeezed(words: str) -> str:
    """Return the letters and digits of words, in one case."""
    return "".join(map(folded, _WORD.findall(words)))


def folded(word: str) -> str:
    """Return a word in one case, each letter where it was."""
    small = word.casefold()
    if len(small) == len(word):
        return small
    return "".join(one if len(one := letter.casefold()) == 1 else letter for letter in word)
