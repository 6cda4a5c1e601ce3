"""Statements that a sentence holds inside another: in brackets, between dashes or commas, or in the clause that it opens with.

"The landlord, who owns the bakery, returns the deposit (the fee is due first)" makes three statements, each of which is to be
supported by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from showable.read.marker import Span
from showable.read.predication import DETERMINERS, PREPOSITIONS, STRONG, finite_at, is_finite, is_predication, tokens
from showable.records.regex import regex

_BRACKETED = regex(
    r"(?<!\\)\(([^()\n]{8,300})\)|(?<!\\)\[([^\[\]\n]{8,300})\](?!\()|(?<=\s)[–—]\s([^–—\n]{8,300}?)\s[–—](?=\s)"
)
_JOINED = regex(r"\W*(?:and|but|so|yet|though|although|because|since|as|note(?: that)?:?)\s+", re.IGNORECASE)
_UNSTATED = regex(
    r"\W*(?:which|who|whose|whom|that|if|when|where|whether|unless|see|cf|e\.g|i\.e|or|to)\b", re.IGNORECASE
)
# "Because the fee is due, the tenant pays": what a sentence opens with is stated as well. Not of time: "Since 2011, …".
_OPENING = regex(
    r"\W*(?:because|(?:given|now|seeing|considering) that|although|though|even though|whereas)\s+(?P<clause>\S)",
    re.IGNORECASE,
)
_SUBJECT = r"(?P<subject>(?:[^\W\d_][\w'’-]*\s){0,7}[\w'’-]+)"
# "The landlord, who also owns the bakery, returns …": the pronoun stands for the subject.
_RELATIVE = regex(rf"(?P<lead>\W*){_SUBJECT}(?P<inner>, (?:who|which) (?P<said>[^,;:]{{5,150}}),)\s", re.IGNORECASE)
# "The landlord, a retired judge, returns …": what stands beside the subject is said to be the same.
_BESIDE = regex(
    rf"(?P<lead>\W*){_SUBJECT}(?P<inner>, (?P<said>(?:an?|the|one of|once|formerly)\s[^,;:]{{3,100}}),)\s",
    re.IGNORECASE,
)


class Embedded(NamedTuple):
    """A statement within a sentence: what of the sentence it takes, where its words stand, and the words it takes over.

    All of the sentence between `outer` can be left out, and what remains is a sentence.
    """

    outer: Span
    inner: Span
    carried: str = ""


def embedded(sentence: str) -> Iterator[Embedded]:
    """Yield the statements within a sentence, whose markers are blanked out; none of those inside one of them."""
    found = _BRACKETED.finditer(sentence)
    yield from (one for match in found if (one := _bracketed(sentence, match)))
    if (opening := _opening(sentence)) is not None:
        yield opening
        return
    for pattern in (_RELATIVE, _BESIDE):
        if (match := pattern.match(sentence)) and _goes_on(sentence[match.end() :]) and _is_subject(match["subject"]):
            said = tokens(match["said"])
            if pattern is _RELATIVE and not is_predication(f"it {match['said']}"):
                continue
            if pattern is _BESIDE and finite_at(said) is not None:
                continue
            be = "" if pattern is _RELATIVE else " are" if _is_plural(match["subject"]) else " is"
            yield Embedded(match.span("inner"), match.span("said"), f"{match['subject']}{be}")
            return


def _bracketed(sentence: str, match: re.Match[str]) -> Embedded | None:
    start, end = match.span(match.lastindex or 0)
    if joined := _JOINED.match(sentence, start, end):
        start = joined.end()
    words, around = sentence[start:end], sentence[: match.start()] + sentence[match.end() :]
    if _UNSTATED.match(words) or not is_predication(words) or not any(map(str.isalpha, around)):
        return None
    return Embedded(match.span(), (start, end))


def _opening(sentence: str) -> Embedded | None:
    """Return the clause that a sentence opens with, if it and what follows it are whole."""
    opening = _OPENING.match(sentence)
    if opening is None:
        return None
    start, comma = opening.start("clause"), regex(r",\s+").search(sentence, opening.start("clause"))
    if (
        comma is None
        or not is_predication(sentence[start : comma.start()])
        or not is_predication(sentence[comma.end() :])
    ):
        return None
    return Embedded((0, comma.end()), (start, comma.start()))


def _goes_on(rest: str) -> bool:
    """Return whether the verb of a sentence comes next, so that what was set off stands beside its subject."""
    words = tokens(rest)
    if not words:
        return False
    at = 1 if words[0].word.endswith("ly") and len(words) > 1 else 0
    return words[at].form in STRONG or is_finite(words, at, loose=True)


def _is_subject(words: str) -> bool:
    first = words.split(maxsplit=1)[0].lower()
    return first not in PREPOSITIONS and not is_predication(words) and (first in DETERMINERS or words[0].isupper())


def _is_plural(subject: str) -> bool:
    last = subject.rsplit(maxsplit=1)[-1].lower()
    return last.endswith("s") and not last.endswith(("ss", "us", "is"))
