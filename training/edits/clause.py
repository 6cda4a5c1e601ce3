"""Clauses that a sentence entails: without its asides, one of two joined, an apposition told as a sentence."""

from __future__ import annotations

import random
import re

from edits.surface import stopped, tidy, upper_first

_ASIDE = re.compile(r" \((?![^)]*\b(?:not|except|excluding)\b)[^()]{2,120}\)")
_WHICH = re.compile(r", (?:which|who|where|whose|whom|during which|in which|of which|some of which)\b[^;:()\"]*\.$")
_WHICH_INSIDE = re.compile(
    r", (?:which|who|where|whose)\b [^,;:()\"]{5,80}, (?=(?:is|was|are|were|has|had|have|can|will|would|became|also|[a-z]+ed)\b)"
)
_PARTICIPLE = re.compile(
    r", (?:including|such as|making|leading|resulting|causing|although|though|while|whereas|but|thus|thereby) [^;:()\"]*\.$"
)
_NOUN = r"(?:the|a|an|his|her|its|their|this|these|all|both|many|some|[A-Z][a-z]+)"
_JOINED = re.compile(
    r"^(?P<one>(?!(?:If|When|While|Although|As|Because|Since|After|Before|Unless|Despite|Both|Not)\b)[^;:()\"]{25,}?),? (?P<join>and|but|while|whereas) "
    r"(?P<two>(?:the|a|an|his|its|their|this|these|[A-Z][a-z]+)(?: [\w'-]+){0,4} (?:is|was|are|were|has|had|can|could|will|would|became|began|made|took|won|lost|led|held|rose|fell)\b[^;:()\"]{12,})\.$"
)
_FINITE = re.compile(
    r"\b(?:is|was|are|were|has|had|have|can|could|will|would|became|began|made|took|won|lost|led|held|rose|fell|does|did|may|must|[a-z]{3,}ed|includes?|contains?|remains?)\b"
)
_NAMES = r"[A-Z][\w.'’-]+(?: (?:(?:of|de|van|von|the) )?[A-Z][\w.'’-]+){0,3}"
_APPOSITION = re.compile(
    rf"^(?P<name>{_NAMES}), (?P<what>(?:a|an|the) [^,;:()\"]{{6,70}}), (?=(?:is|was|has|had|became|[a-z]+ed|won|led|took|made|said|wrote|found)\b)(?P<rest>.*)\.$"
)
_BORN = re.compile(r"\b(?:and|or)\b")


def asides_dropped(sentence: str, rng: random.Random) -> str:
    """Drop a bracket, a trailing relative clause or a trailing apposition, as chance has it."""
    text = sentence
    if rng.random() < 0.8:
        text = _ASIDE.sub("", text)
    for pattern in (_WHICH, _PARTICIPLE):
        cut = pattern.search(text)
        if cut and len(text[: cut.start()].split()) >= 6 and rng.random() < 0.7 and _safe_head(text[: cut.start()]):
            text = stopped(text[: cut.start()])
    inside = _WHICH_INSIDE.search(text)
    if inside and rng.random() < 0.7:
        text = text[: inside.start()] + " " + text[inside.end() :]
    return tidy(text)


def core(sentence: str) -> str:
    """Drop every aside that `asides_dropped` may drop: an edit still seen here is seen in any shorter telling."""
    text = _ASIDE.sub("", sentence)
    for pattern in (_WHICH, _PARTICIPLE):
        cut = pattern.search(text)
        text = text[: cut.start()] if cut else text
    return tidy(_WHICH_INSIDE.sub(" ", text))


def _safe_head(head: str) -> bool:
    """A cut tail must not be one of a row of commas, and the head must stand as a sentence."""
    opened = re.match(
        r"(?:If|When|While|Although|As|Because|Since|After|Before|Unless|Despite|In|On|At|During|For|With|From|Under|Though|Not|To|By|Upon|Like|Unlike)\b",
        head,
    )
    tail = re.search(r"\b(?:not|no|only|if|unless|rather|either|neither|nor)\b", head)
    return bool(_FINITE.search(head)) and not tail and (not opened or "," in head) and head.count('"') % 2 == 0


def halves(sentence: str) -> tuple[str, str] | None:
    """Split `X, and Y` into its two full clauses; None where either may not stand alone."""
    m = _JOINED.match(sentence)
    if not m or not _FINITE.search(m["one"]) or len(m["one"].split()) < 5 or len(m["two"].split()) < 5:
        return None
    one, two = m["one"], m["two"]
    if m["join"] == "and" and ("," not in sentence[m.end("one") : m.end("one") + 1]):
        return None
    if re.search(
        r"\b(?:that|which|who|whose|where|if|whether|not|no|never|both|between|either|neither|said|believed|believe|argued|claimed|because|when|to|such|than)\b",
        one,
    ):
        return None
    if (
        re.match(r"(?:his|its|their|this|these)\b", two)
        or one.count(",") > 2
        or re.search(r"\b(?:and|but)\s\w+\s\w*$", one)
    ):
        return None
    return stopped(upper_first(one)), stopped(upper_first(two))


def apposition(sentence: str) -> tuple[str, str, str] | None:
    """Read `Name, a thing, did X` into (`Name is a thing.`, `Name did X.`, name); the tense follows the sentence."""
    m = _APPOSITION.match(sentence)
    if not m or _BORN.search(m["what"]) or re.search(r"\b(?:which|who|where|born)\b", m["what"]):
        return None
    if re.match(rf"(?:the|a|an) {_NAMES}$", m["what"]):
        return None
    present = re.match(r"(?:is|has|are)\b", m["rest"])
    return f"{m['name']} {'is' if present else 'was'} {m['what']}.", f"{m['name']} {m['rest']}.", m["name"]
