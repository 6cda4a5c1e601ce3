"""What a store of traces does, whichever engine is behind it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from showable.records.spans import Span, SpanEvent
from showable.records.traced import LiveScore

By = Literal["service", "model", "prompt_version", "profile", "cohort"]
Dimension = Literal["structural", "resolvability", "semantic", "bucket", "cause", "refusal", "diagnosis"]


@dataclass(frozen=True, slots=True)
class Where:
    """Which answers are meant. Times are Unix nanoseconds of the answer's start, `until_ns` exclusive; None is no bound.

    `service`, `model`, `prompt_version`, `profile`, `cohort` are exact values; `failing` keeps those with a rubric that failed or in
    the bucket wrong or unsupported; `bucket` and `text` (found in question or answer) narrow further.
    """

    since_ns: int | None = None
    until_ns: int | None = None
    service: str | None = None
    model: str | None = None
    prompt_version: str | None = None
    profile: str | None = None
    cohort: str | None = None
    bucket: str | None = None
    failing: bool = False
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """Answers of one stretch of time and one group with one value of one dimension.

    `n` counts them all. `chosen`, `weight` and `weight_squared` are the count, the sum of 1/p and the sum of 1/p² over those that
    were chosen for the semantic rubric and judged: what a rate over all traffic is estimated from.
    """

    at_ns: int
    group: str
    dimension: str
    value: str
    n: int
    chosen: int
    weight: float
    weight_squared: float


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """A scored answer in brief, as lists show it."""

    id: str
    trace_id: str
    span_id: str
    started_ns: int
    service: str
    model: str
    prompt_version: str
    profile: str
    cohort: str
    question: str
    answer: str
    bucket: str
    cause: str
    structural: str
    resolvability: str
    semantic: str
    diagnosis: str
    stratum: str
    complete: bool
    latency_ms: float | None


@dataclass(frozen=True, slots=True)
class RouteCount:
    """What became of the answers of one route of the guard.

    `releases` counts them by what the client received. `usd` is what those with a known cost came to, `priced` how many that
    are. `guard_ms` and `latency_ms` are the median and the 95th percentile of the guard's own time and of the whole call;
    None where none is known.
    """

    route: str
    releases: Mapping[str, int]
    usd: float
    priced: int
    guard_ms: tuple[float, float] | None
    latency_ms: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Holdings:
    """How much is held: spans, traces, answers, answers waiting for a judge, for an export, and bytes on disk (None: unknown)."""

    spans: int
    answers: int
    to_judge: int
    to_export: int
    bytes: int | None


class TraceStore(Protocol):
    """Spans and scored answers. A write is durable when its call returns: a process killed right after has lost nothing.

    Everything is idempotent: a span is known by (trace_id, span_id), an answer by its id. Raises StoreError (a ShowableError), one line,
    for whatever the engine or the disk refuses; then nothing of that call is stored.
    """

    def add_spans(self, spans: Sequence[Span]) -> int:
        """Keep spans; those held already are left as they are. Gives how many were new."""
        ...

    def add_events(self, events: Sequence[tuple[str, str, SpanEvent]]) -> int:
        """Keep events that came apart from their spans (OTLP logs), each with its trace and span id; gives how many were new.

        They become events of the span, whichever came first. A span that is held already gets them and moves to the end of the
        order: `spans_after` gives it again, whole, under a new position. The later one stands in place of the earlier. An event whose
        span never comes is given by nothing.
        """
        ...

    def spans_after(self, position: int, limit: int) -> Sequence[tuple[int, Span]]:
        """Return spans in the order in which they were stored, each with its position, from the first after `position`.

        Positions only grow and have gaps; a span is given again, under a later position, when events came for it.
        """
        ...

    def spans_of(self, trace_id: str) -> Sequence[Span]:
        """Return the spans of a trace, by their start."""
        ...

    def traces_like(self, prefix: str, limit: int) -> Sequence[str]:
        """Return ids of traces that begin so, in their order, whether an answer was found in them or not."""
        ...

    def checkpoint(self) -> int:
        """Return the position that scoring has come to: everything up to it is scored; 0 at the beginning."""
        ...

    def add_scores(self, scores: Sequence[LiveScore], *, checkpoint: int | None = None) -> None:
        """Keep scored answers in place of earlier scores of the same answers, and the checkpoint with them, all or nothing."""
        ...

    def scores(self, ids: Collection[str]) -> Sequence[LiveScore]:
        """Return scored answers whole."""
        ...

    def scores_of(self, trace_id: str) -> Sequence[LiveScore]:
        """Return the scored answers of a trace."""
        ...

    def to_judge(self, limit: int) -> Sequence[LiveScore]:
        """Return answers that were chosen for the semantic rubric and are not judged yet, oldest first."""
        ...

    def to_export(self, limit: int) -> Sequence[LiveScore]:
        """Return answers whose latest scores were not sent on yet, oldest first."""
        ...

    def mark_exported(self, scores: Sequence[LiveScore]) -> None:
        """Note that these scores, by id and `scored_ns`, were sent on."""
        ...

    def answers(self, where: Where, *, limit: int, after: str | None = None) -> Sequence[AnswerRow]:
        """Return answers, latest first; `after` is the id of the last one of the page before."""
        ...

    def counts(
        self, where: Where, *, dimensions: Collection[Dimension], by: By | None = None, step_ns: int | None = None
    ) -> Sequence[Count]:
        """Count answers by time (in steps from the epoch; one stretch where it is None), group ("" without `by`) and value."""
        ...

    def values(self, by: By) -> Sequence[str]:
        """Return the values that answers have there, the most frequent first, at most 200."""
        ...

    def not_retrieved(self, where: Where, *, limit: int) -> Sequence[tuple[str, Sequence[str]]]:
        """Return answers that cite ids their retrieval log does not hold, with those ids: the join, computed by the engine."""
        ...

    def routes(self, where: Where) -> Sequence[RouteCount]:
        """Return what became of guarded answers, by route in order of name; none where nothing was guarded."""
        ...

    def add_texts(self, texts: Mapping[str, str]) -> None:
        """Keep passages by their source id, for logs that carry ids without text."""
        ...

    def texts(self, ids: Collection[str]) -> Mapping[str, str]:
        """Return the passages that are known among these ids."""
        ...

    def set_gauges(self, process: str, gauges: Mapping[str, float]) -> None:
        """Keep what a process says of itself, in place of what it said before."""
        ...

    def gauges(self) -> Mapping[str, Mapping[str, float]]:
        """Return what each process last said of itself; `at_ns` among it is when."""
        ...

    def holdings(self) -> Holdings:
        """Return how much is held. Cheap enough to be asked every few seconds."""
        ...

    def prune(self, before_ns: int, *, limit: int = 50_000) -> int:
        """Delete spans and answers older than this, at most `limit` rows at a time; gives how many went."""
        ...

    def close(self) -> None:
        """Close it; a second time does nothing."""
        ...
