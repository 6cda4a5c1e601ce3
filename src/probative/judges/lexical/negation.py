"""Which words stand under a negation, and whether a claim and a passage disagree about one."""

from __future__ import annotations

from collections.abc import Sequence

from probative.judges.lexical.words import Words, is_content, term

_CUES = frozenset(
    term(word)
    for word in (
        "not no never none neither nor nobody nothing nowhere without hardly barely scarcely rarely seldom unable fail lack"
    ).split()
)
_ENDS_SCOPE = frozenset(term(word) for word in "but because although though while whereas unless except".split())
_BREAKS = frozenset(",;:.!?()\n")
_REACH = 8
"""Tokens that a negation governs at most, within its clause."""
_NOT_NEGATING = frozenset({("not", "onli"), ("no", "doubt"), ("not", "least"), ("no", "longer")} - {("no", "longer")})
_LIST_NUMBER = "no"


def negated(words: Words, text: str, start: int, end: int) -> set[int]:
    """Give the positions from `start` to `end` that a negation governs, its cue among them."""
    governed: set[int] = set()
    for at in range(start, end):
        if words.terms[at] in _CUES and _is_negation(words, at, end):
            governed.add(at)
            governed.update(_scope(words, text, at, end))
    return governed


def _is_negation(words: Words, at: int, end: int) -> bool:
    following = words.terms[at + 1] if at + 1 < end else ""
    if words.terms[at] == _LIST_NUMBER and following.isdigit():
        return False
    return (words.terms[at], following) not in _NOT_NEGATING


def _scope(words: Words, text: str, cue: int, end: int) -> range:
    reach = cue
    for at in range(cue + 1, min(end, cue + 1 + _REACH)):
        gap = text[words.ends[at - 1] : words.starts[at]]
        if not _BREAKS.isdisjoint(gap) or words.terms[at] in _ENDS_SCOPE:
            break
        reach = at
    return range(cue + 1, reach + 1)


def flipped(
    claim: Words, claim_negated: set[int], places: dict[str, Sequence[int]], passage_negated: set[int]
) -> list[str]:
    """Give the claim's terms that are negated on one side only, wherever the window has them."""
    out = []
    for at, word in enumerate(claim.terms):
        here = places.get(word)
        if here and is_content(word) and word not in _CUES:
            ours = at in claim_negated
            if all((there in passage_negated) != ours for there in here):
                out.append(word)
    return out
