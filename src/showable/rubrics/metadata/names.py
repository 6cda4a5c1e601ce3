"""Whether a name as it is written in a citation is that of a person as a registry has it.

A citation writes ``Lee Y``, ``Lee, Yoonwoo``, ``Y. Lee`` or ``Yoonwoo Lee`` for one person, with or without accents,
particles and the second surname. The surname must agree, and what both sides say of the given names must not conflict.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from rapidfuzz.distance import JaroWinkler

from showable.read.word_sets import word_set
from showable.records.lookups import Person
from showable.records.regex import regex
from showable.rubrics.metadata.plain_words import folded, unmarked

_LONGEST = 200
_PARTICLES = word_set(
    "van von der den de del della di da dos das do du la le el al bin ibn ben ter ten te zu zur af av y e i st"
)
_SUFFIXES = word_set("jr sr ii iii iv md phd msc bsc dr prof mph mbbs frcp dphil esq")
_GROUP = word_set(
    "group collaboration consortium committee team society association organization organisation network institute "
    "investigators initiative project university department federation alliance council commission panel board "
    "collaborators foundation agency ministry centers center workshop investigator study trialists"
)
_NOBODY = frozenset(
    {"unknown", "anonymous", "anon", "n/a", "na", "none", "author", "authors", "no author", "various", ""}
)
_OTHERS = regex(
    r"\b(?:et\.?\s?al|and\s+others|et\s+alii)\b\.?|^others$|^and\s+\d+\s+others$|^(?:\.\.\.|…)|(?:\.\.\.|…)$",
    re.IGNORECASE,
)
_TOKEN = regex(r"[^\W\d_]+")
_UMLAUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae", "œ": "oe"})
_INITIALS_AT_MOST = 4
_LONG_GIVEN = 2
_TRANSLITERATED = 0.88
"""Above it lie Sergey and Sergei, Aleksandr and Alexander; below it Wei and Wen."""
_LETTERS = frozenset({"y", "e", "i"})
"""Particles of one letter are initials more often."""
_CALLED = (
    ("bob", "robert"), ("bill", "william"), ("tony", "anthony"), ("ted", "edward"), ("ted", "theodore"),
    ("peggy", "margaret"), ("betty", "elizabeth"), ("liz", "elizabeth"), ("beth", "elizabeth"), ("dick", "richard"),
    ("jack", "john"), ("jim", "james"), ("hank", "henry"), ("gene", "eugene"), ("drew", "andrew"), ("kate", "catherine"),
)  # fmt: skip
_NICKNAMES = frozenset(_CALLED) | frozenset((long, short) for short, long in _CALLED)


@dataclass(frozen=True, slots=True)
class Name:
    """A name taken apart in one way: the surname's words in every spelling that stands for them, and the given names.

    `given` has single letters where the citation has initials. `certain` says that the order is known.
    """

    family: frozenset[str]
    given: tuple[str, ...]
    certain: bool


def is_others(text: str) -> bool:
    """Check whether an item of an author list stands for the rest of it: ``et al.``, ``others``, an ellipsis."""
    return _OTHERS.search(text.strip()[:_LONGEST]) is not None


def is_nobody(text: str) -> bool:
    """Check whether an item of an author list names nobody: ``Unknown``, ``Anonymous``."""
    return folded(text[:_LONGEST]).strip(" .") in _NOBODY


def is_group(text: str) -> bool:
    """Check whether a name is that of a body rather than of a person."""
    return any(token in _GROUP for token in _tokens(text))


def without_others(text: str) -> str:
    """Take ``et al.`` off the end of a name."""
    return _OTHERS.sub("", text[:_LONGEST]).strip(" ,;&")


def registered_name(person: Person) -> tuple[Name, ...]:
    """Take a registered person apart. A family name alone may be a whole name that the registry does not split."""
    if person.given:
        return (_name(person.family, person.given, certain=True),)
    return written_name(person.family)


def written_name(text: str) -> tuple[Name, ...]:
    """Take a name apart as it is written, in each way that it can be read: in capitals, ``LI`` is a surname or initials."""
    plain = unmarked(without_others(text))
    family, comma, given = plain.partition(",")
    if comma and _proper(_tokens(given)):
        return (_name(family, given, certain=True),)
    pieces = [piece for piece in family.split() if _tokens(piece)]
    while len(pieces) > 1 and folded(pieces[-1]).strip(".,") in _SUFFIXES:
        pieces.pop()
    readings = [_name(*_around(pieces, _surname_start(pieces)), certain=False)]
    if len(pieces) > 1 and pieces[0].isupper() and not any(piece.isupper() for piece in pieces[1:]):
        readings.append(_name(pieces[0], " ".join(pieces[1:]), certain=False))
    initials = _trailing_initials(pieces)
    if initials:
        cut = len(pieces) - initials
        readings.insert(0, _name(" ".join(pieces[:cut]), " ".join(pieces[cut:]), certain=True))
    return tuple(readings)


def same_person(claimed: tuple[Name, ...], registered: tuple[Name, ...]) -> bool:
    """Check whether a claimed name can be that of a registered person, in any reading of the two."""
    return any(_same(one, other) for one in claimed for other in registered)


def _same(claimed: Name, registered: Name) -> bool:
    """Hold one reading against another.

    Where the order is not certain the surname may also stand first (``Zhang Wei``), but then the given
    names must agree in full: an initial would let anyone pass.
    """
    if claimed.family & registered.family and _given_agree(claimed.given, registered.given):
        return True
    if claimed.certain and registered.certain:
        return False
    said, has = {*claimed.family, *claimed.given}, {*registered.family, *registered.given}
    rest = {token for token in said if _full(token)} - registered.family
    turned = bool(said & registered.family) and bool(rest) and rest <= {*registered.given, "".join(registered.given)}
    return turned or said == has


def _name(family: str, given: str, *, certain: bool) -> Name:
    return Name(frozenset(_spellings(family)), tuple(_given(given)), certain)


def _around(pieces: list[str], start: int) -> tuple[str, str]:
    return " ".join(pieces[start:]), " ".join(pieces[:start])


def _given(text: str) -> list[str]:
    """Return the given names: each initial by itself (``YW``, ``Y.-W.``), each part of a hyphenated name, no titles."""
    given: list[str] = []
    for piece in text[:_LONGEST].split():
        tokens = _tokens(piece)
        # A particle is a word by itself: the De of De-Chuan is none.
        given.extend("".join(tokens) if _is_initials(piece) else tokens if len(tokens) > 1 else _proper(tokens))
    return given


def _spellings(surname: str) -> set[str]:
    """Return the words a surname may be filed under: each of its parts, all as one, and with umlauts written out."""
    core = _proper(_tokens(surname)) or _tokens(surname)
    # Umlauts must be one character each before they are written out.
    whole = unicodedata.normalize("NFC", unmarked(surname[:_LONGEST])).casefold().translate(_UMLAUT)
    apart = _proper(_TOKEN.findall(folded(whole).replace("'", "")))
    parts = [token for token in (*core, *apart) if len(token) > 1] or core
    return {*parts, "".join(core), "".join(apart), *_tokens_as_one(surname)} - {""}


def _tokens_as_one(surname: str) -> set[str]:
    """Return a surname with its particles run in: ``Vandermeer`` for ``van der Meer``."""
    tokens = [token for token in _tokens(surname) if token not in _SUFFIXES]
    return {"".join(tokens)} if len(tokens) > 1 else set()


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(folded(unmarked(text[:_LONGEST])).replace("'", "").replace("`", ""))


def _proper(tokens: list[str]) -> list[str]:
    return [token for token in tokens if token not in _PARTICLES and token not in _SUFFIXES]


def _trailing_initials(pieces: list[str]) -> int:
    """Count the pieces at the end that can be initials after a surname: one for ``Lee YW``, two for ``Lee Y. W.``."""
    count = 0
    while count < len(pieces) - 1 and _is_initials(pieces[-1 - count]):
        count += 1
    rest = pieces[: len(pieces) - count]
    return count if any(not _is_initials(piece) for piece in rest) else 0


def _is_initials(piece: str) -> bool:
    return piece.isupper() and 0 < sum(char.isalpha() for char in piece) <= _INITIALS_AT_MOST


def _surname_start(pieces: list[str]) -> int:
    start = max(0, len(pieces) - 1)
    while start > 0 and folded(pieces[start - 1]).strip(".'") in _PARTICLES - _LETTERS:
        start -= 1
    return start


def _given_agree(said: tuple[str, ...], has: tuple[str, ...]) -> bool:
    """Check whether given names can be one person's: full names by name, initials by the order of their letters."""
    if not said or not has:
        return True
    if _full(said[0]) and _full(has[0]):
        some = any(_one_given(said[0], other) for other in has) or any(_one_given(has[0], other) for other in said)
        return some or "".join(said) == "".join(has)
    one, other = sorted(("".join(token[0] for token in names) for names in (said, has)), key=len)
    if len(one) == 1:
        return one == other[0] or (one in other and not any(_full(token) for token in min(said, has, key=len)))
    return one[0] == other[0] and _in_order(one, other)


def _in_order(letters: str, within: str) -> bool:
    rest = iter(within)
    return all(letter in rest for letter in letters)


def _full(token: str) -> bool:
    return len(token) >= _LONG_GIVEN


def _one_given(one: str, other: str) -> bool:
    if one == other or (one, other) in _NICKNAMES or one.startswith(other) or other.startswith(one):
        return True
    return one[0] == other[0] and JaroWinkler.similarity(one, other) >= _TRANSLITERATED
