"""Questions put to the store from threads, each with a time limit: a store that hangs takes no page down with it."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from showable.errors import ShowableError
from showable.report.untrusted import printable
from showable.stores.traces.store import TraceStore

T = TypeVar("T")
THREADS = 4
MOST_WAITING = 24
"""Questions that may wait for a thread; with more of them the store is as good as down."""
LIMIT_S = 10.0
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Silent:
    """Why the store gave no answer, in words that a page shows in the answer's place."""

    said: str


@dataclass(frozen=True, slots=True)
class _Question:
    ask: Callable[[TraceStore], Any]
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[Any]


class Asker:
    """A few threads, each with the store opened for itself. They are daemons: one that hangs does not hold up the end."""

    def __init__(self, open_store: Callable[[], TraceStore], *, limit_s: float = LIMIT_S) -> None:
        self._open, self.limit_s = open_store, limit_s
        self._questions: queue.SimpleQueue[_Question | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._opening = threading.Lock()

    async def ask(self, question: Callable[[TraceStore], T]) -> T | Silent:
        """Return the store's answer, or why there is none within the time."""
        if self._questions.qsize() >= MOST_WAITING:
            return Silent(
                "The store is busy with earlier questions and has not answered them yet; try again in a moment"
            )
        self._start()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()
        self._questions.put(_Question(question, loop, answer))
        try:
            return await asyncio.wait_for(answer, self.limit_s)
        except TimeoutError:
            return Silent(f"The store did not answer within {self.limit_s:g} seconds; a shorter window asks less of it")
        except ShowableError as error:
            return Silent(f"The store refused: {printable(str(error), limit=_LONGEST)}")

    def close(self) -> None:
        """Tell the threads to close their stores and to end; those that still wait for an answer are left behind."""
        for _ in self._threads:
            self._questions.put(None)
        for thread in self._threads:
            thread.join(timeout=0.5)

    def _start(self) -> None:
        if not self._threads:
            self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(THREADS)]
            for thread in self._threads:
                thread.start()

    def _work(self) -> None:
        store: TraceStore | None = None
        while (question := self._questions.get()) is not None:
            if question.answer.cancelled():  # its time was up before a thread was free
                continue
            try:
                if store is None:
                    with self._opening:  # the first one may have to make it
                        store = self._open()
                _tell(question, question.ask(store), None)
            except Exception as error:  # noqa: BLE001 - whatever it is, it belongs to who asked
                _tell(question, None, error)
        if store is not None:
            store.close()


def _tell(question: _Question, value: object, error: Exception | None) -> None:
    def settle() -> None:
        if question.answer.done():
            return
        if error is None:
            question.answer.set_result(value)
        else:
            question.answer.set_exception(error)

    try:
        question.loop.call_soon_threadsafe(settle)
    except RuntimeError:  # the server has ended meanwhile, and nobody waits
        return
