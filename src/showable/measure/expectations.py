"""Whether questions got what they call for: the buckets that gold expects, category by category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import get_args

from showable.records.record import Category
from showable.records.scorecard import Scorecard
from showable.records.wire import Wire

UNCATEGORISED = "uncategorised"
_PROTOCOL: tuple[str, ...] = get_args(Category)


class Expected(Wire):
    """Answers of a category whose gold says which buckets are right: how many are in one, in another, and unknown.

    A refusal of an answerable question is acceptable and yet not what the question called for: it is `missed` here.
    """

    met: int = 0
    missed: int = 0
    unknown: int = 0

    @property
    def n(self) -> int:
        """How many answers had an expectation."""
        return self.met + self.missed + self.unknown


class ExpectationTally:
    """Adds scorecards up by category."""

    def __init__(self) -> None:
        """Start empty."""
        self._counts: dict[str, Counter[str]] = {}

    def add(self, card: Scorecard) -> None:
        """Add one scorecard; one whose gold expects nothing in particular is in no count."""
        if card.expected:
            outcome = "unknown" if card.bucket == "unknown" else "met" if card.bucket in card.expected else "missed"
            self._counts.setdefault(card.category or UNCATEGORISED, Counter())[outcome] += 1

    def build(self) -> dict[str, Expected]:
        """Return the counts of each category, in the order of the protocol."""
        return {name: Expected(**self._counts[name]) for name in in_order(self._counts)}


def in_order(names: Iterable[str]) -> list[str]:
    """Sort names of categories: the protocol's as the protocol has them, then others by name."""
    places = {name: place for place, name in enumerate(_PROTOCOL)}
    return sorted(names, key=lambda name: (places.get(name, len(places)), name))
