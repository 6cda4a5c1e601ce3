"""What the receiver reads of the store, for `/readyz` and `/metrics`: in a thread of its own, and not more often than is needed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from prometheus_client.metrics_core import Metric

from showable.serving.receiver_metrics import of_answers, of_floors, of_processes
from showable.serving.scoring_parts import SCORING
from showable.stores.traces.errors import StoreError
from showable.stores.traces.store import Count, Dimension, TraceStore, Where

T = TypeVar("T")
SILENT_S = 30.0
"""After so many seconds without a word the scorer counts as gone."""
_GAUGES_S = 1.0
_COUNTS_S = 30.0
_SHOWN: Collection[Dimension] = ("structural", "resolvability", "semantic", "bucket", "refusal")
_HOUR_NS = 3600 * 10**9


class View:
    """The store as it is read beside the writing. `troubles` says what of the receiver itself is not as it should be."""

    def __init__(self, open_store: Callable[[], TraceStore], troubles: Callable[[], Sequence[str]]) -> None:
        self._open, self._troubles = open_store, troubles
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="view")
        self._store: TraceStore | None = None
        self._gauges: Mapping[str, Mapping[str, float]] = {}
        self._counts: Sequence[Count] = ()
        self.forget()

    async def missing(self) -> Sequence[str]:
        """Return what keeps the receiver from being ready; nothing where it is."""
        said = list(self._troubles())
        try:
            gauges = await self._run(self._read_gauges)
        except StoreError:
            return [*said, "the store cannot be read"]
        scoring = {name: told for name, told in gauges.items() if name.startswith(SCORING)} or {SCORING: {}}
        for name, told in scoring.items():
            if "at_ns" not in told:
                said.append(f"{name} has not begun")
            elif (age := (time.time_ns() - told["at_ns"]) / 1e9) > SILENT_S:
                said.append(f"{name} has said nothing for {age:.0f} s")
        return said

    async def metrics(self) -> Sequence[Metric]:
        """Return what the other processes say, and the answers of the last hour."""
        try:
            gauges = await self._run(self._read_gauges)
            counts = await self._run(self._read_counts)
        except StoreError:  # what is counted here is shown all the same; /readyz says why there is no more
            return []
        return [*of_processes(gauges, time.time_ns()), *of_floors(gauges), *of_answers(counts)]

    def forget(self) -> None:
        """Ask the store again the next time."""
        self._gauges_at = self._counts_at = float("-inf")

    async def close(self) -> None:
        """Close the store, in the thread that uses it."""
        await self._run(self._close)
        self._thread.shutdown(wait=False)

    async def _run(self, do: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, do)

    def _opened(self) -> TraceStore:
        if self._store is None:
            self._store = self._open()
        return self._store

    def _read_gauges(self) -> Mapping[str, Mapping[str, float]]:
        if time.monotonic() - self._gauges_at > _GAUGES_S:
            self._gauges = self._opened().gauges()
            self._gauges_at = time.monotonic()
        return self._gauges

    def _read_counts(self) -> Sequence[Count]:
        if time.monotonic() - self._counts_at > _COUNTS_S:
            lately = Where(since_ns=time.time_ns() - _HOUR_NS)
            self._counts = self._opened().counts(lately, dimensions=_SHOWN, by="service")
            self._counts_at = time.monotonic()
        return self._counts

    def _close(self) -> None:
        if self._store is not None:
            self._store.close()
