"""From many candidates to one set: without near-duplicates, in the protocol's proportions, spread over the documents."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from showable.harness.questions.candidates import Candidate
from showable.harness.questions.duplicates import first_duplicate
from showable.harness.questions.shape import LEAST, PROTOCOL, counts_for
from showable.records.record import Category, Question


@dataclass(slots=True)
class Picked:
    """What was chosen, by category in the protocol's order, and how many candidates were passed over as near-duplicates."""

    candidates: list[Candidate] = field(default_factory=list)
    short: dict[Category, tuple[int, int]] = field(default_factory=dict)
    """The categories that could not be filled: how many there are, of how many wanted."""
    duplicates: int = 0

    @property
    def complete(self) -> bool:
        """Whether every category has its number."""
        return not self.short


def pick(candidates: Sequence[Candidate], n: int, seed: int, *, beside: Sequence[Candidate] = ()) -> Picked:
    """Choose `n` candidates; the scarcest category chooses first, and takes turns among ways of making and documents.

    A near-duplicate of one chosen, or of one of `beside`, is passed over. The order of `candidates` does not matter;
    another seed chooses others.
    """
    return _pick(candidates, counts_for(n), seed, beside)


def pick_what_there_is(candidates: Sequence[Candidate], n: int, seed: int) -> Picked:
    """Choose as many of each category as there are, up to its share of `n`: in proportion first, then what is left."""
    fits = largest_that_fits(candidates, n, seed)
    first = pick(candidates, fits, seed) if fits else Picked()
    taken, had = {id(one) for one in first.candidates}, Counter(one.category for one in first.candidates)
    wanted = {category: count - had[category] for category, count in counts_for(n).items()}
    more = _pick([one for one in candidates if id(one) not in taken], wanted, seed, first.candidates)
    every = [*first.candidates, *more.candidates]
    return Picked(
        [one for part in PROTOCOL for one in every if one.category == part.category],
        {category: (had[category] + got, had[category] + left) for category, (got, left) in more.short.items()},
        more.duplicates,
    )


def _pick(
    candidates: Sequence[Candidate], counts: Mapping[Category, int], seed: int, beside: Sequence[Candidate]
) -> Picked:
    pools = _pools(candidates, seed)
    wanted = {category: count for category, count in counts.items() if count}
    chosen: dict[Category, list[Candidate]] = {}
    picked, spread = Picked(), Counter[str]()
    texts = [candidate.question.question for candidate in beside]
    for category in sorted(wanted, key=lambda name: len(pools.get(name, ())) / wanted[name]):
        got, passed = _fill(pools.get(category, []), wanted[category], spread, texts)
        chosen[category] = got
        picked.duplicates += passed
        if len(got) < wanted[category]:
            picked.short[category] = (len(got), wanted[category])
    for part in PROTOCOL:
        picked.candidates.extend(chosen.get(part.category, ()))
    picked.short = {part.category: picked.short[part.category] for part in PROTOCOL if part.category in picked.short}
    return picked


def largest_that_fits(candidates: Sequence[Candidate], below: int, seed: int) -> int | None:
    """Return the largest number of questions under `below` that can be chosen in the protocol's proportions."""
    fits, low, high = None, LEAST, below - 1
    while low <= high:
        middle = (low + high) // 2
        if pick(candidates, middle, seed).complete:
            fits, low = middle, middle + 1
        else:
            high = middle - 1
    return fits


def _pools(candidates: Sequence[Candidate], seed: int) -> Mapping[Category, list[Candidate]]:
    """Shuffle the candidates of each category, by the seed alone."""
    pools: dict[Category, list[Candidate]] = {}
    for candidate in sorted(candidates, key=lambda one: (one.document, one.question.question, one.question.id)):
        pools.setdefault(candidate.category, []).append(candidate)
    for category, pool in pools.items():
        random.Random(f"{seed} {category}").shuffle(pool)  # noqa: S311 - a reproducible choice, nothing secret
    return pools


def _fill(pool: Sequence[Candidate], count: int, spread: Counter[str], texts: list[str]) -> tuple[list[Candidate], int]:
    """Take `count` candidates, each time of the way of making used least, of its the wording, and then the document, used least."""
    left, got, passed = list(pool), list[Candidate](), 0
    ways, wordings = Counter[str](), Counter[str]()
    while left and len(got) < count:
        best = min(
            range(len(left)),
            key=lambda place: (
                ways[left[place].made_by],
                wordings[_wording(left[place])],
                spread[left[place].document],
                place,
            ),
        )
        candidate = left.pop(best)
        if first_duplicate(candidate.question.question, texts) is not None:
            passed += 1
            continue
        texts.append(candidate.question.question)
        got.append(candidate)
        ways[candidate.made_by] += 1
        if wording := _wording(candidate):
            wordings[wording] += 1
        if candidate.document:
            spread[candidate.document] += 1
    return got, passed


def _wording(candidate: Candidate) -> str:
    """Return what a question turned round from a sentence asks, without the name of the document; empty of other questions."""
    asked = candidate.question.question
    return asked.partition("”, ")[2] if candidate.made_by.startswith("sentence:") else ""


def number(picked: Sequence[Candidate], name: str) -> list[Question]:
    """Return the questions their ids in the set, ``NAME-answerable-001``, and write down how each was made."""
    counted, questions = Counter[Category](), []
    for candidate in picked:
        counted[candidate.category] += 1
        made = {"document": candidate.document, "made_by": candidate.made_by}
        facts = {key: value for key, value in made.items() if value} | candidate.question.metadata
        name_of_one = f"{name}-{candidate.category}-{counted[candidate.category]:03d}"
        questions.append(candidate.question.model_copy(update={"id": name_of_one, "metadata": facts}))
    return questions
