"""Two sets from one corpus: one to work with, and a smaller one, of other documents, for the last word."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from showable.harness.questions.assemble import Picked, pick
from showable.harness.questions.candidates import Candidate
from showable.harness.questions.duplicates import same_fact
from showable.harness.questions.shape import counts_for

_FEWEST_DOCUMENTS = 5
"""With fewer, setting one aside would take too much from the main set."""
_ATTEMPTS = 8
"""Ways of setting documents aside that are tried, each with a few more of them."""
_SHARE_EVERY = 5
"""A held-out set has a fifth of the questions of the main one, unless another number is asked for."""


@dataclass(frozen=True, slots=True)
class Halves:
    """The main choice and the held-out one. `note` says what of the split could not be had, and why."""

    main: Picked
    held_out: Picked
    own_documents: bool
    note: str | None = None


def held_out_size(n: int) -> int:
    """Return the default number of held-out questions."""
    return round(n / _SHARE_EVERY)


def split(candidates: Sequence[Candidate], n: int, held_out: int, seed: int) -> Halves:
    """Choose `n` questions and `held_out` more; no near-duplicate stands on both sides, nor a fact asked for in other words.

    The held-out ones are of documents that the main ones do not use, where the corpus is large enough for that. Where not
    even as many other questions are left, the held-out set is smaller, or empty; the main set comes first.
    """
    if held_out < 1:
        return Halves(pick(candidates, n, seed), Picked(), own_documents=False, note="no held-out set was asked for")
    if (apart := _by_documents(candidates, n, held_out, seed)) is not None:
        return Halves(*apart, own_documents=True)
    main = pick(candidates, n, seed)
    if not main.complete:
        return Halves(main, Picked(), own_documents=False)
    taken = {id(one) for one in main.candidates}
    rest = [one for one in candidates if id(one) not in taken and not _same_fact_as_any(one, main.candidates)]
    second, got = _as_many_as_can_be(rest, held_out, seed, main.candidates)
    said = f"the corpus is too small to set documents aside: {got} held-out questions, of documents that the main set uses too"
    if got < held_out:
        said = f"the corpus carries {got} of the {held_out} held-out questions asked for, of documents that the main set uses too"
    return Halves(main, second, own_documents=False, note=said if got else said.partition(", of documents")[0])


def _same_fact_as_any(candidate: Candidate, others: Sequence[Candidate]) -> bool:
    return any(same_fact(candidate.question, other.question) for other in others)


def _by_documents(candidates: Sequence[Candidate], n: int, held_out: int, seed: int) -> tuple[Picked, Picked] | None:
    """Set documents aside for the held-out questions; None where either side then falls short, however they are chosen."""
    documents = sorted({one.document for one in candidates if one.document})
    if len(documents) < _FEWEST_DOCUMENTS:
        return None
    share = held_out / (n + held_out)
    for attempt in range(_ATTEMPTS):
        random.Random(f"{seed} held out {attempt}").shuffle(documents)  # noqa: S311 - a reproducible choice, nothing secret
        count = math.ceil(len(documents) * min(share * (1 + attempt / _ATTEMPTS), 0.5))
        if (apart := _apart(candidates, frozenset(documents[:count]), (n, held_out), seed)) is not None:
            return apart
    return None


def _apart(
    candidates: Sequence[Candidate], aside: frozenset[str], counts: tuple[int, int], seed: int
) -> tuple[Picked, Picked] | None:
    main = pick([one for one in candidates if not _touched(one) & aside], counts[0], seed)
    if not main.complete:
        return None
    used = set[str]().union(*(_touched(one) for one in main.candidates))
    rest = [one for one in candidates if not _touched(one) & used]
    second = pick(rest, counts[1], seed, beside=main.candidates)
    return (main, second) if second.complete else None


def _touched(candidate: Candidate) -> set[str]:
    """Return every document that a candidate is about: its own, and those named as its near misses."""
    others = candidate.question.metadata.get("other_documents", ())
    return {candidate.document, *map(str, others)} - {""}


def _as_many_as_can_be(
    rest: Sequence[Candidate], held_out: int, seed: int, beside: Sequence[Candidate]
) -> tuple[Picked, int]:
    """Choose as many as the rest carries in the protocol's proportions; of fewer than asked for, every category in it."""
    for count in range(held_out, 0, -1):
        if count < held_out and not all(counts_for(count).values()):
            break
        second = pick(rest, count, seed, beside=beside)
        if second.complete:
            return second, count
    return Picked(), 0
