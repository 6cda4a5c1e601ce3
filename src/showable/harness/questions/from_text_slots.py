"""Put a question word in the place of a fact: a date, a time, a length of time, an amount, a share, a count."""

from __future__ import annotations

import re
from dataclasses import dataclass

from showable.harness.questions.from_text_clauses import Clause
from showable.harness.questions.from_text_verbs import BE
from showable.read.quantities import Quantity, find_quantities

_HEDGE = re.compile(
    r"(?:^|\s)((?:(?:at )?(?:least|most)|up to|(?:no|not) (?:more|less|later|fewer) than|(?:more|less|fewer|over|under) than|about|around|roughly|approximately|nearly|almost|exactly"
    r"|a maximum of|a minimum of|a total of|over|under|only)\s)$",
    re.IGNORECASE,
)
_TAIL = re.compile(r"^\s?(?:of|after|before|from|per|a|an|each)\s(?:[^\s,]+\s?){1,7}$")
_PER = re.compile(r"^\s(?:per|a|an|each|every)\s[a-z]+(?:\s[a-z]+)?\b")
_NOUNS = re.compile(
    r"^\s([a-z][\w-]+(?:\s[a-z][\w-]+){0,2}?)"
    r"(?=\s(?:of|in|at|for|from|to|on|by|with|within|per|a|an|each|every|during|before|after|the|under|over|towards|between)\b|$)"
)
_OF_WHAT = re.compile(r"\sof\s(?!(?:the|all|its|their|each|every|an?)\b)[a-z]+\b")
_OF = re.compile(
    r"^\s(of\s(?:the |all |its )?[^\s,]+(?:\s[^\s,]+){0,4}?)(?=\s(?:in|at|for|from|to|on|by|with|within|per|during|before|after|under|as)\b|$)"
)
_JOINED = re.compile(r"\b(?:and|or)\b")
_PREPOSITION = re.compile(r"(?:^|\s)(on|in|by|until|since|from|at|within|for|every|after)$", re.IGNORECASE)
_DANGLES = re.compile(
    r"\b(?:of|to|by|with|from|than|the|a|an|and|or|between|to the|its|is|are|be|been|as|plus|minus|under|over)$"
)
_VERBAL = re.compile(r"^(?:be )?[a-z]+$")
_TIMES = re.compile(r"(?:^|\b)(?:once|twice|\w+ times)$", re.IGNORECASE)
_CHANGES = frozenset({"rise", "fall", "grow", "close", "come"})
_IS_MONEY = re.compile(
    r"\b(?:fee|price|cost|rent|charge|deposit|fine|salary|wage|allowance|grant|budget|fare|penalty|premium)s?$"
)
_FAR = 8
"""Words between the verb and a date after which the date may as well belong to something nearer."""
_GOES_ON = re.compile(
    r"(?:$|\s(?:in|on|at|for|of|from|to|per|by|with|during|under|within|before|after|as|between|among|across|once|each|every|a)\b)"
)
_SEVERAL = 2
_DATES = frozenset({"date", "year"})


@dataclass(frozen=True, slots=True)
class Asking:
    """A question without its document (``how long is the notice period``), what kind of fact answers it, and the answer's place in the sentence.

    `turned` are the auxiliary, the subject, and the words before and after the answer, of which a yes-or-no question is made.
    """

    asks: str
    kind: str
    start: int
    end: int
    turned: tuple[str, str, str, str] | None = None


def askings(clause: Clause) -> list[Asking]:
    """Return a question for each quantity of a clause that one can be asked about naturally."""
    made = (_ask(clause, quantity) for quantity in find_quantities(clause.rest))
    return [asking for asking in made if asking is not None]


def _ask(clause: Clause, quantity: Quantity) -> Asking | None:
    start, end = quantity.span
    if (hedge := _HEDGE.search(clause.rest[:start])) is not None:
        start = hedge.start(1)
    before, after = clause.rest[:start].rstrip(), clause.rest[end:]
    if _JOINED.search(before) or _JOINED.search(after):
        return None
    made = _WAYS.get(quantity.kind, _no_way)(clause, before, after, quantity)
    if made is None:
        return None
    asks, kept, longer = made
    if not before and not clause.base and clause.auxiliary in BE and _GOES_ON.match(kept.rstrip()) is None:
        return None
    end += longer
    if asks.startswith("how often"):
        start = before.casefold().rindex("every")
        start = once.start() if (once := _TIMES.search(before[:start].rstrip())) else start
    asks = re.sub(r"\s+([,.])", r"\1", " ".join(asks.split())).rstrip(" ,")
    if _DANGLES.search(asks) or asks.count(",") > 1:
        return None
    first = clause.rest_start
    verb = f"{clause.base} " if clause.base else ""
    kind = "date" if quantity.kind in _DATES else quantity.kind
    turned = (clause.auxiliary, clause.subject, f"{verb}{before}".strip(), kept)
    return Asking(asks, kind, first + start, first + end, turned)


_Made = tuple[str, str, int] | None
"""The question, what of the sentence follows the answer, and by how many characters the answer goes on after the quantity."""


def _no_way(_clause: Clause, _before: str, _after: str, _quantity: Quantity) -> _Made:
    return None


def _turned(clause: Clause, word: str, before: str, after: str) -> str:
    """Write the question word, the auxiliary, the subject, the verb, and what stood around the answer."""
    verb = f" {clause.base}" if clause.base else ""
    return f"{word} {clause.auxiliary} {clause.subject}{verb} {before} {after}"


