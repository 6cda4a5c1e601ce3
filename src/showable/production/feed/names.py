"""Names that survive new data: a new group is called as the old one that most of its members were in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

KEPT = 0.5
"""Share of the old group, or of the new one's members seen before, from which a name is kept."""


@dataclass(frozen=True, slots=True)
class Naming:
    """What the new groups are called, in their order; whence new names come, and into what old ones went."""

    names: tuple[str, ...]
    split_from: Mapping[str, str]
    merged_into: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Old:
    """A group of before: its name, its members of then, and whether it stood in the last batch."""

    name: str
    members: frozenset[str]
    active: bool = True


def name_groups(
    groups: Sequence[frozenset[str]], old: Sequence[Old], present: Collection[str], following: int
) -> Naming:
    """Name groups of answers, given those of before and which answers are in the window now.

    The assignment of names shares as many members as can be (Kuhn 1955, Naval Res. Logist. Q. 2: 83). Groups of the last batch
    come first, then those that had vanished. New names are numbered from `following` on: the largest group first, ties by the
    least id.
    """
    here = [Old(one.name, one.members & frozenset(present), one.active) for one in old]
    names: dict[int, str] = {}
    for active in (True, False):
        rows = [one for one in here if one.active is active and one.members and one.name not in names.values()]
        columns = [at for at in range(len(groups)) if at not in names]
        names |= _matched(rows, columns, groups)
    fresh = sorted(
        (at for at in range(len(groups)) if at not in names), key=lambda at: (-len(groups[at]), min(groups[at]))
    )
    names |= {at: f"EF-{following + place}" for place, at in enumerate(fresh)}
    held = {answer: one.name for one in here if one.active for answer in one.members}
    split_from = {names[at]: origin for at in fresh if (origin := _mostly(held, groups[at])) is not None}
    now = {answer: names[at] for at, group in enumerate(groups) for answer in group}
    gone = [one for one in here if one.active and one.members and one.name not in names.values()]
    merged_into = {one.name: into for one in gone if (into := _mostly(now, one.members)) is not None}
    return Naming(tuple(names[at] for at in range(len(groups))), split_from, merged_into)


def _matched(old: Sequence[Old], columns: Sequence[int], groups: Sequence[frozenset[str]]) -> dict[int, str]:
    if not old or not columns:
        return {}
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - takes a while to import

    seen = frozenset[str]().union(*(one.members for one in old))
    shared = np.array([[len(one.members & groups[at]) for at in columns] for one in old])
    return {
        columns[column]: old[row].name
        for row, column in zip(*linear_sum_assignment(shared, maximize=True), strict=True)
        if shared[row, column]
        and shared[row, column] >= KEPT * min(len(old[row].members), len(groups[columns[column]] & seen))
    }


def _mostly(names: Mapping[str, str], answers: Collection[str]) -> str | None:
    """Return the name that at least half of the answers have, None where there is none."""
    counts = Counter(names[answer] for answer in answers if answer in names)
    if not counts:
        return None
    name, n = min(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return name if n >= KEPT * len(answers) else None
