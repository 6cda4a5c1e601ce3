"""Direction words: rose for fell, before for after, northern for southern."""

from __future__ import annotations

import random
import re

from edits.direction_pairs import OPPOSITES
from edits.example import Change, Scope
from edits.surface import put

_WORD = re.compile(r"(?<![\w'’-])(?:" + "|".join(sorted(OPPOSITES, key=len, reverse=True)) + r")(?![\w'’-])")
_COMPARED = re.compile(
    r"\bmore(?= than (?:\d|half|two|three|a))|\bless(?= than (?:\d|half|two|three|a))|\bmore(?= (?:likely|common|expensive|important|effective|frequent|popular|difficult|powerful|severe|efficient|complex|accurate)\b)"
)
_AFTER_BAD = re.compile(
    r"^(?: (?:of all|name|names|aid|lady|centur\w+|hand|and foremost|time|class|school|level|quality|known|as|long|which|order|degree|than likely|this|these|that|all|those|rights|education|minister|person|ever))\b|^(?:,|\.|;)? (?:and|or|to|nor) (?:the )?(?P<next>\w+)"
)
_BEFORE_BAD = re.compile(
    r"\b(?:at|no|the very|any|as|how|so|well|named|ever|long|soon|shortly|not|there|day|once|years|months|weeks|days|hours|pay|side) $",
    re.IGNORECASE,
)
_SET_PHRASES = {
    "began": re.compile(r" (?:to|\w+ing|as|with|when|its|his|her|their|in|on|at|a career)\b"),
    "begin": re.compile(r" (?:to|\w+ing|with)\b"),
    "begins": re.compile(r" (?:to|\w+ing|with)\b"),
    "beginning": re.compile(r" (?:to|in|with|on|at)\b"),
    "first": re.compile(r"(?:,? (?:and|or)| [A-Z]|, )"),
    "last": re.compile(r" (?:year|week|month|night|season|resort|decade|few|two|three|\d)"),
    "open": re.compile(r" (?:source|air|to|space|up|with)"),
    "order": re.compile(r"."),
    "over": re.compile(r"."),
    "leave": re.compile(r" (?:of|the agreement)"),
    "better": re.compile(r" (?:known|off)"),
    "best": re.compile(r" (?:known|[A-Z]|of|interests|practice)"),
    "major": re.compile(r" (?:in|key|[A-Z])"),
    "public": re.compile(r" (?:domain|opinion|transport|health)"),
    "supply": re.compile(r""),
    "agreed": re.compile(r" (?:to|upon|in|by)"),
    "agree": re.compile(r" (?:to|upon)"),
    "agrees": re.compile(r" (?:to|upon)"),
    "failed": re.compile(r" to"),
    "fails": re.compile(r" to"),
    "fail": re.compile(r" to"),
    "succeeded": re.compile(r" (?!in\b)"),
    "followed": re.compile(r" by"),
    "common": re.compile(r" (?:law|era|ancestor|name|with|to)"),
    "joined": re.compile(r" (?:by|with|together)"),
    "entered": re.compile(r" (?:into|service)"),
    "enters": re.compile(r" into"),
    "enter": re.compile(r" into"),
    "raised": re.compile(r" (?:in|by|as|at|on|\w+ (?:questions|concern))"),
    "learned": re.compile(r" (?:of|that|about|societ\w+)"),
    "taught": re.compile(r" (?:himself|\w+ to)"),
    "west": re.compile(r" "),
    "contracted": re.compile(r" "),
    "expanded": re.compile(r" (?:on|upon)"),
    "heavy": re.compile(r" metal"),
    "new": re.compile(r" [A-Z]"),
    "strong": re.compile(r"ly"),
    "early": re.compile(r" (?:life|years)"),
    "add": re.compile(r" (?:to|that)"),
    "added": re.compile(r" (?:that|,)"),
    "adds": re.compile(r" that"),
    "create": re.compile(r" an?(?: \w+)? (?:obligation|duty)"),
    "send": re.compile(r" \w+ to"),
    "sent": re.compile(r" (?:to|for)"),
    "greater": re.compile(r" [A-Z]"),
    "gain": re.compile(r" (?:a|an|the|access|control|more)"),
    "rise": re.compile(r" (?:to|of|up|above)"),
    "success": re.compile(r"ion"),
    "ancient": re.compile(r" [A-Z]"),
    "likely": re.compile(r",| that| due| because| the"),
    "similar": re.compile(r" to"),
    "able": re.compile(r""),
    "ended": re.compile(r" (?:up|with|by)"),
    "end": re.compile(r"."),
    "begun": re.compile(r"."),
    "ends": re.compile(r"."),
    "receive": re.compile(r" (?:its|their|his|her|a|an)"),
    "receives": re.compile(r" (?:its|their|his|her)"),
    "received": re.compile(r" (?:its|their|his|her|a|an|[\w-]+ reviews|mixed|positive|critical)"),
    "men": re.compile(r" and"),
    "women": re.compile(r" and"),
}


def changes(sentence: str, scope: Scope, rng: random.Random) -> list[Change]:
    """Give up to two sentences with one word turned to its opposite."""
    del scope
    places: list[tuple[int, int, str]] = []
    for m in _WORD.finditer(sentence):
        opposites = OPPOSITES[m[0]]
        bad = _AFTER_BAD.match(sentence[m.end() :])
        if bad and (not bad["next"] or bad["next"] in opposites or m[0] in ("before", "after")):
            continue
        if _BEFORE_BAD.search(sentence[: m.start()]) and m[0] not in ("before", "after"):
            continue
        phrase = _SET_PHRASES.get(m[0])
        if phrase and phrase.match(sentence[m.end() :]):
            continue
        places.append((*m.span(), rng.choice(opposites)))
    places += [
        (*m.span(), "less" if m[0] == "more" else "more")
        for m in _COMPARED.finditer(sentence)
        if not re.search(r"\b(?:no|not|any|the) $", sentence[: m.start()])
    ]
    kept = [p for p in places if not re.search(rf"\b{re.escape(p[2])}\b", sentence)]
    rng.shuffle(kept)
    return [Change(put(sentence, *place), "direction") for place in kept[:2]]
