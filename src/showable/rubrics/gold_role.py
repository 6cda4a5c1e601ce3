"""Does gold's value stand in the role that the question asks for, or does the answer put another there?

An answer is cut into members: clauses, items of a list, sides of a contrast. Each value is bound to the words of its own
member. Where every value that is gold's stands among words that are not the question's, and another one among words that
are, the other is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from showable.read.quantities import Quantity, find_quantities, same_quantity
from showable.read.quantity import comparable
from showable.read.question_focus import stems
from showable.records.regex import regex
from showable.rubrics.gold_denial import MARKER
from showable.rubrics.gold_question import Asked
from showable.rubrics.gold_reading import Match
from showable.rubrics.gold_statements import Statement

_JOINTS = r"and|but|yet|while|whilst|whereas|although|though|versus|vs\.?|against|after|before|followed|ahead"
_CUT = regex(
    rf"[;:()\n]|,(?![0-9])|\s[–—-]\s|\s(?=(?:{_JOINTS}|or|compared|up from|down from|including|excluding|of (?:which|whom|these))\s)",
    re.IGNORECASE,
)
"""Edges of members that hold a value each: ", basic 5 and diluted 4", "5, of which 2"."""
_NAME_CUT = regex(
    rf"[;:)\n]|\((?!\w{{1,4}}\))|,(?![0-9])|\s[–—-]\s|\s(?=(?:{_JOINTS}|since|until|when|where|who|which|rather|than)\s)",
    re.IGNORECASE,
)
_JOINT = regex(r"\b(?:and|but|yet|while|whilst|whereas|although|though|versus|vs|as against)\b", re.IGNORECASE)
_ASIDE = regex(
    r"^\W*(?:and |but )?(?:it|they|he|she|this|these|who|which|its|their|his|her)\b|\b(?:former\w*|previous\w*|outgoing|until|resigned)\b",
    re.IGNORECASE,
)
"""Clauses that name nobody in the place asked for: on what was named before, or on the past."""
_PAST, _PRESENT = regex(r"\b(?:was|were|had)\b", re.IGNORECASE), regex(r"\b(?:is|are|has)\b", re.IGNORECASE)
_WORD = regex(r"[^\W_][\w’'&.-]*")
_LONG_WORD = regex(r"[^\W_]{4,}")
_FROM, _TO = regex(r"\bfrom\s+$", re.IGNORECASE), regex(r"\bto\s+$", re.IGNORECASE)
_FORMER_ASKED = regex(r"\b(?:before|between|prior|previous\w*|former\w*|original\w*|old|from)\b", re.IGNORECASE)
_ALIKE = ({"money", "number"}, {"number", "year"}, {"date", "year"})
_DIFFERENCE_ASKED = regex(r"\bby how (?:many|much|far)\b", re.IGNORECASE)
_COMPARED = regex(r"\b(?:more|fewer|less|\w+er) than\b", re.IGNORECASE)
_FEWEST_LETTERS = 4
_RECKONED = regex(r"\s[=≈+×*/–-]\s")
_SUFFIX = r"(?:AG|SA|SE|Ltd|Limited|Inc|LLC|PLC|Corp|Corporation|Company|Co|GmbH|Group|Holdings|NV|BV)\b"
_LONGEST_NAME = 8
_MOST = 200
"""Values and clauses of a statement that are read: each is held against all others."""


@dataclass(frozen=True, slots=True)
class _Member:
    statement: Statement
    text: str
    words: frozenset[str]
    values: tuple[Quantity, ...] = ()
    opening: frozenset[str] = frozenset()
    """The stems before its statement's first value, which later members share: "Under A the limit is 5, under B 6"."""


def place_value(match: Match, gold: str, asked: Asked, answer: Sequence[Statement]) -> Match:
    """Return the agreement on a number, or that another number stands in its role."""
    if match.agreement != "agrees" or not match.values:
        return match
    golden = find_quantities(gold)
    years = asked.when and bool(golden) and all(q.kind in {"year", "date"} for q in golden)
    bound = [(m, q) for s in answer for m in _valued(s, years=years) for q in m.values]
    ours = [(m, q) for m, q in bound if m.statement.text in match.statements and q.text in match.values]
    others = [(m, q) for m, q in bound if _competes(q, [o for _, o in ours], asked)]
    if not ours or not others or any(m.statement.concludes or _RECKONED.search(m.statement.text) for m, _ in ours):
        return match
    if _DIFFERENCE_ASKED.search(asked.text) and any(_COMPARED.search(m.text) for m, _ in ours):
        return match
    known = asked.stems | stems(gold)
    rivals = [
        next(
            (
                other
                for other in others
                if _displaces(_near(other[0], known), _near(m, known), known) or _supersedes(other, (m, q), asked)
            ),
            None,
        )
        for m, q in ours
    ]
    if None in rivals:
        return match
    (member, value), (_, mine) = rivals[0] or others[0], ours[0]
    reason = f"the answer gives {value.text}, and {mine.text} of something else"
    if "respectively" in member.statement.text:  # which goes with which is not read
        return replace(match, agreement="unknown", reason=reason, undecided=True, values=())
    return Match("disagrees", reason, (member.statement.text,), values=(value.text,))


