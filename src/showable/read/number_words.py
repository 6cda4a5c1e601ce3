"""Numbers written as words: "twelve", "one hundred and twenty", "two million", "third", "two-thirds", "a dozen"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from showable.read.word_places import places
from showable.records.regex import regex

_UNITS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
CARDINALS = (
    {w: n for n, w in enumerate(_UNITS)} | {w: 10 * n for n, w in enumerate(_TENS, 2)} | {"fourty": 40, "dozen": 12}
)
_MULTIPLIERS = {
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
    "billion": 1_000_000_000,
    "trillion": 1_000_000_000_000,
}
_ORDINAL_UNITS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
]
ORDINALS = {w: n for n, w in enumerate(_ORDINAL_UNITS, 1)} | {
    w.removesuffix("y") + "ieth": 10 * n for n, w in enumerate(_TENS, 2)
}
FRACTIONS = {
    "half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "twelfth": 12,
}  # fmt: skip
_FRACTION_PLURALS = {f"{w}s": n for w, n in FRACTIONS.items() if n > 2}  # noqa: PLR2004 - halves are irregular
_ROUND_TENS, _DIGITS = range(20, 100, 10), range(1, 10)
NUMBER_WORDS = frozenset(CARDINALS) | frozenset(ORDINALS) | frozenset(_MULTIPLIERS) | {"half"}

_ANY = "|".join(sorted({*CARDINALS, *_MULTIPLIERS}, key=len, reverse=True))
_ORD = "|".join(sorted(ORDINALS, key=len, reverse=True))
_FRAC = "|".join(sorted({*FRACTIONS, *_FRACTION_PLURALS} - {"half", "halves"}, key=len, reverse=True))
_PHRASE = regex(
    rf"(?<![\w.])(?:(?P<half>(?:one[- ])?half(?=[ -]price\b| (?:of|the|its|his|her|our|your|my|their|a|an|all|as|that|this)\b))"
    rf"|(?P<top>one|two|three|four|five|six|seven|nine)[- ](?P<bottom>{_FRAC})(?= (?:of|the|in)\b|[.,;:)]|$| majority)"
    rf"|(?P<cardinal>(?:{_ANY})(?:(?:-| (?:and )?)(?:{_ANY}))*)(?:(?:-| (?:and )?)(?P<tail>{_ORD}))?"
    rf"|(?P<ordinal>{_ORD}))(?![\w])"
)
_PRONOUN = regex(
    r"(?: (?:of|another|or|who|that|which|can|could|must|should|may|might|would|will|has|is|was|by|such|to|in|at|on|for|with|more|and|as|the)\b"
    r"|['’,.;:!?)]|$|-(?:of|on|time|off|size|sided|way)\b)"
)
_BEFORE_PRONOUN = regex(r"\b(?:no|any|every|some|each|which|that|this|the|only|another|not|a|other|last|next|new) $")


class WordNumber(NamedTuple):
    """A number in words: its value, whether it counts, ranks or divides, and its place in the text.

    `step` is the size of what is counted: "two million" counts millions.
    """

    value: float
    kind: str
    start: int
    end: int
    step: float = 1.0


def find_word_numbers(lowered: str, words: AbstractSet[str]) -> Iterator[WordNumber]:
    """Read numbers in words from a text in lower case; `words` are those that occur in it.

    "one" as a pronoun, "per second" and "third-party" are left out.
    """
    end = 0
    for place in places(lowered, words & NUMBER_WORDS):
        match = _PHRASE.match(lowered, place) if place >= end else None
        if match is None:
            continue
        start, end = match.span()
        if match["half"]:
            yield WordNumber(50.0, "fraction", start, end)
        elif match["top"]:
            bottom = match["bottom"]
            yield WordNumber(
                100 * CARDINALS[match["top"]] / (FRACTIONS | _FRACTION_PLURALS)[bottom], "fraction", start, end
            )
        elif match["ordinal"]:
            if _ranks(lowered, start, end):
                yield WordNumber(float(ORDINALS[match["ordinal"]]), "ordinal", start, end)
        else:
            yield from _cardinals(lowered, match)


def _ranks(lowered: str, start: int, end: int) -> bool:
    """Tell an ordinal from "First, …", "third-party" and "per second"."""
    after = lowered[end : end + 1]
    return after not in {",", "-"} and not lowered.endswith(("per ", "split ", "a "), 0, start)


def _cardinals(lowered: str, match: re.Match[str]) -> Iterator[WordNumber]:
    words = list(re.finditer(r"[a-z]+", match["cardinal"]))
    offset = match.start("cardinal")
    groups = _groups([w.group() for w in words])
    if groups is None:  # "two three": an enumeration, not a number
        for word in words:
            if word.group() in CARDINALS:
                yield WordNumber(float(CARDINALS[word.group()]), "cardinal", offset + word.start(), offset + word.end())
        return
    if groups == 1 and len(words) == 1 and _is_pronoun(lowered, match):
        return
    if len(words) == 1 and words[0].group() in _MULTIPLIERS and not lowered.endswith(("a ", "one "), 0, match.start()):
        return  # "million" alone states no number
    if match["tail"]:
        yield WordNumber(groups + ORDINALS[match["tail"]], "ordinal", match.start(), match.end())
    else:
        step = _MULTIPLIERS.get(words[-1].group(), 1)
        yield WordNumber(groups, "cardinal", match.start(), match.end(), step if step > 100 else 1.0)  # noqa: PLR2004


def _is_pronoun(lowered: str, match: re.Match[str]) -> bool:
    before = lowered[max(0, match.start() - 10) : match.start()]
    return _PRONOUN.match(lowered, match.end()) is not None or _BEFORE_PRONOUN.search(before) is not None


def _groups(words: list[str]) -> float | None:
    """Add up "two hundred thousand and five"; None where the words do not make one number."""
    total, group = 0.0, 0.0
    for word in words:
        if word == "and":
            continue
        if word == "dozen":
            group = (group or 1.0) * CARDINALS[word]
        elif word == "hundred":
            group = (group or 1.0) * _MULTIPLIERS[word]
        elif word in _MULTIPLIERS:
            total, group = total + (group or 1.0) * _MULTIPLIERS[word], 0.0
        elif group and not _may_follow(CARDINALS[word], int(group)):
            return None
        else:
            group += CARDINALS[word]
    return total + group


def _may_follow(value: int, group: int) -> bool:
    """Check whether a number word may follow what was read: "two hundred" and "twelve", "twenty" and "five"."""
    return group % 100 == 0 or (group % 100 in _ROUND_TENS and value in _DIGITS)
