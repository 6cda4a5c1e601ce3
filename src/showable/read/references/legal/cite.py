"""One citation while it is being read: offsets are into the folded text until the very end."""

from __future__ import annotations

from dataclasses import dataclass, field

from showable.records.regex import regex

_RANGE_WORD = regex(r"(?<=\))(?:to|through)(?=\()")


@dataclass(slots=True, eq=False)
class Cite:
    """What a scanner found, to be filled in by those that read what stands before and after it.

    `start` and `end` are the citation itself, `full_start` and `full_end` all that belongs to it. `nested` says that it
    stands inside another's parenthetical, or tells the later history of another; `first` is the first of parallel
    citations, itself where it stands alone; `joined` says that nothing but a separator stands between it and the one
    before, so that the two are a string of citations.
    """

    kind: str
    start: int
    end: int
    fields: dict[str, str]
    full_start: int = -1
    full_end: int = -1
    first: Cite | None = None
    antecedent: Cite | None = None
    nested: bool = False
    joined: bool = False
    editions: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        self.full_start = self.start if self.full_start < 0 else self.full_start
        self.full_end = self.end if self.full_end < 0 else self.full_end


NAMED_CASES = frozenset({"case", "westlaw", "lexis", "neutral_uk", "docket"})
"""Kinds that carry a case name before and a court and date after."""

POINTERS = frozenset({"case_short", "supra", "id"})
"""Kinds that point back to a full citation."""


def outside(cites: list[Cite], taken: list[Cite]) -> list[Cite]:
    """Return those of `cites` that share no character with any of `taken`; both in order of place, none overlapping."""
    free: list[Cite] = []
    at = 0
    for cite in cites:
        while at < len(taken) and taken[at].end <= cite.start:
            at += 1
        if at == len(taken) or taken[at].start >= cite.end:
            free.append(cite)
    return free


def in_order(cites: list[Cite]) -> list[Cite]:
    """Sort by place and drop what begins inside another; the longer one wins at the same start."""
    kept: list[Cite] = []
    for cite in sorted(cites, key=lambda cite: (cite.start, -cite.end)):
        if not kept or cite.start >= kept[-1].end:
            kept.append(cite)
    return kept


def merged(taken: list[Cite], more: list[Cite]) -> list[Cite]:
    """Add to `taken`, which is in order of place, those of `more` that stand clear of it; the result is in order, too."""
    if not more:
        return taken
    return sorted([*taken, *outside(in_order(more), taken)], key=lambda cite: cite.start)


def plain_subsection(written: str) -> str:
    """Write a subsection, or a range of them, without blanks: ``(b) through (d)`` is ``(b)-(d)``."""
    return _RANGE_WORD.sub("-", written.replace(" ", ""))
