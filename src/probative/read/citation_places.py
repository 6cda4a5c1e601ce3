"""How much of a sentence a citation takes up: the caption of a case is part of the citation in one place, of the claim in another."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from probative.read.references.found import FoundReference

_SIGNAL = r"(?:(?:[Ss]ee|[Aa]ccord|[Cc]f\.|[Bb]ut see|[Cc]ompare|[Cc]ontra|[Cc]iting|[Qq]uoting|E\.g\.|e\.g\.)(?:,? (?:e\.g\.|also|generally))?,?\s+)"
_BOUNDARY = re.compile(rf"(?:^|[.!?…][\"”’')\]]*\s+|\n[ \t>*\-–•]*)({_SIGNAL}?)$")
_CLAUSE = re.compile(rf"(?:[,;:—–(\[]\s*)({_SIGNAL}?)$")
_INTRODUCED = re.compile(r"(?:^|[.!?…][\"”’')\]]*\s+|\n[ \t>*\-–•]*)((?:In|As in|Per)\s+)$")
_BETWEEN = re.compile(rf"[\s,;]*(?:and\s+)?{_SIGNAL}?")
_END = re.compile(r"[\s.;,)\]\"”]*(?:$|\n|(?<=[.)\s])(?=[A-Z\"“(\[]))")
_COMMA = re.compile(r"\s*,")
_LOOK = 60


class Place(NamedTuple):
    """The characters that a citation takes up. A `mention` is a word of its sentence, which may be about the case."""

    start: int
    end: int
    mention: bool = False


def places_of(text: str, found: Sequence[FoundReference], cases: Collection[str]) -> list[Place]:
    """Give the characters that each citation takes up, in the same order; citations stand in order and apart.

    "The rule is old. See Brown v. Board, 347 U.S. 483 (1954); id. at 495." has a sentence of citations alone, and
    "The rule is old, Brown v. Board, 347 U.S. 483 (1954)." a clause of one: the caption and the signal are no
    claim. "In Brown v. Board, 347 U.S. 483 (1954), the Court held" is introduced by one. Elsewhere ("The Court
    decided Brown v. Board, 347 U.S. 483") the caption is a word of the sentence: a mention, which begins at its volume.
    """
    places: list[Place] = []
    for group in _groups(text, found):
        start, end = group[0].full[0], group[-1].full[1]
        before, after = text[max(0, start - _LOOK) : start], text[end : end + _LOOK]
        opening = _BOUNDARY.search(before) or _CLAUSE.search(before)
        introduced = _INTRODUCED.search(before)
        if opening is not None and _END.match(after):
            places += _joined(group, start - len(opening[1]))
        elif introduced and len(group) == 1 and group[0].reference.kind in cases and (comma := _COMMA.match(after)):
            places.append(Place(start - len(introduced[1]), end + comma.end()))
        else:
            places += [Place(one.span[0], max(one.span[1], one.full[1]), mention=True) for one in group]
    return places


def _groups(text: str, found: Sequence[FoundReference]) -> list[list[FoundReference]]:
    """Put together the citations between which only signals and separators stand."""
    groups: list[list[FoundReference]] = []
    for one in found:
        last = groups[-1][-1].full[1] if groups else -1
        if groups and one.full[0] - last <= _LOOK and _BETWEEN.fullmatch(text[last : one.full[0]]):
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups


def _joined(group: Sequence[FoundReference], start: int) -> list[Place]:
    """Let each citation take up what separates it from the one before, so that nothing is left of the sentence."""
    places: list[Place] = []
    for one in group:
        places.append(Place(start, max(one.span[1], one.full[1])))
        start = places[-1].end
    return places
