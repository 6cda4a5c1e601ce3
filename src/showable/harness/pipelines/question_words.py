"""Take a question apart by its words: what kind of answer it wants, and which words a passage must have to give it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

Kind = Literal["when", "how_long", "share", "money", "count", "who", "where", "statement"]

_WORD = re.compile(r"[^\W_]+(?:[-’'.&][^\W_]+)*|[%§]")
_MONTH = r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
_FIGURE = r"(?:\d[\d.,]*|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|(?:a )?hundred)\b)"
_NUMBER = rf"(?:{_FIGURE}|an?\b)"
_UNIT = r"(?:second|minute|hour|day|night|week|fortnight|month|quarter|year|decade)s?"
_PER_CENT = r"\d[\d.,]*\s?(?:%|per ?cent\b|percentage points?\b)"
_CURRENCY = r"(?:[$€£¥]\s?\d|\d[\d.,]*\s?(?:(?:thousand|million|billion)\s)?(?:dollars?|euros?|pounds?|crowns?|francs?|yen|cents|pence|USD|EUR|GBP|CHF)\b)"

# In the order in which they are asked of a question: the first that fits is its kind.
_ASKS: dict[Kind, str] = {
    "how_long": rf"\bhow long\b|\bhow many {_UNIT}\b|\b(?:notice|waiting|cooling-off|limitation|trial) period\b|\bduration\b|\bhow (?:old|soon|quickly)\b",
    "share": r"\b(?:what|which|how (?:large|big|high) an?|how much) (?:\w+ ){0,2}?(?:per ?cent\w*|share|proportion|fraction|rate)\b|\bpercent\w*\b",
    "when": r"(?:^|[,;] |\b(?:and|or|by|since|until|from) )when\b|\bwhen (?:is|are|was|were|do|does|did|will|would|must|can|could|should|shall|may|might|has|have|had)\b|\b(?:what|which|on what|in what|by what) (?:date|day|year|month|time|deadline)\b|\bdeadline\b|\bhow late\b",
    "money": r"\b(?:what|how much) (?:\w+ ){0,4}?(?:prices?|costs?|fees?|rent|salary|wages?|fines?|penalt(?:y|ies)|deposit|revenues?|profits?|dividend|budget|charges?|pay|paid|payment|amounts?|sums?)\b",
    "count": r"\bhow (?:many|much|often|far|large|big|high|tall|deep|wide|heavy|fast|hot)\b|\bwhat (?:is|was|are|were) the (?:\w+ ){0,3}?(?:number|total|dose|dosage|limit|maximum|minimum|temperature|distance|size|turnout|sample size)\b",
    "who": r"(?:^|[,;] |\b(?:and|or|by|to|from|of|for|with|in|on|under) )who(?:se|m)?\b|\bwhich (?:party|person|company|firm|court|judge|author|body|side)\b",
    "where": r"(?:^|[,;] |\b(?:and|or) )where\b|\b(?:in|at|to) (?:what|which) (?:place|city|town|country|address|room|court)\b",
}  # fmt: skip
_GIVES: dict[Kind, re.Pattern[str]] = {
    "when": re.compile(rf"\b\d{{1,2}}(?:st|nd|rd|th)?\s{_MONTH}\b|\b{_MONTH}\.?\s\d{{1,4}}\b|\b(?:1[5-9]|20)\d\d\b|\b\d{{4}}-\d\d|\b\d{{1,2}}:\d\d\b|\b{_NUMBER}(?:[\s-]\w+)?[\s-]{_UNIT}\b|\b(?:in|each|every|on|until|by) (?:{_MONTH}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)|\b(?:after|before|upon|once|when|at the (?:end|start)) "),
    "how_long": re.compile(rf"\b{_NUMBER}(?:[\s-]\w+)?(?:’|')?[\s-](?:\w+ )?{_UNIT}\b|\buntil\b|\bas long as\b|\bindefinitely\b|\bbetween\b.+\band\b|\bfrom\b.+\bto\b", re.IGNORECASE),
    "share": re.compile(rf"{_PER_CENT}|\b(?:half|third|quarter|fifth|tenth)s?\b|\b\d+ (?:of|in|out of) (?:the )?\d+\b", re.IGNORECASE),
    "money": re.compile(rf"{_CURRENCY}|{_PER_CENT}|\bfree\b|\bno (?:charge|cost|fee)\b", re.IGNORECASE),
    "count": re.compile(rf"(?<![\w-]){_FIGURE}|\b(?:once|twice|daily|weekly|monthly|yearly|annually|hourly|unlimited|none|half)\b", re.IGNORECASE),
    "who": re.compile(r"(?<=[\w,;)] )[A-Z]\w+|^[A-Z]\w+ (?:[A-Z]\w+|v\.)|\b(?:the|an?|each|any|either|both) (?:\w+ ){0,3}?\w+(?:er|or|ee|ant|ent|ist|man|woman|council|court|office|board|committee|panel|part(?:y|ies)|company|firm|staff|nurse|patient|licensee)s?\b"),
    "where": re.compile(r"\b(?:in|at|on|to|from|near|under|over|within|behind|beside|through|into|outside) (?:the |a |an |any |each )?\w+", re.IGNORECASE),
}  # fmt: skip
WANTED: dict[Kind, str] = {
    "when": "a date",
    "how_long": "a length of time",
    "share": "a share",
    "money": "an amount",
    "count": "a number",
    "who": "a name",
    "where": "a place",
    "statement": "a statement",
}
"""What a kind of question is answered by, in words."""

_STOP = frozenset(
    """a an the and or but if of in on at to for from by with without within as is are was were be been being am do does did done doing has have had
    having can could should will would may might must shall not no nor so than then that this that's these those there here it its it's they them their he she his
    her we our us you your i me my mine what which who whom whose when where why how much many any some all both each every other others into onto about over
    under after before between during per also only please tell say says said state states stated according give given gives take takes taken does make makes made
    get gets mean means kind sort type long often far large big high old soon late exactly ever still yet just more most least less such up out off one
    document documents text passage passages source sources mention mentions mentioned describe described report reported reports provide provided provides happen happens
    apply applies need needs allowed allow use used under set out based against because while well hold help helps deal dealt deals happened said called
    there's first come comes came go goes went want wants new whole particular specific current currently
    once again until while few very own same above below further too now ago back yet compare compared run runs ran word words see sees find finds altogether overall usually normally everything anything something nothing""".split()  # noqa: SIM905 - a list of words reads best as text
)  # fmt: skip
_MEASURES = frozenset(
    """date day deadline year month time period duration length term price cost amount fee sum total number figure count value share percent percentage
    proportion rate fraction name person place size much""".split()  # noqa: SIM905 - as above
)  # fmt: skip
"""Words for what is asked for: a sentence that holds a value of the kind need not say them."""
_LIGHT = frozenset(
    """survey study trial paper article story interview lease agreement contract policy guideline guide leaflet opinion judgment judgement act statute law dataset card
    table manual handbook notice letter minutes memo rule rules regulation section clause schedule chapter page file record company firm organisation organization
    people person persons someone anyone staff employee employees worker workers patient patients customer customers user users resident residents adult adults""".split()  # noqa: SIM905 - as above
)  # fmt: skip
"""Words for the document that is asked about, and for people in general: a document seldom says them in every sentence."""
_OPENERS = frozenset(
    "is are was were does do did can could may must will would should shall has have in on at under by for if after before during according".split()  # noqa: SIM905 - as above
)
_PARTS = re.compile(
    r"\b(?:who(?:se|m)?|what|which|when|where|why|how)\b|\band (?:may|must|does|do|did|is|are|was|can|will)\b",
    re.IGNORECASE,
)
_ENDINGS = re.compile(
    r"(?:ations?|itions?|at(?:e|es|ed|ing)|ments?|ings?|ances?|ences?|ically|ally|ies|ied|ely|est|ers?|ors?|als?|ed|es|ly|s|e|y)$"
)
_ORDINAL = r"(?:first|second|third|fourth|fifth|latest|original|1st|2nd|3rd|[4-9]th)"
_PLACE = re.compile(
    rf"\b(?:version|edition|unit|line|section|clause|article|part|chapter|schedule|phase|stage|table|room|route|rule|form|no\.|number) (?:\d[\w.]*|[IVX]+\b|[A-Z]\b)|\b{_ORDINAL} (?:version|edition|draft)\b",
    re.IGNORECASE,
)
"""What tells one of several apart: version 2, Unit 4, the second edition."""
_IRREGULAR = {
    past: verb
    for verb, *pasts in map(
        str.split,
        """rise rose risen|fall fell fallen|win won|pay paid|hold held|begin began begun|give gave given|take took taken|leave left|sell sold|build built|grow grew grown
        |lose lost|keep kept|send sent|bring brought|buy bought|meet met|write wrote written|speak spoke spoken|choose chose chosen|become became|break broke broken
        |drive drove driven|know knew known|lead led|lend lent|spend spent|teach taught|wear wore worn|withdraw withdrew withdrawn|show shown|seek sought|lie lay lain""".split("|"),  # noqa: SIM905 - as above
    )
    for past in pasts
}  # fmt: skip
_WANTS_MORE = re.compile(
    r"^(?:please |kindly |(?:can|could|would|will) you (?:please )?)?(?:draft|write|compose|translate|summari[sz]e|calculate|book|order|call|send|design|draw|plan|invent|imagine)\b"
    r"|\bshould (?:i|we)\b|\bwould you\b|\bdo you (?:think|recommend|believe|advise)\b|\b(?:your|you) (?:opinion|advice|recommend\w*|suggest\w*)\b|\bwhat would happen if\b|\bwill .* (?:next year|in future|some day)\b",
    re.IGNORECASE,
)
"""Asks for advice, an opinion, a forecast or a piece of work: not for what documents say."""
_SHORTEST, _STEM = 3, 4


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a question, in lower case; `shown` is how it stands there, a word with a hyphen whole.

    `named`: a name, a year or a figure, which a passage must have. `measure`: it stands for the value asked for.
    `light`: it names a kind of document, or people in general.
    """

    word: str
    shown: str
    stem: str
    named: bool
    measure: bool
    light: bool


