"""The stretches of an answer that a reader reads: its sentences, and the clauses of those that turn."""

from __future__ import annotations

import re
from collections.abc import Iterator

from showable.records.regex import regex

Span = tuple[int, int]
_TURN = regex(
    r"(?:[,;:—–]\s{1,20}|\s[-—–]\s{1,20}|\s{1,20})(?=(?:but|though|although|however|yet|while|whereas|except)\b)|[;:—–]\s{1,20}|\s-\s{1,20}|,\s{1,20}(?=so\b)",
    re.IGNORECASE,
)
"""Where a sentence may turn from declining to asserting: "I do not know|, but it is 30 days"; not "on 3 May"."""
_CONCESSION = regex(r"\W*(?:although|though|even though|while|whereas)\b[^,;]{8,300},\s{1,20}", re.IGNORECASE)
"""A clause that concedes, before the one that it is conceded to: "Although it gives no dose, |the leaflet …"."""
_FEWEST_WORDS = 2
MOST_CLAUSES = 6


def clauses(text: str, span: Span) -> list[Span]:
    """Return the clauses of a sentence that may each do something else, in order; the sentence alone where there is one.

    They cover the sentence but for the signs and blanks between them.
    """
    start, end = span
    cuts = [start]
    conceded = _CONCESSION.match(text, start, end)
    if conceded:
        cuts.append(conceded.end())
    cuts += [found.end() for found in _TURN.finditer(text, cuts[-1] + 1, end)]
    found = list(_worded(text, [*cuts[:MOST_CLAUSES], end]))
    return found if len(found) > 1 else [span]


def _worded(text: str, cuts: list[int]) -> Iterator[Span]:
    """Yield the stretches between cuts; one of a single word goes with the one before it."""
    start = cuts[0]
    for at, end in zip(cuts[1:], [*cuts[2:], None], strict=True):
        rest = "" if end is None else text[at:end]
        if len(text[start:at].split()) < _FEWEST_WORDS or (end is not None and len(rest.split()) < _FEWEST_WORDS):
            continue
        yield start, start + len(text[start:at].rstrip())
        start = at
    if start < cuts[-1]:
        yield start, cuts[-1]
