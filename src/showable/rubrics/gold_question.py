"""What a question prescribes for its answer: yes or no, a choice, a number with its unit, scale and rounding."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from showable.read.quantities import Quantity, find_quantities
from showable.read.question_focus import stems
from showable.records.regex import regex

_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SCALE = regex(
    r"(?:\bin (?:units of )?|\()(?:(?:us\$|usd|eur|gbp|jpy|inr|\$|€|£|u\.s\. dollars?|dollars?|euros?)[ -]?(?:in )?)?(thousand|million|billion|trillion)s?\b"
    r"|(?:usd|eur|gbp|[$€£]) ?(?:in )?(thousand|million|billion|trillion)s?\b"
)
_PERCENT = regex(
    r"(?<![\d.])(?<!\d )%|\b(?:what|which|as a|in|units? of|how many) (?:per ?cent|percentage)|percentage points?|percent margin"
)
_DECIMALS = regex(r"\b(one|two|three|four|\d) (?:decimal|digits? after|places?)")
_NEAREST = regex(r"nearest (?:whole|integer|dollar|percent|unit)")
_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4}
_NUMERIC = regex(
    r"\bhow (?:much|many|long|old|large|big|high|far|often)\b"
    r"|\b(?:amount|quantity|ratio|margin|percentage|number|total|average|value|price|cost|rate|sum|turnover|figure|dose|dosage|age|"
    r"length|height|weight|temperature|deadline|period|change)\b|%"
)
_WHICH = regex(r"\b(?:which|who)\b")
"""Asks for one of several by name, so that a year or quarter is a name too: "the 2026 notes"."""
_WHEN = regex(
    r"\bwhen\b|\b(?:what|which|in what|on what) (?:\w+ )?(?:year|date|day|month|quarter)\b|\bsince when\b|\bdeadline\b"
)
_AUXILIARY = r"(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|shall|may|might|must)"
_YES_NO = regex(rf"(?:^|[.:;?!]\s+|,\s*|\n\s*)(?:and |so |or )?{_AUXILIARY} (?:\S+ ){{1,60}}?[^?]*\?")
_WH = regex(r"\b(?:what|which|who|whom|whose|when|where|why|how)\b")
_CHOICE = regex(
    r"\b(?:among|between|out of|of) ([^?]{3,200}?), (?:which|what|who)\b|\b(?:which|who|what)\b[^?]{0,200}?[:,] ([^?]{3,120}\bor\b [^?]{2,60})\?"
)
_COUNTED = regex(
    r"\b(?:how many|number of) (?:more |additional |full |total )?(?P<unit>[^\W\d_][^?.,;:()'’]*)", re.IGNORECASE
)
_GIVEN_IN = regex(r"(?:\bin |\((?:in )?)(?P<unit>[^\W\d_°][^?.,;:()'’]*)", re.IGNORECASE)
_NO_UNIT = regex(r"(?i:\w*(?:day|week|fortnight|month|year|hour|minute|second|decade|century))|[Udhs]")
"""What is read as a unit after a number, and after "in" or "how many" is none: "in month three", "in U.S. dollars"."""
_UNIT_WORDS = 4
_ITEM = regex(r"\s*(?:,|;|\band\b|\bor\b|\bversus\b|\bvs\.?)\s*")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question read for what its answer must be. `stems` are its content words; `choices` those offered to choose from."""

    text: str
    stems: frozenset[str]
    yes_no: bool
    numeric: bool
    which: bool
    when: bool
    percent: bool
    scale: float | None
    decimals: int | None
    choices: tuple[str, ...]
    quantities: tuple[Quantity, ...]
    unit: str | None = None
    """The measure or stretch of time that it wants its number in, as written: "days" of "How many days …?"."""


@lru_cache(maxsize=1024)
def read_question(question: str) -> Asked:
    """Read what a question prescribes; the instructions around it ("Answer in USD billions.") count too."""
    lowered = question.lower()
    scale = _SCALE.search(lowered)
    decimals = _DECIMALS.search(lowered)
    places = None if decimals is None else _WORDS.get(decimals[1]) or int(decimals[1] if decimals[1].isdigit() else 0)
    return Asked(
        text=question,
        stems=stems(_main_clause(question)),
        yes_no=_asks_yes_no(lowered),
        when=bool(_WHEN.search(lowered)),
        numeric=bool(_NUMERIC.search(lowered)),
        which=bool(_WHICH.search(lowered)) and not _NUMERIC.search(lowered),
        percent=bool(_PERCENT.search(lowered)),
        scale=_SCALES[scale[1] or scale[2]] if scale else None,
        decimals=0 if _NEAREST.search(lowered) else places,
        choices=_choices(lowered),
        quantities=tuple(find_quantities(question)),
        unit=_unit(question),
    )


def _main_clause(question: str) -> str:
    """Leave out the instructions around the question proper, where a question mark shows which it is."""
    asked = re.findall(r"[^?]*\?", question)
    if not asked:
        return question
    sentences = re.split(r"(?<=[.:])\s+(?=[A-Zw])", max(asked, key=len))
    return sentences[-1] if len(sentences[-1]) > len(question) / 6 else " ".join(sentences)


def _asks_yes_no(lowered: str) -> bool:
    """Check whether the question opens with an auxiliary verb and not, before it, with a question word."""
    match = _YES_NO.search(lowered)
    return match is not None and _WH.search(lowered, 0, match.start() + 1) is None


def _unit(question: str) -> str | None:
    """Find the unit that a question names: counted in ("how many days") or given in ("in days", "(mg)")."""
    counted = _COUNTED.search(question)
    places = [counted] if counted else _GIVEN_IN.finditer(question)
    return next((unit for place in places if (unit := _leading_unit(place["unit"]))), None)


def _leading_unit(text: str) -> str | None:
    """Return the unit of measure or time that a text begins with, the longest there is."""
    words = text.split()
    for count in range(min(_UNIT_WORDS, len(words)), 0, -1):
        unit = " ".join(words[:count])
        (*_, last) = find_quantities(f"7 {unit}") or (None,)
        if last and last.kind in {"measure", "duration"} and last.span == (0, len(unit) + 2):
            return None if _NO_UNIT.fullmatch(unit) else unit
    return None


def _choices(lowered: str) -> tuple[str, ...]:
    match = _CHOICE.search(lowered)
    if match is None:
        return ()
    items = [item.strip() for item in _ITEM.split(match[1] or match[2] or "") if item.strip()]
    if len(items) > 1 and all(" " not in item for item in items[:-1]):
        items[-1] = items[-1].split()[0]  # "investing and financing activities": the noun is common to all
    return tuple(items)
