"""Score all that a store holds and nobody scored yet, then leave: what `serve` does all the time, once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection
from dataclasses import replace

from showable.serving.live_judging import LiveJudging
from showable.serving.live_scoring import LiveScoring
from showable.serving.settings import ServeSettings
from showable.stores.traces.store import TraceStore

ASKED_FOR = "asked"
"""The stratum of answers that somebody wanted judged."""
_WAIT_S = 1.0


def score_all(store: TraceStore, settings: ServeSettings, *, judged: Collection[str] = ()) -> int:
    """Join and score every trace that is waiting, whether it has ended or not; every answer of the traces `judged` is put to the judge.

    Gives how many answers were scored. Raises InputError or SettingError for rules or a judge that cannot be used, StoreError
    where the store refuses.
    """
    at_once = replace(settings, quiet_s=0.0, give_up_s=0.0)
    scoring = LiveScoring(store, at_once)
    while scoring.step(time.monotonic_ns()):
        pass
    if judged:
        for trace_id in judged:
            _choose(store, trace_id)
        asyncio.run(_judge(LiveJudging(store, at_once)))
    return scoring.tally.scored


def _choose(store: TraceStore, trace_id: str) -> None:
    """Leave nothing of a trace to chance. One that chance had chosen weighs no more than the others from now on."""
    drawn = [score for score in store.scores_of(trace_id) if score.probability < 1 and "semantic" in score.rubrics]
    if drawn:
        store.add_scores([replace(score, chosen=True, probability=1.0, stratum=ASKED_FOR) for score in drawn])


async def _judge(judging: LiveJudging) -> None:
    try:
        while await judging.step(_WAIT_S):
            pass
    finally:
        await judging.end()
