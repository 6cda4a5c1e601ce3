"""Numbers in round brackets as markers: "20 euros (1). It is due in May (2).", in an answer that cites in no other way."""

from __future__ import annotations

import re

from showable.read.marker import Found, Marker
from showable.read.number_words import NUMBER_WORDS
from showable.records.regex import regex

_ROUND = regex(r"\((\d{1,3}(?:\s?[,;–-]\s?\d{1,3}){0,5})\)")
_CLOSES = regex(
    r"[*_\"”’]{0,3}(?:[.;!?][*_\"”’)]{0,3}(?:\s|\Z)|\s*(?:\Z|\n)|,\s(?:mainly|mostly|partly|largely|because|although|though|while|whereas|which|who|since|but|"
    r"so|unless|until|where|after|before|if|when|as)\b)"
)
_WORD = regex(r"([^\W\d_]{2,}|%|\d)[*_\"”’)]{0,3}\s$")
_FEWEST = 2
_FEWEST_WORDS = 4
_LOOK = 200
_NUMBERED = frozenset(
    """
    section sections subsection subsections paragraph paragraphs para paras article articles clause clauses rule rules part parts item items step
    steps table tables figure figures fig equation eq formula appendix annex schedule chapter page pages note notes footnote question option
    point points number no nr phase stage type class level grade category group of in to at by for from with than is was are were be and or the a an
    """.split()  # noqa: SIM905 - a list of words reads best as words
)


def find_round_markers(text: str, places: int) -> Found:
    """Find numbers in round brackets where all of them close a clause, two at least are different, and each is a place of the log.

    A number that says another again ("thirty (30) days"), that belongs to a noun ("section (2)") or that counts the
    members of a list makes that none of them is read.
    """
    found = Found()
    for match in _ROUND.finditer(text) if places else ():
        numbers = [int(number) for number in re.findall(r"\d+", match[1])]
        if not all(0 < number <= places for number in numbers) or not _is_apart(text, match):
            return Found()
        if "–" in match[1] or "-" in match[1]:
            numbers = list(range(numbers[0], numbers[-1] + 1))
        found.markers += [Marker(match[0], *match.span(), str(number), "bracket") for number in numbers]
    return found if len({marker.token for marker in found.markers}) >= _FEWEST else Found()


def _is_apart(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - _LOOK) : match.start()]
    word = _WORD.search(before)
    clause = re.split(r"[.;:!?\n(|]", before)[-1].split()
    if word is None or _CLOSES.match(text, match.end()) is None or len(clause) < _FEWEST_WORDS:
        return False
    last = clause[-1].strip('*_"”’),').casefold().rpartition("-")[2]
    return last not in _NUMBERED and last not in NUMBER_WORDS and not last[-1:].isdigit()
