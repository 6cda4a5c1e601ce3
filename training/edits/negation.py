"""Negation: `not` put in after an auxiliary or with do-support, or taken out."""

from __future__ import annotations

import random
import re

from edits.example import Change, Scope
from edits.surface import put, tidy
from edits.verb_forms import FORMS, ONLY_PAST, PAST_TO_BASE, THIRD_TO_BASE, third

_NEGATED = re.compile(
    r"\b(?:not|no|never|none|nor|neither|nothing|nobody|without|hardly|rarely|seldom|few|little|unless|only|barely|either|cannot)\b|n['’]t\b",
    re.IGNORECASE,
)
_QUANTIFIED = re.compile(
    r"^(?:[Ss]ome|[Mm]ost|[Mm]any|[Ff]ew|[Ss]everal|[Aa]ll|[Ee]very|[Ee]ach|[Bb]oth|[Mm]uch|Half|One|Another|Others)\b"
)
_AUX = re.compile(
    r"\b(is|are|was|were|has been|have been|had been|can|could|will|would|should|may|might|must|shall)\b(?! (?:also|still|already|now|then|often|not|only|even|therefore|thus|perhaps|just|once|both|later|usually|generally|,))"
)
_HAVE = re.compile(
    r"\b(has|have|had)\b(?= (?:\w+ed|become|made|taken|given|shown|found|won|held|led|seen|begun|grown|written|built)\b)"
)
_OPENER = re.compile(
    r"^(?:When|If|While|Although|Though|As|Since|Because|After|Before|Where|Once|Until|Unless|Despite|Whether|What|How|Who|That|In order|Given|Whereas|Even|Not|Only|By|With|To|For)\b"
)
_SUBJECT_STOP = re.compile(
    r"\b(?:that|which|who|whose|whom|where|when|if|because|while|what|how|than|said|says)\b|[;:\"“(]"
)
_OBJECT = re.compile(r"\s(?:the|a|an|his|her|its|their|that|to|about|in|at|on|from|as|for|over|[A-Z][a-z]+|\d)\b")
_REGULAR_OBJECT = re.compile(r"\s(?:the|a|an|his|her|its|their|that)\s")
_REMOVE = re.compile(
    r"\b(?P<aux>is|are|was|were|has|have|had|can|could|will|would|should|may|might|must|shall) not\b(?! (?:only|until|just|yet|merely|always|necessarily|even|all|every))|\b(?P<cannot>cannot)\b|\b(?P<do>does|did|do) not (?P<verb>[a-z]+)\b"
)
_LEFTOVER = re.compile(
    r"\b(?:any|either|yet|until|but|nor|anything|anyone|ever|at all|instead|rather|because|much|even|never|though)\b"
)


def changes(sentence: str, scope: Scope, rng: random.Random) -> list[Change]:
    """Give a sentence whose main clause says the opposite."""
    del scope, rng
    text = _removed(sentence) or _inserted(sentence)
    return [Change(text, "negation")] if text else []


def _removed(sentence: str) -> str | None:
    found = list(_REMOVE.finditer(sentence))
    if len(found) != 1 or len(_NEGATED.findall(sentence)) != 1 or _LEFTOVER.search(sentence):
        return None
    m = found[0]
    if m["aux"]:
        return put(sentence, m.start(), m.end(), m["aux"])
    if m["cannot"]:
        return put(sentence, m.start(), m.end(), "can")
    base = m["verb"]
    if base not in FORMS:
        return None
    new = {"did": FORMS[base][0], "does": third(base), "do": base}[m["do"]]
    return put(sentence, m.start(), m.end(), new)


def _inserted(sentence: str) -> str | None:
    if _NEGATED.search(sentence) or _OPENER.match(sentence) or _QUANTIFIED.match(sentence):
        return None
    aux = min((m for p in (_AUX, _HAVE) for m in [p.search(sentence)] if m), key=lambda m: m.start(), default=None)
    if aux and _plain_subject(sentence[: aux.start()]):
        verb = aux[0].split()[0]
        rest = sentence[aux.start() + len(verb) :]
        return tidy(f"{sentence[: aux.start()]}{verb} not{rest}")
    return _supported(sentence, aux.start() if aux else len(sentence))


def _plain_subject(subject: str) -> bool:
    words = subject.split()
    body = subject
    if "," in subject:
        lead, body = subject.split(",", 1)
        if "," in body or not re.match(r"(?:In|On|At|During|From|By) ", lead):
            return False
    if any(w in ONLY_PAST or w in PAST_TO_BASE for w in words[1:]) or re.search(r"\b(?:and|or)\b.*\b(?:to|by)\b", body):
        return False
    return 0 < len(words) <= 12 and not _SUBJECT_STOP.search(subject)


def _supported(sentence: str, limit: int) -> str | None:
    for m in re.finditer(r"(?<=\s)[a-z]+\b", sentence[:limit]):
        word = m[0]
        base, do = (PAST_TO_BASE.get(word), "did") if word in PAST_TO_BASE else (THIRD_TO_BASE.get(word), "does")
        if base is None:
            continue
        needed = _OBJECT if word in ONLY_PAST else _REGULAR_OBJECT
        before = sentence[: m.start()].rstrip()
        if not _plain_subject(before) or "," in before or not needed.match(sentence[m.end() :]):
            return None
        if do == "does" and not re.search(r"(?:[A-Z]\w+|[a-z]{3,}[^s])$", before):
            return None
        if re.search(
            r"\b(?:the|a|an|of|to|and|or|for|in|by|its|their|his|has|have|had|[a-z]+ly)$", before, re.IGNORECASE
        ):
            return None
        return f"{sentence[: m.start()]}{do} not {base}{sentence[m.end() :]}"
    return None
