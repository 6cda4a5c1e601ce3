"""From stored spans to stored scores, step by step: read on, put traces together, score what is due, keep it with the checkpoint.

A process that is killed begins again at its checkpoint, reads the same spans and comes to the same rows: an answer's id is that of its span,
and what was chosen for it once is read back.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from showable.measure.tail_sampling import TailSampler
from showable.records.record import Record
from showable.records.spans import Span
from showable.records.traced import SUPERSEDED, LiveScore
from showable.serving.joined_traces import JoinedTrace, Joining, TraceJoiner
from showable.serving.live_rules import LiveRules
from showable.serving.saying import say
from showable.serving.scored_answer import AnswerScoring, reason_of, superseded, unreadable, unscored
from showable.serving.scoring_parts import SCORED_TO, Part
from showable.serving.settings import ServeSettings
from showable.serving.time_limit import time_limit
from showable.stores.traces.store import TraceStore
from showable.traces.assembling import Assembled, Assembler
from showable.traces.evaluator_spans import is_ours
from showable.traces.join import join

READ_AT_ONCE, SCORED_AT_ONCE = 4_000, 100
"""Spans read, and traces scored and written, at a time."""
_NS = 10**9
_CHECKPOINT_NS = _NS
_AGES = 2**61
"""Added to the arrival clock, so that it stays above zero however far it is set back."""
_SAID_AT_MOST = 20
"""Failures told of one by one; all are counted."""


@dataclass(slots=True)
class Tally:
    """What was done so far."""

    traces: int = 0
    scored: int = 0
    chosen: int = 0
    failed: int = 0
    newest_ns: int = 0


class LiveScoring:
    """The scoring of one store. Not for several threads at once."""

    def __init__(
        self, store: TraceStore, settings: ServeSettings, *, rules: LiveRules | None = None, joining: Joining = join
    ) -> None:
        """Begin where the store's checkpoint is. Raises InputError or SettingError for rules that cannot be used."""
        self._store, self._joiner = store, TraceJoiner(store, joining)
        self._rules = rules or LiveRules(settings)
        self._scoring = AnswerScoring(self._rules, TailSampler(seed=settings.seed), settings.sample)
        quiet, give_up = int(settings.quiet_s * _NS), int(settings.give_up_s * _NS)
        self._assembler = Assembler(quiet, give_up, settings.open_spans)
        self._part = Part(settings.scorer, settings.scorers)
        self._cursor = self._kept = self._scored_to = store.checkpoint()
        self._kept_at = self._watermark = 0
        self._due: deque[Assembled] = deque()
        self._open: set[str] = set()
        self.tally, self.behind = Tally(), False

    def step(self, now_ns: int, *, ended: Callable[[], bool] = lambda: False) -> bool:
        """Read on, or score some of what is due at a time of the arrival clock. Gives whether there was anything to do.

        Raises StoreError where the store refuses; the step may then be tried again, and nothing is left out. `ended` stops it before
        a write.
        """
        read = 0 if self._due else self._read(now_ns)
        worked = bool(read or self._due)
        if self._due and not ended():
            self._score_some()
        if not self._due and now_ns - self._kept_at >= _CHECKPOINT_NS:
            self._kept_at, self._scored_to = now_ns, self._checkpoint()
            reached = self._part.reached(self._scored_to, self._store)
            if reached > self._kept:
                self._write([], reached)
        return worked

    def _read(self, now_ns: int) -> int:
        batch = self._store.spans_after(self._cursor, READ_AT_ONCE)
        self.behind = len(batch) == READ_AT_ONCE
        clock, wall = now_ns + _AGES, time.time_ns()
        for position, span in batch:
            self._cursor = position
            if self.behind and span.end_ns:
                clock = self._clock(span, now_ns, wall)
            if self._part.has(span.trace_id) and not is_ours(span.attributes):
                self._assembler.add(position, span, clock)
                self._open.add(span.trace_id)
        if batch:
            self.tally.newest_ns = batch[-1][1].end_ns
        due = self._assembler.due(clock)
        self._due.extend(due)
        self._open.difference_update(one.trace_id for one in due)
        return len(batch)

    def _clock(self, span: Span, now_ns: int, wall_ns: int) -> int:
        """Return the time to reckon with where reading is behind what arrives: the arrival clock, set back by how far.

        Of spans that wait to be read nobody knows when they came. The latest end among those that were read is the watermark: a trace
        is quiet when so much traffic has gone by without it, and no more than that is held in memory.
        """
        self._watermark = max(self._watermark, min(span.end_ns, wall_ns))
        return now_ns + _AGES - (wall_ns - self._watermark)

    def tell(self, process: str, now_ns: int) -> None:
        """Keep in the store how it stands. Raises StoreError."""
        self._store.set_gauges(process, self.gauges(now_ns))

    def gauges(self, now_ns: int) -> dict[str, float]:
        """Return how it stands; `lag_s` is 0 when nothing that is stored and due waits, else how long ago the last span that was read ended."""
        waits = (self.behind or self._due) and self.tally.newest_ns
        lag = max(0.0, (now_ns - self.tally.newest_ns) / _NS) if waits else 0.0
        return {
            "open_traces": len(self._open) + len(self._due),
            "held_spans": self._assembler.held,
            "traces_total": self.tally.traces,
            "scored_total": self.tally.scored,
            "chosen_total": self.tally.chosen,
            "failed_total": self.tally.failed,
            "too_large_total": self._joiner.too_large,
            "lag_s": lag,
            "at_ns": now_ns,
        } | ({} if self._part.alone else {SCORED_TO: self._part.told(self._scored_to)})

    def _score_some(self) -> None:
        """Score the next of what is due, and let go of it when it is written."""
        part = [self._due[n] for n in range(min(SCORED_AT_ONCE, len(self._due)))]
        rows = self._rows(part)
        self._write(rows, self._checkpoint() if self._part.alone and len(part) == len(self._due) else None)
        for one in part:
            self._due.popleft()
            self._joiner.done(one)
        self.tally.traces += len(part)
        self.tally.scored += len(rows)
        self.tally.chosen += sum(row.chosen for row in rows)

    def _checkpoint(self) -> int:
        oldest = self._assembler.oldest_position()
        return self._cursor if oldest is None else oldest - 1

    def _rows(self, part: Sequence[Assembled]) -> list[LiveScore]:
        joined = [self._joiner.join(one) for one in part]
        held = self._held(joined)
        again = [one for one in joined if not one.whole and any(a.record.id in held for a in one.answers)]
        for one in again:  # scored before, by this process or by one before it
            self._joiner.load(one)
        for one in joined:
            if one.whole:
                held |= {score.id: score for score in self._store.scores_of(one.trace_id)}
        return [row for one in joined for row in self._scored(one, held)]

    def _held(self, joined: Sequence[JoinedTrace]) -> dict[str, LiveScore]:
        ids = [answer.record.id for one in joined for answer in one.answers]
        return {score.id: score for score in self._store.scores(ids)} if ids else {}

    def _scored(self, one: JoinedTrace, held: Mapping[str, LiveScore]) -> list[LiveScore]:
        now = time.time_ns()
        if any(held[i].answer.spans > len(one.spans) for i in held.keys() & one.ids):
            return []  # the store has let go of spans since: what is known of the answer is more than could be found out now
        if one.problem:
            return [self._failed(unreadable(one.trace_id, one.spans, one.problem, now), one.problem)]
        attributes = self._attributes(one)
        rows = []
        for answer in one.answers:
            try:
                with time_limit():
                    row = self._scoring.score(
                        answer, attributes.get(answer.span_id, {}), held.get(answer.record.id), now
                    )
            except Exception as error:  # noqa: BLE001 - one answer that breaks something must not stop all others
                said = reason_of(error)
                row = self._failed(unscored(answer, f"it could not be scored: {said}", now), said)
            if row is not None:
                rows.append(row)
        return [*rows, *self._superseded(one, held, now)]

    def _superseded(self, one: JoinedTrace, held: Mapping[str, LiveScore], now: int) -> list[LiveScore]:
        """Return rows for what was taken for an answer before the rest of its trace came, and is none: of no rubric, in no rate."""
        if not (one.whole and one.answers):
            return []
        answers = one.ids
        gone = (s for s in held.values() if s.answer.trace_id == one.trace_id and s.id not in answers)
        return [superseded(score, sorted(answers), now) for score in gone if score.stratum != SUPERSEDED]

    def _attributes(self, one: JoinedTrace) -> dict[str, Mapping[str, Any]]:
        if not self._rules.by_attributes:
            return {}
        wanted = {answer.span_id for answer in one.answers}
        return {s.span_id: {**s.resource, **s.attributes} for s in one.spans if s.span_id in wanted}

    def _failed(self, row: LiveScore, why: str) -> LiveScore:
        self.tally.failed += 1
        if self.tally.failed <= _SAID_AT_MOST:
            more = "" if self.tally.failed < _SAID_AT_MOST else "; further ones are counted, and not told"
            say(f"trace {row.answer.trace_id} is unknown: {why}{more}")
        return row

    def _write(self, rows: Sequence[LiveScore], checkpoint: int | None) -> None:
        try:
            self._store.add_scores(rows, checkpoint=checkpoint)
        except Exception:
            if not rows:
                raise
            self._write_apart(rows)
            self._store.add_scores([], checkpoint=checkpoint)
        self._kept = self._kept if checkpoint is None else checkpoint

    def _write_apart(self, rows: Sequence[LiveScore]) -> None:
        """Write row by row. One that the store refuses alone is kept as an unknown; where that is refused too, it is the store."""
        for row in rows:
            try:
                self._store.add_scores([row])
            except Exception as error:  # noqa: BLE001 - what it is shows when the row without its content is refused too
                said = reason_of(error)
                bare = Record(id=row.id, question="", answer=None, trace_id=row.answer.trace_id)
                traced = replace(row.answer, record=bare, losses=())
                self._store.add_scores([unscored(traced, f"it could not be stored: {said}", row.scored_ns)])
                self._failed(row, said)
