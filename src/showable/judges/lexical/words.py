"""Text into terms: tokens with their offsets, and the form under which two tokens are the same word."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from showable.judges.lexical.vocabulary import COMMON_WORDS, FUNCTION_WORDS, IRREGULAR, NEAR_SYNONYMS
from showable.read.number_words import CARDINALS
from showable.records.regex import regex

_TOKEN = regex(
    r"\d+(?:[.,]\d+)*"
    r"|(?:[A-Z]\.){2,}"
    r"|[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]"
    r"|[^\W\d_]+(?:['’´`][^\W\d_]+)*[^\W_]*"
)
"""Numbers with their separators, single characters of scripts written without spaces, and words."""

_LONG_WORD = 8
_VOWELS = frozenset("aeiouy")
_NUMBER_WORDS = {word: str(number) for word, number in CARDINALS.items() if number > 1}
"""Number words that are read as their digits; "one" is as often a pronoun."""


@dataclass(frozen=True, slots=True)
class Words:
    """The tokens of a text, as parallel lists: the term each is compared by, and offsets into the text."""

    surface: list[str]
    terms: list[str]
    starts: list[int]
    ends: list[int]


def split_words(text: str) -> Words:
    """Cut a text into tokens with the terms they are compared by; time and memory linear in its length."""
    surface, starts, ends = [], [], []
    for match in _TOKEN.finditer(text):
        surface.append(match[0])
        starts.append(match.start())
        ends.append(match.end())
    return Words(surface, [term(word) for word in surface], starts, ends)


@lru_cache(maxsize=65536)
def term(word: str) -> str:
    """Return the form under which a word is compared: no capitals, accents or inflection."""
    if word[0].isdigit():
        return number_term(word)
    if word in {"US", "U.S.", "USA", "U.S.A."}:
        return "usa"
    if "." in word:
        word = word.replace(".", "")
    folded = word.casefold()
    if not folded.isascii():
        folded = _without_accents(folded)
    if "'" in folded:
        if folded.endswith("n't"):
            return "not"
        folded = folded.partition("'")[0] or folded
    if folded == "cannot":
        return "not"
    if folded in _NUMBER_WORDS:
        return _NUMBER_WORDS[folded]
    return _inflectionless(IRREGULAR.get(folded, folded))


def terms_of(words: str) -> frozenset[str]:
    """Return the terms of words written with blanks between them."""
    return frozenset(term(word) for word in words.split())


def number_term(digits: str) -> str:
    """Return one form for a number however it is grouped: ``43,548`` is ``43548``, ``2.50`` is ``2.5``."""
    plain = digits.replace(",", "")
    if plain.count(".") == 1:
        plain = plain.rstrip("0").rstrip(".")
    return plain.lstrip("0") or "0"


def _without_accents(word: str) -> str:
    word = word.translate(str.maketrans("’´`", "'''"))
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c)) or word


def _inflectionless(word: str) -> str:
    """Drop plural, tense and adverb endings, and the final e that comes and goes with them.

    A form that would become a function word keeps its e: ``notes`` is no ``not``.
    """
    stem = _stem(word)
    return stem + "e" if stem != word and stem in FUNCTION_WORDS else stem


def _stem(word: str) -> str:
    if len(word) <= 3:  # noqa: PLR2004 - no ending fits
        return word
    word = _without_plural(word)
    if word.endswith("ied") and len(word) > 4:  # noqa: PLR2004 - "tied" keeps its stem
        word = word[:-3] + "y"
    for ending in ("ingly", "edly", "ing", "ed", "ly"):
        if word.endswith(ending) and _has_vowel(stem := word[: -len(ending)]) and len(stem) > 2:  # noqa: PLR2004
            word = stem
            break
    word = _undoubled(word)
    if word.endswith("e") and len(word) > 3:  # noqa: PLR2004 - "the", "see" keep theirs
        word = word[:-1]
    return word[:-1] + "i" if word.endswith("y") and len(word) > 3 and word[-2] not in _VOWELS else word  # noqa: PLR2004


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:  # noqa: PLR2004 - "ties" keeps its stem
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zzes")) else word[:-1]
    return word


def _has_vowel(stem: str) -> bool:
    return not _VOWELS.isdisjoint(stem)


def _undoubled(stem: str) -> str:
    return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in _VOWELS else stem  # noqa: PLR2004


_FUNCTION_TERMS = frozenset(term(word) for word in FUNCTION_WORDS)
_COMMON_TERMS = frozenset(term(word) for word in COMMON_WORDS) - _FUNCTION_TERMS


@lru_cache(maxsize=65536)
def weight(word_term: str) -> float:
    """Return how much finding a term says: function word 0.1 … rare word 1.25."""
    if word_term in _FUNCTION_TERMS or (len(word_term) == 1 and word_term.isascii() and word_term.isalpha()):
        return 0.1
    if word_term in _COMMON_TERMS:
        return 0.6
    return 1.25 if len(word_term) > _LONG_WORD else 1.0


def is_content(word_term: str) -> bool:
    """Check whether a term is more than grammar."""
    return word_term not in _FUNCTION_TERMS and (len(word_term) > 1 or word_term.isdigit() or not word_term.isascii())


def _near() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for group in NEAR_SYNONYMS:
        terms = {term(word) for word in group}
        for one in terms:
            table.setdefault(one, set()).update(terms - {one})
    return {one: frozenset(others) for one, others in table.items()}


NEAR = _near()
"""For a term, the terms that may stand for it."""
