"""What a declining expression is, and how it is found in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Sense = Literal["unable", "absent", "scope", "ask", "harm", "need"]


@dataclass(frozen=True, slots=True)
class Decline:
    """One declining expression, at offsets into its sentence.

    A `weak` one ("not explicitly stated") declines only where no answer follows. `hides` tells that
    the words are a statement on what a document holds, which may itself answer a question on just that.
    """

    sense: Sense
    start: int
    end: int
    weak: bool = False
    hides: bool = False


def matches(pattern: re.Pattern[str], sentence: str, sense: Sense, *, hides: bool = False) -> Iterator[Decline]:
    """Find each match of a pattern."""
    for match in pattern.finditer(sentence):
        yield Decline(sense, match.start(), match.end(), hides=hides)


def subject_of(sentence: str, verb: int) -> str:
    """Return the words before a verb, at whose end its subject stands."""
    return sentence[max(0, verb - 400) : verb]
