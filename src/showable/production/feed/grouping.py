"""One grouping of failing answers: from items to places, the same whatever the order in which they came."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from showable.measure.tail_sampling import draw
from showable.production.feed import clusters, membership
from showable.production.feed.clusters import LEAST, NOISE, Labels, cores
from showable.production.feed.corrections import Place, apply_corrections, kept_apart
from showable.production.feed.items import Item
from showable.production.feed.membership import KEPT, MEMBER, Group, Probabilities, groups_of, probabilities
from showable.production.feed.names import Naming, Old, name_groups
from showable.production.feed.nouns import Event
from showable.production.feed.space import Points, points, space_name
from showable.production.feed.word_layer import DIMENSIONS, Vectors, WordLayer

CAP = 8_000
"""Distinct failures among which cores are looked for: the time grows with the square. All others are assigned afterwards.

Equal failures are one point, as often as they came but at most LEAST times: so many of one kind are a core, and no more than that.
"""
STAYS = 0.2
"""Probability down to which a member that is none of the core stays where it was."""
PARAMETERS = f"{clusters.PARAMETERS}; {membership.PARAMETERS}; cap {CAP}, stays {STAYS}"


@dataclass(frozen=True, slots=True)
class Before:
    """What is known from earlier batches: groups by name, each member's probability in the last one, the next free number."""

    old: Sequence[Old] = ()
    where: Mapping[str, str] = field(default_factory=dict)
    following: int = 1


@dataclass(frozen=True, slots=True)
class Grouping:
    """Places of all answers in canonical order, with their points, the naming, and the rows of exemplars by name."""

    id: str
    space: str
    places: tuple[Place, ...]
    points: Points
    exemplars: Mapping[str, tuple[str, ...]]
    naming: Naming
    sampled: int
    items: tuple[Item, ...]
    also: tuple[Mapping[str, float], ...]


def group(items: Sequence[Item], words: WordLayer, before: Before, events: Sequence[Event]) -> Grouping:
    """Group items. Raises SettingError where scikit-learn is missing."""
    ordered = sorted(items, key=lambda item: item.answer)
    space = space_name(words)
    distinct = list({item.same_as: item for item in reversed(ordered)}.values())[::-1]
    row_of = {item.same_as: row for row, item in enumerate(distinct)}
    vectors = _vectors(distinct, words)
    placed = points([item.features for item in distinct], vectors)
    answers = [item.answer for item in distinct]
    counts = Counter(item.same_as for item in ordered)
    copies = _sample(answers, [min(counts[item.same_as], LEAST) for item in distinct])
    apart = list(kept_apart([answers[row] for row in copies], events))
    labels = np.full(len(distinct), NOISE, dtype=np.int64)
    labels[copies[::-1]] = cores(placed[copies], apart, [before.where.get(answers[row]) for row in copies])[::-1]
    found = groups_of(placed, labels)
    p = probabilities(placed, found, labels)
    naming = _named(ordered, row_of, p, labels, before)
    chosen = _choose(answers, p, labels, naming, before)
    places = []
    for item in ordered:
        row = row_of[item.same_as]
        name = naming.names[chosen[row]] if chosen[row] != NOISE else None
        probability = float(p[row, chosen[row]]) if name is not None else float(p[row].max(initial=0.0))
        places.append(Place(item.answer, name, name, round(probability, 6), core=bool(labels[row] != NOISE)))
    rows = np.array([row_of[item.same_as] for item in ordered], dtype=np.int64)
    spread = placed[rows] if len(rows) else placed
    return Grouping(
        id=_digest(space, ordered),
        space=space,
        places=tuple(apply_corrections(places, events, spread)),
        points=spread,
        exemplars=_exemplars(naming, found, answers),
        naming=naming,
        sampled=len(set(copies)),
        also=tuple(_others(p[row_of[item.same_as]], chosen[row_of[item.same_as]], naming) for item in ordered),
        items=tuple(replace(item, text="", vector=vectors[row_of[item.same_as]].tobytes()) for item in ordered),
    )


def _others(p: Probabilities, own: int, naming: Naming) -> dict[str, float]:
    """Return the probabilities of the groups that an answer may belong to besides its own."""
    return {naming.names[at]: round(float(p[at]), 4) for at in np.flatnonzero(p >= KEPT) if at != own}


def _vectors(items: Sequence[Item], words: WordLayer) -> Vectors:
    """Return the vectors of texts, those that are known and those that are not."""
    fresh = [row for row, item in enumerate(items) if item.vector is None]
    found = np.zeros((len(items), DIMENSIONS), dtype=np.float32)
    for row, item in enumerate(items):
        if item.vector is not None:
            found[row] = np.frombuffer(item.vector, dtype=np.float32)
    if fresh:
        found[fresh] = words.vectors([items[row].text for row in fresh])
    return found


def _sample(answers: Sequence[str], copies: Sequence[int]) -> list[int]:
    """Return the rows among which cores are looked for, each as often as it has copies: all, or those that draw lowest by their ids."""
    rows: Sequence[int] = range(len(answers))
    if sum(copies) > CAP:
        drawn = np.array(sorted(rows, key=lambda row: (draw(answers[row], 0), answers[row])))
        rows = sorted(drawn[np.cumsum(np.array(copies)[drawn]) <= CAP].tolist())
    return [row for row in rows for _ in range(copies[row])]


def _named(
    ordered: Sequence[Item], row_of: Mapping[str, int], p: Probabilities, labels: Labels, before: Before
) -> Naming:
    best = np.where(p.max(axis=1, initial=0.0) >= MEMBER, p.argmax(axis=1) if p.shape[1] else NOISE, NOISE)
    best = np.where(labels != NOISE, labels, best)
    members: list[set[str]] = [set() for _ in range(p.shape[1])]
    for item in ordered:
        if (at := int(best[row_of[item.same_as]])) != NOISE:
            members[at].add(item.answer)
    present = frozenset(item.answer for item in ordered)
    return name_groups([frozenset(one) for one in members], before.old, present, before.following)


def _choose(answers: Sequence[str], p: Probabilities, labels: Labels, naming: Naming, before: Before) -> list[int]:
    """Return the group of each row: its core's, else that where it was while it may stay, else the likeliest."""
    at_of = {name: at for at, name in enumerate(naming.names)}
    chosen = []
    for row, answer in enumerate(answers):
        if labels[row] != NOISE:
            chosen.append(int(labels[row]))
            continue
        was = at_of.get(before.where.get(answer, ""))
        if was is not None and p[row, was] >= STAYS:
            chosen.append(was)
        else:
            likeliest = int(p[row].argmax()) if p.shape[1] else NOISE
            chosen.append(likeliest if p.shape[1] and p[row, likeliest] >= MEMBER else NOISE)
    return chosen


def _exemplars(naming: Naming, found: Sequence[Group], answers: Sequence[str]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(answers[int(row)] for row in one.rows) for name, one in zip(naming.names, found, strict=True)}


def _digest(space: str, ordered: Sequence[Item]) -> str:
    """Return the id of a batch: of the space, the parameters, and the items with what was found in them."""
    digest = hashlib.sha256(f"{space}\n{PARAMETERS}".encode())
    for item in ordered:
        digest.update(f"\n{item.answer}\0{item.same_as}".encode("utf-8", "replace"))
    return digest.hexdigest()[:16]
