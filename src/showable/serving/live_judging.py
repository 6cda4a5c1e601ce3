"""The semantic rubric on live answers that were chosen for it: a few at a time, oldest first, each written when it is done."""

from __future__ import annotations

import asyncio
import re
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from showable.evaluation import Graded, close_judge, evaluate_one
from showable.measure.rubric_outcomes import rubric_outcomes
from showable.records.calls import Calls
from showable.records.evidence import Judge
from showable.records.findings import Finding, Outcome, OutcomeCounts
from showable.records.lookups import Registries
from showable.records.profile import Profile
from showable.records.scorecard import Scorecard
from showable.records.traced import LiveScore
from showable.serving.live_rules import Holding, LiveRules
from showable.serving.scored_answer import reason_of, switch_off, with_own
from showable.serving.settings import ServeSettings
from showable.serving.textless import as_kept
from showable.stores.traces.errors import StoreError
from showable.stores.traces.store import TraceStore
from showable.traces.diagnosis import diagnose

AT_ONCE, READ_AT_ONCE, MOST_WAITING = 8, 64, 256
"""Answers judged at a time, read at a time, and waiting for another try before no more are begun."""
TRIES, FIRST_PAUSE_S = 4, 5.0
LONGEST_S = 600.0
_LATEST = 50
"""Answers by which is told whether the judge fails now."""
_TRANSIENT = re.compile(
    r"no reply within|cannot reach|HTTP (?:408|409|425|429|5\d\d)\b|the judge failed: (?:\w*(?:Timeout|Connection)\w*)"
)
_FAILED = "semantic.judge_failed"


@dataclass(slots=True)
class JudgingTally:
    """What was done so far."""

    judged: int = 0
    unknown: int = 0
    retried: int = 0
    failed: int = 0
    calls: int = 0
    failed_calls: int = 0


@dataclass(frozen=True, slots=True)
class _Done:
    """An answer as it was read from the store, and as it is judged; `again` says why it is to be tried again."""

    picked: LiveScore
    made: LiveScore
    again: str = ""


