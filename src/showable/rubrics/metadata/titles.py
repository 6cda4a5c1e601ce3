"""Whether two titles are one title.

A title is quoted word by word. What registries and citations do differ in is allowed: case, accents, markup,
punctuation, hyphens, British and American spelling, an article more or less, a subtitle left out, a notice
such as ``RETRACTED:`` put before it. A word swapped, added, dropped or put into another number makes another
title, however alike the whole looks: a ratio of characters cannot tell the two apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz.distance import Levenshtein

from showable.records.regex import regex
from showable.rubrics.metadata.plain_words import LONGEST, bare_words, one_spelling, unmarked

Likeness = Literal["same", "near", "other"]

_ARTICLES = frozenset({"a", "an", "the"})
_NOTICE = regex(
    r"^\s*[\[(]?\s*(?:retracted|withdrawn|removed|temporary removal)(?:\s+(?:article|paper|chapter))?\s*[\])]?\s*[:.–—-]?\s+",
    re.IGNORECASE,
)
_MEDIUM = regex(r"\s*[\[(](?:internet|preprint|online|pdf|abstract|dataset|software)[\])]\s*\.?\s*$", re.IGNORECASE)
_CUT = regex(r"\s*(?:\.\.\.|…)\s*$")
_SUBTITLE = regex(r"[:?!;]\s+|\s[-–—]+\s*|[–—]|\.\s+(?=\S)")
_NEAR_SHARE = 0.25
_NEAR = 0.75
_SUBTITLE_SCORE = 0.95
_CUT_WORDS = 4


@dataclass(frozen=True, slots=True)
class TitleMatch:
    """How alike two titles are. `score` is 1 for the same words, and the share of words in place otherwise."""

    likeness: Likeness
    score: float
    title: str


def best_title(claimed: str, registered: Sequence[str]) -> TitleMatch | None:
    """Hold a claimed title against all titles that a registry gives one work; None where either side has no word."""
    said, said_words = _stripped(claimed), title_words(_stripped(claimed))
    words = [title_words(_stripped(title)) for title in registered]
    matches = []
    for title, has in zip(registered, words, strict=True):
        if any(len(has) < len(other) and other[: len(has)] == has for other in words):
            # The short title of a work whose subtitle is known: whoever gives a subtitle has to give that one.
            match = TitleMatch("same", 1.0, title) if has and has == said_words else None
        else:
            match = _match(said, title)
        matches += [match] if match else []
    return max(matches, key=lambda match: match.score, default=None)


def title_words(title: str) -> tuple[str, ...]:
    """Return the words of a title that count, in one spelling and without articles."""
    words = bare_words(title)
    return tuple(one_spelling(word) for word in words if word not in _ARTICLES) or words


def main_title(title: str) -> str:
    """Return a title up to its first colon, question mark or dash: what is left where a subtitle is left out."""
    title = _stripped(title)
    found = next((cut for cut in _SUBTITLE.finditer(title) if bare_words(title[: cut.start()])), None)
    return title[: found.start()] if found else title


def _stripped(title: str) -> str:
    plain = unmarked(title[:LONGEST]).strip()
    return _MEDIUM.sub("", _NOTICE.sub("", plain, count=1)).strip()


def _match(claimed: str, registered: str) -> TitleMatch | None:
    has = _stripped(registered)
    said_words, has_words = title_words(claimed), title_words(has)
    if not said_words or not has_words:
        return None
    if _same(said_words, has_words):
        return TitleMatch("same", 1.0, registered)
    said_main, has_main = title_words(main_title(claimed)), title_words(main_title(has))
    if _same(said_main, has_words) or _same(has_main, said_words) or _cut_short(claimed, said_words, has_words):
        return TitleMatch("same", _SUBTITLE_SCORE, registered)
    score = _score(said_words, has_words)
    if (said_main == said_words) != (has_main == has_words):  # one of them is without a subtitle
        score = max(score, _score(said_main, has_main))
    return TitleMatch("near" if score >= _NEAR else "other", score, registered)


def _same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return one == other or "".join(one) == "".join(other)


def _cut_short(claimed: str, said: tuple[str, ...], registered: tuple[str, ...]) -> bool:
    """Check whether a title that ends in an ellipsis is the beginning of the other."""
    return len(said) >= _CUT_WORDS and _CUT.search(claimed) is not None and registered[: len(said)] == said


def _score(said: tuple[str, ...], registered: tuple[str, ...]) -> float:
    """Return the share of words that stand in both, in order. A short title with one word of two changed is near, too."""
    longest = max(len(said), len(registered))
    changed = Levenshtein.distance(said, registered)
    if changed == 1 or changed <= _NEAR_SHARE * longest:
        return min(0.99, max(_NEAR, 1 - changed / longest)) if longest > 1 else 0.0
    return min(_NEAR - 0.01, 1 - changed / longest)
