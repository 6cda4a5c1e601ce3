"""Does a name of gold fill the place that was asked for, or does the answer put another there and name gold's in passing?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from showable.read.question_focus import stems
from showable.rubrics.gold_aside import FILLERS, PAST_ASKED, said_otherwise
from showable.rubrics.gold_clauses import VERB, Clause, clauses, content_words, taken_up
from showable.rubrics.gold_match import Match
from showable.rubrics.gold_question import Asked
from showable.rubrics.gold_statements import Statement

_LEAD = re.compile(
    r"\W*(?:(?:and|but|yet|while|whilst|whereas|although|though|so|then|however|therefore|thus|also|instead|indeed|actually|in fact),?\s+)*",
    re.IGNORECASE,
)
_BY = re.compile(r"\bby\s+(?:the\s+)?(?P<name>[^,;.()]{2,60})")
_PRONOUN = re.compile(
    r"\W*(?:it|they|he|she|this|that|these|those|there|which|who|whose|where|we|you|i|his|her|its|their|such|one|some|none|no|nobody|nothing|both|each)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:former\w*|previous\w*|ex|outgoing|until|used to|once|original\w*|initially|predecessor|then|earlier|acting|interim|deputy|vice|assistant|suspected|thought)\b",
    re.IGNORECASE,
)
_TYPE = re.compile(
    r"\b(?:which|what|whose)\s+(?P<type>(?:[\w’'-]+\s+){1,4}?)(?=(?:is|are|was|were|has|have|had|does|do|did|can|could|may|might|must|shall|should|will|would|\w+ed|\w{3,}s)\b)",
    re.IGNORECASE,
)
_WHICH = re.compile(r"\b(?:which|who)\b", re.IGNORECASE)
_DO, _WHERE = (
    re.compile(r"\b(?:do|does|did)\b", re.IGNORECASE),
    re.compile(r"\bwhere\b|\bin (?:what|which)\b", re.IGNORECASE),
)
_IS = re.compile(
    r"\s*(?:(?:has|have|had) been|is|are|was|were|became|remains?|remained|being|[:=–—-])\s*(?P<name>.*)",
    re.IGNORECASE | re.DOTALL,
)
_NOT_A_NAME = re.compile(
    r"\W*(?:in|on|at|of|for|from|to|by|as|with|without|under|after|before|during|until|not|now|also|only|often|\w+ed|\w+ing|set|given|made|held|due|based|available|subject)\b",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"(?<=\s)[A-Z][\w’'&.-]*|\b[A-Z][\w’'&.-]*\s+[A-Z]|\b[A-Z]+\d")
_COUNTED = re.compile(
    r"\W*(?:two|three|four|five|six|seven|eight|nine|ten|several|many|most|all|some|few|both|no|each|every)\b",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:known as|trading as|formerly|i\.e\.|that is|also called|a\.?k\.?a\.?|d/?b/?a|renamed|parent|subsidiary|unit of|division of|part of|led by|run by)\b",
    re.IGNORECASE,
)
_FRAGMENT = re.compile(r"[\s*_]*(?:the\s+)?(?P<name>[^\W_][^,:!?#|]{1,60}?)[\s*_]*[.;]?", re.IGNORECASE)
_MUCH = 0.6
_NAME_WORDS, _SUBJECT_WORDS, _FRAGMENT_WORDS = 8, 3, 5


def asks_which(asked: Asked) -> bool:
    """Tell whether a question asks which of several it is, so that a year or quarter is a name too: "the 2026 notes"."""
    return not asked.numeric and _WHICH.search(asked.text) is not None


def in_its_place(match: Match, gold: str, asked: Asked, answer: Sequence[Statement]) -> Match:
    """Take an agreement back where gold's words stand in the answer, but in another role than the one asked for.

    Where every mention of gold is said to be otherwise (the opposite, second, gone, the former state), or stands in a
    clause without the question's words while another clause gives them another name, it is a disagreement where that
    name is plain, and unknown where it isn't.
    """
    keys = stems(gold) - asked.stems - FILLERS
    if match.agreement != "agrees" or not keys or len(gold.split()) > _NAME_WORDS or asked.yes_no:
        return match
    all_ = list(clauses(answer, asked))
    ours = [c for c in all_ if _names(c, keys)]
    others = [c for c in all_ if not c.words & keys]
    if not ours:
        return match
    fillers = [c for c in others if _candidate(c, gold, asked) is not None]
    aside = [said_otherwise(c, keys, asked) for c in ours]
    if all(aside):
        reason = f"the answer says of {gold.strip()} {aside[0]}"
        open_ = not fillers and any(c.shared & _core(asked) for c in others)
        return _open(gold, match) if open_ else Match("disagrees", reason, _texts(fillers or ours))
    if _HEDGED.search(" ".join(dict.fromkeys(c.statement.text for c in ours))):
        return match
    return _displaced(match, gold, asked, (ours, aside), [*fillers, *_fragment(all_, gold, keys)])


def _displaced(
    match: Match,
    gold: str,
    asked: Asked,
    mentions: tuple[Sequence[Clause], Sequence[str | None]],
    fillers: Sequence[Clause],
) -> Match:
    """Compare each mention of gold with what stands in the place that was asked for."""
    core, keys, ours = _core(asked), stems(gold) - asked.stems - FILLERS, mentions[0]
    before = [f for f in fillers if all(a or _weaker(c, f, keys, asked) for c, a in zip(*mentions, strict=True))]
    if not before:
        return match
    if any(c.shared & core for c in ours):
        return _open(gold, match) if all(len(f.shared & core) >= _MUCH * len(core) for f in before) else match
    return Match("disagrees", f"the answer puts another in the place of {gold.strip()}", _texts(before))


def _open(gold: str, match: Match) -> Match:
    reason = f"the answer names {gold.strip()}, and whether as what was asked for is open"
    return replace(match, agreement="unknown", reason=reason, undecided=True, denied=True)


def _texts(found: Sequence[Clause]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(c.statement.text for c in found))


def _names(clause: Clause, keys: frozenset[str]) -> bool:
    numbered = {k for k in keys if k.isdigit()}
    return bool(clause.words & keys) and (not numbered or bool(numbered & clause.words))


def _core(asked: Asked) -> frozenset[str]:
    """Give the words of the question but for those that say only of what kind the answer is: "which drug", "what court"."""
    kind = _TYPE.search(asked.text)
    return asked.stems - stems(kind["type"]) or asked.stems if kind else asked.stems


def _weaker(ours: Clause, other: Clause, keys: frozenset[str], asked: Asked) -> bool:
    """Tell whether a clause on gold has less of the question than another one, and something else to say of gold."""
    core = _core(asked)
    mine, theirs = ours.shared & core, other.shared & core
    if VERB.search(ours.text) is None and (ours.opens or not ours.words - keys - ours.shared - FILLERS):
        return False
    if not theirs:  # the bare name that the answer begins with
        return not mine
    return len(theirs - mine) > len(mine - theirs)


def _fragment(found: Sequence[Clause], gold: str, keys: frozenset[str]) -> list[Clause]:
    """Give the first clause where it is a bare name, which is then the answer: "Siemens. It competes with Medtronic."."""
    first = found[0]
    alone = len(found) > 1 and (found[1].statement is not first.statement or found[1].text[:1] == ";")
    bare = _FRAGMENT.fullmatch(first.text)
    if not alone or bare is None or first.shared or first.words & keys or not first.text[:1].strip():
        return []
    name = bare["name"]
    is_name = len(name.split()) <= _FRAGMENT_WORDS and all(
        w[:1].isupper() for w in name.split() if len(w) > _SUBJECT_WORDS
    )
    return [first] if is_name and _is_name(gold) and not _COUNTED.match(name) else []


def _candidate(clause: Clause, gold: str, asked: Asked) -> str | None:
    """Give what stands in the place asked for: the subject before the question's words, or what follows them."""
    if _PAST.search(clause.text) and not PAST_ASKED.search(asked.text):
        return None
    text = clause.text[len(_LEAD.match(clause.text)[0]) :]  # type: ignore[index]
    core = _core(asked)
    taken = [(a, b) for a, b in content_words(text) if taken_up(text[a:b], asked) & core]
    if not taken:
        return None
    by = _BY.search(text, taken[0][1])
    if by:
        return by["name"] if _is_alike(by["name"], gold, asked) else None
    subject, rest = text[: taken[0][0]], text[taken[-1][1] :]
    objects = _DO.search(asked.text) or _WHERE.search(asked.text)
    if _PRONOUN.match(subject) and not objects:
        return None
    if not objects and _is_alike(subject, gold, asked):
        return subject
    return _complement(rest, gold, asked, objects=bool(objects))


def _complement(rest: str, gold: str, asked: Asked, *, objects: bool) -> str | None:
    """Give what is said to be the thing asked for, after "is" or a colon, or what a verb of the question acts on."""
    is_ = _IS.fullmatch(rest)
    name = is_["name"] if is_ else rest if objects else ""
    if not name or (_NOT_A_NAME.match(name) and not _WHERE.search(asked.text)):
        return None
    return name if _is_alike(f" {name}", gold, asked) else None


def _is_alike(place: str, gold: str, asked: Asked) -> bool:
    """Tell whether what stands in a place may be an answer of gold's kind: another name for a name."""
    if not stems(place) - asked.stems - FILLERS or _COUNTED.match(place):
        return False
    short = len(place.split()) <= _SUBJECT_WORDS and place.strip()[:1].isupper()
    return not _is_name(gold) or short or _CAPITAL.search(place) is not None


def _is_name(gold: str) -> bool:
    return all(w[:1].isupper() or w[:1].isdigit() for w in re.findall(r"[^\W_]{4,}", gold))