class LiveJudging:
    """The judging of one store. Raises InputError or SettingError for rules or a judge that cannot be used."""

    def __init__(
        self,
        store: TraceStore,
        settings: ServeSettings,
        *,
        rules: LiveRules | None = None,
        chooser: Callable[..., Judge] | None = None,
        pause_s: float = FIRST_PAUSE_S,
    ) -> None:
        self._store, self._settings, self._pause_s = store, settings, pause_s
        self._rules = rules or LiveRules(settings, chooser=chooser)
        self._judges: dict[tuple[str | None, int], Judge] = {}
        self._registries: dict[int, Registries | None] = {}
        self._rules.check_judges()
        self._queue: deque[LiveScore] = deque()
        self._running: dict[asyncio.Task[_Done], str] = {}
        self._waiting: dict[str, tuple[int, float]] = {}
        self._done: list[_Done] = []
        self._latest: deque[Calls] = deque(maxlen=_LATEST)
        self.tally = JudgingTally()

    async def step(self, wait_s: float) -> bool:
        """Begin what there is room for, wait at most so long for any of it, and write what is done. Gives whether there was anything."""
        self._fill()
        if not self._running:
            return False
        done, _ = await asyncio.wait(self._running, timeout=wait_s, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            del self._running[task]
            self._done.append(task.result())
        self._write()
        return True

    async def end(self) -> None:
        """Let go of what is under way, and close the judges."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        for judge in self._judges.values():
            await close_judge(judge)
        for registries in self._registries.values():
            if registries is not None:
                await registries.aclose()

    def tell(self, process: str, now_ns: int) -> None:
        """Keep in the store how it stands. Raises StoreError."""
        self._store.set_gauges(process, self.gauges(now_ns))

    def gauges(self, now_ns: int) -> dict[str, float]:
        """Return how it stands."""
        return {
            "judged_total": self.tally.judged,
            "unknown_total": self.tally.unknown,
            "retried_total": self.tally.retried,
            "failed_total": self.tally.failed,
            "judge_calls_total": self.tally.calls,
            "judge_calls_failed_total": self.tally.failed_calls,
            "judge_calls_failing_share": sum(self._latest, Calls()).share,
            "in_flight": len(self._running),
            "waiting": len(self._waiting),
            "at_ns": now_ns,
        }

    def _fill(self) -> None:
        room = AT_ONCE - len(self._running)
        if room > 0 and not self._queue:
            self._read(new=len(self._waiting) < MOST_WAITING)
        for _ in range(min(room, len(self._queue))):
            score = self._queue.popleft()
            self._running[asyncio.create_task(self._judged(score))] = score.id

    def _read(self, *, new: bool) -> None:
        """Read on in the store, past those that are under way and those whose pause is not over; `new` lets in untried ones."""
        now, running = time.monotonic(), {*self._running.values(), *(one.picked.id for one in self._done)}
        found = self._store.to_judge(READ_AT_ONCE + len(running) + len(self._waiting))
        for score in found:
            tried = self._waiting.get(score.id)
            if score.id not in running and (new if tried is None else tried[1] <= now):
                self._queue.append(score)

    async def _judged(self, score: LiveScore) -> _Done:
        try:
            async with asyncio.timeout(LONGEST_S):
                holding = self._holding(score)
                judge = self._judge(holding)
                graded = await evaluate_one(score.answer.record, judge, holding.profile, self._asked(holding.profile))
                self._count(graded.scorecard.calls.judge)
                return await self._made(score, holding, judge, graded)
        except StoreError as error:
            return _Done(score, _without_judge(score, reason_of(error)), reason_of(error))
        except TimeoutError:
            return _Done(score, _without_judge(score, f"no verdict within {LONGEST_S:g} s"), "no verdict")
        except Exception as error:  # noqa: BLE001 - an answer that breaks something is an unknown, with the reason
            return _Done(score, _without_judge(score, reason_of(error)))

    async def _made(self, score: LiveScore, holding: Holding, judge: Judge, graded: Graded) -> _Done:
        record, card, applied = score.answer.record, graded.scorecard, holding.applied
        own: Scorecard = card
        if applied.scorers:  # in a thread, where a scorer may run a loop of its own
            own = await asyncio.to_thread(with_own, card, applied.scorers, record)
        own, outcomes = switch_off(own, rubric_outcomes(card), applied)
        whose, why = diagnose(record, card)
        registries = self._asked(holding.profile)
        made = replace(
            score,
            scorecard=own,
            structural=outcomes.structural,
            resolvability=_of_every_answer(score, outcomes.resolvability),
            semantic=outcomes.semantic,
            judged=True,
            signature=self._rules.signature(judge, holding.profile, registries.name if registries else None),
            profile=holding.profile.name,
            diagnosis=whose,
            rubrics=tuple(applied.rubrics),
            scored_ns=time.time_ns(),
            diagnosis_why=why,
        )
        return _Done(score, made, _transient(graded) if outcomes.semantic is Outcome.UNKNOWN else "")

    def _count(self, calls: Calls) -> None:
        self.tally.calls += calls.made
        self.tally.failed_calls += calls.failed
        if calls.made:
            self._latest.append(calls)

    def _holding(self, score: LiveScore) -> Holding:
        attributes: Mapping[str, Any] = {}
        if self._rules.by_attributes:
            spans = self._store.spans_of(score.answer.trace_id)
            span = next((span for span in spans if span.span_id == score.answer.span_id), None)
            attributes = {} if span is None else {**span.resource, **span.attributes}
        return self._rules.of(score.answer, attributes)

    def _judge(self, holding: Holding) -> Judge:
        """Return the judge of an answer; a profile lives as long as this, so each is made once."""
        key = (holding.applied.judge, id(holding.profile))
        if key not in self._judges:
            self._judges[key] = self._rules.judging.judge(holding.profile, spec=key[0])
        return self._judges[key]

    def _asked(self, profile: Profile) -> Registries | None:
        key = id(profile)
        if key not in self._registries:
            self._registries[key] = self._rules.judging.registries(profile)
        return self._registries[key]

    def _write(self) -> None:
        """Keep what was judged, unless the answer was scored anew meanwhile with another record: then it waits to be judged again.

        Raises StoreError where the store refuses; what is done is then written the next time.
        """
        done = [one for one in self._done if not (one.again and self._try_again(one.picked.id))]
        self._done = [replace(one, again="") for one in done]
        if not done:
            return
        held = {score.id: score for score in self._store.scores([one.picked.id for one in done])}
        rows = [as_kept(row) for one in done if (row := _upon(held.get(one.picked.id), one)) is not None]
        try:
            self._store.add_scores(rows)
        except StoreError:
            rows = [self._write_alone(row) for row in rows]
        self._done = []
        for row in rows:
            self._waiting.pop(row.id, None)
            self.tally.judged += 1
            self.tally.unknown += row.semantic is Outcome.UNKNOWN
            self.tally.failed += _FAILED in row.scorecard.checks

    def _write_alone(self, row: LiveScore) -> LiveScore:
        """Write one row; where the store refuses it for what it holds, write that it could not be judged."""
        try:
            self._store.add_scores([row])
        except StoreError as error:
            bare = row.scorecard.model_copy(update={"claims": (), "chunks": (), "findings": ()})
            row = _without_judge(replace(row, scorecard=bare), f"it could not be stored: {reason_of(error)}")
            self._store.add_scores([row])
        return row

    def _try_again(self, of: str) -> bool:
        """Put an answer off; False where it was tried often enough."""
        tries = self._waiting.get(of, (0, 0.0))[0] + 1
        if tries >= TRIES:
            self._waiting.pop(of, None)
            return False
        self.tally.retried += 1
        self._waiting[of] = (tries, time.monotonic() + self._pause_s * 4 ** (tries - 1))
        return True


def _of_every_answer(score: LiveScore, found: Outcome) -> Outcome:
    """Return resolvability as every answer has it: registries are asked about chosen ones, and add what they prove wrong."""
    return found if found is Outcome.FAIL else score.resolvability


def _upon(now: LiveScore | None, one: _Done) -> LiveScore | None:
    """Put what was judged on the row as it stands now; None where it was deleted, judged, or is about another record by now."""
    if now is None or now.judged or now.answer.record != one.picked.answer.record:
        return None
    return replace(one.made, answer=now.answer, stratum=now.stratum, probability=now.probability, chosen=now.chosen)


def _transient(graded: Graded) -> str:
    """Return the reason of a verdict that may come out otherwise a little later, "" where there is none."""
    reasons = (pair.verdict.reason or "" for pair in graded.evidence.pairs if pair.verdict.label == "unknown")
    return next((reason for reason in reasons if _TRANSIENT.search(reason)), "")


def _without_judge(score: LiveScore, why: str) -> LiveScore:
    """Return an answer that could not be judged: unknown, with the reason, and not to be tried again."""
    finding = Finding(code=_FAILED, outcome=Outcome.UNKNOWN, reason=why)
    card = score.scorecard
    checks = card.checks | {_FAILED: OutcomeCounts(unknown=1)}
    made = card.model_copy(update={"findings": (*card.findings, finding), "checks": checks})
    return replace(score, scorecard=made, semantic=Outcome.UNKNOWN, judged=True, scored_ns=time.time_ns())