@dataclass(frozen=True)
class AskedFor:
    """A question taken apart."""

    question: str
    kind: Kind
    terms: tuple[Term, ...]
    several: bool
    """Whether it asks for more than one thing."""
    places: tuple[str, ...] = ()
    """Which of several it asks about: ``version 2``, ``unit 4``."""

    @cached_property
    def wants_more(self) -> bool:
        """Whether it asks for advice, a forecast or a piece of work, and not for what documents say."""
        return _WANTS_MORE.search(self.question) is not None

    @cached_property
    def named(self) -> tuple[Term, ...]:
        """The names, years and figures it holds."""
        return tuple(term for term in self.terms if term.named)

    def answered_by(self, sentence: str) -> bool:
        """Check whether a sentence holds something of the kind that is asked for, beyond what the question says itself."""
        pattern = _GIVES.get(self.kind)
        if pattern is None:
            return True
        known = {term.word for term in self.named}
        return any(not known.issuperset(_plain_words(found[0])) for found in pattern.finditer(sentence))

    def values(self, sentence: str) -> frozenset[str]:
        """Return what of the asked kind a sentence holds, to tell two answers apart."""
        pattern = _GIVES.get(self.kind)
        found = (match[0] for match in pattern.finditer(sentence)) if pattern else [sentence]
        return frozenset(" ".join(value.casefold().split()) for value in found)


