"""Whether two captions name the same case: `Zicherman v. Korean Air Lines` and its full caption do."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from showable.rubrics.metadata.caption_words import (
    EMPTY,
    FORMS,
    GENERIC,
    HELD,
    OFFICES,
    PHRASES,
    PLACES,
    SOVEREIGN,
    SPELLINGS,
    STATES,
)

LONGEST = 600
"""Characters of a caption that are read: the longest real ones name their parties well before."""
MOST_WORDS = 60
SHORTEST_TYPO = 5
"""Letters from which on one wrong letter is a slip; two are from `LONG_WORD` on."""
LONG_WORD = 9
LEAST_STEM = 3
LEAST_JOINED = 6
"""Letters that names written as one word (`Exxonmobil`, `Daimlerchrysler`) have in common at least."""
ACRONYM = (3, 9)
"""Fewest and most letters of a word that may be the initials of others."""

_VERSUS = re.compile(r"\s(?:v|vs|versus)(?:\.|(?=\s))\s*")
_APART = re.compile(
    r"\b(?:ex rel\b\.?|on behalf of|by and through|[adfn]/[bk]/a|doing business as|on the application of)"
)
_INITIALS = re.compile(r"(?<![a-z.'])(?:[a-z]\.\s?){2,}(?![a-z]\b)")
_LOOSE_APOSTROPHE = re.compile(r"(?<=[a-z])\s?'\s?(?=[a-z]{1,3}\b)")
_WORD = re.compile(r"[a-z0-9]+(?:['&][a-z0-9]+)*\.?")
_DIGIT = re.compile(r"\d")
_ASIDE = re.compile(r"\(([^()]*)\)")


@dataclass(frozen=True, slots=True)
class Party:
    """One side of a caption: `words` as compared, in order, and those of them that can tell it from others.

    `initials` is its only word as it was written, where that may be an acronym.
    """

    words: tuple[str, ...]
    telling: tuple[str, ...]
    company: bool
    initials: str = ""


@dataclass(frozen=True, slots=True)
class Caption:
    """A case's name taken apart. Each side is one party under each of its names (``State ex rel. Smith``).

    `sides` has two of them, or one where there is no ``v.``; `aside` holds what stands in parentheses.
    """

    sides: tuple[tuple[Party, ...], ...]
    aside: tuple[Party, ...] = ()


def same_case(claimed: str, found: str) -> bool | None:
    """Tell whether two captions name one case; None where one of them names nobody, or where it cannot be told.

    Each side must have a party in common with one side of the other, in either order (parties are reversed on
    appeal). Two parties agree when more than half of the telling words of the shorter one stand in the other (half,
    with the first of a company or the surname of a person among them), spelt out or abbreviated, as initials, or
    with a letter wrong; words such as `Bank`, `County` or `United`
    tell nothing on their own. A government agrees with itself only. An office with a name in its place may be one
    case, since the name may be its holder's: None. A caption without `v.` agrees with either side.
    """
    ours, theirs = read_caption(claimed), read_caption(found)
    if not ours.sides or not theirs.sides:
        return None
    if len(ours.sides) == 2 and len(theirs.sides) == 2:  # noqa: PLR2004 - the two sides of a caption
        ways = (theirs.sides, theirs.sides[::-1])
        if any(_sides_agree(ours.sides, way) for way in ways) or _any_agree(ours.aside, theirs.aside):
            return True
        return None if any(_may_be_held(ours.sides, way) for way in ways) else False
    single, other = (ours, theirs) if len(ours.sides) == 1 else (theirs, ours)
    return any(_any_agree(single.sides[0], side) for side in (*other.sides, other.aside))


def same_as_any(claimed: str, found: Iterable[str]) -> bool | None:
    """Tell whether a caption names the case that a registry has under several names.

    A short form (`Smith`) would agree with too much, so captions with both parties decide where there are any.
    """
    names = [name for name in found if name.strip()]
    if len(read_caption(claimed).sides) == 2:  # noqa: PLR2004 - the two sides of a caption
        names = [name for name in names if len(read_caption(name).sides) == 2] or names  # noqa: PLR2004
    answers = [same_case(claimed, name) for name in names]
    if True in answers:
        return True
    return False if False in answers else None


def likeness(claimed: str, found: str) -> float:
    """Give the similarity of two captions from 0 to 1: the share of words in common (rapidfuzz token_set_ratio)."""
    from rapidfuzz.fuzz import token_set_ratio  # noqa: PLC0415 - only where names are compared

    return round(token_set_ratio(_all_words(claimed), _all_words(found)) / 100, 2)


@lru_cache(4096)
def read_caption(name: str) -> Caption:
    """Take a caption apart. What names nobody has no sides."""
    text = _folded(name[:LONGEST])
    aside = " ".join(_ASIDE.findall(text))
    if len(_VERSUS.split(_ASIDE.sub(" ", text))) > 1 or _parties(_ASIDE.sub(" ", text)):
        text = _ASIDE.sub(" ", text) if "application" not in aside else text
    halves = _VERSUS.split(f" {text}", maxsplit=1)
    sides = tuple(parties for half in halves if (parties := _parties(half)))
    return Caption(sides, _parties(aside))


def _folded(name: str) -> str:
    text = unicodedata.normalize("NFKD", name).casefold()
    text = "".join(character for character in text if not unicodedata.combining(character))
    text = text.replace("’", "'").replace("‘", "'").replace("`", "'")
    text = re.sub(r"\s+", " ", _LOOSE_APOSTROPHE.sub("'", text))
    text = re.sub(r"(?<=\b[a-z]\.)\s?&\s?(?=[a-z]\b)", "", text)
    return re.sub(r"\s&\s", " and ", text)


def _parties(half: str) -> tuple[Party, ...]:
    found = (_party(part) for part in (half, *_APART.split(half)) if part.strip())
    return tuple(dict.fromkeys(party for party in found if party.words))


def _party(text: str) -> Party:
    text = _INITIALS.sub(lambda match: re.sub(r"[.\s]", "", match[0]) + " ", f" {text} ")
    for phrase, word in PHRASES:
        text = text.replace(f" {phrase}", f" {word}")
    raw = [re.sub(r"['&]", "", word) for word in _WORD.findall(text)[:MOST_WORDS]]
    company = any(word.rstrip(".") in FORMS for word in raw)
    kept = [word for word in raw if word.rstrip(".") not in FORMS and word.rstrip(".") not in EMPTY]
    words = tuple(dict.fromkeys(_spelt(word) for word in kept or raw))
    telling = tuple(word for word in words if not _is_generic(word))
    initials = kept[0].rstrip(".") if len(kept) == 1 and ACRONYM[0] <= len(kept[0].rstrip(".")) <= ACRONYM[1] else ""
    return Party(words, telling, company or any(map(_is_generic, words)), initials)


@cache
def _spellings() -> dict[str, str]:
    """Map each spelling to the one that stands for it; a spelling of two words joins them with ``|``."""
    spellings: dict[str, str] = {}
    for pair in PLACES.split(","):
        short, long = pair.split()
        spellings[short] = long
    for line in SPELLINGS.split(","):
        first, *rest = line.split()
        for word in (first, *rest):
            spellings[word] = f"{spellings[word]}|{first}" if word in spellings else first
    return spellings


def _spelt(word: str) -> str:
    spelt = _spellings().get(word.rstrip("."))
    return spelt or (word if word.endswith(".") and len(word) > LEAST_STEM else word.rstrip("."))


def _is_generic(word: str) -> bool:
    return any(part in GENERIC for part in word.split("|")) or len(word) == 1


def _all_words(name: str) -> str:
    return " ".join(word for side in read_caption(name).sides for word in side[0].words)


def _sides_agree(ours: tuple[tuple[Party, ...], ...], theirs: tuple[tuple[Party, ...], ...]) -> bool:
    return all(_any_agree(mine, other) for mine, other in zip(ours, theirs, strict=True))


def _may_be_held(ours: tuple[tuple[Party, ...], ...], theirs: tuple[tuple[Party, ...], ...]) -> bool:
    """Say whether one side agrees, and an office stands on the other where the other caption has a person."""
    return any(
        _any_agree(ours[at], theirs[at], telling=True) and _one_holds_the_office(ours[1 - at][0], theirs[1 - at][0])
        for at in (0, 1)
    )


def _any_agree(ours: tuple[Party, ...], theirs: tuple[Party, ...], *, telling: bool = False) -> bool:
    return any(
        _parties_agree(mine, other) and (not telling or bool(mine.telling and other.telling))
        for mine in ours
        for other in theirs
    )


def _parties_agree(ours: Party, theirs: Party) -> bool:
    governments = _government(ours), _government(theirs)
    if governments[0] and governments[1]:
        return governments[0] == governments[1] or ("any" in governments and "unitedstates" not in governments)
    if ours.telling and theirs.telling and _telling_agree(ours, theirs):
        return True
    if ours.telling and theirs.telling:
        return _stands_for(ours, theirs) or _stands_for(theirs, ours)
    return _generic_agree(ours.words, theirs.words) or _stands_for(ours, theirs) or _stands_for(theirs, ours)


def _telling_agree(ours: Party, theirs: Party) -> bool:
    short, long = sorted((ours, theirs), key=lambda party: len(party.telling))
    shared = sum(_stands_in(word, long) for word in short.telling)
    if shared * 2 > len(short.telling) or all(_is_initials(word, short) for word in long.telling):
        return True
    joined = "".join(short.telling), "".join(long.telling)
    if min(map(len, joined)) >= LEAST_JOINED and (joined[0] in joined[1] or joined[1] in joined[0]):
        return True
    if ours.company or theirs.company:
        return shared * 2 == len(short.telling) and _same_word(short.telling[0], long.telling[0])
    return _same_word(short.telling[-1], long.telling[-1])


def _stands_in(word: str, party: Party) -> bool:
    return any(_same_word(word, other) for other in party.words) or _is_initials(word, party)


def _is_initials(word: str, party: Party) -> bool:
    """Tell whether a word is the initials of others that follow one another: `MGM` of Metro-Goldwyn-Mayer."""
    if not ACRONYM[0] <= len(word) <= ACRONYM[1] or len(party.words) < len(word):
        return False
    return word in "".join(other[0] for other in party.words)


def _generic_agree(ours: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Hold parties of common words (`National Bank`) against each other: most of all their words must be shared.

    An office may be named in short: `Commissioner` is the `Commissioner of Internal Revenue`.
    """
    shared = [word for word in ours if any(_same_word(word, other) for other in theirs)]
    least = min(len(ours), len(theirs))
    if len(shared) == least and any(part in OFFICES for word in shared for part in word.split("|")):
        return True
    return len(shared) * 3 >= 2 * len(ours) and len(shared) * 2 >= len(theirs)


