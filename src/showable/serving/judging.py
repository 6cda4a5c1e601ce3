"""The process that judges: the semantic rubric of answers that were chosen for it, behind the process that scores."""

from __future__ import annotations

import asyncio
import os
import time

from showable.serving.ending import Ending
from showable.serving.live_judging import LiveJudging
from showable.serving.saying import say
from showable.serving.settings import ServeSettings
from showable.stores.traces.errors import StoreError
from showable.stores.traces.opening import open_trace_store

PROCESS = "judging"
NICE = 10
"""How much less of the processor this process asks for than the one that scores."""
WAIT_S, IDLE_S, GAUGES_S = 0.25, 0.5, 1.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 10.0


def run(settings: ServeSettings) -> None:
    """Judge until SIGTERM, or until the process that started this one is gone.

    What is under way then is let go, and judged when this is started again. Raises InputError or SettingError for rules or a judge
    that cannot be used, StoreError where there is no store.
    """
    ending = Ending()
    if hasattr(os, "nice"):
        os.nice(NICE)
    store = open_trace_store(settings.store)
    try:
        asyncio.run(work(LiveJudging(store, settings), ending))
    finally:
        store.close()


async def work(judging: LiveJudging, ending: Ending, name: str = PROCESS) -> None:
    """Step by step to the end; a store that refuses is tried again after a pause, and said once."""
    said, pause, told_at = "", FIRST_PAUSE_S, 0.0
    try:
        while not ending.come:
            try:
                worked = await judging.step(WAIT_S)
                if time.monotonic() - told_at >= GAUGES_S:
                    judging.tell(name, time.time_ns())
                    told_at = time.monotonic()
            except StoreError as error:
                if str(error) != said:
                    said = str(error)
                    say(f"{name}: {said}; it is tried again")
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE_S)
                continue
            said, pause = "", FIRST_PAUSE_S
            if not worked:
                await asyncio.sleep(IDLE_S)
    finally:
        await judging.end()