def _date(clause: Clause, before: str, after: str, _quantity: Quantity) -> _Made:
    found = _PREPOSITION.search(before)
    word = {"on": "when", "in": "when", "by": "by when", "until": "until when", "since": "since when", "from": "from when"}.get(
        found[1].casefold() if found else ""
    )  # fmt: skip
    if found is None or word is None:
        bare = not before and not clause.base and clause.auxiliary in BE and not after.strip()
        return (_turned(clause, "what", "", ""), after, 0) if bare and "date" in clause.subject else None
    left = before[: found.start()].strip()
    if (not left and not clause.base and clause.auxiliary not in BE) or len(left.split()) > _FAR:
        return None
    return _turned(clause, word, left, after), after, 0


def _time(clause: Clause, before: str, after: str, _quantity: Quantity) -> _Made:
    found = _PREPOSITION.search(before)
    if found is None or found[1].casefold() != "at" or re.match(r"\s(?:and|to|or|–|-)", after):
        return None
    return _turned(clause, "at what time", before[: found.start()].strip(), after), after, 0


def _duration(clause: Clause, before: str, after: str, quantity: Quantity) -> _Made:
    if re.match(r"[\s-](?:old|ago|later|earlier|or|and|to|(?:per|a|an|each|every) [a-z]+)\b|-", after):
        return None
    tail = _TAIL.match(after)
    longer, kept = (len(after), "") if tail else (0, after)
    found = _PREPOSITION.search(before)
    if found is None:
        return _bare(clause, before, kept, longer, quantity)
    word = {"within": "within what time", "for": "for how long", "every": "how often", "after": "after how long"}.get(
        found[1].casefold()
    )
    left = before[: found.start()].strip()
    if word == "how often":
        left = _TIMES.sub("", left)  # `once every three years` is the answer
    if word is None or not (left or clause.base):
        return None
    if found[1].casefold() == "after" and tail:
        return None
    return _turned(clause, word, left, kept), kept, longer


def _bare(clause: Clause, before: str, kept: str, longer: int, quantity: Quantity) -> _Made:
    """Ask about an amount that stands directly behind the verb: ``is 45 euros``, ``costs 45 euros``, ``must pay 45 euros``."""
    word = "how much" if quantity.kind == "money" else "how long"
    if not before and not clause.base and clause.auxiliary in BE:
        how = "how much" if quantity.kind == "money" and "fee" in clause.subject else "what"
        if quantity.kind == "duration" and not clause.subject.casefold().startswith("the "):
            how = "how long"  # bereavement leave is five days
        return _turned(clause, how, "", kept), kept, longer
    if not before and clause.base in {"last", "take", "cost", "run"}:
        return _turned(clause, word, "", kept), kept, longer
    if clause.base in _CHANGES and before == "to" and quantity.kind == "money":
        return _turned(clause, f"to {word}", "", kept), kept, longer
    direct = not before if clause.base else _VERBAL.match(before) and not _PREPOSITION.search(before)
    if quantity.kind == "money" and direct and clause.base not in _CHANGES:
        return _turned(clause, word, before, kept), kept, longer
    return None


def _money(clause: Clause, before: str, after: str, quantity: Quantity) -> _Made:
    per = _PER.match(after)
    longer = per.end() if per else 0
    if re.match(r"\s(?:and|or|to|of)\b|-", after[longer:]):
        return None
    return _bare(clause, before, after[longer:], longer, quantity)


def _share(clause: Clause, before: str, after: str, _quantity: Quantity) -> _Made:
    of = _OF.match(after)
    if not before and not clause.base and clause.auxiliary in BE:
        longer = of.end() if of else 0
        return _turned(clause, "what", "", after[longer:]), after[longer:], longer
    if of and not before and clause.base:
        return _turned(clause, f"what percentage {of[1]}", "", after[of.end() :]), after, 0
    if of and not clause.base and _VERBAL.match(before):
        return _turned(clause, f"what percentage {of[1]}", before, after[of.end() :]), after, 0
    return None


def _measure(clause: Clause, before: str, after: str, _quantity: Quantity) -> _Made:
    if re.match(r"\s(?:and|or|to|by)\b|-", after):
        return None
    if not before and not clause.base and clause.auxiliary in BE:
        tail = re.match(r"\s(?:long|wide|high|deep|tall)\b", after)
        word = f"how{tail.group()}" if tail else "what"
        kept = after[tail.end() :] if tail else after
        return _turned(clause, word, "", kept), kept, tail.end() if tail else 0
    if not before and clause.base == "weigh":
        return _turned(clause, "how much", "", after), after, 0
    return None


def _count(clause: Clause, before: str, after: str, quantity: Quantity) -> _Made:
    nouns = _NOUNS.match(after)
    if (
        nouns is None
        or quantity.value < _SEVERAL
        or quantity.value != int(quantity.value)
        or not nouns[1].rstrip().endswith("s")
    ):
        return None
    noun, kept = nouns[1].strip(), after[nouns.end() :]
    if (of := _OF_WHAT.match(kept)) is not None:  # three days of leave
        noun, kept = noun + of.group(), kept[of.end() :]
    if clause.auxiliary in BE and not before and not clause.base:
        if " " in noun or not _IS_MONEY.search(clause.subject):
            return None
        return _turned(clause, "what", "", kept), kept, nouns.end()
    if clause.base and before:
        return None
    if before and (_PREPOSITION.search(before) or _DANGLES.search(before) or not _VERBAL.match(before)):
        return None
    return _turned(clause, f"how many {noun}", before, kept), f" {noun}{kept}", 0


_WAYS = {
    "date": _date,
    "year": _date,
    "time": _time,
    "duration": _duration,
    "money": _money,
    "percent": _share,
    "measure": _measure,
    "number": _count,
}
