"""Modality: what may be told as what is, what is tried told as done."""

from __future__ import annotations

import random
import re

from edits.example import Change, Scope
from edits.surface import put, tidy
from edits.verb_forms import FORMS

_NEGATION = re.compile(r"\b(?:not|no|never|neither|nor|if|whether|unless|without)\b|n['’]t\b", re.IGNORECASE)
_MAY = re.compile(r"(?<=[a-z] )(?:may|might)(?= (?:also )?(?!have|well)[a-z]{2,})")
_CAN = re.compile(
    r"(?<=[a-z] )can(?= (?:only )?(?:be|have|cause|lead|result|reduce|increase|make|take|produce|affect|improve|provide|become)\b)"
)
_SHOULD = re.compile(r"(?<=[a-z] )should(?= (?:be|have|include|provide|use|make|take|not be)\b)")
_THOUGHT = re.compile(
    r"\b(?P<be>is|are) (?:believed|thought|said|reported|alleged|expected|claimed|considered|rumored|presumed) to be\b"
)
_THOUGHT_PAST = re.compile(
    r"\b(?P<be>is|are|was|were) (?:believed|thought|said|reported|alleged|claimed|rumored|presumed) to have (?P<verb>been|\w+ed)\b"
)
_SEEMS = re.compile(r"\b(?:(?P<one>appears|seems)|(?P<many>appear|seem)|(?P<past>appeared|seemed)) to be\b")
_DROPPED = re.compile(
    r"(?<=[a-z] )(?:reportedly|allegedly|possibly|probably|presumably|supposedly|purportedly|perhaps)(?= [a-z])"
)
_TRIED = re.compile(
    r"\b(?:attempted|tried|wanted|hoped|planned|intended|sought|wished|was expected|was supposed|were expected|offered|threatened|promised|was invited|was asked) to (?P<verb>[a-z]+)\b"
)
_FUTURE = re.compile(r"\b(?:plans|hopes|intends|wants|aims|is expected|is likely|is scheduled) to (?P<verb>[a-z]+)\b")
_SUGGESTS = re.compile(r"\b(?P<verb>suggests|suggested|suggest)(?= that\b)")
_LIKELY = re.compile(r"\b(?:likely|expected)(?= to\b)")


def changes(sentence: str, scope: Scope, rng: random.Random) -> list[Change]:
    """Give a sentence that says more than the original does; the way back is left open."""
    del scope
    if _NEGATION.search(sentence):
        return []
    found = [*_stronger_verb(sentence, rng), *_as_fact(sentence)]
    found = [text for text in found if text != sentence]
    return [Change(text, "modality", onward=False, back=None) for text in rng.sample(found, min(1, len(found)))]


def _stronger_verb(sentence: str, rng: random.Random) -> list[str]:
    rules = ((_MAY, ("will", "must")), (_CAN, ("must", "will always")), (_SHOULD, ("must",)), (_LIKELY, ("certain",)))
    found = [put(sentence, *m.span(), rng.choice(new)) for pattern, new in rules for m in pattern.finditer(sentence)]
    proof = {"suggests": "proves", "suggested": "proved", "suggest": "prove"}
    found += [put(sentence, *m.span(), proof[m["verb"]]) for m in _SUGGESTS.finditer(sentence)]
    return [re.sub(r"\b(will|must) also be\b", r"\1 also be", text) for text in found]


def _as_fact(sentence: str) -> list[str]:
    found = [put(sentence, *m.span(), m["be"]) for m in _THOUGHT.finditer(sentence)]
    for m in _THOUGHT_PAST.finditer(sentence):
        plural = m["be"] in ("are", "were")
        new = ("were" if plural else "was") if m["verb"] == "been" else m["verb"]
        found.append(put(sentence, *m.span(), new))
    found += [
        put(sentence, *m.span(), "is" if m["one"] else "are")
        for m in _SEEMS.finditer(sentence)
        if m["one"] or m["many"]
    ]
    found += [tidy(sentence[: m.start()] + sentence[m.end() :]) for m in _DROPPED.finditer(sentence)]
    for m in _TRIED.finditer(sentence):
        if m["verb"] in FORMS and not re.search(
            r"\b(?:who|that|which|had|have|has|be|been|is|are|was|were|and|,)\s$", sentence[: m.start()]
        ):
            found.append(put(sentence, *m.span(), FORMS[m["verb"]][0]))
    found += [put(sentence, *m.span(), f"will {m['verb']}") for m in _FUTURE.finditer(sentence)]
    return found
