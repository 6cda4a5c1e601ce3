"""From a passage to training pairs: every edit stands as often in the passage as in the claim, in pairs of each label."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from edits import condition, dates, direction, modality, name, negation, number, quantifier, role, unit
from edits.clause import asides_dropped, core
from edits.discourse import opened, trimmed
from edits.example import Change, Example, Scope
from edits.passage import clean, sentences_of, usable, window
from edits.reword import apply_spots, figure_spots, reword
from edits.several import clauses, joined, merged, truncated

Family = Callable[[str, Scope, random.Random], list[Change]]
_FAMILIES: dict[str, Family] = {
    "number": number.changes,
    "unit": unit.changes,
    "date": dates.changes,
    "name": name.changes,
    "negation": negation.changes,
    "quantifier": quantifier.changes,
    "modality": modality.changes,
    "direction": direction.changes,
    "condition": condition.changes,
    "role": role.changes,
    "turned": condition.turned,
}
KINDS: tuple[str, ...] = (*_FAMILIES, "merged", "clause", "reword", "figure", "truncated", "joined")
_FREELY = 0.6
_JOINABLE = frozenset({"number", "date", "name", "direction", "negation"})


def make(passage: str, rng: random.Random, others: Sequence[str] = (), kinds: Sequence[str] = KINDS) -> list[Example]:
    """Make training pairs of the `kinds` asked for from `passage`; `others` are sentences of the same topic.

    Labels are 1 (the passage entails the claim) and 0 (it does not). The same `rng` state gives the same pairs.
    """
    sentences = sentences_of(clean(passage))
    scope = Scope(sentences, others)
    found: list[Example] = []
    for place, sentence in enumerate(sentences):
        if usable(sentence, rng):
            found.extend(_of_sentence(sentences, place, scope, rng, kinds))
    if "merged" in kinds:
        found.extend(merged([s if usable(s, rng) else "" for s in sentences], lambda s: _say(s, rng), rng))
    return [e for e in found if e.kind in kinds and _fluent(e.claim)]


def _of_sentence(
    sentences: Sequence[str], place: int, scope: Scope, rng: random.Random, kinds: Sequence[str]
) -> Iterator[Example]:
    sentence = sentences[place]
    joinable: list[Change] = []
    for kind, family in _FAMILIES.items():
        if kind not in kinds and kind not in _JOINABLE:
            continue
        for change in family(sentence, scope, rng):
            if change.onward is False and change.kind != "condition":
                joinable.append(change)
            if kind in kinds:
                yield from _pairs(sentences, place, change, rng)
    yield from _of_place(sentences, place, scope, joinable, rng, kinds=kinds)


def _of_place(
    sentences: Sequence[str],
    place: int,
    scope: Scope,
    joinable: Sequence[Change],
    rng: random.Random,
    *,
    kinds: Sequence[str],
) -> Iterator[Example]:
    sentence = sentences[place]
    if "truncated" in kinds:
        yield from truncated(sentences, place, lambda s: _say(s, rng), rng)
    if "joined" in kinds:
        yield from joined(sentences, place, joinable, lambda s: _say(s, rng, trim=False), rng)
    passage = _passage(sentences, place, sentence, rng)
    if "clause" in kinds:
        for e in clauses(sentence, passage, rng, scope, joinable):
            yield Example(_say(e.claim, rng), e.passage, e.label, e.kind)
    if "reword" in kinds or "figure" in kinds:
        yield from _reworded(sentence, passage, joinable, rng)


def _reworded(sentence: str, passage: str, changes: Sequence[Change], rng: random.Random) -> Iterator[Example]:
    text = reword(reword(trimmed(sentence), rng), rng)
    if text != trimmed(sentence):
        yield Example(text, passage, 1, "reword")
        if changes:
            edited = trimmed(rng.choice(changes).text)
            yield Example(reword(reword(edited, rng), rng), passage, 0, "reword")
    for change in [c for c in changes if c.kind in ("number", "date")][:1]:
        spots, wrong = figure_spots(sentence), figure_spots(change.text)
        if spots and wrong:
            yield Example(_say(apply_spots(sentence, spots, 2), rng, cut=False), passage, 1, "figure")
            yield Example(_say(apply_spots(change.text, wrong, 2), rng, cut=False), passage, 0, "figure")


def _pairs(sentences: Sequence[str], place: int, change: Change, rng: random.Random) -> Iterator[Example]:
    """Give one pair with the claim edited or the passage edited, and one in which both or neither are."""
    original = sentences[place]
    seed = rng.random()
    seen = change.kind != "condition" and core(original) != core(change.text)
    plain = _say(original, random.Random(seed), cut=seen)
    edited = _say(change.text, random.Random(seed), cut=seen)
    untouched = _passage(sentences, place, original, random.Random(seed))
    touched = _passage(sentences, place, change.text, random.Random(seed))
    across = [(edited, untouched, change.onward), (plain, touched, change.back)]
    known = [pair for pair in across if pair[2] is not None]
    if not known:
        return
    claim, passage, label = rng.choice(known)
    yield Example(claim, passage, int(bool(label)), change.kind)
    if label:
        return
    # An edit costs the wrong claim a word of the passage: the right one is told more freely, or overlap would tell them apart.
    claim, passage = rng.choice([(plain, untouched), (edited, touched)])
    yield Example(reword(claim, rng) if rng.random() < _FREELY else claim, passage, 1, change.kind)


def _passage(sentences: Sequence[str], place: int, sentence: str, rng: random.Random) -> str:
    before, after = window(sentences, place, place, rng)
    return " ".join([*before, sentence, *after])


def _say(text: str, rng: random.Random, *, cut: bool = True, trim: bool = True) -> str:
    """Tell `text` as a claim: half the time reworded, often without asides, sometimes with another opener."""
    if trim:
        text = trimmed(text) if rng.random() < 0.7 else text
    if cut and rng.random() < 0.6:
        text = asides_dropped(text, rng)
    if trim and rng.random() < 0.03:
        text = opened(text, rng)
    return reword(text, rng, 3) if rng.random() < 0.6 else text


def _fluent(claim: str) -> bool:
    words = claim.split()
    doubled = any(a.lower() == b.lower() and a.isalpha() and a not in ("had", "that") for a, b in pairwise(words))
    return 4 <= len(words) <= 62 and not doubled and claim.endswith((".", '."', ".”"))
