"""Who did it to whom: `A founded B` turned to `B founded A` (wrong) and `B was founded by A` (right)."""

from __future__ import annotations

import random
import re

from edits.example import Change, Scope
from edits.surface import stopped, upper_first
from edits.verb_forms import FORMS, ONLY_PAST, PAST_TO_BASE

# Verbs that either side may be the subject of, so that the wrong claim still reads as one somebody could make.
_EITHER = frozenset(
    [
        "accepted",
        "accused",
        "acquired",
        "admired",
        "appointed",
        "approached",
        "arrested",
        "asked",
        "assisted",
        "attacked",
        "banned",
        "beat",
        "betrayed",
        "blamed",
        "bought",
        "captured",
        "challenged",
        "conquered",
        "contacted",
        "controlled",
        "covered",
        "criticized",
        "defeated",
        "defended",
        "dominated",
        "driven",
        "employed",
        "encouraged",
        "established",
        "executed",
        "financed",
        "followed",
        "formed",
        "founded",
        "funded",
        "governed",
        "helped",
        "hired",
        "influenced",
        "informed",
        "inspired",
        "introduced",
        "invaded",
        "invited",
        "joined",
        "killed",
        "led",
        "murdered",
        "nominated",
        "opposed",
        "overtook",
        "owned",
        "persuaded",
        "praised",
        "preceded",
        "promoted",
        "protected",
        "purchased",
        "recognized",
        "recruited",
        "rejected",
        "replaced",
        "represented",
        "rescued",
        "ruled",
        "selected",
        "sold",
        "sponsored",
        "succeeded",
        "sued",
        "supported",
        "surrounded",
        "taught",
        "threatened",
        "trained",
        "visited",
        "warned",
        "saw",
        "saved",
        "elected",
        "trapped",
        "informed",
        "notified",
        "invited",
        "joined",
    ]
)
# Makers and what they made: of use only where both have names.
_MADE = frozenset(
    [
        "built",
        "commissioned",
        "composed",
        "created",
        "described",
        "designed",
        "developed",
        "directed",
        "discovered",
        "distributed",
        "edited",
        "filmed",
        "funded",
        "managed",
        "owned",
        "painted",
        "performed",
        "produced",
        "promoted",
        "published",
        "recorded",
        "released",
        "sang",
        "wrote",
        "won",
        "hosted",
        "voiced",
        "narrated",
    ]
)
_NAME = r"(?:[Tt]he )?[A-Z][\w.’-]+(?: (?:(?:of|de|van|von) )?[A-Z][\w.’-]+){0,3}"
_AGENTS = (
    "company|firm|government|army|king|queen|club|team|band|group|court|council|police|union|church|parliament|party|president|committee|"
    "board|university|bank|emperor|bishop|pope|man|woman|boy|girl|father|mother|doctor|teacher|student|manager|director|coach|captain|"
    "minister|senate|senator|mayor|governor|general|soldiers?|troops|rebels|crowd|workers|employees|employer|agency|association|league|"
    "department|ministry|commission|judge|lawyer|owner|prince|princess|duke|players?|students|officers?|singer|actor|author|publisher"
)
_THING = rf"(?:[Tt]he|[Aa]n?) (?:[a-z]+ )?(?:{_AGENTS})"
_LEAD = r"^(?P<lead>(?:In|By|On|During|After) [^,]{3,40}, )?"
_REST = (
    r"(?P<rest>(?: (?:in|on|at|during|after|before|from|for|with|to|until|as|near|following|over) [^,;:\"]+?)?)"
    r"(?P<tail>(?:, | and | but |; )[^\"]+)?\.$"
)
_ACTIVE = re.compile(rf"{_LEAD}(?P<a>{_NAME}|{_THING}) (?P<verb>[a-z]+) (?P<b>{_NAME}|{_THING}){_REST}")
_PASSIVE = re.compile(
    rf"{_LEAD}(?P<a>{_NAME}|{_THING}) (?P<be>was|is|were|are) (?:(?P<how>[a-z]+ly) )?(?P<verb>[a-z]+) by (?P<b>{_NAME}|{_THING}){_REST}"
)
_PLURAL = re.compile(r"(?:[a-z]{2,}(?<!s)(?<!u)(?<!i)s|men|women|people|children|police)$")
_NO_PARTY = re.compile(
    r"^(?:Though|Although|While|When|As|But|And|After|Before|In|If|Since|So)\b|\b(?:He|She|It|They|This|That|These|Those|There|We|Who|What|Each|Both|Some|All|Many|Others|Cup|Awards?|Prize|Championships?|"
    r"Medal|title|Title|League|Oscar|Grammy|election|way|lot|number|\w+ly|[Ff]irst|[Ss]econd|following|same|one|year|time|war|War|day|"
    r"January|February|March|April|May|June|July|August|September|October|November|December|use|need|fact|that|which|also|most|was|were|is|had|has|have|would|will|to|and|or)\b"
)
_PARTICIPLES = {participle: base for base, (_, participle) in FORMS.items()}


