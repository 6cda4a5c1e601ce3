"""A reference as it stands in a text, and what a grammar gives back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from showable.records.record import Reference

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class FoundReference:
    """One reference with its place.

    `span` is the citation itself (``347 U.S. 483``), `full` all that belongs to it: the names before,
    the parenthetical after, a whole entry of a reference list. Both are code points into the original
    text, and ``text[span[0]:span[1]] == reference.text``. `antecedent` is the index, in the list that
    was returned, of the full citation that a short form, a supra or an id. points back to; None where it
    points at nothing that can be told. `group` is shared by parallel cites of one case.
    """

    reference: Reference
    span: Span
    full: Span
    antecedent: int | None = None
    group: int | None = None


Grammar = Callable[[str], Sequence[FoundReference]]
"""Reads one family of references out of a text, in order of place. Linear in the text, never raises."""