def _government(party: Party) -> str | None:
    words = set(party.words)
    if words in ({"unitedstates"}, {"unitedstates", "government"}):
        return "unitedstates"
    if words and words <= SOVEREIGN:
        return "any"
    states = words & STATES
    return states.pop() if len(states) == 1 and words <= SOVEREIGN | STATES else None


def _one_holds_the_office(ours: Party, theirs: Party) -> bool:
    """Tell an office from its holder: databases put one in the other's place (`Commissioner` and a surname)."""

    def office(party: Party) -> bool:
        return not party.telling and any(part in HELD for word in party.words for part in word.split("|"))

    def person(party: Party) -> bool:
        return bool(party.telling) and not party.company

    return (office(ours) and person(theirs)) or (office(theirs) and person(ours))


def _stands_for(short: Party, long: Party) -> bool:
    """Tell whether one word is the initials of the other party's words: `NLRB`, `NAACP`."""
    return bool(short.initials) and len(long.words) > 1 and short.initials in "".join(word[0] for word in long.words)


def _same_word(ours: str, theirs: str) -> bool:
    if ours == theirs or ours.rstrip("s.") == theirs.rstrip("s.") or set(ours.split("|")) & set(theirs.split("|")):
        return True
    for short, long in ((ours, theirs), (theirs, ours)):
        if short.endswith(".") and long.startswith(short[:-1].removesuffix("s")):
            return True
    if min(len(ours), len(theirs)) < SHORTEST_TYPO or _DIGIT.search(ours + theirs):
        return False
    from rapidfuzz.distance import DamerauLevenshtein  # noqa: PLC0415 - only where names are compared

    most = 2 if min(len(ours), len(theirs)) >= LONG_WORD else 1
    return DamerauLevenshtein.distance(ours, theirs, score_cutoff=most) <= most
