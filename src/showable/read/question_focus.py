"""What a question asks for: its content words, years and kind, so that what an answer declines can be set against it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from showable.read.refusal_phrases import ANY_SOURCE, phrase
from showable.records.regex import regex

_WORD = regex(r"[^\W_]+(?:[-&][^\W_]+)*")
_SENTENCE_END = regex(r"[!\n]|[.:](?=\s)")
_PARENTHESES = regex(r"\([^()]{0,300}\)")
_YEAR = regex(r"(?:19|20)\d\d")
_QUANTITY = regex(
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
_HOW_TO = phrase(
    r"\bhow (?:do|does|can|could|should|would|to|is|are|must|may)\b|\bwhat (?:should|must|can) (?:i|we|one|you)\b"
)
_WHO = regex(r"\b(?:who|whom|whose|which)\b")
_CHOICE = regex(r"\b(?:and|or)\b|, |\?.+\?|\s&\s", re.DOTALL)
# Proper names, which tell whose value is asked for: not a sentence's first word, a month, a party's part or a document.
_NAME = regex(
    r"(?<=[\w,;)] )(?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|(?:Landlord|Tenant|Lessor|Lessee|Buyer|Seller|Company|Part|Court|Section|Article|Clause"
    r"|Schedule|Agreement|Lease|Contract|Act|Rule|Form|Table|Page|Item|Note|Annual|Report|Effective|I\b))[A-Z]\w+"
    r"|^(?!(?:The|This|That|It|In|There)\b)[A-Z]\w+(?='s\b|’s\b)"
)
_OWNER = regex(
    r"\b(?!(?:It|That|There|Let|Here|What|Landlord|Tenant|Lessor|Lessee|Buyer|Seller|Company|Court)\b)[A-Z]\w+(?=['’]s\b)"
)
# Words for the measure asked for and for the document it stands in: what is left of a question is its subject.
_MEASURE = regex(
    rf"\b(?:deadline|period|date|time|term|length|duration|amount|number|total|figure|value|price|cost|rate|ratio|percent\w*|margin|sum|average|maximum|minimum|exact|current|dose|dosage|day|days|weeks?|months?|years?)\b|\b(?:the|this|that|these|those|an?|your|our)\s+(?:\S+\s+)?{ANY_SOURCE}\b",
    re.IGNORECASE,
)
_MONTHS = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
COUNT = r"(?:\d[\d.,]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
"""A number as it is written before what it counts."""
_TIME = regex(
    rf"\b{COUNT}(?:\s?\(\d+\))?[\s-](?:full |clear |calendar |business |working )?(?:minute|hour|day|week|month|quarter|year)s?\b|\b\d{{1,2}}(?:st|nd|rd|th)?\s{_MONTHS}\w*|\b{_MONTHS}\w*\.?\s\d{{1,2}}\b|\b\d{{4}}-\d\d-\d\d\b|\b(?:19|20)\d\d\b"
)
_DOSE = regex(r"\d\s?(?:mg|mcg|µg|g|ml|iu|units?|tablets?|capsules?|drops?|puffs?)\b")
_MONEY = regex(
    r"[$€£¥]\s?\d|\d\s?%|\d(?:[\d.,]*)\s(?:\w+\s)?(?:dollars?|euros?|pounds?|usd|eur|gbp|million|billion|percent)\b|\d[.,]\d"
)
_ANY_FIGURE = regex(
    rf"(?<![\w.])(?!(?:19|20)\d\d\b)\d[\d.,]*(?:\s?%|\b)|\b(?!an?\b|one\b){COUNT}\b|\b(?:hundred|thousand|million|billion)\b"
)
_VALUES: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (regex(r"\b(?:when|date|deadline|period|how (?:long|soon|old)|duration|time limit|how many (?:days|weeks|months|years|hours))\b"), _TIME),
    (regex(r"\b(?:doses?|dosage|dosing)\b"), _DOSE),
    (regex(r"\b(?:price|cost|fees?|fine|revenues?|income|profit|sales|rent|salary|wages?|damages|earnings|deposit|expenses?|expenditures?)\b"), _MONEY),
    (_QUANTITY, _ANY_FIGURE),
)  # fmt: skip
# "It runs for 30 days", "You have 10 days": the subject is what was asked about.
_REFERS_BACK = regex(
    r"\W*(?:(?:but|however|so|and|still|therefore|thus|in any case),? )?(?:(?:it|this|that|they|which)(?: is| was| are| were|'s| runs?| lasts?| ends?| expires?| amounts?| comes?| came| began| started)|you (?:have|had|get)\b|s?he\b|the (?:answer|figure|deadline|period|amount|number|total|value|date|dose|limit)\b|(?:about|around|roughly|approximately|within|after|at least|at most|up to)?\s?[$€£]?\d|(?:within|by|on|before)\b)"
)
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
    how_to: bool
    who: bool
    subject: frozenset[str]
    names: frozenset[str]
    value: re.Pattern[str] | None


@lru_cache(maxsize=1024)
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
    asked = " ".join(_questions(question)) or question
    bare = _PARENTHESES.sub(" ", asked)
    lowered = bare.lower()
    return Focus(
        stems=stems(bare),
        years=years(asked),
        quantity=bool(_QUANTITY.search(lowered)),
        about_text=bool(_ABOUT_TEXT.search(lowered)) and not _UNADDRESSED.search(lowered),
        several=bool(_CHOICE.search(bare)),
        how_to=bool(_HOW_TO.search(lowered)),
        who=bool(_WHO.search(lowered)),
        subject=stems(_MEASURE.sub(" ", _NAME.sub(" ", bare))),
        names=_names(bare),
        value=next((value for asks, value in _VALUES if asks.search(lowered)), None),
    )


def _questions(text: str) -> list[str]:
    """Return the sentences of a text that end in a question mark; linear where it has none."""
    found = []
    for piece in text.split("?")[:-1]:
        start = max((end.end() for end in _SENTENCE_END.finditer(piece)), default=0)
        found.append(f"{piece[start:]}?")
    return found


def gives_value(claim: str, asked: Focus) -> bool:
    """Check whether a claim puts forward a value of the kind asked for, of what the question is about.

    "You must file within 10 days" gives a deadline to file. A claim on something else ("the deposit is repaid within
    14 days", asked about notice) or on another named party does not answer.
    """
    if asked.value is None or asked.value.search(claim.lower()) is None:
        return False
    if asked.names and (named := _names(claim)) and not named & asked.names:
        return False
    return not asked.subject or bool(stems(claim) & asked.subject) or _REFERS_BACK.match(claim.lower()) is not None


def is_of_another(claim: str, asked: Focus) -> bool:
    """Check whether a claim is on another named party: "Beta's revenue", asked about Acme's."""
    owners = frozenset(word.lower() for word in _OWNER.findall(claim))
    return bool(asked.names and owners) and not (owners | _names(claim)) & asked.names


def _names(text: str) -> frozenset[str]:
    """Find proper names: capitalised words that neither open the text nor name a document or a party's part."""
    return frozenset(word.lower() for word in _NAME.findall(text))
