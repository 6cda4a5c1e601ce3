"""What an answer mentions only to deny it: "not Paris", "Lyon rather than Paris", "it was Paris until 1990"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

from showable.read.question_focus import stems

_ANY = re.compile(
    r"\b(?:not|never|cannot|rather than|instead of|in place of|opposed to|unlike|other than|except|excluding|no longer|"
    r"replac|supersed|contraindicated|ruled out|wrong|incorrect|false|discontinued|avoided|withdrawn|abolished|repealed|obsolete|"
    r"until|before|prior to|used to be|formerly|(?:refused|failed) to)|n['’]t\b",
    re.IGNORECASE,
)
_MERELY = (
    r"(?! (?:only|just|merely|simply|solely|until|till|to mention|necessarily|exceed\w*|"
    r"(?:be )?(?:more|less|later|earlier|fewer|greater|higher|lower|longer|shorter|above|below|over|under|beyond)\b))"
)
_NOT = re.compile(rf"(?:\b(?:not|never|cannot)\b|n['’]t\b){_MERELY}", re.IGNORECASE)
_SET_APART = re.compile(rf"(?:[,(\u2013\u2014]\s*|\band )(?:not|never)\b{_MERELY}", re.IGNORECASE)
_IN_PLACE = re.compile(
    r"\b(?:rather than|instead of|in place of|as opposed to|unlike|other than|except(?: for)?|excluding)\b"
    r"|(?<!been )(?<!is )(?<!are )(?<!was )(?<!were )\b(?:replac(?:ed|es|ing)|supersed(?:ed|es|ing))\b(?! by| with)",
    re.IGNORECASE,
)
_NO_LONGER = re.compile(r"\bno longer\b", re.IGNORECASE)
_NEGATED_VERB = re.compile(
    rf"(?:\b(?:(?P<be>is|are|was|were)|has|have|does|do|did|should|must|can|may|could|would|will)(?: not| never| no longer|n['’]t)"
    rf"|\bcannot|\bnever|\b(?:refused|failed) to)\b{_MERELY}",
    re.IGNORECASE,
)
_RULED_OUT = re.compile(
    r"\b(?:is|are|was|were|been|be) (?:now |since |later |strictly |also )?(?:contraindicated|ruled out|wrong|incorrect|false|discontinued|avoided|withdrawn|"
    r"abolished|repealed|obsolete|(?:replaced|superseded) by)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|had been|stood at)\b.*(?<!not )\b(?:until|before|prior to)\b|\bused to be\b|\bformerly\b",
    re.IGNORECASE | re.DOTALL,
)
_PAST_QUESTION = re.compile(
    r"\b(?:was|were|did|had|until|before|previous\w*|former\w*|used to|original\w*|prior|first|old|change\w*|history|\w{3,}ed)\b",
    re.IGNORECASE,
)
_DENYING_QUESTION = re.compile(
    r"\b(?:(?:not|never|no|none|without|cannot|instead|rather|unlike|other than|end|ended|false)\b|except|exclud|exempt|contraindicat|avoid|replac|supersed|"
    r"succeed|discontinu|withdr|reject|repeal|abolish|obsolete|wrong|incorrect|lack|fail|ceas|stop|before|ahead of|prior|previous|predecess|former|prohibit|forbid|ban(?:s|ned)?\b)|n['’]t\b",
    re.IGNORECASE,
)
_BREAK = re.compile(
    r"[,;:!?()\u2014\n]|\.(?!\d)|\b(?:but|until|unless|because|since|before|if|when|while|although|though|is|are|was|were|and|with|by|that|which|who|as)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:!?()\u2014\n]|\.(?!\d)|\b(?:but|and|while|although|though|whereas|now)\b", re.IGNORECASE)
_BARE = re.compile(
    r"(?:\W|\b(?:the|a|an|of|in|on|at|by|to|be|been|about|around|approximately|roughly|exactly|equal|for|actually|usual|simply)\b)*",
    re.IGNORECASE,
)
_NO_OTHER = re.compile(r"\b(?:no|not|none|nothing|nobody|never|any|nowhere)\b|n['’]t\b", re.IGNORECASE)
_DENIES = re.compile(
    r"\b(?:not|no|never|none|nothing|neither|nor|cannot|without|unable|unchanged|lack\w*|fail\w*|rather than|instead of)\b|n['’]t\b",
    re.IGNORECASE,
)
MARKER = re.compile(r" ?\[[^\[\]]{1,40}\]")
"""A citation, whose number is no word of the statement that it stands in."""
_WORD = re.compile(r"\S+")
_VERB = re.compile(r"\s*\w+")
_BY = re.compile(r" ?by\b", re.IGNORECASE)
_COPULA = re.compile(r"\b(?:is|are|was|were|be|been)\s*$", re.IGNORECASE)
_NEUTRAL = stems("anymore longer now currently actually correct right answer")
_AFTER_COPULA, _AFTER_VERB = 6, 4
_SHORTEST_ROOT = 3


class Denied(NamedTuple):
    """A stretch of a text, negation included, that is mentioned to be denied.

    `said` is where the words denied begin. `bare`: a number counts as denied only where it follows the negation at once.
    `instead`: the same sentence gives something else in its place ("not X but Y", "Y rather than X").
    """

    start: int
    said: int
    end: int
    bare: bool = False
    instead: bool = False


def negates(text: str) -> bool:
    """Tell whether a text, such as a gold answer, denies a part of what it mentions."""
    return any(cue.search(text) for cue in (_NOT, _SET_APART, _IN_PLACE, _NO_LONGER))


def denies(text: str) -> bool:
    """Tell whether there is any word of denial in a text."""
    return _DENIES.search(text) is not None


@lru_cache(maxsize=512)
def denied(text: str, question: str) -> tuple[Denied, ...]:
    """Find what a statement denies, in order: "not X", "rather than X", "X is not …", and what it says was so "until 2019".

    A question that itself denies ("Which drug is not recommended?") or asks about the past is answered in such words:
    there, only what is set apart ("Y, not X") is denied. Offsets in code points, end exclusive.
    """
    if not _ANY.search(text):
        return ()
    found, (words, denying, past) = [], _read(question)
    if _NOT.search(text):
        found += [
            Denied(m.start(), m.end(), _reach(text, m.end()), bare=True, instead=True)
            for m in _SET_APART.finditer(text)
        ]
        found += [] if denying else _objects(text)
    if not denying:
        found += [*_contrasted(text), *_subjects(text, words)]
    if not past and _PAST.search(text):
        found += [Denied(start, start, end) for start, end in _clauses(text) if _PAST.search(text, start, end)]
    return tuple(sorted(found))


@lru_cache(maxsize=256)
def _read(question: str) -> tuple[frozenset[str], bool, bool]:
    """Read a question's words, whether it denies something itself, and whether it asks about the past."""
    return stems(question), _DENYING_QUESTION.search(question) is not None, _PAST_QUESTION.search(question) is not None


