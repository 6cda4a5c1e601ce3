"""Words of a claim that stand in a passage, by plain word match: a help for the eye where the answer quotes nothing."""

from __future__ import annotations

import re

from showable.read.word_sets import word_set

Span = tuple[int, int]
LEAST_LETTERS = 4
WINDOW = 600
"""Characters: in a longer passage only the stretch that shares the most words is marked."""
MOST_WORDS = 400
_WORD = re.compile(r"\d[\d.,:/-]*\d|\w+")
_COMMON = word_set(
    """about above after also although among and any are because been before being between both but can could does each even
    every for from had has have having here into its just like made make many may might more most much must not only other
    our over same shall she should since some such than that the their them then there these they this those through under
    until upon very was were what when where whether which while who whom whose will with within without would you your"""
)


class PassageWords:
    """The words of a passage with their places, read once for all the claims that cite it."""

    def __init__(self, text: str) -> None:
        """Read the words of a passage."""
        self._length = len(text)
        self._places: dict[str, list[Span]] = {}
        for match in _WORD.finditer(text):
            word = match[0].casefold()
            if _tells(word):
                self._places.setdefault(word, []).append(match.span())

    def count(self, claim: str) -> int:
        """Return the number of places that the words of a claim have, which is what looking at them costs."""
        return sum(len(self._places.get(word, ())) for word in _telling(claim))

    def shared(self, claim: str) -> tuple[Span, ...]:
        """Return the places of the longer words and the numbers of a claim: nobody's judgement, only the same letters.

        In a long text these are the places in the one stretch that shares the most different words; none where it is fewer
        than two.
        """
        found = sorted((span, word) for word in _telling(claim) for span in self._places.get(word, ()))
        if self._length > WINDOW:
            found = _densest(found)
        return tuple(span for span, _ in found[:MOST_WORDS]) if len({word for _, word in found}) > 1 else ()


def shared_words(claim: str, text: str) -> tuple[Span, ...]:
    """Return the places in `text` of the longer words and the numbers of `claim`, as `PassageWords.shared` does."""
    return PassageWords(text).shared(claim)


def _telling(claim: str) -> set[str]:
    return {word for match in _WORD.finditer(claim) if _tells(word := match[0].casefold())}


def _tells(word: str) -> bool:
    return word[0].isdigit() or (len(word) >= LEAST_LETTERS and word not in _COMMON)


def _densest(found: list[tuple[Span, str]]) -> list[tuple[Span, str]]:
    """Return the matches in the window of the most different words, the first of equals."""
    best: tuple[int, int, int] = (0, 0, 0)
    held: dict[str, int] = {}
    start = different = 0
    for end, ((_, stop), word) in enumerate(found):
        held[word] = held.get(word, 0) + 1
        different += held[word] == 1
        while stop - found[start][0][0] > WINDOW:
            held[found[start][1]] -= 1
            different -= held[found[start][1]] == 0
            start += 1
        if different > best[0]:
            best = (different, start, end + 1)
    return found[best[1] : best[2]]
