"""The order in which the model was shown the passages, which is what ``[1]`` in its answer counts: one entry a passage, several to an id.

Steps tell it where one list of passages is all that came, or a reranker let through all that did; what the answering call was given to read
tells it where passages are found there. Between a retriever and a prompt a pipeline may drop passages and sort them, and no
span says so. So the prompt decides: by the numbers before its passages, else by where they stand. Where it holds a part of them, or steps and
numbers contradict each other, the order is not known.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from showable.records.record import Source
from showable.traces.preceding import OPENING, SHORTEST_OPENING
from showable.traces.text_values import squeezed
from showable.traces.tree import Step

_NUMBER = re.compile(
    r"(?:[\[【]\s?(?:[a-z]+[ :#]{0,2})?(\d{1,3})\s?[\]】]"
    r"|(?<![a-z])(?:source|document|doc|passage|chunk|excerpt|context|reference|result|snippet) ?#?(\d{1,3}))[\s:.)>|*\"'–-]*$"
)
"""The number of a passage in a prompt, as it stands right before it."""
_BEFORE = 40
_MOST_PLACES = 20
_PIECES = 8
_PIECE = 24
"""Characters of a piece that tells whether some of a passage stands in a prompt: escapes and cuts leave pieces whole."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage by the id of its document and its words in single spaces and one case; None where it came without them."""

    named: str
    plain: str | None


@dataclass(frozen=True, slots=True)
class Listed:
    """Passages that may have been shown, and whether the order in which they stand here is that in which they were passed on."""

    passages: Sequence[Passage]
    ordered: bool

    @property
    def ids(self) -> tuple[str, ...]:
        """The document's id of each passage."""
        return tuple(passage.named for passage in self.passages)


def passages_of(sources: Iterable[Source], id_of: Callable[[Source], str]) -> list[Passage]:
    """Return documents as passages, in their order."""
    return [Passage(id_of(source), squeezed(source.text) if source.text else None) for source in sources]


def listed_by_steps(steps: Sequence[Step], id_of: Callable[[Source], str]) -> Listed:
    """Follow passages through retrievers and rerankers: a reranker's output takes the place of its input.

    Of two lists that differ, nothing says how they were put together.
    """
    shown: list[Passage] = []
    ordered = False
    for step in steps:
        facts = step.facts
        if facts.reranked is not None:
            kept = passages_of(facts.reranked, id_of)
            taken = {p.named for p in shown} if facts.rerank_input is None else set(map(id_of, facts.rerank_input))
            gone = taken | {passage.named for passage in kept}
            left = [passage for passage in shown if passage.named not in gone]
            shown, ordered = [*left, *kept], not left
        elif facts.documents is not None:
            found = passages_of(facts.documents, id_of)
            if not shown:
                shown, ordered = found, True
            elif found and found != shown:
                known = set(shown)
                shown, ordered = [*shown, *(passage for passage in found if passage not in known)], False
    return Listed(shown, ordered or len(shown) == 1)


def shown_order(listed: Listed, again: Sequence[Passage], prompt: str, *, whole: bool) -> tuple[str, ...] | None:
    """Return the ids of the passages in the order in which the model was shown them, None where that is not known.

    `again` are passages of earlier turns that stand in the prompt. `whole` says that all of the prompt was recorded: what is
    not found in it was then not shown.
    """
    by_steps = listed.ids if listed.ordered else None
    marks, unsure, left_out = _found((*listed.passages, *again), prompt)
    own = set(listed.passages)
    own_marks = [mark for mark in marks if mark.passage in own]
    if not own_marks:
        return by_steps
    doubtful = any(passage in own for passage in (unsure if whole else unsure | left_out))
    for each in (marks, own_marks):
        if not doubtful and [mark.number for mark in each] == [*range(1, len(each) + 1)]:
            return tuple(mark.passage.named for mark in each)
    if all(mark.number is not None for mark in own_marks):
        return by_steps if by_steps and all(_counts(mark, by_steps) for mark in own_marks) else None
    once = dict.fromkeys(mark.passage for mark in own_marks)
    if not doubtful and len(once) == len(own_marks):
        return tuple(passage.named for passage in once)
    dropped = whole and any(passage in own for passage in left_out)
    in_order = list(once) == [passage for passage in dict.fromkeys(listed.passages) if passage in once]
    return by_steps if in_order and not dropped else None


