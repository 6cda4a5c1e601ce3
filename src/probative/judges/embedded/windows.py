"""The parts of a long passage that a model with a short memory is shown, each small enough to be read at once."""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.judges.lexical.passage import Passage
from probative.judges.lexical.words import Words, is_content, weight

WHOLE = 150
"""Words up to which a passage is read whole."""
_RUN, _GATHERED = 110, 130
"""Words in a run of neighbouring sentences, and in sentences gathered from all over the passage."""
_NOTHING = re.compile(r"[^\w]*")
"""What may stand between two sentences that follow each other."""


def windows(claim: Words, passage: Passage) -> list[str]:
    """Give one or two texts to read for a claim: the passage, or its best run of sentences and the best gathered ones.

    A run keeps what stands together; gathered sentences, in their own order, let evidence from far apart be read
    together. What is best is decided by the claim's words, each counted once, rare ones in the passage for more.
    Sentences that instruct a judge are shown in neither.
    """
    if len(passage.words.terms) <= WHOLE:
        if not passage.injection:
            return [passage.text]
        return [_text(range(len(passage.first) - 1), passage)]
    held = _held(claim, passage)
    gathered = _gather(held, passage.first)
    return list(dict.fromkeys(_text(part, passage) for part in (_best_run(held, passage.first), gathered)))


def _closed(text: str, end: int) -> int:
    while end < len(text) and text[end] in ".!?;:%\"'”’)]":
        end += 1
    return end


def _opened(text: str, start: int) -> int:
    while start and text[start - 1] in "\"'“‘([$€£~<":
        start -= 1
    return start


def _held(claim: Words, passage: Passage) -> list[dict[str, float]]:
    """Give for every sentence the claim's words it has, with what each is worth."""
    held: list[dict[str, float]] = [{} for _ in passage.first[:-1]]
    for term in dict.fromkeys(claim.terms):
        inside = {passage.sentence_of[at] for at in passage.places.get(term, ())}
        worth = (weight(term) if is_content(term) else 0.1) / (1 + len(inside)) ** 0.5
        for sentence in inside:
            held[sentence][term] = worth
    return held


def _best_run(held: Sequence[dict[str, float]], first: Sequence[int]) -> list[int]:
    """Give the run of sentences within the limit that has the most; of equals the earliest."""
    best: tuple[float, int, int] = (-1.0, 0, 1)
    inside: dict[str, int] = {}
    score, start = 0.0, 0
    for end in range(1, len(held) + 1):
        for term, worth in held[end - 1].items():
            inside[term] = inside.get(term, 0) + 1
            score += worth if inside[term] == 1 else 0.0
        while first[end] - first[start] > _RUN and start < end - 1:
            for term, worth in held[start].items():
                inside[term] -= 1
                score -= worth if not inside[term] else 0.0
            start += 1
        if score > best[0] + 1e-9:
            best = (score, start, end)
    return list(range(best[1], best[2]))


def _gather(held: Sequence[dict[str, float]], first: Sequence[int]) -> list[int]:
    """Give the sentences that add the most, one at a time, while there is room; neighbours of the best fill what is left."""
    chosen: set[int] = set()
    seen: set[str] = set()
    room = _GATHERED
    left = {at: worths for at, worths in enumerate(held) if worths}
    while left:
        best = max(left, key=lambda at: (sum(w for term, w in left[at].items() if term not in seen), -at))
        gain = sum(w for term, w in left.pop(best).items() if term not in seen)
        length = first[best + 1] - first[best]
        if not gain:
            break
        if length <= room or not chosen:
            chosen.add(best)
            seen |= held[best].keys()
            room -= length
    return _widen(chosen, first, room)


def _widen(chosen: set[int], first: Sequence[int], room: int) -> list[int]:
    for at in sorted(chosen):
        for near in (at - 1, at + 1):
            if 0 <= near < len(first) - 1 and near not in chosen and first[near + 1] - first[near] <= room:
                chosen.add(near)
                room -= first[near + 1] - first[near]
    return sorted(chosen) or [0]


def _text(part: Sequence[int], passage: Passage) -> str:
    """Give sentences as they stand, those that follow each other with what is between them, the others one space apart."""
    pieces: list[tuple[int, int]] = []
    for at in part:
        start = _opened(passage.text, passage.words.starts[passage.first[at]])
        end = passage.words.ends[passage.first[at + 1] - 1]
        if pieces and _NOTHING.fullmatch(passage.text, pieces[-1][1], start):
            pieces[-1] = (pieces[-1][0], end)
        else:
            pieces.append((start, end))
    return " ".join(passage.text[start : _closed(passage.text, end)] for start, end in pieces)
