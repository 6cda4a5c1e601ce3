"""Which sentences decline by an absence: the sources leave the question open, or the search brought nothing back."""

from __future__ import annotations

import re
from collections.abc import Iterator

from probative.read import refusal_phrases as say
from probative.read import refusal_search as search
from probative.read import refusal_sources as sources
from probative.read.decline import Decline, matches, subject_of

# What must stand in a sentence for each of the patterns to be tried.
_SEARCHES: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = (
    (
        ("search", "quer", "retriev", "lookup", "look-up", "knowledge base", "corpus", "index", "store"),
        search.BARREN_SEARCH,
    ),
    (("empty",), search.EMPTY_RESULT),
    (("nothing", "no ", "zero", "single"), search.NOTHING_RETURNED),
    (
        ("searched", "looked", "checked", "review", "read", "went", "examined", "scanned", "combed"),
        search.LOOKED_IN_VAIN,
    ),
)


def left_open(sentence: str) -> Iterator[Decline]:
    """Find statements that the sources leave it open: that they say nothing, are too thin, or are on something else."""
    yield from matches(sources.NOWHERE, sentence, "absent", hides=True)
    yield from matches(sources.NOT_THEIR_MATTER, sentence, "absent", hides=True)
    for match in sources.MISSING_THERE.finditer(sentence):
        if sources.HERE.search(sentence):
            yield Decline("absent", match.start(), match.end(), hides=True)
    for match in sources.SAYS_NOTHING.finditer(sentence):
        if say.ANY_SUBJECT.search(subject_of(sentence, match.start())) or _goes_without(sentence, match.start()):
            yield Decline("absent", match.start(), match.end(), hides=True)
    for pattern in (sources.HOLDS_NOTHING, sources.HELD_BACK, sources.SCANT):
        for match in pattern.finditer(sentence):
            placed = pattern is sources.SCANT and sources.HERE.search(sentence)
            if (
                placed
                or _goes_without(sentence, match.start())
                or _handed_over(say.EVIDENCE_SUBJECT, subject_of(sentence, match.start()))
            ):
                yield Decline("absent", match.start(), match.end(), hides=True)
    for match in sources.OFF_TOPIC.finditer(sentence):
        if _handed_over(sources.HERE_SUBJECT, subject_of(sentence, match.start())):
            yield Decline("absent", match.start(), match.end())


def _goes_without(sentence: str, verb: int) -> bool:
    """Tell whether a second verb has the sources for its subject: "the excerpts cover adults and say nothing on …"."""
    return bool(sources.AND_THEN.search(sentence, 0, verb) and sources.NAMED_FIRST.search(sentence))


def _handed_over(noun: re.Pattern[str], subject: str) -> bool:
    """Tell whether a subject is a source that was handed over, as against what a study found: "the evidence"."""
    return noun.search(subject) is not None and sources.BARE_FINDING.search(subject) is None


def nothing_brought(sentence: str) -> Iterator[Decline]:
    """Find statements that the search brought nothing back."""
    for cues, pattern in _SEARCHES:
        if any(cue in sentence for cue in cues):
            yield from matches(pattern, sentence, "absent")
    for match in search.NO_SUCH_PAPER.finditer(sentence):
        there = sentence.startswith("there", match.start())
        if there or search.STORE_SUBJECT.search(subject_of(sentence, match.start())):
            yield Decline("absent", match.start(), match.end(), hides=True)