def masked(text: str, spans: tuple[Denied, ...]) -> str:
    """Blank out what is denied; offsets stay."""
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text


def is_denied(text: str, start: int, spans: tuple[Denied, ...]) -> bool:
    """Tell whether the number at `start` is denied: "not paid within 30 days" and "not exceeding 30 days" do not deny it."""
    return any(
        s.said <= start < s.end and (not s.bare or _BARE.fullmatch(text, s.said, start) is not None) for s in spans
    )


def _contrasted(text: str) -> Iterator[Denied]:
    for cue in _IN_PLACE.finditer(text):
        exception = cue[0].lower().startswith(("other", "except"))
        if not exception or not _NO_OTHER.search(text, 0, cue.start()):  # "none other than Paris": Paris
            yield Denied(cue.start(), cue.end(), _reach(text, cue.end()), instead=not exception)
    for cue in _NO_LONGER.finditer(text):
        yield Denied(cue.start(), cue.end(), _reach(text, cue.end()), bare=True)


def _objects(text: str) -> Iterator[Denied]:
    for cue in _NOT.finditer(text):
        copula = _COPULA.search(text, max(0, cue.start() - 8), cue.start())
        end = _reach(text, cue.end(), _AFTER_COPULA if copula else _AFTER_VERB)
        by = _BY.match(text, end) if copula else None
        if by:  # "was not signed by Anna": nor is Anna said to have done it
            end = _reach(text, by.end())
        following = text[end : end + 6].lower()
        if not following.startswith(("until", "before")):  # "did not fall until 1944": it fell
            yield Denied(cue.start(), cue.end(), end, bare=True, instead=following.startswith("but"))


def _subjects(text: str, asked: frozenset[str]) -> Iterator[Denied]:
    """Find what is said not to be what was asked for: all that is denied of it is in the question's own words.

    The verb may be another form, or another verb, where its object is the question's: "did not write the opinion"
    denies as much of who wrote it.
    """
    for cue in _NEGATED_VERB.finditer(text):
        following = _CLAUSE.search(text, cue.end())
        end = following.start() if following else len(text)
        predicate = stems(MARKER.sub("", text[cue.end() : end])) - _NEUTRAL
        verb = None if cue["be"] else _VERB.match(text, cue.end(), end)
        others = predicate - stems(verb[0]) if verb else predicate
        if predicate and all(_asked_for(word, asked) for word in others or predicate):
            start = _clause_start(text, cue.start())
            yield Denied(start, start, cue.end())
    for cue in _RULED_OUT.finditer(text):
        start = _clause_start(text, cue.start())
        yield Denied(start, start, cue.end(), instead=cue[0].lower().endswith(" by"))


def _asked_for(word: str, asked: frozenset[str]) -> bool:
    """Tell whether the question has a word, in this form or with another ending: sign, signed, signing."""
    if word in asked:
        return True
    root = word.rstrip("ey")
    return len(root) >= _SHORTEST_ROOT and any(
        other.startswith(root) or (len(other) > _SHORTEST_ROOT and word.startswith(other.rstrip("ey")))
        for other in asked
    )


def _reach(text: str, start: int, words: int = _AFTER_COPULA) -> int:
    """Give the end of what a negation before `start` denies: the end of its phrase, a few words on at most."""
    broken = _BREAK.search(text, start)
    end = broken.start() if broken else len(text)
    beyond = next(islice(_WORD.finditer(text, start, end), words, None), None)
    return beyond.start() if beyond else end


def _clauses(text: str) -> list[tuple[int, int]]:
    edges = [0, *(m.end() for m in _CLAUSE.finditer(text)), len(text)]
    return list(pairwise(edges))


def _clause_start(text: str, at: int) -> int:
    starts = [0, *(m.end() for m in _CLAUSE.finditer(text))]
    return starts[bisect_right(starts, at) - 1]
