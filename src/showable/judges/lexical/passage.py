"""A passage read once for all the claims judged against it: its words, its sentences, and where each term stands."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from showable.judges.lexical.injection import gives_orders, instructing_sentences, without_unseen
from showable.judges.lexical.words import Words, split_words
from showable.records.regex import regex

_SENTENCE_END = regex(r"[.!?][\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9])|\n")
_ABBREVIATED = regex(
    r"\b(?:[A-Z]|Dr|Mrs?|Ms|St|vs?|Nos?|al|Inc|Ltd|Co|Corp|Jr|Sr|Prof|Gen|Sen|Rep|Fig|e\.g|i\.e)\.\s+$"
)
_LOOK_BACK = 8
LONGEST_SENTENCE = 60
"""A run of more tokens than this is cut: a table without full stops would be one sentence."""
_STEM = 4


@dataclass(frozen=True, slots=True)
class Passage:
    """The words of a passage that may count as evidence; those of sentences that instruct a judge are left out.

    `text` is what can be seen of the original, `offsets` maps it back where something could not. `sentence_of` gives each
    token's sentence, `first` each sentence's first token with one past the last at the end, `places` the positions of
    each term, `alike` the terms that share their first letters.
    """

    text: str
    offsets: list[int] | None
    words: Words
    sentence_of: list[int]
    first: list[int]
    places: dict[str, list[int]]
    alike: dict[str, list[str]]
    injection: bool

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Turn a span of `text` into one of the passage as it was given."""
        return (start, end) if self.offsets is None else (self.offsets[start], self.offsets[end - 1] + 1)


@lru_cache(maxsize=32)
def read_passage(passage: str) -> Passage:
    """Read a passage. The last 32 are kept, since one source is judged against many claims."""
    text, offsets = without_unseen(passage)
    words = split_words(text)
    injection = gives_orders(passage)
    if injection:
        words = _outside(words, instructing_sentences(text))
    sentence_of, first = _sentences(text, words)
    places: dict[str, list[int]] = {}
    for position, term in enumerate(words.terms):
        places.setdefault(term, []).append(position)
    alike: dict[str, list[str]] = {}
    for term in places:
        if len(term) > _STEM:
            alike.setdefault(term[:_STEM], []).append(term)
    return Passage(text, offsets, words, sentence_of, first, places, alike, injection)


def _outside(words: Words, spans: list[tuple[int, int]]) -> Words:
    starts = [start for start, _ in spans]
    kept = []
    for position, at in enumerate(words.starts):
        nearest = bisect_right(starts, at) - 1
        if nearest < 0 or at >= spans[nearest][1]:
            kept.append(position)
    return Words(
        [words.surface[i] for i in kept],
        [words.terms[i] for i in kept],
        [words.starts[i] for i in kept],
        [words.ends[i] for i in kept],
    )


def _sentences(text: str, words: Words) -> tuple[list[int], list[int]]:
    borders = [match.end() for match in _SENTENCE_END.finditer(text) if not _is_abbreviation(text, match)]
    borders.append(len(text) + 1)
    sentence_of: list[int] = []
    first: list[int] = []
    following, border = 0, -1
    for position, start in enumerate(words.starts):
        if start >= border or position - first[-1] >= LONGEST_SENTENCE:
            while borders[following] <= start:
                following += 1
            border = borders[following]
            first.append(position)
        sentence_of.append(len(first) - 1)
    first.append(len(words.starts))
    return sentence_of, first


def _is_abbreviation(text: str, match: re.Match[str]) -> bool:
    return match[0] != "\n" and bool(_ABBREVIATED.search(text[max(0, match.start() - _LOOK_BACK) : match.end()]))
