"""How far an answer declines and what of it asserts, decided from what the reader says of its sentences."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from showable.read.reading import Extent, RefusalKind, RefusalReading
from showable.read.sentences import Sentence
from showable.reader.read import Read
from showable.records.record import RefusalField
from showable.records.roles import BASES, EXTENTS, ReadSentence, ReadText
from showable.records.scorecard import Role

FULL, FULL_ALONE = 0.7, 0.6
"""A full refusal is acceptable, so nothing is taken for one below this probability: with a sentence that answers, and without."""
ASSERTS = 0.4
"""From this probability on a sentence is judged: what is taken for talk is judged by nobody."""
_KINDS: dict[str, RefusalKind] = {
    "evidence": "no_evidence",
    "scope": "out_of_scope",
    "policy": "harm",
    "clarification": "ambiguous",
}
_FIELDS = frozenset(get_args(RefusalField)) - {"none"}
_CONNECTIVE = re.compile(
    r"[\s,;:–—-]*(?:but|however|though|although|yet|while|whereas|still|so)\b,?\s+(?:that\s+(?=\w+\s+(?:is|are|was|were)\b))?",
    re.IGNORECASE,
)
"""What joins a clause to the one before it: "but |it is 30 days"."""

_POINTS = re.compile(r"\b(?:closest|nearest|most (?:\w+ )?(?:relevant|related|similar))\b", re.IGNORECASE)
"""Beside a refusal, what only points: "the closest passage is about the deposit"; not "the deposit is two months' rent"."""


class Said:
    """What the reader says of one text, laid over its sentences."""

    def __init__(self, text: str, sentences: Sequence[Sentence], read: ReadText, field: str = "none") -> None:
        self.text, self.read = text, read
        self.refusal = refusal_of(read, field)
        self._units = read.sentences
        self._starts = [unit.span[0] for unit in read.sentences]
        self.sentences = [piece for sentence in sentences for piece in self._pieces(sentence)]

    def silent(self) -> list[tuple[int, int]]:
        """Return the spans of what asserts nothing, in order: what declines, greets, asks or leads on."""
        return [unit.span for unit in self._units if not self._asserts(unit)]

    def role(self, span: tuple[int, int] | None) -> Role:
        """Return the part that a claim at a span plays: beside a refusal it may be an aside."""
        if self.refusal.extent == "none":
            return "answering"
        unit = None if span is None else self._unit(span)
        if self.refusal.extent == "full":
            return "aside"
        return "aside" if unit is not None and unit.role == "aside" else "answering"

    def _asserts(self, unit: ReadSentence) -> bool:
        """Tell whether a unit asserts. What only seems to decline, in an answer that does not, asserts."""
        if self.refusal.extent != "none" and unit.role in {"decline", "question"}:
            return False
        if self.refusal.extent == "full" and _POINTS.search(self.text, *unit.span):
            return False
        return unit.asserts + (unit.declines if self.refusal.extent == "none" else 0.0) >= ASSERTS

    def _unit(self, span: tuple[int, int]) -> ReadSentence | None:
        """Return the unit that has most of a span."""
        at = max(0, bisect_left(self._starts, span[0] + 1) - 1)
        near = [unit for unit in self._units[at : at + 8] if unit.span[0] < span[1] and span[0] < unit.span[1]]
        return max(near, key=lambda unit: min(unit.span[1], span[1]) - max(unit.span[0], span[0]), default=None)

    def _pieces(self, sentence: Sentence) -> list[Sentence]:
        """Cut a sentence where its clauses do different things, without what joins them."""
        first, last = bisect_left(self._starts, sentence.start), bisect_left(self._starts, sentence.end)
        own = self._units[first:last]
        if len(own) <= 1:
            return [sentence]
        pieces = [replace(sentence, start=own[0].span[0], end=own[0].span[1])]
        for unit in own[1:]:
            joint = _CONNECTIVE.match(self.text, *unit.span)
            pieces.append(replace(sentence, start=joint.end() if joint else unit.span[0], end=unit.span[1]))
        return pieces


def refusal_of(read: ReadText, field: str = "none") -> RefusalReading:
    """Return how far a text declines, on what basis, and where.

    The text beats the structured `field`; where it has no sentence the field decides.
    """
    if not read.sentences:
        return from_field(field)
    extent = _extent(read)
    if extent == "none":
        return RefusalReading()
    kind = _KINDS[BASES[read.basis.index(max(read.basis))]]
    spans = tuple(unit.span for unit in read.sentences if unit.role in {"decline", "question"})
    asks = any(unit.role == "question" for unit in read.sentences)
    return RefusalReading(extent=extent, kind=kind, spans=spans, asks_back=asks)


def _extent(read: ReadText) -> Extent:
    """Return the likeliest extent; a full refusal only from `FULL` on, or `FULL_ALONE` where no sentence answers."""
    full = EXTENTS.index("full")
    p = list(read.extent)
    answers = any(unit.role in {"claim", "both"} for unit in read.sentences)
    if p[full] < (FULL if answers else FULL_ALONE):
        p[full] = 0.0
    return EXTENTS[p.index(max(p))]


def from_field(field: str) -> RefusalReading:
    """Return how far an answer declines by its structured field alone."""
    if field not in _FIELDS:
        return RefusalReading()
    kind: RefusalKind = field  # type: ignore[assignment]
    return RefusalReading(extent="full", kind=kind, asks_back=kind == "ambiguous")


def read_said(question: str, text: str, sentences: Sequence[Sentence], field: str, read: Read) -> Said:
    """Read what the sentences of a text do; a heading and code are left to the grammar of Markdown."""
    spans = [(s.start, s.end) for s in sentences if s.kind not in {"heading", "code"}]
    return Said(text, sentences, read(question, text, spans), field)
