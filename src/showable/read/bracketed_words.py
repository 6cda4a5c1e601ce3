"""Numbers in square brackets that are words of their sentence: an index, an interval, a key to press, a class of characters."""

from __future__ import annotations

from showable.records.regex import regex

_INDEXED = regex(
    r"(?:(?<![^\W\d_])[a-z]|\w*_\w*|\w+\(\)|(?i:arr|array|argv|args|vec|vector|matrix|tuple|dict|buf|buffer|idx|ptr|tmp|lst|nums|df))$"
)
_ASSIGNED = regex(r"(?:\[\w+\])*\s*(?:[+*/-]?=(?!=)|\+\+|--|==|!=|\.\w+\()")
_INTERVAL = regex(
    r"(?i)(?:interval|range|ci|cri|iqr|scale|∈|between|limits?|bounds?)\s*(?:of|is|was|in|from|[:=(,])?\s*$"
)
_UNIT_INTERVAL = regex(r"(?i)(?:\b(?:in|within|over|on|from|to)|[=≤<>])\s*$")
_PAIR = regex(r"\s*\d+\s*,\s*\d+\s*")
_NUMBERS = regex(r"\s*\d+(?:\s*[,;–—-]\s*\d+)*\s*")
_STOPS = regex(r"[*_)\"”’]{0,3}\s*(?:\Z|[.,;:!?\n\[])")
_BEGINS = r"(?:^|[.!?:;,(\n\"“]\s*|\s[–—-]\s+|[*•]\s+)"
_GIVEN = r"(?:press|type|enter|hit|dial|click|tap|push|punch|key|input)"
_CHOSEN = rf"(?:{_GIVEN}|choose|select|pick|say|send|text|tick|reply|answer|set|use|pass|return|print)"
_ON = r"(?:\s+(?:on|in|with|the|key|button|number|digit|option))*"
_COMMANDED = regex(rf"(?i){_BEGINS}(?:(?:please|then|and|or|now|simply|just|first)\s+)*{_GIVEN}{_ON}\s+$")
_TOLD = regex(
    rf"(?i)(?:{_BEGINS}|\b(?:please|then|and|or|to|must|can|could|may|should|will|would|you|users?|callers?|customers?)\s+){_CHOSEN}{_ON}\s+$"
)
_NEEDED_AFTER = regex(
    r"\s+(?:to|for|and|or|if|when|on|in|at|as|instead|again|twice|once|until|followed|before|after)\b"
)
_DONE_TO = regex(
    r"(?i)\s+(?:is|are|was|were|has been|being|gets)\s+(?:pressed|typed|dialled|dialed|hit|clicked|tapped|pushed|entered)\b"
)
_BARE = (
    rf"(?i)(?:{_BEGINS}|\b(?:with|at|of|by|in|to|for|as|and|or|under|from|on|see|use|choose|select|pick|press|is|means|gives?|has|returns?|"
    r"returned|raises?|raised|throws?|threw|shows?|showed|shown|into|via|than|equals|if|when|where)\s+)"
)
_LABELS = r"(?:options?|ind(?:ex|ices)|(?:exit|error|return|status|result)\s+(?:codes?|status)|equations?|eqs?\.|menu\s+items?)"
_NUMBERED = regex(rf"{_BARE}{_LABELS}\s+$")
_COUNTED = regex(
    rf"{_BARE}(?:keys?|buttons?|elements?|slots?|channels?|theorem|lemma|formula|error|bits?|array\s+index)\s+$"
)
_LOGGED = regex(
    r"(?:\b(?:ERR|ERROR|WARN|WARNING|INFO|DEBUG|FATAL|FAIL|FAILED|EXIT|CODE|TRACE|ALERT|STATUS|SIG)|[\"“'‘][A-Z]{2,})$"
)
_CLASS = regex(
    r"(?i)\b(?:regex(?:p|es)?|regular\s+expressions?|character\s+class(?:es)?|glob|wildcard)s?(?:\s+\w+)?\s*[\"'`/^(]*$"
)
_REPEATED = regex(r"[+*?](?=[\s\]\[.$^)]|\\|\Z)|\{\d+(?:,\d*)?\}|\\[dwsb]|\$")
_RANGE = regex(r"\s*\d\s*-\s*\d\s*")


def is_word(before: str, text: str, end: int, body: str) -> bool:
    """Check whether a bracket that ends at a place, with these words before it, is a word of its sentence and cites nothing."""
    if _is_index(before, text, end, body) or _is_interval(before, body):
        return True
    return _NUMBERS.fullmatch(body) is not None and (
        before.rstrip()[-1:] == "="
        or _is_of_characters(before, text, end, body)
        or _is_given(before, text, end)
        or _is_numbered(before, text, end)
    )


def _is_index(before: str, text: str, end: int, body: str) -> bool:
    """Tell ``array[1]`` from ``days[1]``: only where the word before it reads as a variable."""
    if not before or before[-1].isspace() or not body[0].isalnum():
        return False
    return _INDEXED.search(before) is not None or (before[-1].isalnum() and _ASSIGNED.match(text, end) is not None)


def _is_interval(before: str, body: str) -> bool:
    if "," not in body or not _PAIR.fullmatch(body):
        return False
    return _INTERVAL.search(before) is not None or (
        body.lstrip()[0] == "0" and _UNIT_INTERVAL.search(before) is not None
    )


def _is_of_characters(before: str, text: str, end: int, body: str) -> bool:
    """Check whether it is a class of characters: ``[0-9]``, ``[1-3]+``, "the regular expression [1-3]"."""
    if not _RANGE.fullmatch(body):
        return False
    return body.strip() == "0-9" or _REPEATED.match(text, end) is not None or _CLASS.search(before) is not None


def _is_given(before: str, text: str, end: int) -> bool:
    """Check whether it is what somebody is told to press or to type: the sentence would not be whole without it.

    At the end of a clause only a command is taken for one, for "the plan that you may choose [2]." is whole.
    """
    if _DONE_TO.match(text, end) or _COMMANDED.search(before):
        return True
    return _NEEDED_AFTER.match(text, end) is not None and _TOLD.search(before) is not None


def _is_numbered(before: str, text: str, end: int) -> bool:
    """Check whether a noun before it, without an article, needs its number: "Exit code [1] means", ``ERR[2]:``."""
    if before[-1:].isalnum():
        return text[end : end + 1] == ":" and _LOGGED.search(before) is not None
    return _NUMBERED.search(before) is not None or (
        _STOPS.match(text, end) is None and _COUNTED.search(before) is not None
    )
