"""Is a value of a claim reckoned from numbers of its passage, and does the reckoning come out within the digits shown?

What the passage states is no reckoning, and is left to the judge. Of the computations that a claim may mean, the one that
fits its words best decides; where others fit as well, a value that comes out of none of them is called wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from math import sqrt
from typing import Literal

from showable.read.passage_tables import read_tables
from showable.read.quantities import find_quantities
from showable.read.quantity import Quantity, comparable, same_quantity
from showable.records.regex import regex
from showable.rubrics.computations import CALENDAR, Computations, Computed, Operation
from showable.rubrics.gold_direction import direction
from showable.rubrics.operands import Operand, listed_items, read_operands
from showable.rubrics.table_values import terms
from showable.rubrics.written_steps import written_steps

_CONSIDERED = 10
"""Operands that are tried, those that the claim's words fit best."""
_NEAR_BEST = 0.22
"""How far below the best fitting computation one may lie and still be what the claim means."""
_SUBJECT = 0.5
"""Share of the claim's words that the operands must have before a result that does not come out is called wrong."""
_FAILS, _HOLDS, _HOLDS_UNCUED = 0.85, 0.5, 0.6
"""How well a computation must fit before its result is held against a claim, and for it, with and without a word for it."""
_MOST, _MOST_UNCUED = 150, 14
"""Operands of a passage beyond which something always comes out, with and without a word for the operation."""
_CUED, _OTHERWISE_CUED, _MENTIONED, _SAME_GROUP, _EACH_MORE, _LEFT_OUT = 0.3, 0.35, 0.3, 0.15, 0.12, 0.1
_OTHER_YEAR, _UNLIKELY, _FAR = 0.4, 0.3, 0.4
_SMALL, _FEW = 31, 6
_THINGS = frozenset({"dose", "tablet"})
_OF, _AS_MUCH = regex(r"\s+of\b"), regex(r"\s+(?:as|the|more|that|its|their|what|higher|larger)\b")
"""What makes a share of a percentage, and a ratio of "three times": "three times a day" is none."""
_YEAR = regex(r"\b(?:19|20)\d\d\b")
_BOUND = regex(
    r"\b(?:than|over|under|least|most|up to|above|below|within|beyond|exceed\w*|reach\w*|nearly|almost)(?: an?)? *$"
)
"""What makes a bound of the value after it: "more than an hour and a half" is no result."""
_FRACTIONS = {"half": 50.0, "third": 100 / 3, "quarter": 25.0, "fifth": 20.0, "tenth": 10.0}
_FRACTION = regex(
    r"\b(?:(?:by|about|nearly|almost|roughly|over) |an? |one[- ])+(half|third|quarter|fifth|tenth)\b"
    r"(?=\s*(?:[.,;:)]|$)| (?:of|as|than|from|more|less)\b)|\bhalf(?= (?:of|the|as|what)\b)"
)
"""``by a fifth``, ``half of the``; not ``half an hour``, ``a third operation``."""

_CUES: dict[Operation, frozenset[str]] = {
    "sum": frozenset(terms("total together altogether combined sum add overall all")),
    "difference": frozenset(
        terms("difference more less fewer higher lower larger smaller ahead behind exceeds gap cheaper dearer faster")
        + terms("slower longer shorter remains wetter led")
    ),
    "mean": frozenset(terms("average mean")),
    "ratio": frozenset(terms("times fold ratio")),
    "share": frozenset(terms("share proportion makes accounted margin covers turnout percentage")),
    "change": frozenset(
        terms("grew growth rose rise risen increased fell fall fallen declined decreased dropped climbed cut reduced")
        + terms("changed")
    ),
    "count": frozenset(terms("items listed names number")),
    "duration": frozenset(terms("took lasted ran passed later between lay")),
}
"""Words of arithmetic, by the operation that they ask for. They order what may be meant; none is needed."""


@dataclass(frozen=True, slots=True)
class Reckoning:
    """What became of one value of a claim that its passage does not state where the claim puts it.

    ``holds``: `operands` come out at it; ``fails``: the operands are there, and nothing that may be meant comes out at it;
    ``no_operands``: the passage has nothing to reckon it from; ``open``: something comes out at it that fits less well.
    """

    outcome: Literal["holds", "fails", "no_operands", "open"]
    value: str
    told: str = ""
    operands: tuple[Operand, ...] = ()
    cued: bool = False
    """Whether the claim has a word for the operation: "in total", "on average"."""


