"""Which words of two texts differ, in time that no text can make long."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from showable.report.difference.rising import longest_rising

Pieces = tuple[tuple[str, bool], ...]
"""A text in pieces, each with whether it differs from the other text; joined they are the text again."""

_WORD = re.compile(r"\d+(?:[.,]\d+)*(?!\w)|\w+|[^\w\s]")
"""A number is one word, with its commas and its point: of 412,000 and 415,000 no half is the same."""
_MOST_CELLS = 60_000
"""Pairs of words compared one by one, in all of two texts; beyond it a stretch without words of its own counts as changed."""
_LEAST_ALIKE = 0.25
_SHORT = 1
"""So few words in common between two replacements are chance: the replacements are shown as one."""

_Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class WordChanges:
    """Two texts side by side, and the share of their words (the longer text's) that they have in common, in order.

    `rewritten` says that they share too little for marks to help: then no word is marked.
    """

    before: Pieces
    after: Pieces
    alike: float
    rewritten: bool


def word_changes(before: str, after: str) -> WordChanges:
    """Compare two texts word by word; white space alone makes no difference.

    Words that stand once on each side are anchors (patience differencing); between two anchors the longest common
    subsequence is looked for, as long as a budget of comparisons lasts. Time is n log n in the words.
    """
    left, right = list(_WORD.finditer(before)), list(_WORD.finditer(after))
    a, b = [found[0] for found in left], [found[0] for found in right]
    matched = list(_matches(a, b))
    longest = max(len(a), len(b))
    alike = len(matched) / longest if longest else 1.0
    if alike < _LEAST_ALIKE:
        return WordChanges(
            ((before, False),) if before else (), ((after, False),) if after else (), alike, rewritten=True
        )
    kept = _without_chance(matched, len(a), len(b))
    return WordChanges(
        _pieces(before, left, {i for i, _ in kept}), _pieces(after, right, {j for _, j in kept}), alike, rewritten=False
    )


def _matches(a: Sequence[str], b: Sequence[str]) -> Iterator[_Pair]:
    """Yield the places of equal words, rising on both sides."""
    budget = _MOST_CELLS
    anchors = [(-1, -1), *_anchors(a, b), (len(a), len(b))]
    for (i, j), (next_i, next_j) in pairwise(anchors):
        if i >= 0:
            yield i, j
        head, tail = _ends(a, b, (i + 1, next_i), (j + 1, next_j))
        yield from ((i + 1 + n, j + 1 + n) for n in range(head))
        rows, columns = range(i + 1 + head, next_i - tail), range(j + 1 + head, next_j - tail)
        cells = len(rows) * len(columns)
        if cells and cells <= budget:
            budget -= cells
            yield from _common(a, b, rows, columns)
        yield from ((next_i - n, next_j - n) for n in range(tail, 0, -1))


def _anchors(a: Sequence[str], b: Sequence[str]) -> list[_Pair]:
    """Return the longest rising run of words that stand exactly once on each side."""
    once_a, once_b = Counter(a), Counter(b)
    places = {word: j for j, word in enumerate(b) if once_b[word] == 1}
    pairs = [(i, places[word]) for i, word in enumerate(a) if once_a[word] == 1 and word in places]
    return [pairs[number] for number in longest_rising([j for _, j in pairs])]


def _ends(a: Sequence[str], b: Sequence[str], rows: _Pair, columns: _Pair) -> _Pair:
    """Count the words that two stretches share at their beginning, and then at their end."""
    most = min(rows[1] - rows[0], columns[1] - columns[0])
    head = 0
    while head < most and a[rows[0] + head] == b[columns[0] + head]:
        head += 1
    tail = 0
    while tail < most - head and a[rows[1] - 1 - tail] == b[columns[1] - 1 - tail]:
        tail += 1
    return head, tail


def _common(a: Sequence[str], b: Sequence[str], rows: range, columns: range) -> Iterator[_Pair]:
    """Yield a longest common subsequence of two stretches (Wagner & Fischer 1974, J. ACM 21: 168)."""
    table = [[0] * (len(columns) + 1)]
    for i in reversed(rows):
        below, line = table[-1], [0]
        for n, j in enumerate(reversed(columns)):
            line.append(below[n] + 1 if a[i] == b[j] else max(below[n + 1], line[n]))
        table.append(line)
    i, j = 0, 0
    while i < len(rows) and j < len(columns):
        here, below = table[len(rows) - i], table[len(rows) - i - 1]
        right = len(columns) - j
        if a[rows[i]] == b[columns[j]]:
            yield rows[i], columns[j]
            i, j = i + 1, j + 1
        elif below[right] >= here[right - 1]:
            i += 1
        else:
            j += 1


def _without_chance(matched: Sequence[_Pair], a: int, b: int) -> list[_Pair]:
    """Leave out runs of equal words that are too short to mean something between two changes."""
    kept: list[_Pair] = []
    start = 0
    for end in range(1, len(matched) + 1):
        if end < len(matched) and matched[end] == (matched[end - 1][0] + 1, matched[end - 1][1] + 1):
            continue
        (first_i, first_j), (last_i, last_j) = matched[start], matched[end - 1]
        at_an_end = (first_i, first_j) == (0, 0) or (last_i, last_j) == (a - 1, b - 1)
        if end - start > _SHORT or at_an_end or not _amid_changes(matched, start, end):
            kept += matched[start:end]
        start = end
    return kept


def _amid_changes(matched: Sequence[_Pair], start: int, end: int) -> bool:
    """Check whether words were replaced on both sides of a run; beside a mere insertion or deletion a run stays."""
    if start == 0 or end == len(matched):
        return False
    (i, j), (next_i, next_j) = matched[start - 1], matched[start]
    (last_i, last_j), (beyond_i, beyond_j) = matched[end - 1], matched[end]
    return min(next_i - i, next_j - j, beyond_i - last_i, beyond_j - last_j) > 1


def _pieces(text: str, words: Sequence[re.Match[str]], same: set[int]) -> Pieces:
    """Cut a text where its words begin or cease to differ; white space around a change is outside of it."""
    pieces: list[tuple[str, bool]] = []
    at = start = 0
    while start < len(words):
        end, changed = start, start not in same
        while end < len(words) and (end not in same) == changed:
            end += 1
        if changed:
            first, last = words[start].start(), words[end - 1].end()
            pieces += [(text[at:first], False), (text[first:last], True)]
            at = last
        start = end
    return tuple(piece for piece in [*pieces, (text[at:], False)] if piece[0])
