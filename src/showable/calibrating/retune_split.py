"""Part labels into those that are fitted on and those that stay unseen: once and for all, whatever is retuned later."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from showable.calibrating.retune_rows import LabelledClaim, join_clusters
from showable.measure.agreement import Flags
from showable.stores.judge_versions import Part

UNSEEN_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Split:
    """The places of the rows in either part, and the number of the cluster of every row.

    `dropped` counts rows with a hold-out's question that were fitted on before it was pinned: they are in neither part.
    """

    fitting: NDArray[np.int64]
    unseen: NDArray[np.int64]
    clusters: NDArray[np.int64]
    dropped: int
    by_passage: bool

    def parts(self, rows: Sequence[LabelledClaim]) -> dict[str, Part]:
        """Return the part of every row by its key, as it is remembered."""
        fitting: dict[str, Part] = {rows[i].key: "fitting" for i in self.fitting.tolist()}
        return fitting | {rows[i].key: "unseen" for i in self.unseen.tolist()}


def part(rows: Sequence[LabelledClaim], known: Mapping[str, Part], *, seed: int = 0) -> Split:
    """Part rows by whole clusters. `known` is where rows went before: what was fitted on never becomes unseen.

    A cluster with a row of the hold-out is unseen. One with a row that was fitted on before is fitted on, one with a row
    that was kept unseen stays so; of all others, in an order that the seed draws, each goes where its labels are scarcer,
    so that both parts have their share of either label.
    """
    numbers, by_passage = join_clusters(rows)
    members: dict[int, list[int]] = defaultdict(list)
    for i, number in enumerate(numbers):
        members[number].append(i)
    places: dict[Part, list[int]] = {"fitting": [], "unseen": []}
    fresh, dropped = [], 0
    for inside in members.values():
        before = {known.get(rows[i].key) for i in inside}
        if any(rows[i].pinned for i in inside):
            kept = [i for i in inside if known.get(rows[i].key) != "fitting"]
            dropped += len(inside) - len(kept)
            places["unseen"] += kept
        elif "fitting" in before:
            places["fitting"] += inside
        elif "unseen" in before:
            places["unseen"] += inside
        else:
            fresh.append(inside)
    held = {name: _classes(rows, already) for name, already in places.items()}
    for inside in sorted(fresh, key=lambda one: _drawn(rows, one, seed)):
        brings = _classes(rows, inside)
        name = _scarcer(brings, held)
        places[name] += inside
        held[name] += brings
    return Split(
        np.array(sorted(places["fitting"]), dtype=np.int64),
        np.array(sorted(places["unseen"]), dtype=np.int64),
        np.array(numbers, dtype=np.int64),
        dropped,
        by_passage,
    )


def _drawn(rows: Sequence[LabelledClaim], inside: Sequence[int], seed: int) -> tuple[int, str]:
    """Order clusters: large ones first, since they are the hardest to place; else by chance, as the seed has it."""
    first = min(rows[i].key for i in inside)
    return -len(inside), hashlib.blake2b(f"{seed} {first}".encode(), digest_size=8).hexdigest()


def _classes(rows: Sequence[LabelledClaim], places: Sequence[int]) -> Counter[bool]:
    return Counter(rows[i].positive for i in places)


def _scarcer(brings: Counter[bool], held: Mapping[Part, Counter[bool]]) -> Part:
    """Return which part has fewer of the labels that some rows bring, each part's share being the same."""
    lack = {
        name: sum(n * has[label] for label, n in brings.items())
        / (UNSEEN_SHARE if name == "unseen" else 1 - UNSEEN_SHARE)
        for name, has in held.items()
    }
    return "unseen" if lack["unseen"] < lack["fitting"] else "fitting"


def renumbered(clusters: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number clusters of some of the rows from 0, without gaps."""
    return np.unique(clusters, return_inverse=True)[1].astype(np.int64)


def flags(rows: Sequence[LabelledClaim]) -> Flags:
    """Return people's yes or no of every row."""
    return np.array([row.positive for row in rows], dtype=np.bool_)
