"""The people in a byline: `By Jane van der Berg and John Smith, Reuters`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from showable.read.word_sets import word_set
from showable.records import Person

_BY = re.compile(r"^\s*(?:(?:written|reported|reporting|story|text|words|analysis)\s+)?by\b[:\s]*", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*(?:[;|•·]|\band\b|\bwith\b|&)\s*", re.IGNORECASE)
_PARTICLES = word_set(
    "van von der den de del della di da do dos das du la le el al bin ibn ben ter ten zu zur st st. mac"
)
_SUFFIXES = word_set("jr jr. sr sr. ii iii iv md m.d. phd ph.d. esq esq. rn mph")
_GROUP_WORDS = re.compile(
    r"\b(?:staff|news|press|reuters|agency|agencies|team|desk|editors?|editorial|bureau|times|post|journal|magazine"
    r"|university|institute|department|ministry|committee|association|society|foundation|group|network|inc|ltd|llc"
    r"|correspondents?|reporters?|contributors?|newsroom|service|afp|bbc|cnn|upi|wire|media)\b",
    re.IGNORECASE,
)
_LONGEST = 200
_MOST = 50
_MOST_WORDS = 6


def people(bylines: Iterable[str]) -> tuple[Person, ...]:
    """Read people out of bylines, each once. Addresses of profiles are nobody."""
    names = [name for line in bylines for name in _names(line)]
    return tuple({(one.family, one.given): one for one in map(person, names[:_MOST])}.values())


def person(name: str, *, group: bool = False) -> Person:
    """Split a name into family and given name; a group, or what does not look like a person, is a family name alone."""
    text = " ".join(name.split())[:_LONGEST]
    family, comma, given = text.partition(",")
    words = text.split()
    if group or _GROUP_WORDS.search(text) or not 1 < len(words) <= _MOST_WORDS:
        return Person(family=text)
    if comma and given.strip().casefold() not in _SUFFIXES:
        return Person(family=family.strip() or text, given=given.strip())
    words = family.split() if comma else words
    while len(words) > 1 and words[-1].casefold() in _SUFFIXES:
        words.pop()
    start = len(words) - 1
    while start > 1 and words[start - 1].casefold() in _PARTICLES:
        start -= 1
    return Person(family=" ".join(words[start:]), given=" ".join(words[:start]))


def _names(line: str) -> list[str]:
    text = _BY.sub("", " ".join(line[: 4 * _LONGEST].split()))
    if "://" in text or text.startswith(("www.", "@", "/")):
        return []
    parts: list[str] = []
    for piece in _BETWEEN.split(text):
        halves = [half.strip() for half in piece.split(",")]
        # "Doe, Jane" is one name turned round; "Jane Doe, John Smith" and "Jane Doe, Reuters" are lists.
        turned = len(halves) == 2 and " " not in halves[0] and not _GROUP_WORDS.search(halves[1])  # noqa: PLR2004
        parts += [piece] if turned else halves
    return [name for part in parts if (name := part.strip(" .")) and name.casefold() not in _SUFFIXES]
