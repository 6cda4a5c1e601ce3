"""Sort the attributes of a span by the fact that each says, in one pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from showable.traces.conventions.keys import CONVENTIONS, Key, find_key
from showable.traces.conventions.values import Notes, shallow

HEADS = frozenset(
    {"gen_ai", "llm", "openinference", "fi", "traceloop", "input", "output", "retrieval", "reranker", "rag", "session", "db",
     "embedding", "showable", "probative", "prompt", "experiment", "langfuse"}
)  # fmt: skip
"""First words of keys that exports of backends nest as JSON objects instead of joining them by points."""
PLAIN = frozenset({str, int, float, bool})
"""Types of nearly all values, told at a glance."""
NESTED = (dict, list, tuple)
MOST_WORDS = 6
LATER = 100
"""What is added to the rank of keys that stand in an event: the span's own come first."""


@dataclass(slots=True)
class Gathered:
    """What was found: whole values by fact as (rank, prefix, value), flattened lists by fact and prefix, and whose keys these are."""

    values: dict[str, list[tuple[int, str, Any]]] = field(default_factory=dict)
    items: dict[str, dict[tuple[int, str], dict[int, dict[str, Any]]]] = field(default_factory=dict)
    members: dict[str, Any] = field(default_factory=dict)
    owners: dict[tuple[str, ...], None] = field(default_factory=dict)
    notes: Notes = field(default_factory=list)

    def take(self, attributes: Mapping[str, Any], later: int = 0) -> None:
        """Sort attributes in; what is nobody's is passed by."""
        for name, value in attributes.items():
            key = find_key(name)
            if key is not None:
                if type(value) in PLAIN or not isinstance(value, NESTED) or shallow(value, key.prefix, self.notes):
                    self._keep(key, value, later)
            elif isinstance(value, dict) and name in HEADS:
                self.take(dict(_joined(name, value, 1)), later)

    def _keep(self, key: Key, value: Any, later: int) -> None:
        if key.conventions:
            self.owners[key.conventions] = None
        if key.index is not None:
            items = self.items.get(key.slot)
            if items is None:
                items = self.items[key.slot] = {}
            place = key.place if not later else (key.rank + later, key.prefix)
            rows = items.get(place)
            if rows is None:
                rows = items[place] = {}
            row = rows.get(key.index)
            if row is None:
                rows[key.index] = {key.member: value}
            else:
                row[key.member] = value
        elif key.member:
            self.members.setdefault(key.member, value)
        else:
            kept = (key.rank + later, key.prefix, value)
            held = self.values.get(key.slot)
            if held is None:
                self.values[key.slot] = [kept]
            else:
                held.append(kept)

    @property
    def only_kind(self) -> bool:
        """Whether the kind is all that was found."""
        return len(self.values) == 1 and "kind" in self.values and not self.items and not self.members

    def of(self, slot: str) -> list[tuple[int, str, Any]]:
        """Return the whole values of a fact, the one to believe first."""
        found = self.values.get(slot, [])
        return sorted(found, key=lambda it: it[0]) if len(found) > 1 else found

    @property
    def conventions(self) -> tuple[str, ...]:
        """Name the conventions whose keys were there: a key that several have is of those that are there anyway, else of the first."""
        return _named(tuple(self.owners))


@lru_cache(maxsize=1024)
def _named(owners: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    named = {whose[0] for whose in owners if len(whose) == 1}
    named |= {whose[0] for whose in owners if not named.intersection(whose)}
    return tuple(one.name for one in CONVENTIONS if one.name in named)


def _joined(prefix: str, value: Mapping[str, Any], depth: int) -> Iterator[tuple[str, Any]]:
    for name, said in value.items():
        key = f"{prefix}.{name}"
        if isinstance(said, dict) and depth < MOST_WORDS and find_key(key) is None:
            yield from _joined(key, said, depth + 1)
        else:
            yield key, said
