"""Claimed author lists beside registered ones: the first author, co-authors who are not there, co-authors left out."""

from __future__ import annotations

import html
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from showable.records.lookups import Person
from showable.records.regex import regex
from showable.rubrics.metadata.names import (
    Name,
    is_group,
    is_nobody,
    is_others,
    registered_name,
    same_person,
    without_others,
    written_name,
)

_AND = regex(r"\s+(?:and|und|et|y|&)\s+(?!al\b)")
_MOST = 150
_TWO_SURNAMES = regex(r"\s*[^\W\d_][\w'’-]{2,40}(?:,\s*[^\W\d_][\w'’-]{2,40}){1,9}\s*")
"""``Choi, Schwarcz``: one person turned round, or two by their surnames."""


@dataclass(frozen=True, slots=True)
class AuthorsMatch:
    """What comes of comparing two author lists. `common` counts the claimed authors who are registered, `score` is their share."""

    outcome: Literal["agrees", "differs", "unknown"]
    common: int
    first: bool
    score: float | None
    reason: str | None = None


def split_authors(text: str) -> list[str]:
    """Split an author field into names: at semicolons, else at ``and``, else at commas where these stand between whole names."""
    text = html.unescape(text[: 60 * _MOST])  # an entity ends in a semicolon
    if ";" in text:
        return _trimmed(text.split(";"))
    parts = _trimmed(_AND.split(text))
    if len(parts) > 2 or (len(parts) == 2 and all(part.count(",") <= 1 for part in parts) and not _listed(parts[0])):  # noqa: PLR2004
        return parts
    return [name for part in parts for name in (_trimmed(part.split(",")) if _listed(part) else [part])]


def compare_authors(claimed: str, registered: Sequence[Person], *, et_al: bool = False) -> AuthorsMatch:
    """Hold a claimed author list against the registered one, however each writes its names."""
    items = split_authors(claimed)[:_MOST]
    match = _compared(items, registered, et_al=et_al)
    apart = [piece for item in items for piece in (item.split(",") if _TWO_SURNAMES.fullmatch(item) else [item])]
    if match.outcome != "differs" or len(apart) == len(items):
        return match
    other = _compared(_trimmed(apart)[:_MOST], registered, et_al=et_al)
    return other if other.outcome == "agrees" else match


def _compared(items: list[str], registered: Sequence[Person], *, et_al: bool) -> AuthorsMatch:
    open_ended = et_al or any(is_others(item) for item in items)
    names = [name for item in items if (name := without_others(item)) and not is_nobody(name)]
    people = [person for person in registered if not is_nobody(person.family)]
    if not names or not people:
        return AuthorsMatch("unknown", 0, first=False, score=None)
    return _matched([written_name(name) for name in names], names, people, open_ended=open_ended)


def _matched(said: list[tuple[Name, ...]], names: list[str], people: list[Person], *, open_ended: bool) -> AuthorsMatch:
    at = _places(said, [registered_name(person) for person in people])
    kept = [index for index, place in enumerate(at) if place is not None or not is_group(names[index])]
    if not kept:
        return AuthorsMatch("unknown", 0, first=False, score=None)
    names, at = [names[index] for index in kept], [at[index] for index in kept]
    strangers = [name for name, place in zip(names, at, strict=True) if place is None]
    persons = {index for index, person in enumerate(people) if not is_group(f"{person.family} {person.given}")}
    left_out = persons - {place for place in at if place is not None}
    common = sum(place is not None for place in at)
    first = at[0] is not None and all(index >= at[0] for index in persons)
    longest = len(names) if open_ended else max(len(names), len(persons))
    score = min(1.0, common / longest)
    reason = _reason(strangers, people, left_out, first=first, open_ended=open_ended)
    return AuthorsMatch("differs" if reason else "agrees", common, first, score, reason)


def _reason(
    strangers: list[str], people: list[Person], left_out: set[int], *, first: bool, open_ended: bool
) -> str | None:
    if not first:
        return f"the first author is {people[0].family}"
    if strangers:
        return f"no such author: {'; '.join(strangers[:3])}"
    if left_out and not open_ended:
        return f"left out: {'; '.join(people[index].family for index in sorted(left_out)[:3])}"
    return None


def _places(said: Iterable[tuple[Name, ...]], has: list[tuple[Name, ...]]) -> list[int | None]:
    """Return each claimed name the first registered person, not yet taken, whom it can be."""
    by_word: defaultdict[str, list[int]] = defaultdict(list)
    for index, name in enumerate(has):
        for word in _words(name):
            by_word[word].append(index)
    taken: set[int] = set()
    places: list[int | None] = []
    for name in said:
        candidates = sorted({index for word in _words(name) for index in by_word.get(word, ())} - taken)
        place = next((index for index in candidates if same_person(name, has[index])), None)
        if place is not None:
            taken.add(place)
        places.append(place)
    return places


def _words(readings: tuple[Name, ...]) -> set[str]:
    return {word for name in readings for word in (*name.family, *name.given, "".join(name.given)) if len(word) > 1}


def _trimmed(parts: Iterable[str]) -> list[str]:
    return [name for part in parts if (name := part.strip(" ,;&"))]


def _listed(part: str) -> bool:
    """Check whether commas stand between names rather than within one: ``Lee Y, Kim J`` and ``Ada Lovelace, Alan Turing``."""
    pieces = _trimmed(part.split(","))
    if len(pieces) < 2:  # noqa: PLR2004
        return False
    return len(pieces) > 2 or all(" " in piece for piece in pieces)  # noqa: PLR2004