_LONGEST_CLAIM, _LONGEST_PASSAGE = 1_000, 20_000
"""Characters beyond which nothing is recomputed: every value of a claim is compared with every one of the passage."""


def reckon(claim: str, passage: str, question: str | None = None, suspects: Iterable[str] = ()) -> list[Reckoning]:
    """Recompute each value of a claim that the passage does not state, and each step that it writes out.

    `question` lends its words to an elliptic claim. `suspects` are values that the passage has, but not where the claim puts
    them: they are recomputed as well.
    """
    if len(claim) > _LONGEST_CLAIM or len(passage) > _LONGEST_PASSAGE:
        return []
    operands = read_operands(passage)
    if not operands and not listed_items(passage):
        return []
    steps = written_steps(claim, operands)
    found = [Reckoning(step.outcome, step.text, step.told, step.operands) for step in steps]
    results = {q.value for step in steps for q in find_quantities(step.text.rpartition("=")[2])}
    quantities = [
        _bare(q)
        for q in (*find_quantities(claim), *_fractions(claim))
        if q.value not in results and not any(a <= q.span[0] < b for a, b in (step.span for step in steps))
    ]
    suspected = frozenset(suspects)
    numbers = _numbers(passage)
    stated = [q for q in quantities if q.text not in suspected and _stated(q, operands, numbers)]
    wanted = [q for q in quantities if q not in stated and q.kind not in CALENDAR]
    context = _Context(claim, question, passage, stated, [q for q in quantities if _is_count(q) and q.value != 1])
    main = [q for q in wanted if not _is_count(q)]
    found += [context.reckon(quantity) for quantity in main]
    found += context.conversions(stated)
    if main or found:
        return found
    counts = [context.count(q) or context.reckon(q) for q in wanted]
    holding = [r for r in counts if r.outcome == "holds"]
    return holding or [r if not r.operands else replace(r, outcome="open") for r in counts]


def _bare(quantity: Quantity) -> Quantity:
    """Return a quantity without "per dose", which says what it is of and not in what it is measured."""
    over, _, under = (quantity.unit or "").partition("/")
    return replace(quantity, unit=over) if under in _THINGS else quantity


def _is_count(quantity: Quantity) -> bool:
    """Return whether a quantity may be no more than a count of things: "three tablets", "the four years"."""
    small = quantity.value == int(quantity.value) and 0 < quantity.value <= _SMALL
    years = quantity.text[0].isalpha() and quantity.unit in {"year", "month"} and quantity.value <= _FEW
    return small and (quantity.kind == "number" or quantity.unit in _THINGS or years)


@lru_cache(maxsize=128)
def _numbers(passage: str) -> tuple[Quantity, ...]:
    """Return every quantity of a passage as it stands, those of headers and row names among them."""
    return tuple(find_quantities(passage))


def _stated(quantity: Quantity, operands: Sequence[Operand], numbers: Sequence[Quantity]) -> bool:
    """Return whether a passage has a value as it is; a share in words is as exact as the passage's digits."""
    if quantity.kind in {"date", "time"}:
        return True
    return any(
        same_quantity(quantity, other)
        or (quantity.kind == other.kind == "percent" and abs(quantity.value - other.value) < other.precision)
        or (quantity.kind in {"number", "multiple"} and quantity.value == other.mantissa)
        for other in (*(o.quantity for o in operands), *numbers)
    )


def _fractions(claim: str) -> list[Quantity]:
    """Read "by a fifth", "half of": shares in words that are no quantity by themselves."""
    read = [q.span for q in find_quantities(claim)]
    found = []
    for match in _FRACTION.finditer(claim.lower()):
        if not any(a < match.end() and match.start() < b for a, b in read):
            share = _FRACTIONS[match[1] or "half"]
            found.append(Quantity(share, "percent", "%", share, 0.8, match.span(), claim[slice(*match.span())]))
    return found


