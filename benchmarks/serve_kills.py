"""Kill all of `serve` in mid-batch under load, again and again: is everything that was acknowledged stored, and scored once?

    python benchmarks/serve_kills.py [--kills 10] [--rate 5000] [--store PATH-OR-URL]

Each time the whole process group gets SIGKILL at a moment drawn by chance. Then, before it is started again on the same store: every span
that was acknowledged since the kill before must be stored, and what is stored beyond that must have been offered and not answered.
What was not acknowledged is sent again. At the end the spans stored must be those acknowledged, and every trace have one answer.
"""

from __future__ import annotations

import argparse
import random
import socket
import tempfile
import threading
import time
from collections.abc import Sequence

from serve_load import Running, found
from serve_traffic import Sender

from showable.stores.traces.opening import open_trace_store
from showable.stores.traces.store import Where

FIRST_SPANS = 12


def spans_of(keys: Sequence[tuple[bytes, int]]) -> set[tuple[str, int]]:
    """Give the spans (trace id, span number from 1) that parts of traces hold."""
    numbers = {0: range(1, FIRST_SPANS + 1), 1: range(FIRST_SPANS + 1, 21)}
    return {(trace.hex(), number) for trace, part in keys for number in numbers[part]}


class Books:
    """What was offered to the server, and what it acknowledged."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.offered: set[tuple[str, int]] = set()
        self.acknowledged: set[tuple[str, int]] = set()

    def offer(self, keys: Sequence[tuple[bytes, int]]) -> None:
        """Note a request before it is sent."""
        with self._lock:
            self.offered |= spans_of(keys)

    def acknowledge(self, keys: Sequence[tuple[bytes, int]]) -> None:
        """Note a request that was answered with 200."""
        with self._lock:
            self.acknowledged |= spans_of(keys)

    def copy(self) -> tuple[set[tuple[str, int]], set[tuple[str, int]]]:
        """Give both as they are now."""
        with self._lock:
            return set(self.offered), set(self.acknowledged)


class Stored:
    """The spans in a store, read on from where it was read to before."""

    def __init__(self, where: str) -> None:
        self._where, self._position = where, 0
        self.keys: set[tuple[str, int]] = set()
        self.twice = 0

    def read_on(self) -> set[tuple[str, int]]:
        """Read what was stored since, and give all."""
        store = open_trace_store(self._where)
        while batch := store.spans_after(self._position, 10_000):
            for position, span in batch:
                key = (span.trace_id, int(span.span_id, 16))
                self.twice += key in self.keys
                self.keys.add(key)
                self._position = position
        store.close()
        return self.keys


def free_port() -> int:
    """Give a port that nothing listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def check(books: Books, stored: Stored, when: str) -> bool:
    """Compare what was acknowledged with what is stored, while nothing runs."""
    offered, acknowledged = books.copy()
    held = stored.read_on()
    lost, strange = acknowledged - held, held - offered
    print(
        f"{when}: acknowledged {len(acknowledged):,}, stored {len(held):,}; acknowledged and not stored: {len(lost)};"
        f" stored and not yet acknowledged: {len(held - acknowledged):,}; never offered: {len(strange)}; stored twice: {stored.twice}"
    )
    return not lost and not strange and not stored.twice


def await_more(books: Books) -> None:
    """Wait until something is acknowledged again."""
    before, until = len(books.copy()[1]), time.monotonic() + 60
    while len(books.copy()[1]) == before and time.monotonic() < until:
        time.sleep(0.05)


def main() -> None:
    """Print what was found; exit 1 where anything was lost."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--rate", type=float, default=5_000)
    parser.add_argument("--store", default=None)
    parser.add_argument("--judge", default="lexical")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    chance = random.Random(given.seed)  # noqa: S311 - when to kill is no secret
    with tempfile.TemporaryDirectory() as folder:
        where = given.store or f"{folder}/spans.sqlite"
        settings = {
            "store": where,
            "port": free_port(),
            "page_port": 0,
            "judge": given.judge,
            "sample": 1e-4,
            "scorers": 2,
        }
        books, stored, fine = Books(), Stored(where), True
        sender = Sender(settings["port"], given.rate, traces=10, connections=8)
        sender.offered, sender.acknowledged = books.offer, books.acknowledge
        running = Running(settings)
        sending = threading.Thread(target=sender.run, args=(3600.0,))
        sending.start()
        for kill in range(given.kills):
            await_more(books)
            time.sleep(0.5 + 2.5 * chance.random())
            running.kill()
            time.sleep(0.3)  # answers that were written before the kill are read
            fine &= check(books, stored, f"kill {kill + 1}")
            running = Running(settings)
        await_more(books)
        sender.finish()
        sending.join()
        fine &= finished(running, sender, where)
        fine &= check(books, stored, "at the end")
        fine &= books.copy()[1] == stored.keys
        print(f"statuses {dict(sender.sent.statuses)} (0: no answer)")
        print("nothing was lost, nothing doubled" if fine else "SOMETHING IS WRONG")
    raise SystemExit(not fine)


def finished(running: Running, sender: Sender, where: str) -> bool:
    """Wait until all is scored, and stop; gives whether every trace has its one answer."""
    traces, store = sum(sender.sent.kinds.values()), open_trace_store(where)
    found(store, answers=traces, patience=120)
    time.sleep(3)  # more than that must not come
    ids = [row.id for row in store.answers(Where(), limit=10**9)]
    print(
        f"traces {traces:,}; answers {len(ids):,}, of which different {len(set(ids)):,}; stopped in {running.stop():.1f} s"
    )
    store.close()
    return len(ids) == len(set(ids)) == traces


if __name__ == "__main__":
    main()
