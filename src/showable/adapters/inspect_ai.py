"""A scorer for Inspect AI: the bucket as the score's value, and shares of the decided answers as metrics.

Inspect's own rule is kept, that unscored is not zero: an answer that could not be judged is an unscored sample,
which no metric counts and the log counts apart (``unscored_samples``). Tested with inspect-ai 0.3.285.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from showable.adapters import unusable
from showable.adapters.passages import passages
from showable.adapters.scoring import Scoring
from showable.adapters.telling import DECIDED, facts, in_words
from showable.converters.inspect_log import InspectLog
from showable.converters.shape import Row
from showable.measure.rates import wilson_interval
from showable.measure.repeats import majority
from showable.records import Bucket, Judge, Profile, Record, Scorecard
from showable.records.lookups import Registries

try:
    from anyio.to_thread import run_sync
    from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
    from inspect_ai.solver import TaskState
except ImportError as error:
    raise unusable("Inspect AI", "inspect-ai", error) from error

_REASONS = {"empty_answer": "no_response", "unparsed": "invalid_response_format"}
"""Inspect's own words for why a sample is unscored, where it has one."""


@metric(scores="unreduced")
def shares() -> Metric:
    """Shares of `decided` samples by bucket, and of `acceptable` ones with its 95 % interval (Wilson).

    A sample of several epochs counts once, with the bucket that most of its scored epochs have; of those that tie,
    the worst. Where no sample was decided there are no shares, only ``decided`` 0.
    """

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        epochs: dict[int | str, list[Bucket]] = defaultdict(list)
        for number, one in enumerate(scores):
            epochs[number if one.sample_id is None else str(one.sample_id)].append(one.score.as_str())
        buckets = [majority(given) for given in epochs.values()]
        if not (n := len(buckets)):
            return {"decided": 0.0}
        counted: dict[str, float] = {name: buckets.count(name) / n for name in DECIDED}
        share = sum(bucket in ("correct", "refused") for bucket in buckets) / n
        low, high = wilson_interval(share, n)
        return {"acceptable": share, "acceptable_low": low, "acceptable_high": high, **counted, "decided": float(n)}

    return compute


@scorer(metrics=[shares()])
def showable_scorer(
    judge: Judge | str | None = None,
    profile: Profile | str | None = None,
    retrieved: str | Callable[[TaskState], Any] | None = None,
    registries: Registries | None = None,
) -> Scorer:
    """Score the output of a sample against its target and the passages that were retrieved for it.

    The record is the one that `showable convert --from inspect-log` makes of the log: passages are ``retrieved``,
    ``retrieved_contexts``, ``sources``, ``documents`` or ``contexts`` of the sample's store or metadata, the store
    first; a target is the gold answer, further ones its aliases. `retrieved` says otherwise where the passages are:
    a key of store or metadata, or a function of the state; None from it means that nothing was logged. `judge`,
    `profile` and `registries` are those of `showable.score`; what is given by name stands in the log.
    """
    scoring = Scoring(judge, profile, registries)

    async def score(state: TaskState, target: Target) -> Score:
        record = as_record(state, target, retrieved)
        # Inspect runs on asyncio or on trio: waiting in a thread serves both, and blocks neither.
        card = await run_sync(scoring.submit(record).result, abandon_on_cancel=True)
        return as_score(card, scoring.signature(record), state.output.completion)

    return score


def as_record(state: TaskState, target: Target, retrieved: str | Callable[[TaskState], Any] | None = None) -> Record:
    """Make a record of a state. Raises InputError where the passages are no list of passages."""
    fields: dict[str, Any] = {
        "id": state.sample_id,
        "epoch": state.epoch,
        "input": state.input if isinstance(state.input, str) else _dumped(state.input),
        "target": list(target),
        "choices": [choice.value for choice in state.choices],
        "messages": _dumped(state.messages),
        "output": state.output.model_dump(mode="json"),
        "metadata": dict(state.metadata),
        "store": dict(state.store.items()),
    }
    sources = None if retrieved is None else passages(_found(state, retrieved))
    if sources is not None:
        fields["store"] = {"retrieved": [one.model_dump(exclude_none=True) for one in sources]}
    record = InspectLog().convert(Row(fields, fallback_id="sample")).record
    return record if retrieved is None else record.model_copy(update={"retrieved": sources})


def as_score(card: Scorecard, signature: str, answer: str) -> Score:
    """Make Inspect's score of a scorecard; the facts, with the cause and the claims, are its metadata."""
    told: dict[str, Any] = {"answer": answer, "explanation": in_words(card), "metadata": facts(card, signature)}
    if card.bucket == "unknown":
        return Score.unscored(reason=_REASONS.get(card.cause or "", card.cause), **told)
    return Score(value=card.bucket, **told)


def _found(state: TaskState, retrieved: str | Callable[[TaskState], Any]) -> Any:
    if callable(retrieved):
        return retrieved(state)
    found = state.store.get(retrieved)
    return state.metadata.get(retrieved) if found is None else found


def _dumped(messages: Iterable[Any]) -> list[dict[str, Any]]:
    return [message.model_dump(mode="json", exclude_none=True) for message in messages]
