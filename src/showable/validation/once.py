"""A label that is given twice is one label: which of equal things stand, and how many were left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Once(Generic[T]):
    """Labelled things, each once. `twice` counts those left out as doubles, `unsettled` those whose labels disagree."""

    kept: list[T]
    twice: int
    unsettled: int

    def notes(self) -> Iterator[str]:
        """Yield what was left out."""
        if self.twice:
            yield f"{self.twice} labels are given twice (claim, passage and kind alike), and count once"
        if self.unsettled:
            yield f"{self.unsettled} labels contradict one another on the same claim and passage, and take no part"


def keep_once(
    things: Sequence[T],
    key: Callable[[T], Hashable],
    label: Callable[[T], float],
    rank: Callable[[T], tuple[bool, str]],
) -> Once[T]:
    """Keep of things with one key the first by `rank`, in the order given; none of those with unlike labels."""
    same: dict[Hashable, list[T]] = defaultdict(list)
    for thing in things:
        same[key(thing)].append(thing)
    settled = [group for group in same.values() if len({label(one) for one in group}) == 1]
    kept = [min(group, key=rank) for group in settled]
    counted = sum(len(group) for group in settled)
    return Once(kept, counted - len(kept), len(things) - counted)
