"""For a fact, the one that is most easily taken for it: of the same kind, about much the same, with another answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from showable.harness.questions.absence import content_stems
from showable.harness.questions.from_text_facts import WHETHER, Fact
from showable.read.quantities import find_quantities, same_quantity

_FIGURES = frozenset({"date", "year", "money", "percent", "duration", "measure"})
_ALIKE = 0.4
"""Share of the words of two questions that must be the same for one's answer to be a near miss of the other's."""


class Rivals:
    """Finds rivals among the facts of a corpus."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self._of_kind: dict[str, list[Fact]] = defaultdict(list)
        for fact in facts:
            if fact.kind not in {WHETHER, "definition"}:
                self._of_kind[fact.kind].append(fact)

    def of(self, fact: Fact) -> Fact | None:
        """Return the fact most like this one with another answer; None where none is much like it."""
        return self._best(fact, _ALIKE)

    def of_same_unit(self, fact: Fact) -> Fact | None:
        """Return a fact whose answer could stand in this one's place: the same kind and unit, another value."""
        return self._best(fact, 0.0, same_unit=True)

    def _best(self, fact: Fact, least: float, *, same_unit: bool = False) -> Fact | None:
        mine = content_stems(fact.asks)
        best, found = least, None
        for other in self._of_kind.get(fact.kind, ()):
            if other is fact or (same_unit and _unit(other) != _unit(fact)) or _same_answer(fact, other):
                continue
            theirs = content_stems(other.asks)
            alike = len(mine & theirs) / max(len(mine | theirs), 1)
            if alike > best or (alike == best and found is None):
                best, found = alike, other
        return found


def figure_beside(fact: Fact) -> str | None:
    """Return another figure of the kind and unit of a fact's answer that stands in the same passage, in another sentence."""
    mine = next((one for one in find_quantities(fact.answer) if one.kind in _FIGURES), None)
    if mine is None:
        return None
    text = fact.source.text or ""
    around = [*find_quantities(text[: fact.span[0]]), *find_quantities(text[fact.span[1] :])]
    kinds = {"date", "year"} if mine.kind in {"date", "year"} else {mine.kind}
    alike = (one for one in around if one.kind in kinds and (one.unit == mine.unit or mine.kind in {"date", "year"}))
    return next((one.text.rstrip(".,;") for one in alike if not same_quantity(one, mine)), None)


def _unit(fact: Fact) -> tuple[str, str | None]:
    quantity = next(iter(find_quantities(fact.answer)), None)
    return ("", None) if quantity is None else (quantity.kind, quantity.unit)


def _same_answer(fact: Fact, other: Fact) -> bool:
    one, two = find_quantities(fact.answer), find_quantities(other.answer)
    if one and two:
        return any(same_quantity(a, b) for a in one for b in two)
    return bool(content_stems(fact.answer) & content_stems(other.answer))