class _Context:
    """The operands of a passage as one claim has them: how well its words fit each, and which values it mentions."""

    def __init__(
        self, claim: str, question: str | None, passage: str, stated: Sequence[Quantity], factors: Sequence[Quantity]
    ) -> None:
        self.claim, self.passage, self.every = claim, passage, read_operands(passage)
        self.words = frozenset(terms(claim))
        low = frozenset(re.findall(r"[a-z]+", claim.lower()))
        asked = self.words | (frozenset(terms(question or "")) if len(self.words) <= 3 else frozenset())  # noqa: PLR2004
        every = [o.near | o.far for o in self.every]
        counts = {word: sum(word in words for words in every) for word in asked}
        self.weights = {word: 1.0 / sqrt(count) for word, count in counts.items() if count}
        self.total = sum(self.weights.values()) or 1.0
        arithmetic = {w for words in _CUES.values() for w in words} | {
            w for q in find_quantities(claim) for w in terms(q.text)
        }
        self.unknown = [w for w in self.words if not counts[w] and not w[0].isdigit() and w not in arithmetic]
        self.mentioned = {o for o in self.every if any(same_quantity(q, o.quantity) for q in stated)}
        self.years = {int(year) for year in _YEAR.findall(claim)}
        self.cues = {op for op, words in _CUES.items() if not words.isdisjoint(self.words | low)}
        self._fits = {o: self._fit(o) for o in self.every}
        sizes: dict[str, int] = {}
        for group in (g for o in self.every for g in o.groups):
            sizes[group] = sizes.get(group, 0) + 1
        self.computations = Computations(
            sorted(self.every, key=lambda o: -self._fits[o])[:_CONSIDERED],
            self.every,
            factors,
            {*listed_items(passage), *sizes.values()},
            compares="than" in low,
            of_rest=not low.isdisjoint({"not", "other", "rest", "without", "margin"}),
        )

    def _fit(self, operand: Operand) -> float:
        """Return how much of the claim's words an operand's have, those near it for more (0 to 1, and more if mentioned)."""
        own = sum(w for word, w in self.weights.items() if word in operand.near)
        far = sum(w for word, w in self.weights.items() if word in operand.far and word not in operand.near)
        return (own + _FAR * far) / self.total + (_MENTIONED if operand in self.mentioned else 0.0)

    def _score(self, computed: Computed, cues: AbstractSet[Operation]) -> float:
        """Return how well a computation fits the claim: its operands, the operation's words, and that they belong together."""
        operands = computed.operands
        covered = sum(w for word, w in self.weights.items() if any(word in o.near for o in operands)) / self.total
        score = (covered + sum(self._fits[o] for o in operands) / len(operands)) / 2
        if computed.operation in cues or computed.operation == "conversion":
            score += _CUED
        elif cues:
            score -= _OTHERWISE_CUED * (0.5 if cues <= {"share", "duration"} else 1.0)
        if len(operands) > 1 and any(all(g in o.groups for o in operands) for g in operands[0].groups):
            score += _SAME_GROUP
        if self.years and any(o.year is not None and o.year not in self.years for o in operands):
            score -= _OTHER_YEAR * (len(self.years) > 1 or computed.operation not in {"change", "difference"})
        if computed.unlikely:
            score -= _UNLIKELY
        if self.computations.factors and not computed.named:
            score -= _LEFT_OUT
        total = computed.operation in {"sum", "mean"} and len(operands) > 3  # noqa: PLR2004
        left_out = sum(o not in operands for o in self.mentioned)
        return score - _EACH_MORE * (0 if total else max(0, len(operands) - 2)) - _LEFT_OUT * min(2, left_out)

    def reckon(self, wanted: Quantity) -> Reckoning:
        """Look for the computation that the claim means, and say whether it comes out at the value wanted."""
        after = self.claim[wanted.span[1] :]
        cues = self._cues_of(wanted, after)
        often = wanted.kind == "multiple" and not _AS_MUCH.match(after)
        if often or len(self.every) > (_MOST if cues else _MOST_UNCUED):
            return Reckoning("open", wanted.text)
        scored = [(self._score(c, cues), c) for c in self._fitting(wanted)]
        if not scored:
            return Reckoning("no_operands", wanted.text, f"nothing in the passage comes out at {wanted.text}")
        way = direction(self.claim, wanted)
        holding = [pair for pair in scored if _comes_out(pair[1], wanted, way)]
        if holding:
            return self._held(wanted, holding, max(score for score, _ in scored), cues)
        best, nearest = max(scored, key=lambda pair: pair[0])
        known = len(self.weights) / max(1, len(self.weights) + len(self.unknown))
        bound = _BOUND.search(self.claim, 0, wanted.span[0])
        if bound or nearest.operation not in cues or best < _FAILS or known < _SUBJECT:
            return Reckoning("open", wanted.text)
        return Reckoning("fails", wanted.text, f"{nearest.told}, not {wanted.text}", nearest.operands, cued=True)

    def _held(
        self,
        wanted: Quantity,
        holding: Sequence[tuple[float, Computed]],
        best: float,
        cues: AbstractSet[Operation],
    ) -> Reckoning:
        """Return whether what comes out at a value is also what the claim means; else something does by chance."""
        score, computed = max(holding, key=lambda pair: pair[0])
        cued = computed.operation in cues or computed.operation == "conversion"
        few = computed.operation == "duration" and len(self.every) <= _FEW  # then hardly anything comes out by chance
        if few or (score >= (_HOLDS if cued else _HOLDS_UNCUED) and score >= best - _NEAR_BEST):
            return Reckoning("holds", wanted.text, computed.told, computed.operands, cued)
        told = f"{wanted.text} comes out of nothing that the claim speaks of"
        return Reckoning("open", wanted.text, told, computed.operands)

    def _cues_of(self, wanted: Quantity, after: str) -> set[Operation]:
        """Return the operations that a claim asks for: "rose by" is of a change in percent, and of a difference otherwise."""
        cues = set(self.cues)
        if wanted.kind == "percent":
            cues |= {"share"} if _OF.match(after) else set()
            cues |= {"change"} if "difference" in cues else set()
        elif "change" in cues:
            cues.add("difference")
        return cues

    def _fitting(self, wanted: Quantity) -> list[Computed]:
        """Return the computations that may be meant: of a mean none but means, of a change in percent none but changes."""
        every = [c for c in self.computations.of(wanted) if c.operation != "mean" or "mean" in self.cues]
        only: Operation | None = "mean" if "mean" in self.cues else None
        if wanted.kind == "percent" and "change" in self.cues:
            only = "change"
        return [c for c in every if c.operation == only] or every

    def count(self, wanted: Quantity) -> Reckoning | None:
        """Count the items of the one list of the passage; None where there is no such list, or the claim is not about it."""
        counts = listed_items(self.passage)
        if wanted.value in self.computations.sizes and read_tables(self.passage):
            return Reckoning("holds", wanted.text, f"the table has {wanted.text} of them")
        if len(counts) != 1:
            return None
        told = f"the list has {counts[0]} items"
        if wanted.value == counts[0]:
            return Reckoning("holds", wanted.text, told)
        lead = frozenset(terms(self.passage.partition("\n")[0]))
        about = not read_tables(self.passage) and bool(lead & self.words or "count" in self.cues)
        return Reckoning("fails", wanted.text, told) if about else None

    def conversions(self, stated: Sequence[Quantity]) -> Iterator[Reckoning]:
        """Yield the values that the passage states in another unit alone: "2.3 tonnes" of 2,300 kg."""
        for quantity in stated:
            same = [o for o in self.every if same_quantity(quantity, o.quantity)]
            if (
                quantity.kind in {"measure", "duration"}
                and same
                and all(o.quantity.unit != quantity.unit for o in same)
            ):
                best = max(same, key=self._fits.__getitem__)
                alike = [self._fits[o] for o in self.every if comparable(o.quantity, quantity)]
                holds = self._fits[best] >= max(alike) - _NEAR_BEST
                yield Reckoning("holds" if holds else "open", quantity.text, f"{best} are {quantity.text}", (best,))


def _comes_out(computed: Computed, wanted: Quantity, way: int) -> bool:
    """Return whether a result is the value wanted, within the digits that it shows, and goes the way that the claim says."""
    if computed.operation == "change" and computed.sign and way and computed.sign != way:
        return False
    target = abs(wanted.value)
    if computed.operation == "sum" and computed.value < 0 < wanted.value:
        return False
    slack = wanted.precision + 1e-9 * target
    dated = computed.operation in {"duration", "conversion"} and any(
        o.quantity.kind != "year" for o in computed.operands
    )
    if dated and wanted.unit in {"month", "year"}:  # months differ in length
        slack = max(slack, 0.03 * target)
    if wanted.kind == "multiple":
        slack = min(slack, 0.05 * target)
    return abs(abs(computed.value) - target) <= slack
