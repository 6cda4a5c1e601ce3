"""The statements of an answer, and which of them gives the answer: the conclusion, else the one that restates the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from showable.read.quantities import Quantity, find_quantities
from showable.read.question_focus import stems
from showable.read.sentences import split_sentences
from showable.records.regex import regex
from showable.rubrics.gold_denial import Denied, find_denied, is_denied, masked

_CONCLUDES = regex(
    r"^\W*(?:therefore|thus|hence|so\b|accordingly|consequently|in (?:conclusion|summary|short)|overall|to summari[sz]e|as a result|"
    r"based on (?:this|these)|this (?:means|indicates|shows|gives|results)|rounded|rounding|the (?:final )?answer)\b"
    r"|\b(?:the (?:final |correct )?answer is|we (?:get|find|obtain|conclude)|rounded to|is calculated (?:as|to be)|comes (?:out )?to|is therefore|are therefore|is thus|equals)\b"
)
_BRACKETED = regex(
    r"(\b(?:is|are|was|were|of|at) )\((\d[\d,.]{0,20})\)(?=\s*(?:[.,;]|$|thousand|million|billion|percent))"
)
_RESULT = regex(r"[=≈]")
RESTATES = 0.4
"""A statement is about what was asked when it has this share of the question's content words."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of the answer: the stems of what it asserts, and how much of the question it restates (0 to 1).

    `denied` is what it mentions only to deny it ("60 days, not 30"): that belongs to `text` alone.
    """

    text: str
    stems: frozenset[str]
    restates: float
    concludes: bool
    denied: tuple[Denied, ...] = ()

    @property
    def said(self) -> str:
        """The text with what it denies blanked out."""
        return masked(self.text, self.denied)

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """All quantities it states and does not deny."""
        found = _read_quantities(self.text)
        if not self.denied:
            return found
        return tuple(q for q in found if not is_denied(self.text, q.span[0], self.denied))

    @property
    def results(self) -> tuple[Quantity, ...]:
        """The quantities it comes to: of a calculation, only what follows the last equals sign."""
        signs = list(_RESULT.finditer(self.text))
        if not signs:
            return self.quantities
        return tuple(q for q in self.quantities if q.span[0] >= signs[-1].end()) or self.quantities


@lru_cache(maxsize=256)
def _read_quantities(text: str) -> tuple[Quantity, ...]:
    """Read quantities, with a bare "was (5)" for what accountants mean by it; offsets and texts are the original's."""
    if "(" not in text or (signed := _BRACKETED.sub(r"\1-\2 ", text)) == text:
        return tuple(find_quantities(text))
    return tuple(replace(q, text=text[q.span[0] : q.span[1]]) for q in find_quantities(signed))


def statements(text: str, asked: frozenset[str]) -> list[Statement]:
    """Split an answer into statements, in order; lists and calculations by line."""
    pieces = [line.strip() for s in split_sentences(text) for line in text[s.start : s.end].split("\n")]
    found = []
    for piece in pieces:
        if piece:
            words = stems(piece)
            share = len(words & asked) / len(asked) if asked else 0.0
            found.append(Statement(piece, words, share, bool(_CONCLUDES.search(piece.lower()))))
    return found


def asserted(answer: Sequence[Statement], question: str) -> list[Statement]:
    """Return the statements without what they deny or say to be past."""
    taken = []
    for statement in answer:
        spans = find_denied(statement.text, question)
        words = stems(masked(statement.text, spans)) if spans else statement.stems
        taken.append(replace(statement, stems=words, denied=spans) if spans else statement)
    return taken


def decisive(candidates: Sequence[Statement]) -> Statement | None:
    """Return the last conclusion, else what restates most of the question."""
    concluding = [s for s in candidates if s.concludes and s.restates > 0]
    if concluding:
        return concluding[-1]
    restating = [s for s in candidates if s.restates >= RESTATES]
    if restating:
        top = max(s.restates for s in restating)
        return [s for s in restating if s.restates >= top - 0.1][-1]
    results = [s for s in candidates if _RESULT.search(s.text)]
    return results[-1] if results else None