def take_apart(question: str) -> AskedFor:
    """Read what a question asks for. Its words come once each, in order, without those that any question is made of."""
    kind: Kind = next((kind for kind, asks in _ASKS.items() if re.search(asks, question, re.IGNORECASE)), "statement")
    terms: dict[str, Term] = {}
    for at, match in enumerate(_WORD.finditer(question)):
        for part in (match[0],) if any(map(str.isdigit, match[0])) else re.split(r"[-’']", match[0]):
            word = part.casefold()
            figure = any(map(str.isdigit, part))
            name = part[:1].isupper() and at > 0 and len(part) > 1
            if (word in _STOP and not name) or (len(word) == 1 and not figure):
                continue
            named = figure or name or (part[:1].isupper() and word not in _OPENERS)
            measure = kind != "statement" and word in _MEASURES
            shown = part if re.search("[’']", match[0]) else match[0]
            light = not named and word in _LIGHT
            terms.setdefault(stem(word), Term(word, shown, stem(word), named, measure, light))
    places = tuple(dict.fromkeys(place[0].casefold() for place in _PLACE.finditer(question)))
    return AskedFor(question, kind, tuple(terms.values()), len(_PARTS.findall(question)) > 1, places)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Take the ending off an English word: rough, but the same for expire, expires, expired and expiring."""
    word = _IRREGULAR.get(word.casefold(), word.casefold())
    if len(word) <= _SHORTEST or any(map(str.isdigit, word)):
        return word.strip(".,")
    cut = word
    for _ in range(2):
        shorter = _ENDINGS.sub("", cut)
        cut = shorter if len(shorter) >= _SHORTEST else cut
    return cut[:-1] if len(cut) > _STEM and cut[-1] == cut[-2] else cut


def stems_of(text: str) -> frozenset[str]:
    """Return the stems of all words of a text; a word with a hyphen counts whole and in parts."""
    return frozenset().union(*map(_stems_of_word, _WORD.findall(text)))


@lru_cache(maxsize=65536)
def _stems_of_word(word: str) -> frozenset[str]:
    return frozenset({stem(word), *(stem(part) for part in re.split(r"[-’'.&]", word) if len(part) > 1)})


def _plain_words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)} - _STOP