def place_name(match: Match, gold: str, asked: Asked, answer: Sequence[Statement]) -> Match:
    """Return the agreement on a name, or that another name stands in its role.

    Where gold's member has some of the question's words as well, which of the two is meant is left open.
    """
    keys = stems(gold) - asked.stems
    named = not gold[:1].isupper() or all(
        gold.strip().lower() not in s.said for s in answer
    )  # else it only begins a sentence
    if match.agreement != "agrees" or not keys or asked.yes_no or len(gold.split()) > _LONGEST_NAME or not named:
        return match
    moved = regex(rf"\bfrom (?:the )?{re.escape(gold.strip())}\b[^.;]*\bto\b", re.IGNORECASE)
    mentions = [s for s in answer if s.stems & keys]
    if not _FORMER_ASKED.search(asked.text) and mentions and all(moved.search(s.said) for s in mentions):
        return Match("disagrees", f"the answer says that it was {gold.strip()}", tuple(s.text for s in mentions))
    longer = regex(rf"\b{re.escape(gold.strip())} (?!{_SUFFIX})[A-Z]")
    if gold[:1].isupper() and mentions and all(longer.search(s.said) for s in mentions):
        reason = f"the answer names what begins with {gold.strip()}, and whether it is the same is open"
        return replace(match, agreement="unknown", reason=reason, undecided=True, denied=True)
    known = asked.stems | stems(gold)
    found = [(m, _is_rival(m, gold, known)) for s in answer for m in _named(s, asked)]
    ours = [m for m, rival in found if m.words & keys and (2 * len(m.words & keys) > len(keys) or not rival)]
    others = [m for m, rival in found if rival and m not in ours and not _ASIDE.search(m.text)]
    rivals = [next((other for other in others if _closer(other, m, asked, known)), None) for m in ours]
    if not ours or None in rivals:
        return match
    if any(m.words & asked.stems for m in ours):
        reason = f"the answer names {gold.strip()}, and whether as what was asked for is open"
        return replace(match, agreement="unknown", reason=reason, undecided=True, denied=True)
    naming = tuple(m.statement.text for m in rivals if m)
    return Match("disagrees", f"the answer puts another in the place of {gold.strip()}", naming)


def contradicts(rival: Statement, match: Match, gold: str, asked: Asked, agreeing: Sequence[Statement]) -> bool:
    """Check whether a statement gives another value, and says for the rest what an agreeing one says."""
    if match.values:
        if _RECKONED.search(rival.text):
            return False
        ours = [(m, q) for s in agreeing for m in _valued(s) for q in m.values if q.text in match.values]
        theirs = [(m, q) for m in _valued(rival) for q in m.values]
        if any(same_quantity(v, q) for _, v in theirs for _, q in ours):
            return False
        return any(
            m.words == o.words and comparable(v, q) == (1.0, 1.0) and v.kind == q.kind and not same_quantity(v, q)
            for m, q in ours
            for o, v in theirs
            if _tense(m) == _tense(o) and m.words & asked.stems
        )
    known, keys = asked.stems | stems(gold), stems(gold) - asked.stems
    whole = [m for s in agreeing for m in _named(s, asked) if m.words & keys and asked.stems <= m.words]
    return (
        bool(keys)
        and not rival.stems & keys
        and any(
            _tense(m) == _tense(o) and asked.stems <= o.words and _all_named(o, known)
            for m in whole
            for o in _named(rival, asked)
        )
    )


@lru_cache(maxsize=1024)
def _valued(statement: Statement, *, years: bool = False) -> tuple[_Member, ...]:
    """Return the members of a statement that hold values; one without goes with its neighbour."""
    text, waiting = statement.text, 0
    pieces: list[tuple[int, int]] = []
    cited = [m.span() for m in MARKER.finditer(text)]
    values = [
        q
        for q in statement.results
        if q.kind != "ordinal"
        and (years or q.kind not in {"year", "quarter"})
        and not any(a <= q.span[0] < b for a, b in cited)
    ][:_MOST]
    cuts = [m.start() for m in _CUT.finditer(text) if not any(a <= m.start() < b for a, b in (q.span for q in values))]
    for start, end in pairwise([0, *(c for c in cuts if c), len(text)]):
        first = next((q.span[0] for q in values if start <= q.span[0] < end), None)
        if first is None:
            continue
        if pieces and waiting < start and not stems(text[start:first]):  # "5 in 2018, 6 in 2019"
            pieces[-1], waiting = (pieces[-1][0], start), start
        pieces.append((waiting, end))
        waiting = end
    if pieces:
        pieces[-1] = (pieces[-1][0], len(text))
    opening = stems(text[: values[0].span[0]]) if values else frozenset()
    found = []
    for start, end in pieces:
        held = tuple(q for q in values if start <= q.span[0] < end)
        bare = list(text[start:end])
        for q in held:
            bare[q.span[0] - start : q.span[1] - start] = " " * (q.span[1] - q.span[0])
        found.append(
            _Member(statement, text[start:end], stems(_JOINT.sub(" ", MARKER.sub(" ", "".join(bare)))), held, opening)
        )
    return tuple(found)


