"""Quantifiers: some, most, all, many, few, only, at least, at most, and adverbs of frequency."""

from __future__ import annotations

import random
import re

from edits.example import Change, Scope
from edits.surface import put

_DOWNWARD = re.compile(
    r"\b(?:not|no|never|if|without|unless|than|before|few|hardly|rarely|whether|neither|none|only|cannot|fewer)\b|n['’]t\b",
    re.IGNORECASE,
)
_PLURAL = r"(?= (?:of (?:the|these|those|its|his|their)|(?:the )?(?:[a-z-]+ ){0,1}(?!(?:years|times|days|hours|months|ways|us|this|is|was|has)\b)[a-z]{3,}(?<!ou)(?<!s)(?<!u)(?<!i)s)\b)"

# pattern, what may stand instead, original entails it, it entails the original
_Rule = tuple[re.Pattern[str], tuple[str, ...], bool | None, bool | None]
_RULES: list[_Rule] = [
    (
        re.compile(
            r"(?<!\bat )(?<!\babove )(?<!\bafter )(?<!\bany and )(?<!\bamong )(?<!\band )(?<!\bfirst of )(?<!\bof )(?<!\bare )(?<!\bwere )(?<!\bthey )\b[Aa]ll"
            + _PLURAL
        ),
        ("some", "many", "most"),
        True,
        False,
    ),
    (
        re.compile(
            r"(?<!\bany and )(?<!\bof )(?<!\bthan )(?<!\bamong )(?<!\bat )(?<!\babove )\b[Aa]ll"
            + _PLURAL.replace("of (?:the|these|those|its|his|their)|", "")
        ),
        ("no",),
        False,
        False,
    ),
    (
        re.compile(
            r"(?:^|(?<=\b(?:of|in|by|to) )|(?<=, )|(?<=\b(?:for|and|but) )|(?<=\b(?:that|with|from) )|(?<=\bwhile ))[Mm]ost"
            + _PLURAL
        ),
        ("all",),
        False,
        True,
    ),
    (
        re.compile(
            r"(?:^|(?<=\b(?:of|in|by|to) )|(?<=, )|(?<=\b(?:for|and|but) )|(?<=\b(?:that|with|from) )|(?<=\bwhile ))[Mm]ost"
            + _PLURAL
        ),
        ("some",),
        True,
        False,
    ),
    (
        re.compile(r"(?:^|(?<=\b(?:of|in|by|to) )|(?<=, )|(?<=\b(?:that|with|from) ))[Mm]ost" + _PLURAL),
        ("few",),
        False,
        False,
    ),
    (re.compile(r"\b[Ss]ome" + _PLURAL), ("most", "all"), False, True),
    (re.compile(r"(?<!\bthe )(?<!\bhow )(?<!\bas )(?<!\bso )\b[Mm]any" + _PLURAL), ("few",), False, False),
    (re.compile(r"(?<!\bthe )(?<!\bhow )(?<!\bas )(?<!\bso )\b[Mm]any" + _PLURAL), ("all",), False, None),
    (re.compile(r"(?<!\bthe )(?<!\bhow )(?<!\bas )(?<!\bso )\b[Mm]any" + _PLURAL), ("some",), True, False),
    (re.compile(r"\b[Ss]everal(?= of (?:the|these|its|his|their))"), ("all", "most", "none"), False, None),
    (re.compile(r"\b[Aa]t least(?= (?:\d|two|three|four|five|six|ten|one))"), ("at most", "exactly"), False, None),
    (re.compile(r"\b[Uu]p to(?= (?:\d+(?:,\d+)*(?:\.\d+)?%? (?!of)|\$))"), ("at least", "more than"), False, None),
    (re.compile(r"\b[Mm]ore than(?= (?:\d|half|two|three|a million|one))"), ("fewer than", "exactly"), False, None),
    (
        re.compile(r"\b[Oo]ver(?= (?:\d[\d,.]* (?:[a-z]+s|people|million|percent)|half of))"),
        ("fewer than",),
        False,
        None,
    ),
    (
        re.compile(
            r"(?<!\bmost )(?<!\bmore )(?<!\bvery )(?<!\bso )\b(?:usually|often|generally|typically|sometimes|frequently|normally)\b(?! (?:known|called|referred))",
            re.IGNORECASE,
        ),
        ("always",),
        False,
        None,
    ),
    (
        re.compile(
            r"(?<!\bmost )(?<!\bmore )(?<!\bvery )(?<!\bso )\b(?:usually|often|generally|typically|frequently|commonly)\b(?! (?:known|called|referred))",
            re.IGNORECASE,
        ),
        ("rarely", "never"),
        False,
        False,
    ),
    (re.compile(r"\b[Aa]lways\b"), ("often", "sometimes"), True, False),
    (re.compile(r"\b[Aa]lways\b"), ("rarely", "never"), False, False),
    (re.compile(r"\b(?:rarely|seldom)\b", re.IGNORECASE), ("often", "always"), False, False),
    (re.compile(r"(?<=\b(?:has|was) )only(?= (?:one|two|three|a)\b)"), ("at least",), None, False),
    (re.compile(r"\b[Mm]ost(?= of the\b)"), ("all", "none"), False, None),
    (re.compile(r"\b[Aa]lmost all\b|\b[Nn]early all\b"), ("all",), False, None),
    (re.compile(r"\b[Ff]ew" + _PLURAL + r"(?<!a few)"), ("many",), False, False),
    (re.compile(r"\b(?<!the )majority of\b"), ("minority of",), False, False),
    (
        re.compile(r"\b[Oo]ne of (?=the (?:first|largest|most|oldest|biggest|best|three|two|four|few|many|main)\b)"),
        ("all of ",),
        None,
        None,
    ),
    (re.compile(r"\b[Aa]n? (?=(?:small|large) number of\b)"), ("",), None, None),
    (re.compile(r"\b(?:partly|partially|mostly|mainly|largely|primarily)\b"), ("entirely", "solely"), False, None),
    (re.compile(r"\bhalf of\b|\bhalf(?= the\b)"), ("all of", "a quarter of"), False, None),
    (
        re.compile(r"\b[Ee]ach of the\b|\b[Aa]ll of the\b|\b[Ee]very one of the\b"),
        ("some of the", "most of the"),
        True,
        False,
    ),
    (re.compile(r"\b[Aa]ll (?:its|his|her|their) other\b"), ("some of its other",), None, None),
]


def changes(sentence: str, scope: Scope, rng: random.Random) -> list[Change]:
    """Give up to two sentences with another quantifier, with the direction of entailment."""
    del scope
    found = []
    downward = bool(_DOWNWARD.search(sentence))
    for pattern, news, onward, back in _RULES:
        if onward is None and back is None:
            continue
        for m in pattern.finditer(sentence):
            if downward and (onward or back or m[0].lower() not in ("rarely", "seldom", "few")):
                continue
            new = rng.choice(news)
            if m[0].lower() == "all" and sentence[m.end() :].startswith(" the "):
                new = "none of" if new == "no" else f"{new} of"
            text = put(sentence, m.start(), m.end(), new)
            if text != sentence and not re.search(r"\bnone (?!of)|\bno the\b|\bof the the\b", text):
                found.append(Change(text, "quantifier", onward, back))
    rng.shuffle(found)
    return found[:2]
