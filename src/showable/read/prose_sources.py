"""Sources named in running prose: "According to passage 3, …", "Source 2 says that …", "as stated in lease.pdf"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from showable.read.marker import Found, Marker, Span
from showable.read.source_names import is_file_name
from showable.records.regex import regex

_PLAIN = r"passages?|sources?|excerpts?|chunks?|snippets?|contexts?|search results?"
"""What the retrieval is made of. The others may be things that an answer is about: "document 2 must be signed"."""
_OTHERS = r"documents?|docs?\.?|texts?|results?"
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_RANKS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ONE = rf"(?:\d{{1,3}}(?![\w%]|[.,]\d)|(?:{'|'.join(_WORDS)})\b)"
_MANY = rf"{_ONE}(?:(?:,? (?:and|&|or) |, ?| ?[–-] ?){_ONE})*(?: (?:and|&|or) {_ONE})?"
_NAMED = regex(
    rf"(?i)\b(?:(?P<several>(?:passages|sources|excerpts|chunks|snippets|contexts|search results|results|documents|docs|texts)[ \t]+{_MANY})"
    rf"|(?:{_PLAIN}|{_OTHERS})[ \t]+(?:(?:no\.|number|#)[ \t]?)?#?(?P<one>{_ONE})"
    rf"|(?P<rank>{'|'.join(_RANKS)}|\d(?:st|nd|rd|th))[ \t]+(?:retrieved |provided |given )?(?:passage|source|excerpt|chunk|snippet|search result|document|doc|text|result)\b(?! of\b))"
)
_SAID = r"(?:stated|noted|mentioned|set out|described|shown|indicated|explained|reported|given|specified|outlined|detailed|discussed|confirmed|written|seen|listed|provided|defined|recorded|cited|laid down|put|found)"
_ACCORDING = regex(
    rf"(?i)(?:\b(?:according to|as per|per|based (?:up)?on|in accordance with|(?:as )?{_SAID} (?:in|by|under|on)|\w+ing (?:on|from|by)|citing|quoting)|(?:^|[.!?,;:(\n]\s*)(?:in|from|as in|following|by|under))\s+(?:the\s+)?[\"'“`*]*$"
)
_INSIDE = regex(r"(?i)\b(?:in|from)\s+(?:the\s+)?$")
_AS = regex(
    r"(?i)(?:^|[.!?;:,(\n]\s*|\b(?:and|but|while|whereas|although|as|because|since|that|however)\s+)(?:the\s+)?[\"'“`*]*$"
)
_NEITHER = regex(r"(?i)\b(?:nor|neither|no|not|none of|unlike|than)\s+(?:the\s+)?[\"'“`*]*$")
_SAYS = regex(
    r"""(?i)[\"'”`*]*(?:,?\s+(?:also|further|furthermore|additionally|explicitly|clearly|specifically|only|still|itself|expressly|likewise|however|then|instead|too|similarly|again),?)*\s+
    (?:say|state|note|mention|list|show|report|indicate|explain|describe|confirm|specif(?:y|ie)|give|provide|put|add|claim|argue|suggest|record|define|reveal|clarif(?:y|ie)|
    point|make|set|tell|read|detail|outline|discuss|identif(?:y|ie)|estimate|warn|stipulate|conclude|highlight|emphasi[sz]e|stress(?:e)?|address(?:e)?|attribute|contain|quote|cite|speak|refer|agree|disagree)(?:s|d|ed)?\b
    |[\"'”`*]*\s+(?:said|gave|put|found|told|made|set|spoke|read|finds)\b""",
    re.VERBOSE,
)
_LOOK = 60


def find_named_in_prose(text: str, known: frozenset[str], places: int) -> Found:
    """Find sources named by their place among the `places` of the log, and files by their name, where the sentence rests on them.

    "According to", "in" at a clause's beginning and verbs of saying tell it; without them the words are what it is about.
    """
    found = Found()
    for match in _NAMED.finditer(text) if places else ():
        numbers = [number for number in _numbers(match) if 0 < number <= places]
        if numbers and len(numbers) == len(_numbers(match)) and _is_rested_on(text, match.span(), match[0]):
            found.markers += [Marker(match[0], *match.span(), str(number), "prose") for number in numbers]
    for name in known:
        if name in text and is_file_name(name) and name[0].isalpha():
            found.markers += [Marker(name, *span, name, "prose") for span in _places(text, name)]
    return found


def _places(text: str, name: str) -> Iterator[Span]:
    for match in re.finditer(rf"(?<![\w/.-]){re.escape(name)}(?![\w/-])", text):
        if _is_rested_on(text, match.span(), name):
            yield match.span()


def _is_rested_on(text: str, span: Span, words: str) -> bool:
    before = text[max(0, span[0] - _LOOK) : span[0]]
    if _NEITHER.search(before):
        return False
    if _ACCORDING.search(before) or (_AS.search(before) and _SAYS.match(text, span[1])):
        return True
    return re.match(rf"(?i)(?:{_PLAIN})\b", words) is not None and _INSIDE.search(before) is not None


def _numbers(match: re.Match[str]) -> list[int]:
    """Return the numbers named: one, a rank, or a list, in which a dash stands for those between."""
    if match["rank"]:
        rank = match["rank"].lower()
        return [_RANKS.index(rank) + 1 if rank in _RANKS else int(rank[0])]
    if match["one"] and not match["several"]:
        return [_number(match["one"])]
    listed = re.findall(rf"(?i)([–-])?\s?({_ONE})", match["several"])
    numbers: list[int] = []
    for dash, word in listed:
        number = _number(word)
        numbers += range(numbers[-1] + 1, number + 1) if dash and numbers else [number]
    return numbers


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else _WORDS.index(word.lower()) + 1
