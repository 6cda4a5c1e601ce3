"""Split a compound sentence into atomic parts, only where both halves are clearly predications.

What would change its meaning by being cut stays whole: conditions, reported speech, quoted words, names and pairs
joined by "and", noun phrases, infinitives.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from showable.read.predication import PREPOSITIONS, STRONG, Token, finite_at, is_finite, tokens
from showable.read.shared_subject import ADVERBS, Half, shared_words
from showable.read.verbs import COMPLEMENT_VERBS
from showable.read.word_sets import word_set
from showable.records.regex import regex

_COORDINATOR = regex(r"\b(?:and|but|yet|while|whereas)\b|;", re.IGNORECASE)
_DASH = regex(r"(?<=\s)[–—-](?=\s)")
_OPAQUE = regex(r"(?<!\w)\"[^\"]*\"|“[^“”]*”|«[^«»]*»|(?<!\w)‘[^‘’]*’(?!\w)|\([^()]*\)|\[[^\[\]]*\]")
_CONNECTORS = word_set("and but yet while whereas ;")
_ADDITIVE = word_set("and but yet")
_SUBORDINATORS = word_set(
    "that which who whom whose where when because although though until while whereas why how what whatever both "
    "either neither nor than"
)
_CONDITIONS = word_set("if unless whether provided assuming otherwise until except whenever when once or")
_TEMPORAL = word_set("after before since as")
_INVERTED = word_set("not even so had were should")
_INTERRUPTIONS = _SUBORDINATORS | _TEMPORAL | word_set(", : ;")
_PRONOUNS = word_set("it he she they we i you this these those there")
_OPENERS = regex(
    r"(?:however|therefore|thus|moreover|furthermore|additionally|also|in addition|as a result|consequently|finally|overall"
    r"|similarly|meanwhile|nevertheless|hence|yes|no|for example|for instance|in contrast|in summary|and|but|so)(?: ?,)?\s+",
    re.IGNORECASE,
)
_LONGEST_SUBJECT, _LONGEST_SHARED = 9, 14
_SHORTEST_PREDICATE = 2
_LONGEST_SENTENCE = 1200


class Atom(NamedTuple):
    """A part of a sentence by its offsets there, and the words it takes over from the part before ("Acme")."""

    start: int
    end: int
    carried: str = ""


def split_compound(sentence: str) -> list[Atom]:
    """Split `sentence`, its markers blanked out to the same length, into atoms in order; one where it stays whole."""
    whole = [Atom(0, len(sentence))]
    sentence = _DASH.sub(";", sentence)
    if len(sentence) > _LONGEST_SENTENCE or not _COORDINATOR.search(sentence):
        return whole
    words = tokens(_OPAQUE.sub(lambda found: "\0" * len(found[0]), sentence))
    if not any(token.word in _CONNECTORS for token in words):
        return whole
    return _Splitter(sentence, words).atoms()


class _Splitter:
    """Goes through the coordinators of one sentence, and keeps what the part at hand took over."""

    def __init__(self, sentence: str, words: list[Token]) -> None:
        self.sentence = sentence
        self.words = words
        self.verbless = finite_at(words) is None
        self.first = 0
        self.carried = ""
        self.taken: list[Token] = []
        self.verb_from = 1
        self.found: list[Atom] = []

    def atoms(self) -> list[Atom]:
        for at, token in enumerate(self.words):
            if token.word in _CONNECTORS and at > self.first:
                self._consider(at)
        self.found.append(Atom(self._begin(), len(self.sentence), self.carried))
        return self.found

    def _begin(self) -> int:
        return self.words[self.first].start if self.first else 0

    def _consider(self, at: int) -> None:
        """Cut at the coordinator `at` if what stands on both its sides are predications."""
        word = self.words[at].word
        comma = self.words[at - 1].word in (",", ";")
        left = self.words[self.first : at - 1 if comma else at]
        begin = at + 1
        if word == ";" and begin < len(self.words) and self.words[begin].word in _ADDITIVE:
            begin += 1
        right = _without_adverbs(self.words[begin:])
        if len(right) < _SHORTEST_PREDICATE or not left:
            return
        half = self._left_half(left, loose=comma or word == ";" or _is_sole_verb(right))
        if half is None or _bound(half.words, self.words[begin:], word):
            return
        count = _taken_over(half, right, word, comma=comma)
        if count is None:
            return
        self.found.append(Atom(self._begin(), left[-1].end, self.carried))
        self.first = begin
        self.taken = half.words[:count]
        self.verb_from = half.verb if count else 1
        carried = " ".join(self.sentence[t.start : t.end] for t in self.taken)
        opener = _OPENERS.match(carried)
        self.carried = carried[opener.end() :] if opener else carried

    def _left_half(self, left: list[Token], *, loose: bool) -> Half | None:
        words = [*self.taken, *left]
        verb = finite_at(words, self.verb_from, loose=loose or self.verbless)
        return None if verb is None or not _complete(words, verb) else Half(words, verb)


def _taken_over(half: Half, right: list[Token], word: str, *, comma: bool) -> int | None:
    """Count the words that the right part takes over: 0 where it has its own subject, None for no split."""
    if _has_own_subject(half, right, firm=comma or word not in ("and", "while", "whereas")):
        return 0
    if word not in _ADDITIVE or half.verb > _LONGEST_SHARED:
        return None
    return shared_words(half, right)


def _is_sole_verb(right: list[Token]) -> bool:
    """Check whether the right part opens with its only finite verb: the left then has one, be it like a participle."""
    return right[0].form in STRONG and not any(t.form in STRONG for t in right[1:])


def _without_adverbs(right: list[Token]) -> list[Token]:
    """Leave out the adverbs and commas that open the right part ("however, it …")."""
    at = 0
    while at < len(right) - 1 and (right[at].word in ADVERBS or right[at].word == ","):
        at += 1
    return right[at:]


def _bound(left: list[Token], right: list[Token], word: str) -> bool:
    """Check whether cutting here would take a part out of a condition, a relative clause or reported speech."""
    if _opens_dependent(left):
        return True
    if word == ";":
        return any(t.word == ":" for t in left)
    if word in ("while", "whereas"):
        return any(t.word in _CONDITIONS for t in left)
    if any(t.word in _CONDITIONS for t in right) or any(
        b.word == "only" and a.word == "not" for a, b in pairwise(left)
    ):
        return True
    return any(
        t.word in _SUBORDINATORS
        or t.word in _CONDITIONS
        or (t.word in _TEMPORAL and (_has_verb(left[at + 1 :]) or (t.word == "as" and left[at - 1].word == ",")))
        for at, t in enumerate(left)
    )


def _has_verb(words: list[Token]) -> bool:
    return any(t.form in STRONG or t.form == "ed" for t in words)


def _opens_dependent(left: list[Token]) -> bool:
    """Check whether the sentence opens with a clause that hangs on what follows ("Since A …", "Not only …")."""
    first = left[0].word
    if first == "given" or (first in _TEMPORAL and len(left) > 1):
        return left[1].word != "of" and not left[1].raw[0].isdigit()
    return first in _CONDITIONS or first in _SUBORDINATORS or first in _INVERTED


def _has_own_subject(half: Half, right: list[Token], *, firm: bool) -> bool:
    """Check whether the right part has a subject and a finite verb of its own."""
    first = right[0]
    if "'" in first.word and first.word.split("'")[0] in _PRONOUNS:
        return True
    if first.form == "base" or first.word in PREPOSITIONS or is_finite(right, 0):
        return False
    listed = any(t.word == "," for t in half.words)
    verb = finite_at(right, loose=firm and not listed)
    if verb is None or verb > _LONGEST_SUBJECT or not (firm or _complete(right, verb)):
        return False
    if any(t.word in _INTERRUPTIONS for t in right[:verb]):
        return False
    return firm or first.word in _PRONOUNS or _is_plain(half, right, verb)


def _is_plain(half: Half, right: list[Token], verb: int) -> bool:
    """Check whether, without a comma, the right verb is beyond doubt and not inside what the left verb reports."""
    if any(t.word in COMPLEMENT_VERBS for t in half.words[half.verb :]):
        return False
    if right[0].raw[0].isdigit() and half.words[-1].raw[-1].isdigit():
        return False
    figure = right[verb].form == "ed" and right[verb + 1].raw[0] in "$€£0123456789"
    return right[verb].form in STRONG or figure


def _complete(words: list[Token], verb: int) -> bool:
    """Check whether something follows the verb, or it is one that needs nothing ("Sales fell")."""
    return verb + 1 < len(words) or words[verb].form == "past"
