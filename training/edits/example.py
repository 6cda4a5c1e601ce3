"""What an edit of a sentence is, and what a training pair is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Example:
    """A claim, the passage it is read against, label 1 (entailed) or 0 (not), and the edit family it came from."""

    claim: str
    passage: str
    label: int
    kind: str


@dataclass(frozen=True, slots=True)
class Change:
    """An edited sentence: does the original entail it (`onward`), does it entail the original (`back`); None: unsure."""

    text: str
    kind: str
    onward: bool | None = False
    back: bool | None = False


@dataclass(frozen=True, slots=True)
class Scope:
    """The sentences around the one under edit: those of its passage, and those of other passages of the topic."""

    sentences: Sequence[str]
    others: Sequence[str] = field(default=())
