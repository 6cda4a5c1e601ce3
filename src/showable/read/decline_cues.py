"""A sieve for declining sentences: words without which no declining phrase can match.

Most answers decline nothing, and every answer is read, so this decides in microseconds that there is nothing to read.
"""

from __future__ import annotations

from collections.abc import Callable

from showable.records.regex import regex

_CUES = frozenset(
    (
        "i", "i'm", "i'd", "i've", "i'll", "none", "neither", "nothing", "unable", "unclear", "cannot", "fail", "fails", "failed",
        "impossible", "silent", "lack", "lacks", "abruptly", "cut", "enough", "sufficient", "insufficient", "inadequate",
        "incomplete", "missing", "absent", "scope", "remit", "outside", "beyond", "unrelated", "irrelevant", "please",
        "ambiguous", "uncertain", "vague", "broad", "unanswerable", "unavailable", "underspecified", "your", "you", "need", "required", "necessary",
        "nowhere", "never", "empty", "empty-handed", "zero", "unanswered", "unstated", "unmentioned", "unspecified", "unaddressed", "undisclosed", "short", "open", "little", "few", "lacking",
        "off-topic", "guidelines", "appropriate", "ethical", "policy", "policies", "filter", "filters", "moderation",
        "dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent", "cant", "couldnt", "havent", "hasnt", "wont",
        "my", "our", "unsaid", "unnamed", "unrecorded", "unreported", "illegible", "unreadable", "indecipherable", "truncated", "garbled", "cropped", "redacted", "corrupt", "corrupted",
        "omits", "omit", "omitted", "leave", "leaves", "left", "skips", "avoids", "passes", "sidesteps", "dodges", "glosses", "skirts", "mum", "coy", "quiet", "help", "inconclusive", "before", "only", "alone", "all", "no-one",
        "vain", "luck", "success", "avail", "blank", "nobody", "guess", "guessing", "guesswork", "speculation", "retrieved", "provided", "supplied", "uploaded", "indexed", "loaded",
        "nope", "nah", "helping", "assisting", "me", "im", "sorry",
    )
)  # fmt: skip
# What stands around a "not" that may decline, as against "must not" and "not more than".
_BEFORE_NOT = (
    " do",
    " does",
    " did",
    " is",
    " are",
    "'s",
    " was",
    " were",
    " am",
    "'m",
    " have",
    " has",
    " can",
    " could",
    " would",
    " will",
)
_AFTER_NOT = ("not able", "not clear", "not possible", "not feasible", "not enough", "not found", "not related", "not relevant", "not within", "not suff", "not available", "not present", "not provided", "not given", "not answer", "not known", "not one of", "not a single", "not stated", "not listed", "not specified", "not mentioned", "not covered", "not recorded", "not disclosed", "not reported", "not indicated", "not named", "not shown")  # fmt: skip
_AFTER_NO = ("more", "less", "later", "longer", "fewer", "earlier", "greater", "higher", "lower")
_PUNCTUATION = regex(r"[.,;:!()\[\]\"“”*]")
# The first letters of the terse refusals: "Not stated.", "Unknown", "N/A".
TERSE_STARTS = (
    "not",
    "no ",
    "unk",
    "una",
    "n/a",
    "na",
    "ins",
    "can",
    "idk",
    "is not",
    "are not",
    "answer",
    "the answer",
)


def cues_in(folded: str) -> tuple[str, ...]:
    """List the cues that a text holds: a sentence without any of them, and not terse, cannot decline."""
    words = _CUES.intersection(_PUNCTUATION.sub(" ", folded).split())
    cues = [word if len(word) > len("you") else f" {word} " for word in words]
    cues.extend(mark for mark in ("?", "n't") if mark in folded)
    if _any_at(folded, "not", lambda at: folded.startswith(_AFTER_NOT, at) or _aux(folded, at)):
        cues.append("not")
    if _any_at(f" {folded}", " no ", lambda at: not folded.startswith(_AFTER_NO, at + 3)):
        cues.append(" no ")
    return tuple(cues)


def _any_at(folded: str, word: str, counts: Callable[[int], bool]) -> bool:
    at = folded.find(word)
    while at >= 0:
        if counts(at):
            return True
        at = folded.find(word, at + len(word))
    return False


def _aux(folded: str, at: int) -> bool:
    return f" {folded[max(0, at - 6) : at]}".rstrip().endswith(_BEFORE_NOT)


def may_decline(sentence: str, cues: tuple[str, ...]) -> bool:
    """Check whether a sentence is worth reading for declining phrases, given the cues of its text."""
    padded = f" {sentence}"
    for cue in cues:  # a plain loop: this runs on every sentence of every answer
        if cue in padded:
            return True
    return sentence.startswith(TERSE_STARTS)
