"""What an answer says of gold's name that is not what was asked: the opposite, a lower place, an end, a former state."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

from showable.read.question_focus import stems
from showable.rubrics.gold_clauses import Clause, content_words
from showable.rubrics.gold_opposites import opposite_word
from showable.rubrics.gold_question import Asked

PAST_ASKED = re.compile(
    r"\b(?:was|were|did|had|before|previous\w*|former\w*|used to|original\w*|first|initial\w*|predecessor|succeed\w*|replac\w*|\w{3,}ed)\b",
    re.IGNORECASE,
)
FILLERS = stems(
    "one said company new now currently today just also only main same called named following two three four ltd limited inc llc plc corp corporation gmbh ag sa co group"
)
_RANK_ASKED = re.compile(
    r"\b(?:w[io]n|wins|winner|winning|awarded|first|champion|\w{3,}est|most|best|top|main|leading|chief|principal|primary)\b",
    re.IGNORECASE,
)
_SUFFIX = re.compile(
    r"\s*(?:AG|SA|SE|Ltd|Limited|Inc|LLC|plc|Corp|Corporation|GmbH|Co|Group|AS|NV|BV)\b\.?", re.IGNORECASE
)
_BEHIND = re.compile(
    r"\b(?:followed by|ahead of|rather than|over|beating|beat|beats|defeating|defeated|outbid|outbidding|outperform\w*|than)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_ADVERBS = r"(?:(?:had|has|have|was|were|been|is|are|only|just|then|suddenly|abruptly|finally|later|merely)\s+)*"
_PLACED = re.compile(
    rf"^\W*{_ADVERBS}(?:(?:was|were|is|are|comes?|came|finish\w*|end\w*(?: up)?|rank\w*|plac\w*|follow\w*)\s+){{1,3}}(?:an? (?:close |distant )?|the |in |as )*"
    r"(?:second|third|fourth|fifth|sixth|last|next|runners?-?up|joint second|unsuccessful|beaten|outbid|defeated|unplaced)\b(?! (?:largest|to none|half|quarter|year))",
    re.IGNORECASE,
)
_LEAVES = re.compile(
    rf"^\W*{_ADVERBS}(?:(?:step\w*|stood|stands) (?:down|aside)|resign\w*|retire[sd]?|depart(?:s|ed)|quits?|left|leaves|die[sd]|dismissed|fired|sacked|ousted|removed|relieved|voted out|passed away)\b",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\b(?:turn|chang|switch|shift|mov|convert|go(?:es)?\b|went|gone|pass|renam|relocat|transfer|mutat|transition|swap)\w*\s+(?:\w+\s+){0,3}?from\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_LEFT = re.compile(
    r"\b(?:left|leav\w+|keep\w*|kept|maintain\w*)\s+(?:its \w+ (?:on|of|for) )?(?:the\s+)?$", re.IGNORECASE
)
_STAYS = re.compile(
    r"^[^.;]{0,30}?\b(?:as (?:it|they) (?:was|were|is|are)|unchanged|untouched|alone|unaffected|intact)\b",
    re.IGNORECASE,
)
_WERE_LEFT = re.compile(
    r"^[^.;]{0,20}?\b(?:left|remain\w*|kept|stay\w*)\s+(?:unchanged|untouched|alone|unaffected|intact|the same)\b",
    re.IGNORECASE,
)
_CHANGE_ASKED = re.compile(
    r"\b(?:chang|downgrad|upgrad|rais|lower|cut|amend|revis|alter|reduc|increas|remov|replac|adjust|modif|updat|repeal|clos|mov|expand|fell|rose|grew|declin|affect)\w*",
    re.IGNORECASE,
)
_TO_IT = re.compile(r"\b(?:to|by|behind|from|against|than)\b", re.IGNORECASE)


_NEAR = 300
"""Characters around gold's name that are read for what is said of it: a statement may name it a thousand times."""


@lru_cache(maxsize=64)
def _places(said: str, keys: frozenset[str]) -> list[tuple[int, int]]:
    """Return the places of gold's words in a statement, which has many clauses."""
    return [(a, b) for a, b in content_words(said) if stems(said[a:b]) & keys]


def said_otherwise(clause: Clause, keys: frozenset[str], asked: Asked) -> str | None:
    """Say what a clause says of gold's name that is no answer; None where it may be one."""
    said = clause.statement.said
    begins = clause.start, clause.start + len(clause.text)
    places = _places(said, keys)
    within = places[bisect_left(places, begins[:1]) : bisect_left(places, begins[1:])]
    if not within:
        return None
    start = within[0][0]
    end = within[-1][1]
    suffix = _SUFFIX.match(said, end)
    on = suffix.end() if suffix else end
    before, after = said[max(0, start - _NEAR) : start], said[on : on + _NEAR]
    if _is_opposite(clause, start - clause.start, asked):
        return "the opposite of what was asked"
    if _RANK_ASKED.search(asked.text) and (_BEHIND.search(before) or _PLACED.search(after)):
        return "that it came after another"
    if PAST_ASKED.search(asked.text) is None and (_LEAVES.search(after) or _CHANGES.search(before)):
        return "that it is so no longer"
    stays = (_LEFT.search(before) and _STAYS.search(after)) or _WERE_LEFT.search(after)
    return "that nothing was changed" if stays and _CHANGE_ASKED.search(asked.text) else None


def _is_opposite(clause: Clause, at: int, asked: Asked) -> bool:
    """Tell whether a clause says the opposite of gold: "lost to Holm" says of Holm that it won."""
    word = opposite_word(clause.text.lower(), asked.text.lower())
    return word is not None and not (word.end() <= at and _TO_IT.search(clause.text, word.end(), at))
