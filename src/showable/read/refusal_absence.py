"""Which sentences decline by an absence: the sources leave the question open, or the search brought nothing back."""

from __future__ import annotations

import re
from collections.abc import Iterator

from showable.read import refusal_avoidance as avoid
from showable.read import refusal_own_material as own
from showable.read import refusal_phrases as say
from showable.read import refusal_search as search
from showable.read import refusal_sources as sources
from showable.read import refusal_unsaid as unsaid
from showable.read.decline import Decline, Sense, matches, subject_of

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

_OWNERS = ("my ", "our ", "your ", "i ", "i'", "we ", "you", "as ", "before me", "hand")
# The same for what is unsaid, guessed at or beyond the material. A weak one declines only where no answer follows.
_UNSAID: tuple[tuple[tuple[str, ...], re.Pattern[str], bool], ...] = (
    (("wh", "how"), unsaid.QUESTION_UNSAID, False),
    (("remain", "stay", "goes", "go ", "left"), unsaid.LEFT_UNSAID, False),
    (("not", "n't", "nt ", "never", "nowhere", "none", "neither", "no"), unsaid.UNSAID_THERE, False),
    (("can", "could", "clear"), unsaid.NOT_TELLABLE, False),
    (("guess", "specul", "conject", "estimate", "make", "invent", "fill", "ventur", "for me", "of me"), unsaid.NO_GUESSING, True),
    (("i", "me"), unsaid.NO_ANSWER_FROM_ME, False),
    (_OWNERS, own.BEYOND_MINE, False),
    (("been ",), own.BEYOND_MINE, False),
    (_OWNERS, own.BOUND, True),
    (("that", "those", "these", "this", "best", "most", "closest", "nearest", "which"), own.ALL_I_HAVE, True),
    ((" not ",), own.BUT_NOT, False),
    (("scan", "pdf", "upload", "cop", "file", "document", "record", "version", "image", "extract", "excerpt", "bundle", "pack", "attach", "page", "passage", "text"), own.DAMAGED, True),
    (("in vain", "empty", "blank", "without", "luck", "success", "joy", "avail", "no ", "noth", "zero", "short", "not", "n't", "nt ", "nowhere", "fail"), own.SOUGHT_IN_VAIN, False),
    (("we ", "there"), own.WE_HAVE_NONE, False),
    (("not", "n't", "nt ", "noth", "word"), own.HERE_LESS, False),
    (("no", "n't", "never", "vain", "missing", "absent", "omitted", "left out", "lacking", "won't"), avoid.NOT_IN_TEXT, False),
    (("not", "n't", "missing", "absent", "lack", "need", "take", "only", "all ", "beyond", "further", "outside", "elsewhere", "no", "have to"), avoid.PART_NOT_SUPPLIED, True),
    (("i", "noth", "nobody"), avoid.OWN_SHRUG, False),
    (("no", "un", "n/a", "missing"), avoid.LABELLED, False),
    (("no", "dunno"), avoid.FRAGMENT, False),
)  # fmt: skip


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


def unsaid_or_beyond(sentence: str) -> Iterator[Decline]:
    """Find what is said to be unsaid, beyond the material or too damaged to read, and that no guess is made at it."""
    for cues, pattern, weak in _UNSAID:
        if any(cue in sentence for cue in cues):
            hides = pattern in (unsaid.QUESTION_UNSAID, unsaid.UNSAID_THERE)
            for match in pattern.finditer(sentence):
                sense: Sense = "unable" if pattern in (unsaid.NO_GUESSING, unsaid.NO_ANSWER_FROM_ME) else "absent"
                yield Decline(sense, match.start(), match.end(), weak=weak, hides=hides)
    yield from _of_a_subject(sentence)
    for match in own.FEATURES_NOT.finditer(sentence):
        if own.OF_MINE.search(sentence):
            yield Decline("absent", match.start(), match.end())
    for match in unsaid.SO_NOT_TOLD.finditer(sentence):
        if unsaid.LACKING_PAPER.search(sentence, 0, match.start()):
            yield Decline("absent", match.start(), match.end())


def _of_a_subject(sentence: str) -> Iterator[Decline]:
    """Find what counts only where what it is said of can hold or say it: a text, or what was handed over."""
    for match in avoid.NEVER_SAYS.finditer(sentence):
        if say.ANY_SUBJECT.search(subject_of(sentence, match.start())):
            yield Decline("absent", match.start(), match.end(), hides=True)
    for match in avoid.PASSES_OVER.finditer(sentence):
        if _handed_over(avoid.TEXT_SUBJECT, subject_of(sentence, match.start())):
            yield Decline("absent", match.start(), match.end(), hides=True)
    for match in unsaid.HOLDS_NONE.finditer(sentence):
        if _handed_over(say.EVIDENCE_SUBJECT, subject_of(sentence, match.start())):
            yield Decline("absent", match.start(), match.end(), hides=True)