def _low(name: str) -> str:
    return name[0].lower() + name[1:] if re.match(r"(?:The|An?) ", name) else name


def changes(sentence: str, scope: Scope, rng: random.Random) -> list[Change]:
    """Give the sentence with subject and object changed over, and the passive or active that says the same."""
    del scope, rng
    m = _PASSIVE.match(sentence)
    if m and _parties(m) and _may(m, _past(m["verb"])):
        return _from_passive(m)
    m = _ACTIVE.match(sentence)
    return _from_active(m) if m and _may(m, m["verb"]) and _parties(m) else []


def _may(m: re.Match[str], verb: str) -> bool:
    named = all(
        re.match(r"(?:[Tt]he )?[A-Z]", m[side]) and not re.match(r"(?:The|An?) [a-z]", m[side]) for side in "ab"
    )
    return verb in _EITHER or (named and verb in _MADE)


def _past(participle: str) -> str:
    base = _PARTICIPLES.get(participle)
    return FORMS[base][0] if base else participle


def _parties(m: re.Match[str]) -> bool:
    a, b = m["a"], m["b"]
    shared = {w.lower() for w in a.split()} & {w.lower() for w in b.split()} - {"the", "of", "a", "an"}
    alike = a[0].isupper() == b[0].isupper() or bool(re.match(r"(?:The|An?) [a-z]", a))
    pronoun = re.search(r"\b(?:his|her|its|their|he|she|it|they|himself|itself)\b", m["rest"])
    return not shared and alike and not _NO_PARTY.search(a) and not _NO_PARTY.search(b) and not pronoun


def _be(name: str, *, past: bool = True) -> str:
    plural = bool(_PLURAL.search(name)) and not re.match(r"(?:[Tt]he )?(?:United States|Netherlands|Philippines)", name)
    return ("were" if plural else "was") if past else ("are" if plural else "is")


def _from_active(m: re.Match[str]) -> list[Change]:
    lead, a, b, rest, whole = m["lead"] or "", m["a"], m["b"], m["rest"], not m["tail"]
    base = PAST_TO_BASE.get(m["verb"])
    participle = FORMS[base][1] if base else m["verb"]
    if base is None and m["verb"] in ONLY_PAST:
        return []
    found = [
        Change(_close(f"{lead}{_low(b)} {m['verb']} {_low(a)}{rest}"), "role"),
        Change(_close(f"{lead}{_low(a)} {_be(a)} {participle} by {_low(b)}{rest}"), "role"),
    ]
    # As the passage, the passive stands in for the sentence only when nothing was cut from it.
    passive = f"{lead}{_low(b)} {_be(b)} {participle} by {_low(a)}{rest}"
    return [*found, Change(_close(passive), "role", onward=True, back=True if whole else None)]


def _from_passive(m: re.Match[str]) -> list[Change]:
    lead, a, b, rest, whole = m["lead"] or "", m["a"], m["b"], m["rest"], not m["tail"]
    how = f"{m['how']} " if m["how"] else ""
    past = m["be"] in ("was", "were")
    found = [Change(_close(f"{lead}{_low(b)} {_be(b, past=past)} {how}{m['verb']} by {_low(a)}{rest}"), "role")]
    if past:
        verb = how + _past(m["verb"])
        active = f"{lead}{_low(b)} {verb} {_low(a)}{rest}"
        found.append(Change(_close(active), "role", onward=True, back=True if whole else None))
        found.append(Change(_close(f"{lead}{_low(a)} {verb} {_low(b)}{rest}"), "role"))
    return found


def _close(text: str) -> str:
    return stopped(upper_first(text))
