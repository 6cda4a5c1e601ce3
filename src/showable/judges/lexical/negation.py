"""Which words stand under a negation, and about which of them a claim and a passage disagree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from showable.judges.lexical.words import Words, is_content, terms_of

_CUES = terms_of(
    "not no never none neither nor nobody nothing nowhere without hardly barely scarcely rarely seldom unable fail lack"
)
_FLAT_CUES = frozenset({"not", "no", "never"})
_ENDS_SCOPE = terms_of("but because although though while whereas unless except")
_QUALIFIERS = terms_of(
    "if unless only until except other than whether would could might should most some all every any each"
)
_BREAKS = frozenset(",;:.!?()\n")
_REACH = 8
"""Tokens that a negation governs at most, within its clause."""
_NOT_NEGATING = frozenset({("not", "onli"), ("no", "doubt"), ("not", "least"), ("not", "just"), ("not", "necessarili")})


@dataclass(frozen=True, slots=True)
class Negations:
    """Positions that a negation governs, among them the first content word after each cue, and how many cues there are.

    `qualified` says that a condition, an exception or a softer cue is there, so that nothing is flatly denied.
    """

    governed: set[int]
    heads: set[int]
    cues: int
    qualified: bool


def read_negations(words: Words, text: str, start: int, end: int) -> Negations:
    """Read the negations among the tokens from `start` to `end`."""
    governed: set[int] = set()
    heads: set[int] = set()
    cues = 0
    qualified = not _QUALIFIERS.isdisjoint(words.terms[start:end])
    for at in range(start, end):
        if words.terms[at] in _CUES and _is_negation(words, at, end):
            scope = _scope(words, text, at, end)
            cues += 1
            qualified = qualified or words.terms[at] not in _FLAT_CUES
            governed.add(at)
            governed.update(scope)
            heads.update([i for i in scope if is_content(words.terms[i])][:1])
    return Negations(governed, heads, cues, qualified)


def _is_negation(words: Words, at: int, end: int) -> bool:
    following = words.terms[at + 1] if at + 1 < end else ""
    if words.terms[at] == "no" and following.isdigit():
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


def find_flipped(
    claim: Words, ours: Negations, places: Mapping[str, Sequence[int]], theirs: Negations
) -> list[tuple[int, int]]:
    """Return the words negated on one side only, wherever the window has them, as (claim position, passage position)."""
    flipped = []
    for at, word in enumerate(claim.terms):
        here = places.get(word)
        if here and word not in _CUES and is_content(word):
            negated = at in ours.governed
            if all((there in theirs.governed) != negated for there in here):
                flipped.append((at, next((there for there in here if there in theirs.heads), here[0])))
    return flipped