@lru_cache(maxsize=1024)
def _named(statement: Statement, asked: Asked) -> tuple[_Member, ...]:
    """Return the clauses of a statement, with the question's words that initials in them stand for."""
    text = MARKER.sub(lambda m: " " * len(m[0]), statement.said)
    edges = [0, *(m.start() for m in _NAME_CUT.finditer(text) if m.start()), len(text)][: _MOST + 1]
    parts = [text[start:end] for start, end in pairwise(edges)]
    return tuple(_Member(statement, part, stems(part) | _spelled_out(part, asked)) for part in parts)


def _spelled_out(text: str, asked: Asked) -> frozenset[str]:
    """Return the stems of the question's words that initials stand for: CEO."""
    words = [w for w in re.findall(r"[^\W\d_]+", asked.text.lower()) if w not in {"of", "the", "and", "for"}]
    initials, found = "".join(w[0] for w in words), frozenset[str]()
    for short in re.findall(r"\b[A-Z]{2,5}\b", text):
        at = initials.find(short.lower())
        found |= stems(" ".join(words[at : at + len(short)])) if at >= 0 else frozenset()
    return found & asked.stems


def _competes(value: Quantity, ours: Sequence[Quantity], asked: Asked) -> bool:
    """Check whether a value could be the answer: of gold's kind, not gold's, and not the question's own."""
    alike = any(value.kind == o.kind or {value.kind, o.kind} in _ALIKE for o in ours)
    return alike and not any(same_quantity(value, known) for known in (*ours, *asked.quantities))


def _displaces(other: _Member, ours: _Member, known: frozenset[str]) -> bool:
    """Check whether another member has more of the question's words, and ours words of another matter."""
    gain, lack = (other.words & known) - ours.words, (ours.words & known) - other.words
    foreign, stray = ours.words - known - other.words, other.words - known - ours.words
    within = other.statement is ours.statement and not stray and lack <= ours.opening
    return bool(gain and (foreign or within)) and not (stray and lack)


def _near(member: _Member, known: frozenset[str]) -> _Member:
    """Return the member with the words of the question that begin its own: "test" in "testing"."""
    begun = (
        word for word in known if len(word) >= _FEWEST_LETTERS and any(one.startswith(word) for one in member.words)
    )
    return replace(member, words=member.words | frozenset(begun))


def _supersedes(other: tuple[_Member, Quantity], ours: tuple[_Member, Quantity], asked: Asked) -> bool:
    """Check whether ours is what the other was changed from: "raised from 10 to 12", asked what it is."""
    text = ours[0].statement.text
    if other[0].statement.text != text or asked.when or asked.quantities or _FORMER_ASKED.search(asked.text):
        return False
    return bool(_FROM.search(text[: ours[1].span[0]]) and _TO.search(text[: other[1].span[0]]))


def _is_rival(member: _Member, gold: str, known: frozenset[str]) -> bool:
    """Check whether a member names something that is neither gold's nor the question's: a name where gold is one."""
    capital = all(w[:1].isupper() or w[:1].isdigit() for w in _LONG_WORD.findall(gold))
    words = [w for w in _WORD.findall(member.text) if not capital or w[:1].isupper()]
    return bool(stems(" ".join(words)) - known)


def _closer(other: _Member, ours: _Member, asked: Asked, known: frozenset[str]) -> bool:
    """Check whether another clause has more of the question's words, and gold's clause words of another matter."""
    gain, lack = (other.words & asked.stems) - ours.words, (ours.words & asked.stems) - other.words
    return len(gain) > len(lack) and bool(ours.words - known)


def _all_named(member: _Member, known: frozenset[str]) -> bool:
    """Check that what a member says beyond the question is a name alone: "the capital of France is Lyon"."""
    words = [w for w in _WORD.findall(member.text) if stems(w) - known]
    return bool(words) and all(w[:1].isupper() for w in words)


def _tense(member: _Member) -> int:
    text = member.statement.text
    return bool(_PRESENT.search(text)) - bool(_PAST.search(text))
