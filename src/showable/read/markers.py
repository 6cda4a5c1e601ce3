"""Citation markers in an answer's text, each with its place: a tuple of finders, one for each family of styles."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from showable.read.author_years import find_narrative
from showable.read.brackets import find_brackets, find_parentheses
from showable.read.cited_sources import read_sources
from showable.read.external import find_external, find_pinpointed
from showable.read.file_places import cites_in_code, find_file_places
from showable.read.links import find_links, find_urls
from showable.read.marker import Finder, Found, Marker, Span
from showable.read.note_signs import find_note_signs
from showable.read.prose_sources import find_named_in_prose
from showable.read.reading import Problem
from showable.read.reference_lists import ReferenceList, find_reference_list
from showable.read.round_markers import find_round_markers
from showable.read.source_lines import find_listed, find_source_lines
from showable.read.superscripts import find_superscripts
from showable.read.tagged_ids import find_tagged
from showable.read.template_markers import find_templates
from showable.records.regex import regex

__all__ = ["FINDERS", "Marker", "find_markers", "set_aside"]

FINDERS: tuple[Finder, ...] = (
    find_links,
    find_source_lines,
    find_superscripts,
    find_note_signs,
    find_tagged,
    find_templates,
    find_pinpointed,
    find_brackets,
    find_external,
    find_file_places,
    find_narrative,
    find_parentheses,
    find_urls,
)
"""In order of precedence: where two finders claim the same characters, the earlier one has them."""

_CODE = regex(r"```[^`]*(?:`{1,2}(?!`)[^`]*)*(?:```|$)|~~~.*?(?:~~~|$)|(?<![`\[])`[^`\n]+`(?!`)", re.DOTALL)


def find_markers(text: str, known_ids: Collection[str] = (), places: int = 0) -> tuple[list[Marker], list[Problem]]:
    """Find every citation marker of an answer, and every one that was begun but cannot be read.

    `known_ids` are the source ids of the log: a bracket whose content is one of them is a marker however
    oddly it is shaped. `places` is how many sources were shown, if positions in them may be named in prose. Markers come in order of their place; the items of one bracket share its span.
    Code, and the entries of a reference list, hold no markers. Offsets are code points into `text`, and
    ``text[m.start:m.end] == m.raw``. Linear in the text; never raises.
    """
    known = known_ids if isinstance(known_ids, frozenset) else frozenset(known_ids)
    taken = _Taken(span for span in set_aside(text, known) if not cites_in_code(text[slice(*span)].strip("`"), known))
    markers: list[Marker] = []
    problems: list[Problem] = []
    for found in _each(text, known, places):
        markers += (kept := [m for m in found.markers if taken.leaves(m.start, m.end)])
        problems += (wrong := [p for p in found.problems if p.where and taken.leaves(*p.where)])
        taken.add((m.start, m.end) for m in kept)
        taken.add(p.where for p in wrong if p.where)
        taken.add(found.settled)
    markers = _spread(markers, find_reference_list(text, known), known)
    if not markers:
        round_ones = [m for m in find_round_markers(text, places).markers if taken.leaves(m.start, m.end)]
        markers = round_ones or find_listed(text, known).markers
    markers.sort(key=lambda marker: marker.start)
    problems.sort(key=lambda problem: problem.where or (0, 0))
    return markers, problems


def _each(text: str, known: frozenset[str], places: int) -> Iterator[Found]:
    for find in FINDERS:
        yield find(text, known)
    yield find_named_in_prose(text, known, places)


def _spread(markers: list[Marker], references: ReferenceList, known: frozenset[str]) -> list[Marker]:
    """Put a marker of each source in the place of one whose entry in the reference list names several."""
    spread: list[Marker] = []
    for marker in markers:
        entry = references.entries.get(marker.token)
        items = read_sources(entry.text, known) if entry and marker.token not in known else []
        several = len(items) > 1 and known.issuperset(item.token for item in items)
        spread += [replace(marker, token=item.token, page=item.page) for item in items] if several else [marker]
    return spread


def set_aside(text: str, known: frozenset[str] = frozenset()) -> list[Span]:
    """Return the spans in which nothing is a citation: code, and lists that say what the markers mean."""
    spans = [match.span() for match in _CODE.finditer(text)] if "`" in text or "~~~" in text else []
    return [*spans, *find_reference_list(text, known).spans]


class _Taken:
    """Characters already spoken for. Spans may nest in one another; what is asked is whether two overlap."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._spans: list[Span] = []
        self._reach: list[int] = []
        self.add(spans)

    def add(self, spans: Iterable[Span]) -> None:
        new = list(spans)
        if not new:
            return
        self._spans = sorted({*self._spans, *new})
        self._reach, reach = [], 0
        for _, end in self._spans:
            reach = max(reach, end)
            self._reach.append(reach)

    def leaves(self, start: int, end: int) -> bool:
        """Check whether nothing before ``end`` reaches past ``start``."""
        before = bisect_left(self._spans, (end, 0))
        return before == 0 or self._reach[before - 1] <= start
