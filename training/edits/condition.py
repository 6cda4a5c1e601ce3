"""A condition or an exception dropped: the bare claim is more than the passage says."""

from __future__ import annotations

import random
import re

from edits.example import Change, Scope
from edits.surface import put, stopped, upper_first

_TRAILING = re.compile(
    r"^(?P<main>.{25,}?),? (?:(?P<plain>if|unless|provided(?:,? however,?)? that|provided,? however,?|as long as|so long as|on condition that|subject to|in the event that|"
    r"to the extent)|(?P<except>except(?:ing)?|with the exception of|other than|apart from)|(?P<without>without (?:the )?(?:prior|express|written))|"
    r"(?P<only>only (?:when|if|after|for|with|upon|where)))\b(?P<rest> (?!(?:necessary|possible|any|needed|applicable|desired|required|appropriate)\b).{8,})\.$"
)
_LEADING = re.compile(
    r"^(?:If|Unless|In the event(?: that)?|Provided that|Subject to|Except (?:as|for|where|to the extent)|As long as|So long as) "
    r"(?P<rest>[^,]{8,90}), (?:then )?(?P<main>(?:the|a|an|it|they|he|she|this|these|its|their|both|each|all|any|no|[A-Z])\b.{25,})\.$"
)
_BROKEN = re.compile(
    r"\b(?:even|as|what|than|and|or|but|not|is|are|was|were|be|the|of|to|that|which|asked|know|see|whether|only|had|has|have|used|seen|particularly|especially|where|his|her|their|its|by|may|been|with|for|in|at|on|from|a|an|will|can|could|would|times|asks|wonder|determine|assess|test|evaluate|ask|tell|to \w+|far|made|shall|should|other|all|any|no|unknown|unclear|sure|matter|doubt|questioned|check|decide|fifths|thirds|quarters|twice|half|relates?|applies|apply|refers?|extends?|inquired?|confirm|regardless|days|months|years|then|always)$|;$|, (?:who|whose|which|and|where)\b|[(\"“]"
)


_TURNS = (
    (re.compile(r"\b[Ii]f(?= (?:the|a|an|any|such|it|they|he|she|[A-Z]\w+|this|these|there|one)\b)"), ("unless",)),
    (re.compile(r"\b[Uu]nless(?= (?:the|a|an|any|such|it|they|he|she|[A-Z]\w+|this|these|there|one)\b)"), ("if",)),
    (
        re.compile(r"\bonly (?:if|when|after)(?= (?:the|a|an|any|such|it|they|he|she|[A-Z]\w+)\b)"),
        ("even before", "unless"),
    ),
    (re.compile(r"(?<=, )except(?: for)?(?= (?:the|a|an|his|her|its|their|[A-Z]\w+)\b)"), ("including",)),
    (re.compile(r"(?<=, )including(?= (?:the|a|an|his|her|its|their|[A-Z]\w+)\b)"), ("except",)),
    (re.compile(r"\b[Ss]ubject to(?= the\b)"), ("regardless of",)),
    (
        re.compile(
            r"\b[Ww]ithout(?= (?:the (?:prior|express|written|consent|help|support|use|approval)|prior|any|a|his|her|its|their)\b)"
        ),
        ("with",),
    ),
    (re.compile(r"\bwith(?= (?:the )?(?:prior|written|consent|help|support|approval|permission)\b)"), ("without",)),
    (re.compile(r"\b[Dd]espite(?= (?:the|a|an|his|her|its|their|being)\b)"), ("because of",)),
    (re.compile(r"\b[Bb]ecause of(?= (?:the|a|an|his|her|its|their)\b)"), ("despite",)),
    (re.compile(r"\b[Pp]rovided(?= that\b)"), ("unless it is found",)),
    (re.compile(r"\b[Pp]rior to(?= (?:the|a|an|his|her|its|their|\d)\b)"), ("after", "following")),
    (re.compile(r"\b[Ff]ollowing(?= (?:the|his|her|its|their)\b)"), ("prior to",)),
    (re.compile(r"\b[Dd]uring(?= (?:the|his|her|its|their)\b)"), ("after", "before")),
)


def changes(sentence: str, scope: Scope, rng: random.Random) -> list[Change]:
    """Give the main clause of `sentence` without the condition that it stands under."""
    del scope, rng
    return _dropped(sentence)


def turned(sentence: str, scope: Scope, rng: random.Random) -> list[Change]:
    """Give the sentence with one condition, exception or circumstance turned to its opposite."""
    del scope
    places = [
        (*m.span(), rng.choice(news))
        for pattern, news in _TURNS
        for m in pattern.finditer(sentence)
        if m[0][0].isupper() or not _BROKEN.search(sentence[: m.start()].rstrip(" ,"))
    ]
    return [Change(put(sentence, *place), "turned") for place in rng.sample(places, min(1, len(places)))]


def _dropped(sentence: str) -> list[Change]:
    m = _TRAILING.match(sentence)
    if m and _clause(m["main"]) and _binds(m):
        return [Change(stopped(m["main"]), "condition", onward=False, back=None)]
    m = _LEADING.match(sentence)
    if m and _clause(m["main"]) and not re.match(r"(?:it|they|he|she|this|these|its|their)\b", m["main"]):
        return [Change(stopped(upper_first(m["main"])), "condition", onward=False, back=None)]
    return []


def _binds(m: re.Match[str]) -> bool:
    """An exception binds what is said of all, `only` and `without` what is allowed or forbidden: else nothing is lost."""
    main = m["main"]
    if re.search(r"\b(?:ask|asks|asked|asking|wonder(?:s|ed)?|whether|questioned|inquired|see|know)\b", main):
        return False
    if m["except"]:
        return bool(re.search(r"\b(?:all|every|any|each|no|none|entire|whole|always|never|not|everything)\b", main))
    if m["without"]:
        return bool(re.search(r"\b(?:not|no|neither|never)\b", main))
    return not m["only"] or bool(re.search(r"\b(?:may|shall|can|will|must|should)\b", main))


def _clause(text: str) -> bool:
    finite = re.search(
        r"\b(?:is|are|was|were|has|have|had|can|could|will|would|shall|should|may|might|must|does|do|did|\w{3,}s|\w{3,}ed)\b",
        text,
    )
    balanced = text.count('"') % 2 == 0 and text.count("(") == text.count(")")
    subordinate = re.match(r"(?:If|When|Although|While|Unless|As|Because|Since|Whether|Where|In the event)\b", text)
    hanging = re.search(
        r"\b(?:in|of|to|for|by|on) which\b(?!.*\b(?:is|was|were|are|had|has|can|may|shall|[a-z]+ed)\b)", text
    )
    return (
        bool(finite)
        and not hanging
        and balanced
        and not subordinate
        and not _BROKEN.search(text)
        and len(text.split()) >= 5
        and text.count(",") < 4
    )
