"""How a claim is given its kind: the first rule that fits, told by its words, by what it cites, or by its quotation marks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from showable.records.regex import regex


class Stated(NamedTuple):
    """A claim as the rules see it: its words, the kinds of reference that it cites, whether it quotes words."""

    text: str
    cites: frozenset[str] = frozenset()
    quotes: bool = False


Test = Callable[[Stated], bool]


@dataclass(frozen=True, slots=True)
class KindRules:
    """The kinds of one field, in the order in which they are tried, and the kind of a claim that fits none."""

    rules: tuple[tuple[str, Test], ...] = ()
    otherwise: str | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """Every kind that may be given."""
        named = dict.fromkeys(kind for kind, _ in self.rules)
        return (*named, *((self.otherwise,) if self.otherwise and self.otherwise not in named else ()))

    def kind_of(self, stated: Stated) -> str | None:
        """Return the kind of a claim."""
        return next((kind for kind, fits in self.rules if fits(stated)), self.otherwise)


def says(*words: str) -> Test:
    """Fit a claim that has one of these words or phrases (regular expressions, ignoring case)."""
    pattern = regex(rf"(?i)(?<!\w)(?:{'|'.join(words)})(?!\w)")
    return lambda stated: pattern.search(stated.text) is not None


def cites(*kinds: str) -> Test:
    """Fit a claim that cites a reference of one of these kinds."""
    wanted = frozenset(kinds)
    return lambda stated: bool(wanted & stated.cites)


def both(*tests: Test) -> Test:
    """Fit a claim that every one of these tests fits."""
    return lambda stated: all(test(stated) for test in tests)


def either(*tests: Test) -> Test:
    """Fit a claim that any of these tests fits."""
    return lambda stated: any(test(stated) for test in tests)


def quotes(stated: Stated) -> bool:
    """Fit a claim that puts words in quotation marks."""
    return stated.quotes
