"""How much of a sentence a citation takes up: the caption of a case is part of the citation in one place, of the claim in another."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from showable.read.references.found import FoundReference
from showable.records.regex import regex

_MARKS = r"[*_]{0,3}"
_SIGNAL = (
    rf"(?:{_MARKS}(?:[Ss]ee|[Aa]ccord|[Cc]f\.|[Bb]ut see|[Cc]ompare|[Cc]ontra|[Cc]iting|[Qq]uoting|E\.g\.|e\.g\.)"
    rf"(?:,? (?:e\.g\.|also|generally))?,?{_MARKS},?\s+)"
)
_OPENING = rf"({_MARKS}{_SIGNAL}?{_MARKS})$"
"""Signals and the signs of emphasis before a caption belong to the citation."""
_BOUNDARY = regex(rf"(?:^|[.!?…][\"”’')\]*_]*(?:\[[^\[\]\s]{{1,40}}\])*\s+|\n[ \t>*\-–•]*|\|\s*){_OPENING}")
_CLAUSE = regex(rf"(?:[,;:—–(\[][*_]*\s*){_OPENING}")
_BRACKET = regex(rf"[(\[]{_OPENING}")
_AUTHORED = regex(r"[(\[]([A-Z][^()\[\]]{0,80}\b(?:19|20)\d\d[a-z]?(?:;\d+:[\d–-]+)?[.,;:]?\s*)$")
"""An author and a year before an id in one bracket: "(Roe et al., 2020, doi:10.1000/1)"."""
_INTRODUCED = regex(rf"(?:^|[.!?…][\"”’')\]*_]*\s+|\n[ \t>*\-–•]*)((?:In|As in|Per)\s+{_MARKS})$")
_BETWEEN = regex(rf"[*_]*[\s,;]*(?:and\s+)?{_SIGNAL}?{_MARKS}")
_END = regex(r"[\s.;,)\]\"”*_]*(?:$|\n|\||(?<=[.)\s])(?=[A-Z\"“(\[]))")
_CLOSED = regex(r"[*_]*[)\]]")
_EMPHASIS = regex(r"[*_]{1,3}")
PINPOINT = regex(r",?\s+at\s+\[\d{1,4}\](?:\s*(?:[-–,]|to|and)\s*\[\d{1,4}\])*")
"""Paragraphs of a judgment, which are no markers: "[2019] EWCA Civ 12 at [34]"."""
_COMMA = regex(r"\s*,")
_LOOK = 120
_APART = 60
_STATUTES = frozenset({"usc", "cfr", "fed_reg", "public_law", "statutes_at_large", "fed_rule"})
"""Kinds that may stand in brackets as another name of what the sentence is about: "the Act (42 U.S.C. § 1983)"."""
_NAMES_A_THING = _STATUTES | {"nct", "fda_application", "sec_accession", "isbn", "nbk", "docket"}


class Place(NamedTuple):
    """The characters that a citation takes up. A `mention` is a word of its sentence, which may be about the case."""

    start: int
    end: int
    mention: bool = False


def places_of(text: str, found: Sequence[FoundReference], cases: Collection[str]) -> list[Place]:
    """Return the characters that each citation takes up, in the same order; citations stand in order and apart.

    "The rule is old. See Brown v. Board, 347 U.S. 483 (1954); id. at 495." has a sentence of citations alone, and
    "The rule is old, Brown v. Board, 347 U.S. 483 (1954)." a clause of one: the caption and the signal are no
    claim. "In Brown v. Board, 347 U.S. 483 (1954), the Court held" is introduced by one. Elsewhere ("The Court
    decided Brown v. Board, 347 U.S. 483") the caption is a word of the sentence: a mention, which begins at its volume.
    """
    places: list[Place] = []
    for group in _groups(text, found):
        start, end = group[0].full[0], _end(text, group[-1])
        before, after = text[max(0, start - _LOOK) : start], text[end : end + _LOOK]
        opening = _opening(group, before, after)
        introduced = _INTRODUCED.search(before)
        if opening is not None:
            places += _joined(text, group, start - len(opening[1]))
        elif introduced and len(group) == 1 and group[0].reference.kind in cases and (comma := _COMMA.match(after)):
            places.append(Place(start - len(introduced[1]), end + comma.end()))
        else:
            places += [Place(one.span[0], _end(text, one), mention=True) for one in group]
    return places


def _end(text: str, one: FoundReference) -> int:
    """Return where a citation ends, with the paragraphs of a British judgment that it points at."""
    end = max(one.span[1], one.full[1])
    pinpoint = PINPOINT.match(text, end) if one.reference.kind == "neutral_uk" else None
    return pinpoint.end() if pinpoint else end


def _opening(group: Sequence[FoundReference], before: str, after: str) -> re.Match[str] | None:
    """Return what of the words before belongs to citations that stand apart; None where they are words of their sentence."""
    names_a_thing = all(one.reference.kind in _NAMES_A_THING for one in group)
    if not names_a_thing and _CLOSED.match(after) and (inside := _AUTHORED.search(before) or _BRACKET.search(before)):
        return inside
    return (_BOUNDARY.search(before) or _CLAUSE.search(before)) if _END.match(after) else None


def _groups(text: str, found: Sequence[FoundReference]) -> list[list[FoundReference]]:
    """Put together the citations between which only signals and separators stand."""
    groups: list[list[FoundReference]] = []
    for one in found:
        last = groups[-1][-1].full[1] if groups else -1
        if groups and one.full[0] - last <= _APART and _BETWEEN.fullmatch(text[last : one.full[0]]):
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups


def _joined(text: str, group: Sequence[FoundReference], start: int) -> list[Place]:
    """Let each citation take up what separates it from the one before, so that nothing is left of the sentence.

    Signs of emphasis that were opened within, and square brackets around them all, belong to them as well.
    """
    places: list[Place] = []
    for one in group:
        end = _end(text, one)
        marks = _EMPHASIS.match(text, end)
        if marks and text.count(marks[0], start, end) % 2:
            end = marks.end()
        places.append(Place(start, end))
        start = end
    first, last = places[0], places[-1]
    if text[first.start - 1 : first.start] == "[" and text[last.end : last.end + 1] == "]":
        places[0] = Place(first.start - 1, first.end)
        places[-1] = Place(places[-1].start, last.end + 1)
    return places
