"""The process that scores: structural and resolvability of every answer, and which of them a judge is to read."""

from __future__ import annotations

import gc
import time

from showable.serving.ending import Ending
from showable.serving.live_scoring import LiveScoring
from showable.serving.saying import say
from showable.serving.scoring_parts import SCORING, name_of
from showable.serving.settings import ServeSettings
from showable.stores.traces.errors import StoreError
from showable.stores.traces.opening import open_trace_store

IDLE_S = 0.1
GAUGES_S = 1.0
_RARELY = (50_000, 20, 100)
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 10.0


def run(settings: ServeSettings) -> None:
    """Score until SIGTERM, or until the process that started this one is gone.

    Raises InputError or SettingError for rules, a profile or a share that cannot be used, StoreError where there is no store.
    """
    gc.freeze()  # what was imported stays: no need to look through it again and again,
    gc.set_threshold(*_RARELY)  # nor through what a trace leaves behind, which holds no circles
    ending = Ending()
    store = open_trace_store(settings.store)
    try:
        work(LiveScoring(store, settings), ending, name_of(settings.scorer))
    finally:
        store.close()


def work(scoring: LiveScoring, ending: Ending, name: str = SCORING) -> None:
    """Step by step to the end; a store that refuses is tried again after a pause, and said once."""
    said, pause, told_at = "", FIRST_PAUSE_S, 0.0
    while not ending.come:
        try:
            worked = scoring.step(time.monotonic_ns(), ended=lambda: ending.come)
            if time.monotonic() - told_at >= GAUGES_S:
                scoring.tell(name, time.time_ns())
                told_at = time.monotonic()
        except StoreError as error:
            if str(error) != said:
                said = str(error)
                say(f"{name}: {said}; it is tried again")
            ending.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)
            continue
        said, pause = "", FIRST_PAUSE_S
        if not worked:
            ending.wait(IDLE_S)
