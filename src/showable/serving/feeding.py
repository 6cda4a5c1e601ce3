"""The process that groups failing answers into issues: every hour, and sooner when many have come."""

from __future__ import annotations

import importlib.util
import os
import time

from showable.errors import ShowableError
from showable.serving.ending import Ending
from showable.serving.saying import say
from showable.serving.settings import ServeSettings
from showable.stores.traces.opening import open_trace_store
from showable.stores.traces.store import TraceStore, Where

NICE = 15
LOOK_S, HOUR_S = 60.0, 3_600.0
MANY = 50
"""Failing answers more than at the last batch that do not wait for the hour."""
DAYS = 28
_DAY_NS = 86_400 * 10**9


def run(settings: ServeSettings) -> None:
    """Build batches until SIGTERM. Without scikit-learn it says so once, and waits for the end."""
    ending = Ending()
    if hasattr(os, "nice"):
        os.nice(NICE)
    if importlib.util.find_spec("sklearn") is None:
        say("feeding: failures are not grouped; that needs scikit-learn: pip install 'showable[feed]'")
        while not ending.come:
            ending.wait(LOOK_S)
        return
    said, failing, built_at = "", -MANY, 0.0
    while not ending.come:
        ending.wait(LOOK_S)
        if ending.come:
            return
        try:
            store = open_trace_store(settings.store)
            try:
                now_failing = _failing(store)
                if now_failing - failing >= MANY or (time.monotonic() - built_at >= HOUR_S and now_failing):
                    build_batch(store, settings.store, time.time_ns())
                    failing, built_at = now_failing, time.monotonic()
            finally:
                store.close()
        except ShowableError as error:
            if str(error) != said:
                said = str(error)
                say(f"feeding: {said}; it is tried again")


def build_batch(store: TraceStore, name: str, now_ns: int) -> None:
    """Build a batch from the last days of a store called `name`. Raises SettingError or StoreError."""
    from showable.production.feed.build import build  # noqa: PLC0415 - seconds to import, and only when there is something to do
    from showable.production.feed.place import feed_beside  # noqa: PLC0415 - as above
    from showable.production.feed.reading import read_store_window  # noqa: PLC0415 - as above
    from showable.production.feed.space import space_name  # noqa: PLC0415 - as above
    from showable.production.feed.store import FeedStore  # noqa: PLC0415 - as above
    from showable.production.feed.word_layer import shipped_words  # noqa: PLC0415 - as above

    words = shipped_words()
    with FeedStore.open(feed_beside(name)) as feed:
        build(feed, read_store_window(store, now_ns, DAYS, feed.items(space_name(words))), words, now_ns)


def _failing(store: TraceStore) -> int:
    """Return how many answers of the window fail."""
    where = Where(since_ns=time.time_ns() - DAYS * _DAY_NS, failing=True)
    return sum(count.n for count in store.counts(where, dimensions=["bucket"]))
