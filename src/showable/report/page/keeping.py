"""Choose the worst records of a run in one pass, within a number of records and an amount of memory.

Where they take too much, long passages are cut before any record is left out.
"""

from __future__ import annotations

import gzip
import json
from bisect import bisect, insort
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import NamedTuple

from showable.measure.worst import Place, needs_a_look, place
from showable.records.scorecard import Scorecard
from showable.records.signature import Thresholds
from showable.report.page.body import MOST_OF_RETRIEVED, body_of
from showable.report.page.shortening import Body, shorten
from showable.report.page.uncertain import is_uncertain
from showable.report.run_view import Entry

MOST_RECORDS = 5_000
MOST_MEMORY = 64_000_000
"""Bytes of packed records and passages that are held while choosing. Packed one by one they take more than on the page."""
SPARED = 250
"""Of the worst records passages are cut last."""
_ROOMS = (40_000, 28_000, 20_000, 14_000, 10_000, 7_000, 5_000, 3_500, 2_400)
CUTS = (*((room, SPARED) for room in _ROOMS), (_ROOMS[-1], 0))
"""One cut after the other: to how many characters the passages of a record, and of how many records none."""
LOOK, UNSURE, DIFFERS = 1, 2, 4
"""What a reviewer may want to see alone: something to mend, a judge that was unsure, a person's label that says otherwise."""
_QUICK = 1
_KEY_SIZE = 12


class Kept(NamedTuple):
    """A record that is kept: its place from the worst, its place in the run, and itself, packed."""

    place: Place
    number: int
    flags: int
    codes: tuple[str, ...]
    packed: bytes
    texts: tuple[bytes, ...]


class Keeping:
    """Holds the worst records of those added so far; a passage that several of them share is held once."""

    def __init__(self, thresholds: Thresholds, *, most: int = MOST_RECORDS, memory: int = MOST_MEMORY) -> None:
        """Start empty, to hold at most `most` records in about `memory` bytes."""
        self._thresholds, self._most, self._memory = thresholds, most, memory
        self._kept: list[Kept] = []
        self._texts: dict[bytes, tuple[bytes, int]] = {}
        self.size = 0
        self.seen = 0
        self.cuts = 0
        self._left_out: Place | None = None

    def add_all(self, entries: Iterable[Entry]) -> None:
        """Look at every record of a run."""
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """Look at one record, and keep it if it is among the worst so far."""
        number, at = self.seen, place(entry.card)
        self.seen += 1
        if self._left_out is not None and at >= self._left_out:
            return
        body, texts = body_of(*entry, self._thresholds, self._room(bisect(self._kept, at, key=lambda one: one.place)))
        kept = Kept(at, number, self._flags(entry.card), _codes(entry.card), *self._put(body, texts))
        insort(self._kept, kept, key=lambda one: one.place)
        if len(self._kept) > self._most:
            self._leave_out()
        while self.size > self._memory and self.cut():
            pass
        while self.size > self._memory and len(self._kept) > 1:
            self._leave_out()

    def size_of(self, count: int) -> int:
        """Return the bytes that the worst `count` records take."""
        worst = self._kept[:count]
        keys = {key for kept in worst for key in kept.texts}
        return sum(len(kept.packed) for kept in worst) + sum(len(self._texts[key][0]) for key in keys)

    def cut(self) -> bool:
        """Cut the passages of what is held, and of what is added from now on, to less; False where they cannot be cut further."""
        if self.cuts == len(CUTS):
            return False
        room, spared = CUTS[self.cuts]
        self.cuts += 1
        for n in range(spared, len(self._kept)):
            kept = self._kept[n]
            body = json.loads(gzip.decompress(kept.packed))
            texts = shorten(body, [self.text(key) for key in kept.texts], room)
            packed, keys = self._put(body, texts)
            self._drop(kept)
            self._kept[n] = kept._replace(packed=packed, texts=keys)
        return True

    def _room(self, at: int) -> int:
        """How many characters the passages of a record at this place from the worst may have."""
        if not self.cuts:
            return MOST_OF_RETRIEVED
        room, spared = CUTS[self.cuts - 1]
        return MOST_OF_RETRIEVED if at < spared else room

    def _put(self, body: Body, texts: Iterable[str]) -> tuple[bytes, tuple[bytes, ...]]:
        keys = tuple(self._hold(text) for text in texts)
        packed = _pack(json.dumps(body, ensure_ascii=False, separators=(",", ":")))
        self.size += len(packed)
        return packed, keys

    def _flags(self, card: Scorecard) -> int:
        differs = card.labelled is not None and card.labelled != card.bucket
        return LOOK * needs_a_look(card) | UNSURE * is_uncertain(card, self._thresholds) | DIFFERS * differs

    def records(self) -> Iterator[tuple[Kept, Body]]:
        """Yield what was kept, the worst first."""
        for kept in self._kept:
            yield kept, json.loads(gzip.decompress(kept.packed))

    def text(self, key: bytes) -> str:
        """Return a passage."""
        return gzip.decompress(self._texts[key][0]).decode()

    def __len__(self) -> int:
        return len(self._kept)

    def _hold(self, text: str) -> bytes:
        key = blake2b(text.encode(), digest_size=_KEY_SIZE).digest()
        packed, uses = self._texts.get(key, (b"", 0))
        if not uses:
            packed = _pack(text)
            self.size += len(packed)
        self._texts[key] = packed, uses + 1
        return key

    def _leave_out(self) -> None:
        """Let the best of the held go, and with it all that is no worse, however small: what is held is the worst."""
        best = self._kept.pop()
        self._left_out = best.place
        self._drop(best)

    def _drop(self, kept: Kept) -> None:
        self.size -= len(kept.packed)
        for key in kept.texts:
            packed, uses = self._texts[key]
            if uses == 1:
                del self._texts[key]
                self.size -= len(packed)
            else:
                self._texts[key] = packed, uses - 1


def _pack(text: str) -> bytes:
    return gzip.compress(text.encode(), _QUICK, mtime=0)


def _codes(card: Scorecard) -> tuple[str, ...]:
    return tuple(sorted({finding.code for finding in card.findings}))
