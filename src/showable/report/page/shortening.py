"""Passages cut to the room there is, around the words that matter: records are worth more than the tails of passages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

Body = dict[str, Any]
Span = tuple[int, int]
Gap = Sequence[int]

MOST_OF_PASSAGE = 30_000
"""Characters of one passage."""
_MARKED_WEIGHT = 4
"""How much more room a passage gets in which something is marked than one in which nothing is."""
_MOST_WINDOWS = 20


class Cut(NamedTuple):
    """What is kept of a text: the windows together, the gaps between them (place, characters left out), and how many follow."""

    text: str
    gaps: list[Gap]
    more: int


class _Mark(NamedTuple):
    """A span into a passage, and how to change it there."""

    holder: Body
    key: str

    @property
    def span(self) -> Span:
        start, end = self.holder[self.key]
        return start, end


def shorten(body: Body, texts: Sequence[str], room: int) -> list[str]:
    """Cut the passages of a body to about `room` characters together and give what is left of their texts.

    The body is changed in place: its spans into passages follow, ``gaps`` and ``more`` of a passage say how many characters
    are left out where. What was cut before may be cut again.
    """
    passages = [passage for passage in body.get("passages", ()) if "text" in passage]
    if sum(len(text) for text in texts) <= room and all(len(text) <= MOST_OF_PASSAGE for text in texts):
        return list(texts)
    marks = _marks(body)
    lengths = [min(len(texts[passage["text"]]), MOST_OF_PASSAGE) for passage in passages]
    weights = [_MARKED_WEIGHT if marks.get(id(passage)) else 1 for passage in passages]
    kept = list(texts)
    for passage, share in zip(passages, allot(lengths, weights, room), strict=True):
        text = texts[passage["text"]]
        if len(text) > share:
            kept[passage["text"]] = _cut_passage(passage, text, marks.get(id(passage), ()), share)
    return kept


def _marks(body: Body) -> Mapping[int, list[_Mark]]:
    """Find what is marked in each passage. Of passages under one name the first is meant, as everywhere on the page."""
    first = {passage["source"]: passage for passage in reversed(body.get("passages", ()))}
    found: dict[int, list[_Mark]] = {}
    for source, mark in _spans(body):
        if source in first:
            found.setdefault(id(first[source]), []).append(mark)
    return found


def _spans(body: Body) -> Iterator[tuple[str, _Mark]]:
    for claim in body.get("claims", ()):
        for citation in claim.get("citations", ()):
            source = citation.get("source")
            if "relied" in citation:
                yield source, _Mark(citation, "relied")
            yield from ((source, _Mark(own, "at")) for own in citation.get("own", ()) if "at" in own)
    for evidence in body.get("gold", {}).get("evidence", ()):
        if "at" in evidence:
            yield evidence["source"], _Mark(evidence, "at")


def allot(lengths: Sequence[int], weights: Sequence[int], room: int) -> list[int]:
    """Divide room by weight among texts of these lengths; what one does not need is the others'."""
    shares = [0] * len(lengths)
    left, weight = room, sum(weights)
    for n in sorted(range(len(lengths)), key=lambda n: lengths[n] / weights[n]):
        shares[n] = min(lengths[n], max(1, left * weights[n] // weight))
        left, weight = max(0, left - shares[n]), weight - weights[n]
    return shares


def _cut_passage(passage: Body, text: str, marks: Sequence[_Mark], room: int) -> str:
    windows = windows_of(len(text), [mark.span for mark in marks], room)
    cut = cut_to(text, windows, passage.get("gaps", ()), passage.get("more", 0))
    for holder, key in marks:
        moved = moved_by(tuple(holder[key]), windows)
        if moved is None:
            del holder[key]
        else:
            holder[key] = moved
    passage.update({key: value for key, value in (("gaps", cut.gaps), ("more", cut.more)) if value})
    if not cut.gaps:
        passage.pop("gaps", None)
    return cut.text


def windows_of(length: int, spans: Sequence[Span], room: int) -> list[Span]:
    """Choose what to keep of a text: around each span, the room divided among them; else from the start."""
    spans = sorted({(start, min(end, length)) for start, end in spans if 0 <= start < min(end, length)})[:_MOST_WINDOWS]
    if not spans:
        return [(0, min(length, room))]
    share = max(1, room // len(spans))
    windows: list[Span] = []
    for start, end in spans:
        size = min(end - start, share)
        before = min(start, (share - size) // 2)
        low, high = start - before, min(length, start - before + share)
        if windows and low <= windows[-1][1]:
            windows[-1] = windows[-1][0], max(high, windows[-1][1])
        else:
            windows.append((low, high))
    return windows


def cut_to(text: str, windows: Sequence[Span], gaps: Sequence[Gap] = (), more: int = 0) -> Cut:
    """Keep the windows of a text, which may have been cut before."""
    pieces: list[str] = []
    made: list[Gap] = []
    size = at = passed = 0
    for low, high in windows:
        left_out = low - at
        while passed < len(gaps) and gaps[passed][0] <= low:
            left_out += gaps[passed][1]
            passed += 1
        if left_out:
            made.append((size, left_out))
        while passed < len(gaps) and gaps[passed][0] < high:
            made.append((size + gaps[passed][0] - low, gaps[passed][1]))
            passed += 1
        pieces.append(text[low:high])
        size, at = size + high - low, high
    return Cut("".join(pieces), made, more + len(text) - at + sum(count for _, count in gaps[passed:]))


def moved_by(span: Span, windows: Sequence[Span]) -> Span | None:
    """Return the place of a span in what is kept, clipped to the window in which it begins; None where that is not kept."""
    size = 0
    for low, high in windows:
        if low <= span[0] < min(high, span[1]):
            return size + span[0] - low, size + min(span[1], high) - low
        size += high - low
    return None
