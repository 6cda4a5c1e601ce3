"""Metrics for ragas: the bucket as a discrete metric, and flags for `ragas.evaluate`, whose metrics are numbers.

`ragas.evaluate` knows one sign for "not scored", NaN, and its means pass over NaN without a word: of a hundred rows
of which two could be judged, the mean is that of two. So the share that could not be judged is a metric of its own
here, `showable_unknown`, which is never NaN; read the others beside it. (A row that raises is NaN in every one.)
Tested with ragas 0.4.3.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Collection, Iterable
from concurrent.futures import Future
from typing import Any

from showable.adapters import unusable
from showable.adapters.scoring import Scoring
from showable.adapters.telling import DECIDED, facts, in_words
from showable.converters.ragas import Ragas
from showable.converters.shape import Row
from showable.records import Judge, Profile, Record, Scorecard
from showable.records.lookups import Registries

try:
    from ragas import SingleTurnSample
    from ragas.metrics import MetricResult, discrete_metric
    from ragas.metrics.base import SingleTurnMetric
except ImportError as error:
    raise unusable("ragas", "ragas", error) from error

_FLAGS: dict[str, Collection[str]] = {
    "showable_acceptable": ("correct", "refused"),
    "showable_wrong": ("wrong",),
    "showable_unsupported": ("unsupported",),
    "showable_refused": ("refused",),
    "showable_unknown": ("unknown",),
}


def showable_metric(
    judge: Judge | str | None = None,
    profile: Profile | str | None = None,
    name: str = "showable",
    *,
    registries: Registries | None = None,
) -> Any:
    """Make the metric for experiments: its value is the bucket, ``unknown`` among them, its reason says why.

    The facts (cause, axes, claims, findings, signature) are ``result.traces["output"]``.
    """
    scoring = Scoring(judge, profile, registries)

    @discrete_metric(name=name, allowed_values=[*DECIDED, "unknown"])
    async def bucket(
        user_input: str,
        response: str | None = None,
        retrieved_contexts: list[str] | None = None,
        retrieved_context_ids: list[Any] | None = None,
        reference: str | None = None,
    ) -> MetricResult:
        given = {
            "user_input": user_input,
            "response": response,
            "retrieved_contexts": retrieved_contexts,
            "retrieved_context_ids": retrieved_context_ids,
            "reference": reference,
        }
        record = as_record(given)
        card = await scoring.card_in_loop(record)
        told = {"input": given, "output": facts(card, scoring.signature(record))}
        return MetricResult(value=card.bucket, reason=in_words(card), traces=told)

    return bucket


class ShowableMetrics(list["Flag"]):
    """The metrics for ``ragas.evaluate(dataset, metrics=ShowableMetrics())``: flags that share one judgement a row.

    ``showable_acceptable``, ``_wrong``, ``_unsupported`` and ``_refused`` are 1 or 0 and NaN where the answer could
    not be judged; ``showable_unknown`` is 1 or 0. Scorecards are kept for `columns`, as long as this is.
    """

    def __init__(
        self,
        judge: Judge | str | None = None,
        profile: Profile | str | None = None,
        registries: Registries | None = None,
    ) -> None:
        self.scoring = Scoring(judge, profile, registries)
        self._asked: dict[str, Future[Scorecard]] = {}
        super().__init__(Flag(name, buckets, self) for name, buckets in _FLAGS.items())

    def submit(self, record: Record) -> Future[Scorecard]:
        """Score a record, or give what was said of it before."""
        key = record.model_dump_json()
        if key not in self._asked:
            self._asked[key] = self.scoring.submit(record)
        return self._asked[key]

    def columns(self, samples: Iterable[SingleTurnSample]) -> list[dict[str, Any]]:
        """Return what the flags leave out, a row a sample: bucket, cause, reason, signature. No row is judged twice."""
        records = [as_record(sample.model_dump()) for sample in samples]
        cards = [future.result() for future in [self.submit(record) for record in records]]
        return [
            {
                "bucket": card.bucket,
                "cause": card.cause,
                "reason": in_words(card),
                "signature": self.scoring.signature(record),
            }
            for record, card in zip(records, cards, strict=True)
        ]


class Flag(SingleTurnMetric):
    """1.0 where the answer is in one of `buckets`, 0.0 where it is in another, NaN where it could not be judged."""

    def __init__(self, name: str, buckets: Collection[str], scores: ShowableMetrics) -> None:
        super().__init__(name=name)
        self._buckets, self._scores = buckets, scores

    def init(self, run_config: Any) -> None:
        """Nothing is to be prepared."""

    async def _single_turn_ascore(self, sample: SingleTurnSample, callbacks: Any) -> float:  # noqa: ARG002 - ragas's signature
        judging = asyncio.wrap_future(self._scores.submit(as_record(sample.model_dump())))
        card = await asyncio.shield(judging)  # a flag whose time is up does not end the others' judgement
        if card.bucket == "unknown" and "unknown" not in self._buckets:
            return math.nan
        return float(card.bucket in self._buckets)


def as_record(fields: dict[str, Any]) -> Record:
    """Make the Record that `showable convert --from ragas` makes of the row."""
    said = {name: value for name, value in fields.items() if value is not None}
    return Ragas().convert(Row(said, fallback_id="row")).record
