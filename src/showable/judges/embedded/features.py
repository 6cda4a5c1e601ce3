"""What the model and the word-level checks say of one claim and one passage, as the numbers that the head weighs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from showable.judges.embedded.excerpt import excerpt
from showable.judges.embedded.odds import Odds
from showable.judges.lexical.conflict import find_conflict, find_objection
from showable.judges.lexical.judge import read_claim
from showable.judges.lexical.passage import Passage, read_passage
from showable.judges.lexical.signs import FEATURES as LEXICAL
from showable.judges.lexical.signs import Signs, read_signs
from showable.judges.lexical.words import split_words
from showable.read.sentences import split_sentences
from showable.records import Pair
from showable.records.regex import regex

NAMES = ("support", "claim_alone", "conflict", "objection", *(f"word_{name}" for name in LEXICAL))
"""Names of the features, in the order in which `Features.values` has them."""
_TALK = regex(
    r"^\W*(?:i|i['’]m|i['’]ve|i['’]d|we|you|my|yes|yeah|no|well|oh|wow|thanks?|sure|hi|hello)\b|\?\W*$", re.IGNORECASE
)
_FEWEST = 3
"""Words of a sentence that is asked about by itself."""
LONGEST = 80
"""Words of a claim's sentence that the model is asked about, however many of a passage it is shown."""
_BOUND = 8.0
"""Odds beyond this tell nothing more."""


@dataclass(frozen=True, slots=True)
class Question:
    """What the model is to be asked about one pair, and what the words say already.

    `asked` holds the (claim, text) pairs to be scored; `sides` the places in it of the claim as a whole, where it is short
    enough, and of its sentences where there are several; `context` that of the sentence it was taken from; `alone` that of
    the first of the sides beside no text at all. `cut` says that a sentence was too long to be asked about whole.
    """

    signs: Signs
    passage: Passage
    asked: list[tuple[str, str]]
    sides: tuple[int, ...]
    sentences: tuple[int, ...]
    context: int | None
    alone: int | None
    cut: bool


@dataclass(frozen=True, slots=True)
class Features:
    """The numbers for the head, and beside them what a label is made of.

    `support` is the least of the claim's odds and its sentences'. `contradiction` is None where the model does not tell
    it.
    """

    values: tuple[float, ...]
    support: float
    contradiction: float | None
    sentences: tuple[float, ...]
    conflict: str | None
    objection: str | None


def read_question(pair: Pair, room: int, *, alone: bool) -> Question | None:
    """Read a pair for a model that is shown `room` words of a passage, and the claim `alone`, if it is asked about that too.

    None where the claim or the passage has no words.
    """
    text, claim = read_claim(_encodable(pair.claim))
    passage = read_passage(_encodable(pair.passage))
    if not claim.terms or not passage.words.terms:
        return None
    asked: list[tuple[str, str]] = []

    def ask(side: str) -> int:
        asked.append((side, excerpt(split_words(side), passage, room)))
        return len(asked) - 1

    parts = _sentences(text)
    several = len(parts) > 1
    sentences = tuple(ask(_start(part)) for part in parts) if several else ()
    whole = () if several and len(text.split()) > LONGEST else (ask(_start(text)),)
    sides = (*whole, *sentences)
    context = _ask_context(pair.context, text, ask)
    if alone:
        asked.append((asked[sides[0]][0], ""))
    return Question(
        signs=read_signs(claim, text, passage),
        passage=passage,
        asked=asked,
        sides=sides,
        sentences=sentences,
        context=context,
        alone=len(asked) - 1 if alone else None,
        cut=any(len(part.split()) > LONGEST for part in parts),
    )


def _start(side: str) -> str:
    """Return as many words of a sentence as the model reads."""
    return side if len(side) <= LONGEST or len(words := side.split()) <= LONGEST else " ".join(words[:LONGEST])


def _encodable(text: str) -> str:
    """Replace half characters, which no tokenizer takes; lengths stay."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _ask_context(context: str | None, text: str, ask: Callable[[str], int]) -> int | None:
    """Ask about the sentence that a claim was taken from as well: where that is entailed, so is its part."""
    side = read_claim(_encodable(context))[0] if context is not None else ""
    return ask(side) if side not in {"", text} and len(side.split()) <= LONGEST else None


def _sentences(text: str) -> list[str]:
    """Return the sentences that say something a passage could hold; questions and talk between two people do not."""
    parts = (text[one.start : one.end].strip() for one in split_sentences(text))
    return [part for part in parts if len(part.split()) >= _FEWEST and not _TALK.search(part)] or [text]


def weigh(question: Question, answers: Sequence[Odds]) -> Features:
    """Put together what the model answered and what the words say. Of several sentences the one supported least counts.

    What the model says of the claim beside no text is its prejudice, and the head takes a part of it off (Poliak et al. 2018,
    arXiv 1805.01042; Holtzman et al. 2021, arXiv 2104.08315).
    """
    signs = question.signs
    odds = [max(-_BOUND, min(_BOUND, answer.support)) for answer in answers]
    support = min(odds[at] for at in question.sides)
    if question.context is not None:
        support = max(support, odds[question.context])
    conflict, objection = find_conflict(signs, question.passage.words), find_objection(signs, question.passage.words)
    values = (
        support,
        0.0 if question.alone is None else odds[question.alone],
        float(conflict is not None),
        float(objection is not None),
        *signs.features(),
    )
    return Features(
        values=values,
        support=support,
        contradiction=answers[question.sides[0]].contradiction,
        sentences=tuple(odds[at] for at in question.sentences),
        conflict=conflict,
        objection=objection,
    )
