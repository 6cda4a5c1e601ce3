"""Values with the words that they are bound to: those of their own clause, or of their own member of a list or contrast."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from showable.read.quantities import Quantity, find_quantities
from showable.read.word_sets import word_set
from showable.rubrics.gold_negation import MARKER
from showable.rubrics.gold_statements import Statement

_CUT = re.compile(
    r"[;:()\n]|,(?![0-9])|\s[–—-]\s|\s(?=(?:and|or|but|yet|while|whilst|whereas|although|though|versus|vs\.?|v\.?|against|compared|relative|as opposed|up from|down from|including|excluding|plus"
    r"|of (?:which|whom|these|this)|with(?= [^,;]{0,40}[0-9]))\s)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[;,]|\s(?:and|but|while|whereas|whilst)\s", re.IGNORECASE)
_TRAILS = re.compile(
    r"\W*(?:in|on|at|of|for|from|to|under|by|as|per|which|who|that|after|before|during|since|until)\b", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ALIKE = {
    "total": r"(?:in )?(?:total(?:s|led|ed|ling|ing)?|sum(?:s|med)?|altogether|aggregate[sd]?|combined|overall)|in all|all told|put together",
    "average": r"averag(?:e[sd]?|ing)|mean(?! that\b)|on average",
    "maximum": r"maxim(?:um|al|a)|max|at most|no more than|not more than|highest|upper limit|ceiling|up to",
    "minimum": r"minim(?:um|al|a)|min|at least|no less than|not less than|lowest|lower limit|floor",
    "yearend": r"year[- ]end|end of (?:the )?(?:fiscal |financial |calendar )?year|close of (?:the )?(?:fiscal |financial )?year",
}
_CLASSES = [(name, re.compile(rf"\b(?:{ways})\b", re.IGNORECASE)) for name, ways in _ALIKE.items()]
_DERIVED = re.compile(
    r"(?<=...)ments?$|(?<=....)(?:(?:i|a)bility|ations?|itions?|utions?|ities|ity|ions?|ances?|ences?|ors?|ers?|ally|al|ly)$"
)
_INFLECTED = re.compile(r"(?<=....)at(?:ed|es?|ing)$|(?<=...)(?:ings?|ied|ies|ed|es|e|s|y)$")
_LEAD = 20
_IRREGULAR = {
    past: base
    for base, forms in {
        "pay": "paid", "sell": "sold sale sales", "buy": "bought", "hold": "held", "spend": "spent", "win": "won", "lose": "lost loss losses", "build": "built", "grow": "grew grown growth",
        "begin": "began begun", "write": "wrote written", "rise": "rose risen", "fall": "fell fallen", "give": "given", "send": "sent", "leave": "left", "lend": "lent", "die": "dead death deaths",
        "weigh": "weight weights", "high": "height heights", "long": "length lengths", "wide": "width widths", "deep": "depth depths", "speak": "spoke spoken", "teach": "taught",
    }.items()
    for past in forms.split()
}  # fmt: skip
_EMPTY = word_set(
    """a an the of in on at to for from by with within into per as than and or but yet while whilst whereas although though versus vs v so then thus hence
    therefore however also only just about around some roughly approximately approx circa nearly almost exactly precisely is are was were be been being am has have had
    having do does did can could will would shall should may might must it its they them their there this that these those he she his her him we our you your i my me
    which who whom whose what when where why how much many one ones each every both same respectively not no nor more less
    according based given stated shown reported said says states shows reports document documents source sources report filing answer question figure figures
    value values amount amounts number numbers sum million millions billion thousand hundred dollars dollar usd stands stood comes came amounts amounted equals equal
    equalled made up reached totalled gives gave yields expressed recorded put set result results lasts lasted last run runs ran takes took take lies lay
    remain remains remained become becomes became get gets got go goes went require requires required need needs"""
)  # fmt: skip
_BEFORE_VALUE = re.compile(
    r"\b(?:after|over|within|during|for|by|about)\s+(?:the\s+(?:first|last|next)\s+)?$", re.IGNORECASE
)
_STATED = re.compile(
    r"(?:\b(?:is|are|was|were|has|have|had|to|uses?|used|at|totall?ed|numbered|number)|[:=])\s*[*_]*$", re.IGNORECASE
)
_PRONOUN = re.compile(r"\W*(?:it|they|this|these|he|she|its|their|his|her)\b", re.IGNORECASE)


_LISTED = re.compile(r",(?:\s+and\b)?|\s(?:and|or)\b|/", re.IGNORECASE)
_FEWEST = 2
_Member = tuple[int, int, list[Quantity]]


@dataclass(frozen=True, slots=True)
class Bound:
    """A value of an answer, the text of its own member, and the words there; `subject`: what it takes over from before."""

    value: Quantity
    statement: Statement
    text: str
    words: frozenset[str]
    subject: frozenset[str]


def bound_values(answer: Sequence[Statement], *, years: bool = False) -> Iterator[Bound]:
    """Give each result that the statements come to with the words of its own member, in order of place.

    `years`: a year is a value here, and no label of one.
    """
    before: frozenset[str] = frozenset()
    for statement in answer:
        cited = [m.span() for m in MARKER.finditer(statement.text)]
        values = [
            q
            for q in statement.results
            if (years or not _is_period(statement.text, q)) and not any(a <= q.span[0] < b for a, b in cited)
        ]
        opening = frozenset[str]()
        pieces = _respective(statement.text, values) or _members(statement.text, values)
        for index, (start, end, held) in enumerate(pieces):
            text = statement.text[start:end]
            words = meaning(text, periods=not years)
            subject = (before if opens_with_pronoun(text) else frozenset()) | opening
            for q in held:
                yield Bound(q, statement, text, words, subject)
            if index == 0 and held:
                opening = meaning(statement.text[start : held[0].span[0]], periods=not years)
        before = meaning(statement.text, periods=not years)


@lru_cache(maxsize=2048)
def meaning(text: str, *, periods: bool = True) -> frozenset[str]:
    """Reduce a text to the roots of its words, its years and quarters; what is a value, or says nothing of one, is left out."""
    found, rest = set(), list(text)
    for q in find_quantities(text):
        if periods and _is_period(text, q):
            found.add(f"{int(q.value)}" if q.kind == "year" else f"q{int(q.value) % 10}")
        if q.kind != "ordinal":
            led = _BEFORE_VALUE.search(text, max(0, q.span[0] - _LEAD), q.span[0])
            start, end = led.start() if led else q.span[0], q.span[1]
            rest[start:end] = " " * (end - start)
    bare = MARKER.sub(" ", "".join(rest))
    for name, pattern in _CLASSES:
        bare, count = pattern.subn(" ", bare)
        if count:
            found.add(name)
    return frozenset(found | {root(w) for w in _WORD.findall(bare.lower()) if len(w) > 1 and w not in _EMPTY})


def opens_with_pronoun(text: str) -> bool:
    """Tell whether a member takes its subject over from what was said before: "it weighs 5 kg"."""
    return _PRONOUN.match(text) is not None


def clause_at(text: str, span: tuple[int, int]) -> str:
    """Give the clause or member of a list that a stretch of a text stands in."""
    opening = max((m.end() for m in _CLAUSE.finditer(text, 0, span[0])), default=0)
    closing = _CLAUSE.search(text, span[1])
    return text[opening : closing.start() if closing else len(text)]


def root(word: str) -> str:
    """Cut the endings of inflection and derivation off: "maturity" and "matures" are one word here."""
    word = re.sub(r"['’]s?$", "", word)
    word = _IRREGULAR.get(word, word)
    bare = _INFLECTED.sub("", _DERIVED.sub("", word))
    return bare[:-1] if bare[-1:] == bare[-2:-1] else bare


def _is_period(text: str, q: Quantity) -> bool:
    """Tell a year or quarter from a count that looks like one: "the default is 2048"."""
    if q.kind != "year" or not q.text.isdigit():
        return q.kind in {"quarter", "year"}
    return _STATED.search(text, max(0, q.span[0] - _LEAD), q.span[0]) is None


def _respective(text: str, values: Sequence[Quantity]) -> list[_Member]:
    """Read "basic and diluted EPS were 2 and 3, respectively", where the labels stand together, before the values or after."""
    closing = text.lower().find("respectively")
    if closing < 0 or len(values) < _FEWEST:
        return []
    last = values[-1].span[1]
    for opening, end in ((last, closing), (0, values[0].span[0])):
        edges = [opening, *(m.start() for m in _LISTED.finditer(text, opening, end)), end]
        items = [(a, b) for a, b in pairwise(edges) if meaning(text[a:b])]
        if len(items) == len(values):
            return [(start, stop, [q]) for (start, stop), q in zip(items, values, strict=True)]
    return []


def _members(text: str, values: Sequence[Quantity]) -> list[_Member]:
    """Cut a statement into members, one value each where the text cuts it so; what holds none goes with a neighbour.

    A piece without a value labels the next one ("Diluted: 5"), unless it qualifies the one before ("5, in 2018").
    """
    spans = [q.span for q in values]
    if text.lstrip().startswith("|"):  # a row of a table: its first cell is the label of all
        return [(0, len(text), list(values))]
    cuts = [m.start() for m in _CUT.finditer(text) if not any(start <= m.start() < end for start, end in spans)]
    edges = [0, *(c for c in cuts if c), len(text)]
    pieces: list[tuple[int, int]] = []
    waiting: int | None = None
    for start, end in pairwise(edges):
        at = [s for s, _ in spans if start <= s < end]
        opens_with_value = bool(at) and not meaning(text[start : at[0]])
        if at:
            if waiting is not None and pieces and opens_with_value and _TRAILS.match(text, waiting):
                pieces[-1], waiting = (pieces[-1][0], start), None
            pieces.append((start if waiting is None else waiting, end))
            waiting = None
        elif waiting is None:
            waiting = start
    if waiting is not None and pieces:
        pieces[-1] = (pieces[-1][0], len(text))
    return [(start, end, [q for q in values if start <= q.span[0] < end]) for start, end in pieces]
