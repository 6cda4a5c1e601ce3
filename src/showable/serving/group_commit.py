"""Write what many requests brought in one transaction, and tell each of them only once that is durable."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from showable.serving.parcels import Kept, Parcel, Unpacked, Watcher
from showable.serving.receiver_answers import Signal
from showable.serving.saying import say
from showable.stores.traces.errors import StoreError
from showable.stores.traces.store import TraceStore
from showable.traces.otlp.refused import Refused

MOST_SPANS = 4_000
"""Spans of one transaction: more wait for the next."""
LARGE_B, LARGE_PACKED_B = 1024 * 1024, 64 * 1024
"""A body so long, plain or packed, is decoded beside the others, which need not wait for seconds behind it."""
LINGER_S = 0.005
"""How long the first request of a transaction waits for others: a write to disk costs about as much."""
HEARTBEAT_S = 2.0
SAID_EVERY_S = 60.0
"""The same trouble is said so often and no more: on a disk that is nearly full, every other write may fail."""
PATIENCE_S = 5.0
"""Where a request has waited so long, no more are taken in behind it: exporters give up after ten seconds, and send again."""

_TOO_SLOW = Refused(429, f"what came before waits to be stored for over {PATIENCE_S:g} s; send it again")
_UNAVAILABLE = Refused(503, "nothing can be stored at present; send it again")


@dataclass(frozen=True, slots=True)
class _Waiting:
    parcel: Parcel
    done: asyncio.Future[Kept]


@dataclass(frozen=True, slots=True)
class _Ready:
    signal: Signal
    found: Unpacked
    done: asyncio.Future[Kept]


class GroupCommit:
    """One thread that unpacks, decodes and stores, in the order of arrival. `put` and `drain` are for the event loop.

    Large requests are decoded in a second thread, never more than one ahead of what is stored.

    `trouble` says, in a line, why the store takes nothing at present; it is tried again by each transaction and each heartbeat.
    `broken` is set where the thread ended in a way that nobody foresaw: nothing will be stored any more.
    """

    def __init__(
        self,
        open_store: Callable[[], TraceStore],
        unpack: Callable[[Parcel], Unpacked],
        watcher: Watcher,
        most_bytes: int,
    ) -> None:
        self._open, self._unpack, self._watcher, self._most_bytes = open_store, unpack, watcher, most_bytes
        self._loop = asyncio.get_running_loop()
        self._queue: queue.SimpleQueue[_Waiting | _Ready | None] = queue.SimpleQueue()
        self._large: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._since: tuple[dict[asyncio.Future[Kept], float], dict[asyncio.Future[Kept], float]] = {}, {}
        self._room = threading.Semaphore(1)
        self._thread = threading.Thread(target=self._live, name="group-commit", daemon=True)
        self._ended = False
        self._said: dict[str, float] = {}
        self.trouble: str | None = "the store is being opened"
        self.broken = asyncio.Event()

    def start(self) -> None:
        """Begin. The store is opened in the thread that uses it."""
        self._thread.start()
        threading.Thread(target=self._decode_large, name="large-requests", daemon=True).start()

    async def put(self, parcel: Parcel) -> Kept:
        """Wait until what a request brought is durable.

        Raises Refused where it cannot be read, or not be stored now, or where requests before it wait too long already.
        """
        done: asyncio.Future[Kept] = self._loop.create_future()
        large = len(parcel.body) > (LARGE_PACKED_B if parcel.encoding else LARGE_B)
        since = self._since[large]
        if since and time.monotonic() - next(iter(since.values())) > PATIENCE_S:
            raise _TOO_SLOW
        since[done] = time.monotonic()
        (self._large if large else self._queue).put(_Waiting(parcel, done))
        try:
            return await done
        finally:
            del since[done]

    async def drain(self, seconds: float) -> bool:
        """Take nothing more, and wait until all that was put is settled. Gives whether that came to be in time."""
        self._large.put(None)
        await asyncio.to_thread(self._thread.join, seconds)
        return not self._thread.is_alive()

    def _decode_large(self) -> None:
        while (waiting := self._large.get()) is not None:
            self._room.acquire()
            ready = self._read(waiting)
            if ready is None:
                self._room.release()
            else:
                self._queue.put(ready)
        self._queue.put(None)

    def _live(self) -> None:
        try:
            self._work()
        except Exception as error:  # noqa: BLE001 - said, and the process ends by it
            say(f"the thread that stores has failed: {type(error).__name__}: {error}")
            self._on_loop(self.broken.set)

    def _work(self) -> None:
        store = self._open_patiently()
        if store is None:
            return
        beat_at = 0.0
        while not self._ended:
            if time.monotonic() >= beat_at:
                self._beat(store)
                beat_at = time.monotonic() + HEARTBEAT_S
            batch = self._gather(max(0.01, beat_at - time.monotonic()))
            if batch:
                self._commit(store, batch)
        store.close()

    def _open_patiently(self) -> TraceStore | None:
        """Open the store, again and again where it does not let itself be opened; meanwhile everything is refused."""
        while not self._ended:
            try:
                return self._open()
            except StoreError as error:
                self._troubled(error)
                for waiting in self._gather(HEARTBEAT_S):
                    self._settle([(waiting.done, _UNAVAILABLE)])
        return None

    def _beat(self, store: TraceStore) -> None:
        try:
            store.set_gauges("receiver", self._watcher.beat())
        except StoreError as error:
            self._troubled(error)
        else:
            self.trouble = None

    def _gather(self, patience: float) -> list[_Ready]:
        """Decode what waits, up to a transaction's worth; what cannot be read is told so at once."""
        batch: list[_Ready] = []
        spans = size = 0
        until = time.monotonic() + patience
        while spans < MOST_SPANS and size < self._most_bytes:
            try:
                waiting = self._queue.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                break
            if waiting is None:
                self._ended = True
                break
            if not batch:
                until = time.monotonic() + LINGER_S
            ready = self._of(waiting)
            if ready is not None:
                self._watcher.unpacked(ready.signal, ready.found)
                batch.append(ready)
                spans += len(ready.found.spans)
                size += ready.found.size
        return batch

    def _of(self, taken: _Waiting | _Ready) -> _Ready | None:
        if isinstance(taken, _Waiting):
            return self._read(taken)
        self._room.release()
        return taken

    def _read(self, waiting: _Waiting) -> _Ready | None:
        try:
            found = self._unpack(waiting.parcel)
        except Refused as refused:
            self._settle([(waiting.done, refused)])
        except Exception as error:  # noqa: BLE001 - one request that trips the reader must not end the receiver
            say(f"a request could not be read: {type(error).__name__}: {error}")
            self._settle([(waiting.done, Refused(400, "the request could not be read"))])
        else:
            return _Ready(waiting.parcel.signal, found, waiting.done)
        return None

    def _commit(self, store: TraceStore, batch: Sequence[_Ready]) -> None:
        spans = [span for ready in batch for span in ready.found.spans]
        events = [event for ready in batch for event in ready.found.events]
        began = time.perf_counter()
        try:
            # one request may hold many more: of what is stored and then refused after all, the rest comes again
            new = sum(store.add_spans(spans[at : at + MOST_SPANS]) for at in range(0, len(spans), MOST_SPANS))
            if events:
                store.add_events(events)
        except StoreError as error:
            self._troubled(error)
            self._watcher.failed(len(spans))
            self._settle([(ready.done, _UNAVAILABLE) for ready in batch])
        except Exception as error:  # noqa: BLE001 - whatever one request holds, the others are kept
            self._part(store, batch, error)
        else:
            self.trouble = None
            self._watcher.committed(len(spans), new, time.perf_counter() - began)
            self._settle([(ready.done, Kept(ready.found.rejected, ready.found.reason)) for ready in batch])

    def _part(self, store: TraceStore, batch: Sequence[_Ready], error: Exception) -> None:
        """Store a transaction that failed in an unforeseen way by single requests, and refuse the one that it was."""
        if len(batch) > 1:
            for ready in batch:
                self._commit(store, [ready])
            return
        say(f"a request could not be stored: {type(error).__name__}: {error}")
        self._watcher.failed(len(batch[0].found.spans))
        self._settle([(batch[0].done, Refused(500, "the spans of this request could not be stored"))])

    def _troubled(self, error: StoreError) -> None:
        self.trouble = str(error)
        now = time.monotonic()
        if now - self._said.get(self.trouble, float("-inf")) >= SAID_EVERY_S:
            self._said = {self.trouble: now}
            say(f"nothing is stored at present: {error}")

    def _settle(self, outcomes: Sequence[tuple[asyncio.Future[Kept], Kept | Refused]]) -> None:
        self._on_loop(partial(_tell, outcomes))

    def _on_loop(self, do: Callable[[], None]) -> None:
        try:
            self._loop.call_soon_threadsafe(do)
        except RuntimeError:  # the loop is closed: nobody is there any more to be told
            self._ended = True


def _tell(outcomes: Sequence[tuple[asyncio.Future[Kept], Kept | Refused]]) -> None:
    for done, outcome in outcomes:
        if done.done():  # its client went away
            continue
        if isinstance(outcome, Refused):
            done.set_exception(outcome)
        else:
            done.set_result(outcome)