@dataclass(frozen=True, slots=True)
class _Mark:
    """A place of a prompt at which a passage begins, with the number before it, None where there is none."""

    place: int
    passage: Passage
    number: int | None


def _counts(mark: _Mark, ids: Sequence[str]) -> bool:
    """Check whether the number before a passage is its place among these ids."""
    number = mark.number or 0
    return 1 <= number <= len(ids) and ids[number - 1] == mark.passage.named


def _found(passages: Iterable[Passage], prompt: str) -> tuple[list[_Mark], set[Passage], set[Passage]]:
    """Find passages in a prompt, in its order; beside them those of which that cannot be told, and those that are not in it."""
    each = list(dict.fromkeys(passages))
    begun = {passage: _places((passage.plain or "")[:OPENING], prompt) for passage in each}
    wholes = {p: [at for at in found if prompt.startswith(p.plain or "", at)] for p, found in begun.items()}
    extents = _Extents((at, at + len(p.plain or "")) for p, found in wholes.items() for at in found)
    places: dict[Passage, list[int]] = {}
    for passage in each:
        long = len(passage.plain or "") if wholes[passage] else OPENING
        places[passage] = [at for at in wholes[passage] or begun[passage] if not extents.hold(at, at + long)]
    shared = Counter(at for found in places.values() for at in found)
    marks = [
        _Mark(at, passage, _number_before(at, prompt))
        for passage, found in places.items()
        for at in found
        if shared[at] == 1
    ]
    unmarked = set(each) - {mark.passage for mark in marks} if marks else set()
    unsure = {p for p in unmarked if places[p] or wholes[p] or _in_pieces(p.plain, prompt, extents)}
    return sorted(marks, key=lambda mark: mark.place), unsure, unmarked - unsure


def _places(needle: str, prompt: str) -> list[int]:
    """Return where words begin in a prompt; nowhere where they are too few to be told from others."""
    if len(needle) < SHORTEST_OPENING:
        return []
    found: list[int] = []
    at = prompt.find(needle)
    while at >= 0 and len(found) < _MOST_PLACES:
        found.append(at)
        at = prompt.find(needle, at + len(needle))
    return found


def _number_before(at: int, prompt: str) -> int | None:
    found = _NUMBER.search(prompt[max(0, at - _BEFORE) : at])
    return int(found[1] or found[2]) if found else None


def _in_pieces(plain: str | None, prompt: str, extents: _Extents) -> bool:
    """Check whether a passage that does not stand in a prompt may do so in part; of one without words, or of few, that is never known."""
    if plain is None or len(plain) < SHORTEST_OPENING:
        return True
    last = max(0, len(plain) - _PIECE)
    pieces = {plain[at : at + _PIECE] for at in (last * n // (_PIECES - 1) for n in range(_PIECES))}
    return any(not extents.hold(at, at + len(piece)) for piece in pieces for at in _places(piece, prompt))


class _Extents:
    """Where whole passages stand in a prompt: what is found within one of them is that passage's own words."""

    def __init__(self, extents: Iterable[tuple[int, int]]) -> None:
        longest: dict[int, int] = {}
        for start, end in extents:
            longest[start] = max(end, longest.get(start, 0))
        self._longest, self._starts = longest, sorted(longest)
        self._ends = list(accumulate((longest[start] for start in self._starts), max))

    def hold(self, start: int, end: int) -> bool:
        """Check whether a stretch lies within a longer passage."""
        before = bisect_left(self._starts, start)
        return (before > 0 and self._ends[before - 1] >= end) or self._longest.get(start, end) > end
