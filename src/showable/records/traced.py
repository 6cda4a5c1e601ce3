"""An answer found in a trace, and what became of it when it was scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from showable.records.findings import Outcome
from showable.records.record import Record
from showable.records.scorecard import Bucket, Release, Scorecard

SUPERSEDED = "superseded"
"""The stratum of a row that was taken for an answer until more of its trace came: it is listed and counted nowhere."""

Diagnosis = Literal["generator", "retriever", "both", "none", "unknown"]
"""Whose problem a failure is: `none` where nothing failed, `unknown` where it cannot be told."""


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that a trace did not carry, or that had to be worked out: a `code` to count by and words to read."""

    code: str
    words: str


@dataclass(frozen=True, slots=True)
class TracedAnswer:
    """One answering span of a trace as a Record, with where it stood and what the trace did not say.

    `record.id` is ``trace_id:span_id`` and stays the same however often the trace is joined. `parent_id` is where scores of
    it are put in the tree. `latency_ms` is the whole trace's where its root is known, else the span's own. `complete` is False
    where the trace never finished, or a span that another names as its parent never came. `spans` counts those joined.
    Of a guarded answer, `route` is the guard's, `release` what the client received, `released` why, and `guard_ms` how long the
    guard itself took; elsewhere they are empty. `texts_until_judged` says that words are for the judge alone, and not to be kept.
    """

    record: Record
    trace_id: str
    span_id: str
    parent_id: str | None = None
    service: str = ""
    name: str = ""
    kind: str = ""
    model: str = ""
    prompt_version: str = ""
    cohort: str = ""
    started_ns: int = 0
    latency_ms: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    complete: bool = True
    spans: int = 0
    conventions: Sequence[str] = ()
    losses: Sequence[Loss] = ()
    route: str = ""
    release: str = ""
    released: Release | None = None
    guard_ms: float | None = None
    texts_until_judged: bool = False


@dataclass(frozen=True, slots=True)
class LiveScore:
    """What was found out about a traced answer: a row of the store.

    `structural`, `resolvability` and `semantic` are the three rubrics' outcomes, never put together into one. `stratum` says why the
    semantic rubric was, or was not, to be run; `probability` is that of having been chosen for it (0 < p <= 1), known
    before the judge is asked; `chosen` is what came of it. Of an answer that was not chosen, `semantic` is unknown and
    so may the bucket be: rates over traffic are estimated from the chosen ones, each weighing 1 / `probability`. `judged` is True when the judge was asked.
    `diagnosis_why` says in words what `diagnosis` rests on, "" where it was not kept.
    """

    answer: TracedAnswer
    scorecard: Scorecard
    structural: Outcome
    resolvability: Outcome
    semantic: Outcome
    stratum: str
    probability: float
    chosen: bool
    judged: bool
    signature: str
    profile: str
    diagnosis: Diagnosis = "unknown"
    rubrics: Sequence[str] = ("structural", "resolvability", "semantic")
    scored_ns: int = 0
    diagnosis_why: str = ""

    @property
    def id(self) -> str:
        """The record's id."""
        return self.answer.record.id

    @property
    def bucket(self) -> Bucket:
        """The bucket, unknown where it hangs on a verdict that was not asked for."""
        return self.scorecard.bucket
