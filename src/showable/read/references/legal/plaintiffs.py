"""Which words before a ``v.`` are the plaintiff's name: a walk back, word by word, until one that cannot be part of it."""

from __future__ import annotations

import re

from showable.read.references.legal import name_words as words_of
from showable.records.regex import regex

_MOST_WORDS = 30
_INITIALS = regex(r"[\"'(\[]*(?:[A-Z]\.)+(?:[A-Z]\.?)?,?|[A-Za-z]{1,3}\.[A-Za-z.]*|[\w'-]*'[a-z]{1,3}\.?")
_VERSUS_WORD = regex(r"(?:v|vs)\.?", re.IGNORECASE)
_PREPOSITIONS = frozenset("in on by to at with from upon as".split())  # noqa: SIM905 - a list of words reads best as words
_JOINING = frozenset({"and", "or", "with", "to", "&", "from"})
BARE = regex(r"^[\"'(\[]+|[\"')\],.;:]+$")
WORD = regex(r"\S+")
_SENTENCE_ENDS = frozenset({"act.", "id.", "law.", "tax."})
"""Short words that end with a stop because a sentence does."""


def plaintiff_start(before: str, end: int) -> int | None:
    """Walk back from the ``v.`` over the words of a name; give where it begins."""
    words = list(WORD.finditer(before, 0, end))[-_MOST_WORDS:]
    taken: list[re.Match[str]] = []
    depth, stopped_at_versus = 0, False
    for word in reversed(words):
        said = word[0]
        depth += said.count(")") - said.count("(")
        if depth > 0:
            taken.append(word)
            continue
        if depth < 0 or not _belongs(said, taken):
            stopped_at_versus = _VERSUS_WORD.fullmatch(said) is not None
            if depth < 0 and "(" in said and BARE.sub("", said)[:1].isupper():
                taken.append(word)
            break
        taken.append(word)
        if said[0] in '["' and said.count('"') != len('""'):
            break
    taken.reverse()
    kept = _without_leads(taken, after_versus=stopped_at_versus)
    if not kept:
        return None
    first = kept[0]
    return first.start() + len(first[0]) - len(first[0].lstrip('(["*'))


def _belongs(said: str, taken: list[re.Match[str]]) -> bool:
    """Check whether a word goes on with the name to its right, of which `taken` was read (the nearest last)."""
    bare = BARE.sub("", said)
    if said == "&" or not bare:
        return said == "&"
    if _ends_before(said) or (not taken and said.endswith(",") and said.lower().strip(",") not in words_of.SUFFIXES):
        return False
    if taken and _begins_after(said, taken):
        return False
    if bare[:1].islower():
        return bare in words_of.CONNECTORS or said in words_of.CONNECTORS or is_odd(bare)
    return bare[:1].isupper() or bare[:1].isdigit() or bare[:1] in "$#@"


def _ends_before(said: str) -> bool:
    """Check whether a word ends what stands before a name: another ``v.``, a clause, a quotation."""
    closes = said[-1] in "\"'" and said[0] not in "\"'"
    return said[-1] in ";:?!—|" or "..." in said or _VERSUS_WORD.fullmatch(said) is not None or closes


def _begins_after(said: str, taken: list[re.Match[str]]) -> bool:
    """Check whether the words read so far begin a sentence or a clause of their own, after this one."""
    following, lowered = taken[-1][0], said.lower()
    suffix = following.lower().strip(",") in words_of.SUFFIXES
    if lowered in words_of.ENDS_OF_NAMES:
        return not (suffix or following[:1].islower() or following[:1] in "&(")
    if said.endswith(","):
        listed = following in {"&", "and", "by", "ex", "as", "on"} or " & " in " ".join(word[0] for word in taken)
        return not (suffix or listed) or not (
            BARE.sub("", said)[:1].isupper() or lowered.strip(",") in words_of.SUFFIXES
        )
    if said.endswith(".") and not following[:1].islower():
        return not (is_abbreviation(said) or lowered.strip(".,") in words_of.CONNECTORS)
    return False


def _without_leads(taken: list[re.Match[str]], *, after_versus: bool) -> list[re.Match[str]]:
    """Drop what stands before the name: signals, prepositions, ``The Court in``."""
    kept = taken
    for at in range(len(kept) - 1, 0, -1):
        word = kept[at][0]
        before = BARE.sub("", kept[at - 1][0]).lower()
        if (word in _PREPOSITIONS and (before in words_of.GENERIC or before in words_of.LEADS)) or (
            after_versus and word in _JOINING
        ):
            kept = kept[at + 1 :]
            break
    while kept and _is_lead(kept):
        kept = kept[1:]
    return kept


def _is_lead(kept: list[re.Match[str]]) -> bool:
    bare = BARE.sub("", kept[0][0])
    lowered = bare.lower().rstrip(".")
    following = BARE.sub("", kept[1][0]).lower() if len(kept) > 1 else ""
    if len(kept) == 1:
        return bare in words_of.CONNECTORS or lowered in words_of.LEADS - {"case", "first", "last", "example"}
    if bare in {"In", "in", "IN", "Ex", "EX"} and following in {"re", "parte", "the"}:
        return following == "the" and BARE.sub("", kept[2][0] if len(kept) > len("in") else "").lower() not in {
            "matter",
            "interest",
            "estate",
            "marriage",
        }
    if lowered in words_of.KEPT_LEADS and bare[:1].isupper():
        return (
            not following.startswith(words_of.KEPT_LEADS[lowered])
            if words_of.KEPT_LEADS[lowered]
            else lowered not in {"the", "third", "next"}
        )
    return (
        lowered in words_of.LEADS
        or (bare[:1].islower() and bare in words_of.CONNECTORS and not is_odd(bare))
        or not bare
    )


def is_abbreviation(word: str, *, alone: bool = False) -> bool:
    """Check whether a word that ends with a stop can stand within a name; `alone` is the first word of a party."""
    bare = word.lstrip("\"'([")
    return bare.lower() not in _SENTENCE_ENDS and (
        _INITIALS.fullmatch(bare) is not None
        or bare.lower().rstrip(",") in words_of.ABBREVIATIONS
        or (alone and len(bare) <= len("Univs."))
        or ("'" in bare and bare.endswith("."))
    )


def is_odd(word: str) -> bool:
    """Check whether a word is a name without a capital: ``eBay``, ``iRobot``, ``d'Ivoire``; ``'n`` where a PDF broke ``Comm'n``."""
    return any(char.isupper() for char in word[1:]) or "'" in word[:3] or word in {"n", "s", "t", "l", "g"}
