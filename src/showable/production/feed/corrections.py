"""People's words about groups, replayed on top of every grouping: what was merged stays merged, what was split stays apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from showable.production.feed.membership import nearest
from showable.production.feed.nouns import Event
from showable.production.feed.space import Points


@dataclass(frozen=True, slots=True)
class Place:
    """Where an answer stands: its group with splits applied, its issue with merges too, and the probability of both."""

    answer: str
    cluster: str | None
    issue: str | None
    p: float
    core: bool = False


def standing_events(events: Sequence[Event]) -> list[Event]:
    """Return the events that nobody has undone, without the undoing ones; an undo can itself be undone."""
    undone: set[int] = set()
    for event in reversed(events):
        if event.kind == "undo" and event.seq not in undone:
            undone.add(int(event.body["seq"]))
    return [event for event in events if event.kind != "undo" and event.seq not in undone]


def apply_corrections(places: Sequence[Place], events: Sequence[Event], points: Points) -> list[Place]:
    """Return places with merges and splits applied, in the order in which they were said.

    An answer that came after a split goes to the side that its nearest neighbour was put on.
    """
    held = list(places)
    for event in standing_events(events):
        if event.kind == "merge":
            into = str(event.body["into"])
            held = [replace(one, issue=into) if one.issue == event.issue else one for one in held]
        elif event.kind == "split":
            held = _split(held, event, points)
    return held


def kept_apart(answers: Sequence[str], events: Sequence[Event]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield the rows of answers that people keep apart, side by side, for each split that stands."""
    row_of = {answer: row for row, answer in enumerate(answers)}
    for event in standing_events(events):
        if event.kind == "split":
            moved, kept = ([row_of[one] for one in event.body[side] if one in row_of] for side in ("moved", "kept"))
            if moved and kept:
                yield moved, kept


def merged_into(events: Sequence[Event]) -> dict[str, str]:
    """Return into which issue each merged issue went, by people's words, at the end of any chain."""
    into: dict[str, str] = {}
    for event in standing_events(events):
        if event.kind == "merge":
            target = str(event.body["into"])
            into = {one: target if to == event.issue else to for one, to in into.items()} | {event.issue: target}
            into.pop(target, None)  # what others are merged into stands again
    return into


def _split(held: list[Place], event: Event, points: Points) -> list[Place]:
    moved, kept, into = frozenset(event.body["moved"]), frozenset(event.body["kept"]), str(event.body["into"])
    rows = [row for row, one in enumerate(held) if one.issue == event.issue]
    back = [row for row, one in enumerate(held) if one.issue == into and one.answer in kept]
    there = [row for row, one in enumerate(held) if one.answer in moved]  # wherever it lies now: it was put there
    here = [row for row in rows if held[row].answer in kept]
    new = [row for row in rows if held[row].answer not in moved | kept]
    if new and there:
        to_moved = nearest(points[new], points[there])
        to_kept = nearest(points[new], points[here]) if here else np.full(len(new), np.inf)
        there += [row for row, a, b in zip(new, to_moved, to_kept, strict=True) if a < b]
    for row in there:
        held[row] = replace(held[row], issue=into, cluster=into, p=1.0 if held[row].answer in moved else held[row].p)
    for row in back:
        held[row] = replace(held[row], issue=event.issue, cluster=event.issue)
    return held
