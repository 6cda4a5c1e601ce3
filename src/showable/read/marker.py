"""A citation marker as it stands in an answer's text, and what a finder of markers gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from showable.read.reading import Problem
from showable.records.record import Reference

Style = Literal[
    "bracket", "superscript", "footnote", "link", "url", "author_year", "reference", "prose", "template", "path"
]
Span = tuple[int, int]

MALFORMED = "structural.malformed_marker"
"""The code of a marker that was begun but cannot be read."""


@dataclass(frozen=True, slots=True)
class Marker:
    """One cited item: ``[1, 3]`` is two markers with one span.

    `raw` is ``text[start:end]``. `token` is what names the source: an id, a number, a URL. `page` is kept
    where the marker gives one, `reference` where it names a case, a statute or a paper, which is a `mention` where it stands
    as a word of its sentence. `again` marks an "id.", which is the citation before it. A link's text and the author of ``Smith et al. (2020)`` are part of `raw`,
    though they belong to the sentence as well.
    """

    raw: str
    start: int
    end: int
    token: str
    style: Style
    url: str | None = None
    surname: str | None = None
    year: str | None = None
    page: str | None = None
    reference: Reference | None = None
    mention: bool = False
    again: bool = False


@dataclass(slots=True)
class Found:
    """What one finder saw: markers, malformed ones, and spans that are settled to be no citation (an image)."""

    markers: list[Marker] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    settled: list[Span] = field(default_factory=list)

    def malformed(self, text: str, start: int, end: int, reason: str) -> None:
        """Note a marker that was begun but cannot be read."""
        self.problems.append(Problem(MALFORMED, f"{_brief(text[start:end])}: {reason}", (start, end)))


Finder = Callable[[str, frozenset[str]], Found]
"""Reads one family of markers out of a text, given the source ids of the log. Linear in the text, never raises."""

_LONGEST_SHOWN = 40


def _brief(raw: str) -> str:
    return raw if len(raw) <= _LONGEST_SHOWN else f"{raw[: _LONGEST_SHOWN - 1]}…"
