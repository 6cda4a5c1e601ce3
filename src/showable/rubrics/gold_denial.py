"""What an answer mentions only to deny it: "not Paris", "Lyon rather than Paris", "it was Paris until 1990"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

from showable.read.question_focus import stems
from showable.records.regex import regex

_MERELY = (
    r"(?! (?:only|just|merely|simply|solely|until|till|necessarily|exceed\w*|"
    r"(?:be )?(?:more|less|later|earlier|fewer|greater|higher|lower|longer|shorter|above|below|over|under|beyond)\b))"
)
_NOT = regex(rf"(?:\b(?:not|never|cannot|no longer)\b|n['’]t\b){_MERELY}", re.IGNORECASE)
"""Matches the "not" of "not Paris"; of "not only Paris" and "not more than 30 days" it must not."""
_IN_PLACE = regex(
    r"\b(?:rather than|instead of|in place of|as opposed to|unlike|(?:other than|except(?: for)?|excluding))\b"
    r"|(?<!been )(?<!is )(?<!are )(?<!was )(?<!were )\b(?:replac|supersed)(?:ed|es|ing)\b(?! by| with)",
    re.IGNORECASE,
)
"""Matches what something else stands in place of: "rather than X", "which replaced X"; not "X was replaced"."""
_REPLACED = regex(r"\b(?:is|are|was|were|been) (?:replaced|superseded) by\b", re.IGNORECASE)
_PAST = regex(
    r"\b(?:was|were|had been|stood at)\b.*(?<!not )\b(?:until|before|prior to)\b|\bused to be\b|\bformerly\b",
    re.IGNORECASE | re.DOTALL,
)
_PAST_ASKED = regex(
    r"\b(?:was|were|did|had|until|before|previous\w*|former\w*|used to|original\w*|prior|first|old|\w{3,}ed)\b",
    re.IGNORECASE,
)
_DENIAL_ASKED = regex(
    r"\b(?:not|never|no|none|without|cannot|fail\w*|except\w*|exclud\w*|replac\w*|supersed\w*|before)\b|n['’]t\b",
    re.IGNORECASE,
)
"""A question that denies or replaces is answered in such words: "Which drug is not recommended?"."""
_BREAK = regex(
    r"[,;:!?()\u2014\n]|\.(?!\d)|\b(?:but|until|unless|because|since|before|if|when|while|although|though|and|that|which|who|as)\b",
    re.IGNORECASE,
)
_CLAUSE = regex(r"[,;:!?()\u2014\n]|\.(?!\d)|\b(?:but|and|while|although|though|whereas|now)\b", re.IGNORECASE)
_BARE = regex(r"(?:\W|\b(?:the|a|an|of|in|on|at|by|be|about|around|exactly)\b)*", re.IGNORECASE)
_COPULA = regex(r"\b(?:is|are|was|were|be|been)\s*$", re.IGNORECASE)
_DENIES = regex(
    r"\b(?:not|no|never|none|nothing|neither|nor|cannot|without|rather than|instead of)\b|n['’]t\b", re.IGNORECASE
)
_WORD = regex(r"\S+")
_AFTER_COPULA, _AFTER_VERB = 6, 4
"""Words that a negation reaches."""
MARKER = regex(r" ?\[[^\[\]]{1,40}\]")
"""A citation, whose number is no word of the statement that it stands in."""


class Denied(NamedTuple):
    """A stretch of a text, negation included; `said` is where the words denied begin.

    `bare`: a number counts as denied only where it follows the negation at once.
    """

    start: int
    said: int
    end: int
    bare: bool = False


def negates(text: str) -> bool:
    """Check whether a text denies a part of what it mentions."""
    return _NOT.search(text) is not None or _IN_PLACE.search(text) is not None


def denies(text: str) -> bool:
    """Check whether there is any word of denial in a text."""
    return _DENIES.search(text) is not None


@lru_cache(maxsize=512)
def find_denied(text: str, question: str) -> tuple[Denied, ...]:
    """Return what a statement denies, in order; offsets in code points, end exclusive.

    Of a question that itself denies, or asks about the past, the same words are the answer.
    """
    found: list[Denied] = []
    if _DENIAL_ASKED.search(question) is None:
        asked = stems(question)
        for cue in _NOT.finditer(text):
            found += _negated(text, cue, asked)
        found += [
            Denied(m.start(), m.end(), _reach(text, m.end())) for m in _IN_PLACE.finditer(text) if _is_apart(text, m)
        ]
        found += [
            Denied(start, start, m.end()) for m in _REPLACED.finditer(text) for start in [_clause(text, m.start())[0]]
        ]
    else:  # set apart all the same: "Y, not X"
        found += [
            Denied(m.start(), m.end(), _reach(text, m.end()), bare=True)
            for m in _NOT.finditer(text)
            if text[: m.start()].rstrip().endswith((",", "(", "—"))
        ]
    if _PAST_ASKED.search(question) is None and _PAST.search(text):
        found += [Denied(start, start, end) for start, end in _clauses(text) if _PAST.search(text, start, end)]
    return tuple(sorted(found))


def _negated(text: str, cue: re.Match[str], asked: frozenset[str]) -> Iterator[Denied]:
    """Yield what follows a negation, and its subject where all that is denied of it was asked for."""
    copula = _COPULA.search(text, max(0, cue.start() - 8), cue.start())
    end = _reach(text, cue.end(), _AFTER_COPULA if copula else _AFTER_VERB)
    if not text[end : end + 6].lower().startswith(("until", "before")):  # "did not fall until 1944": it fell
        yield Denied(cue.start(), cue.end(), end, bare=True)
    start, closing = _clause(text, cue.start())
    verb, *others = MARKER.sub("", text[cue.end() : closing]).split() or [""]
    predicate = (stems(" ".join(others)) - stems(verb)) or stems(verb)
    if copula:
        predicate |= stems(verb)
    if predicate and predicate <= asked:  # but for its verb, which may be another form: "did not sign the deed"
        yield Denied(start, start, cue.end())


def _is_apart(text: str, cue: re.Match[str]) -> bool:
    """Check that an exception excepts nothing from a denial: "none other than Paris" is Paris."""
    return not cue[0].lower().startswith(("other", "exc")) or not _DENIES.search(text, 0, cue.start())


def masked(text: str, spans: tuple[Denied, ...]) -> str:
    """Return a text with what is denied blanked out; offsets stay."""
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text


def is_denied(text: str, start: int, spans: tuple[Denied, ...]) -> bool:
    """Check whether the number at `start` is denied: "not paid within 30 days" does not deny it."""
    return any(
        s.said <= start < s.end and (not s.bare or _BARE.fullmatch(text, s.said, start) is not None) for s in spans
    )


def _reach(text: str, start: int, words: int = _AFTER_COPULA) -> int:
    broken = _BREAK.search(text, start)
    end = broken.start() if broken else len(text)
    beyond = next(islice(_WORD.finditer(text, start, end), words, None), None)
    return beyond.start() if beyond else end


@lru_cache(maxsize=256)
def _clauses(text: str) -> list[tuple[int, int]]:
    return list(pairwise([0, *(m.end() for m in _CLAUSE.finditer(text)), len(text)]))


def _clause(text: str, at: int) -> tuple[int, int]:
    """Return the edges of the clause that a place stands in, its closing mark included."""
    found = _clauses(text)
    return found[bisect_right(found, (at, len(text) + 1)) - 1]
