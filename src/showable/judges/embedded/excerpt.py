"""What of a long passage a model is shown: as many of its sentences as it has room for, those that say most of the claim."""

from __future__ import annotations

from collections.abc import Sequence

from showable.judges.lexical.passage import Passage
from showable.judges.lexical.words import Words, is_content, weight
from showable.records.regex import regex

_NOTHING = regex(r"[^\w]*")
"""What may stand between two sentences that follow each other."""


def excerpt(claim: Words, passage: Passage, room: int) -> str:
    """Return the text to read for a claim: the passage where it has at most `room` words, else its best sentences.

    The sentences stand in their own order, so that evidence from far apart is read together. What is best is decided by
    the claim's words, each counted once, rare ones in the passage for more. Sentences that instruct a judge are not shown.
    """
    if len(passage.words.terms) > room:
        return _text(_gather(_held(claim, passage), passage.first, room), passage)
    return _text(range(len(passage.first) - 1), passage) if passage.injection else passage.text


def _closed(text: str, end: int) -> int:
    while end < len(text) and text[end] in ".!?;:%\"'”’)]":
        end += 1
    return end


def _opened(text: str, start: int) -> int:
    while start and text[start - 1] in "\"'“‘([$€£~<":
        start -= 1
    return start


def _held(claim: Words, passage: Passage) -> list[dict[str, float]]:
    """Return for every sentence the claim's words it has, with what each is worth."""
    held: list[dict[str, float]] = [{} for _ in passage.first[:-1]]
    for term in dict.fromkeys(claim.terms):
        inside = {passage.sentence_of[at] for at in passage.places.get(term, ())}
        worth = (weight(term) if is_content(term) else 0.1) / (1 + len(inside)) ** 0.5
        for sentence in inside:
            held[sentence][term] = worth
    return held


def _gather(held: Sequence[dict[str, float]], first: Sequence[int], room: int) -> list[int]:
    """Return the sentences that add the most, one at a time, while there is room; neighbours of the best fill what is left."""
    chosen: set[int] = set()
    seen: set[str] = set()
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
    """Return sentences as they stand, those that follow each other with what is between them, the others one space apart."""
    pieces: list[tuple[int, int]] = []
    for at in part:
        start = _opened(passage.text, passage.words.starts[passage.first[at]])
        end = passage.words.ends[passage.first[at + 1] - 1]
        if pieces and _NOTHING.fullmatch(passage.text, pieces[-1][1], start):
            pieces[-1] = (pieces[-1][0], end)
        else:
            pieces.append((start, end))
    return " ".join(passage.text[start : _closed(passage.text, end)] for start, end in pieces)
