"""What a question asks for: its content words, years and kind, so that what an answer declines can be set against it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from probative.read.refusal_phrases import ANY_SOURCE, phrase

_WORD = re.compile(r"[^\W_]+(?:[-&][^\W_]+)*")
_QUESTION_SENTENCE = re.compile(r"[^.?!:\n]*(?:[.:](?=\S)[^.?!:\n]*)*\?")
_PARENTHESES = re.compile(r"\([^()]{0,300}\)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_QUANTITY = re.compile(
    r"\b(?:how (?:much|many|long|often|old|far|large|big|high)|amount|ratio|percent\w*|margin|number|total|price|cost|rate|value|figure|sum|average|when|date|deadline|period)\b|%"
)
# "Does the lease mention …?", "Is there … in the lease?", "Is … stated?": what a document says is itself the question.
_ABOUT_TEXT = phrase(
    rf"\b(?:do|does|did) (?:\S+ ){{0,6}}?{ANY_SOURCE} (?:\S+ ){{0,6}}?"
    r"(?:mention|state|specify|disclose|report|contain|include|provide|say|address|discuss|list|cover|define|describe|refer|give|set out|have)\b"
    rf"|\b(?:is|are|was|were) there (?:\S+ ){{1,12}}?(?:{ANY_SOURCE}|mention)\b"
    r"|\b(?:is|are|was|were) (?:\S+ ){1,10}?(?:mentioned|stated|specified|disclosed|addressed|listed|defined|included|set out)\b"
)
_UNADDRESSED = phrase(r"\bor (?:is it |is |are )?(?:not|un) ?(?:addressed|mentioned|stated|specified)\b")
_CHOICE = re.compile(r"\b(?:and|or)\b|, |\?.+\?|\s&\s", re.DOTALL)
_STEM_LENGTH = 6
_SHORTEST_PLURAL = 4


def _listed(words: str) -> list[str]:
    return words.split()


def _stem(word: str) -> str:
    """Keep the first six letters of a word without a plural s, which is enough to match inflections."""
    plural = len(word) >= _SHORTEST_PLURAL and word.endswith("s")
    return (word[:-1] if plural else word)[:_STEM_LENGTH]


_STOP = frozenset(
    _listed("""a an the and or but if of in on at to for from by with without within as is are was were be been being do does did has have had
    can could should will would may might must shall not no nor so than then that this these those there here it its they them their
    he she his her we our us you your i my me what which who whom whose when where why how much many long any some all both each other
    into onto about over under after before between during per also only please answer question respond response give state""")
)
# Words of any refusal, whatever it is about: they name no topic.
_GENERIC = frozenset(
    _stem(word)
    for word in _listed("""information info context document documents provide provided providing available given enough sufficient necessary needed
    need needs required require answer answers answering question questions query request sorry unfortunately afraid know based basis find
    found access accurate accurately specific specifically details detail data source sources text texts passage passages excerpt excerpts
    evidence contain contains include includes mention mentions mentioned state stated determine provide help assist able unable cannot
    can't don't doesn't didn't isn't aren't possible material materials retrieved search results content complete knowledge user directly
    explicitly insufficient however therefore because relevant related regarding one ones exact currently there's i'm apologize apologise
    regret confidently definitively reliably reliable definitive time moment say tell record records i'd don haven't have haven idea
    clarify clarification see seen mean means meant refer refers referring asking ask sure certain aware locate case like interested
    looking exactly rephrase more want tell tells calculate compute conclude confirm verify identify ascertain derive enough
    anything something nothing full supplied i've ai language model assistant matter topic subject asked""")
)


@dataclass(frozen=True, slots=True)
class Focus:
    """A question taken apart: stems of its content words, its years, and what kind of answer it wants."""

    stems: frozenset[str]
    years: frozenset[str]
    quantity: bool
    about_text: bool
    several: bool


def stems(text: str) -> frozenset[str]:
    """Reduce a text to the stems of its content words."""
    return frozenset(_stem(w) for w in _WORD.findall(text.lower()) if w not in _STOP and (len(w) > 1 or w.isdigit()))


def topic(text: str) -> frozenset[str]:
    """Stems that name a topic: without the words that any refusal is made of."""
    return stems(text) - _GENERIC


def years(text: str) -> frozenset[str]:
    """Find the years a text names."""
    return frozenset(_YEAR.findall(text))


@lru_cache(maxsize=256)
def focus(question: str) -> Focus:
    """Take a question apart. Instructions around it ("Answer as an analyst.") are left out."""
    asked = " ".join(_QUESTION_SENTENCE.findall(question)) or question
    bare = _PARENTHESES.sub(" ", asked)
    lowered = bare.lower()
    return Focus(
        stems=stems(bare),
        years=years(asked),
        quantity=bool(_QUANTITY.search(lowered)),
        about_text=bool(_ABOUT_TEXT.search(lowered)) and not _UNADDRESSED.search(lowered),
        several=bool(_CHOICE.search(bare)),
    )
