"""A process that acts on a feed and builds it, killed at statements drawn by chance: what of it is there afterwards."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from failures_made import NOW, window_of

from showable.production.feed import actions
from showable.production.feed.build import build
from showable.production.feed.issues import Window
from showable.production.feed.store import FeedStore
from showable.production.feed.word_layer import shipped_words

ME = actions.Actor("tester", NOW)
_MOST_STATEMENTS = 60


@dataclass(frozen=True)
class Outcome:
    """How many kills, words that were acknowledged in all, words lost, and batches without all of their members."""

    kills: int
    acknowledged: int
    lost: int
    halves: int


def killed_builders(path: Path, *, kills: int, seed: int) -> Outcome:
    """Kill a builder again and again, each time on the feed that the one before left."""
    chance = np.random.default_rng(seed)
    with FeedStore.open(path) as store:
        build(store, Window(window_of("case", "page", each=9)), shipped_words(), NOW)
        name = store.issues()[0].issue
    told: set[int] = set()
    lost = halves = 0
    for _ in range(kills):
        told |= _killed(path, name, after=int(chance.integers(1, _MOST_STATEMENTS)))
        with FeedStore.open(path) as store:
            lost += len(told - {event.seq for event in store.events()})
            batch = store.latest()
            halves += len(store.members(batch.id)) != batch.n
    return Outcome(kills, len(told), lost, halves)


def _killed(path: Path, name: str, *, after: int) -> set[int]:
    """Start a builder and kill it after some statements; gives the numbers of the events that it was told of."""
    acks, ticks = os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        try:
            _act(path, name, acks[1], ticks[1])
        finally:
            os._exit(1)
    os.close(acks[1])
    os.close(ticks[1])
    for _ in range(after):
        os.read(ticks[0], 1)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(ticks[0])
    with os.fdopen(acks[0], "rb") as lines:
        return {int(line) for line in lines.read().split(b"\n")[:-1]}


def _act(path: Path, name: str, acks: int, ticks: int) -> None:
    """Assign and build in turn; each assignment is told of once it is written, and each statement before it runs."""
    with FeedStore.open(path) as store:
        store.file._connection.set_trace_callback(lambda _: os.write(ticks, b"."))
        for each in range(9, 1_000):
            seq = actions.assign(store, ME, name, f"somebody {each}")
            os.write(acks, f"{seq}\n".encode())
            build(store, Window(window_of("case", "page", each=9 + each % 3)), shipped_words(), NOW)
