"""Delete what is older than is to be kept, a little at a time."""

from __future__ import annotations

import threading
import time

from showable.serving.saying import say
from showable.serving.settings import ServeSettings
from showable.stores.traces.errors import StoreError
from showable.stores.traces.opening import open_trace_store

EVERY_S = 600.0
ROWS = 5_000
"""Rows deleted at once: while they are, nothing else is written."""
BETWEEN_S = 0.2
_DAY_NS = 86_400 * 10**9


class Retention:
    """A thread that deletes, where the settings say for how long things are kept."""

    def __init__(self, settings: ServeSettings) -> None:
        self._settings, self._stop = settings, threading.Event()
        self._thread = threading.Thread(target=self._work, name="retention", daemon=True)

    def start(self) -> None:
        """Begin, where there is something to do at all."""
        if self._settings.retain_days is not None:
            self._thread.start()

    def end(self, seconds: float) -> None:
        """End it; what it is at is finished first, or undone by the store."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(seconds)

    def _work(self) -> None:
        said = ""
        while True:
            try:
                self._prune(self._settings.retain_days or 0.0)
            except StoreError as error:
                if str(error) != said:
                    said = str(error)
                    say(f"old spans could not be deleted: {said}")
            if self._stop.wait(EVERY_S):
                return

    def _prune(self, days: float) -> None:
        before = time.time_ns() - int(days * _DAY_NS)
        store = open_trace_store(self._settings.store)
        try:
            while store.prune(before, limit=ROWS) and not self._stop.wait(BETWEEN_S):
                pass
        finally:
            store.close()
