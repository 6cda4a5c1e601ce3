"""A scored answer as a row: columns that it is counted, listed and joined by, and the whole of it as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson
from pydantic import BaseModel
from pydantic_core import PydanticSerializationError

from showable.records.findings import Outcome
from showable.records.record import Answer, Record
from showable.records.scorecard import CitationScore, Release, Scorecard
from showable.records.traced import LiveScore, Loss, TracedAnswer
from showable.stores.traces.errors import StoreError
from showable.stores.traces.span_rows import as_json, bounded, clean


class ScoreRow(NamedTuple):
    """The columns of a scored answer, in the order in which every engine has them.

    `retrieved_ids` is None where the record has no retrieval log: then nothing can be said about what is in it. `failing` says that
    a rubric failed or the bucket is wrong or unsupported. `rest` is what has no column of its own.
    """

    id: str
    trace_id: str
    span_id: str
    started_ns: int
    scored_ns: int
    service: str
    model: str
    prompt_version: str
    profile: str
    cohort: str
    bucket: str
    cause: str
    refusal: str
    structural: str
    resolvability: str
    semantic: str
    diagnosis: str
    stratum: str
    probability: float
    chosen: bool
    judged: bool
    failing: bool
    complete: bool
    latency_ms: float | None
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None
    retrieved_ids: list[str] | None
    cited_ids: list[str]
    loss_codes: list[str]
    route: str
    release: str
    guard_ms: float | None
    question: str
    answer: str
    record: str
    scorecard: str
    rest: str


def row_of(score: LiveScore) -> ScoreRow:
    """Take a scored answer apart."""
    traced, card = score.answer, score.scorecard
    record = traced.record
    outcomes = (score.structural, score.resolvability, score.semantic)
    retrieved = None if record.retrieved is None else list(dict.fromkeys(clean(s.source_id) for s in record.retrieved))
    return ScoreRow(
        id=clean(record.id),
        trace_id=clean(traced.trace_id),
        span_id=clean(traced.span_id),
        started_ns=bounded(traced.started_ns),
        scored_ns=bounded(score.scored_ns),
        service=clean(traced.service),
        model=clean(traced.model),
        prompt_version=clean(traced.prompt_version),
        profile=clean(score.profile),
        cohort=clean(traced.cohort),
        bucket=card.bucket,
        cause=card.cause or "",
        refusal=card.refusal,
        structural=score.structural.value,
        resolvability=score.resolvability.value,
        semantic=score.semantic.value,
        diagnosis=score.diagnosis,
        stratum=score.stratum,
        probability=score.probability,
        chosen=score.chosen,
        judged=score.judged,
        failing=Outcome.FAIL in outcomes or card.bucket in {"wrong", "unsupported"},
        complete=traced.complete,
        latency_ms=traced.latency_ms,
        tokens_in=_bounded(traced.tokens_in),
        tokens_out=_bounded(traced.tokens_out),
        cost_usd=traced.cost_usd,
        retrieved_ids=retrieved,
        cited_ids=cited_ids(card, set(retrieved or ())),
        loss_codes=[loss.code for loss in traced.losses],
        route=clean(traced.route),
        release=clean(traced.release),
        guard_ms=traced.guard_ms,
        question=clean(record.question),
        answer=clean(answer_text(record)),
        record=_written(record),
        scorecard=_written(card),
        rest=_rest(score),
    )


def cited_ids(card: Scorecard, retrieved: set[str]) -> list[str]:
    """Return the ids that an answer cites, each once.

    An address or a reference that may or may not be one of the sources (its `exists` is unknown) is no id, and left out.
    """
    cited = dict.fromkeys(
        clean(citation.source_id)
        for citation in _citations(card)
        if citation.source_id is not None and (citation.exists is Outcome.FAIL or citation.source_id in retrieved)
    )
    return list(cited)


def answer_text(record: Record) -> str:
    """Return the text of an answer, or its claims one below the other; "" where it has neither."""
    if isinstance(record.answer, Answer):
        return record.answer.text or "\n".join(claim.text for claim in record.answer.claims)
    return record.answer or ""


def score_from(identifier: str, record: str, scorecard: str, rest: str) -> LiveScore:
    """Read a scored answer back. Raises StoreError where it is not what this version writes."""
    try:
        return _read(record, scorecard, rest)
    except (ValueError, TypeError, KeyError):
        raise StoreError(
            f"the score of {identifier[:80]!r} is damaged in the store, or of another version of showable; score it again"
        ) from None


def _read(record: str, scorecard: str, rest: str) -> LiveScore:
    held = orjson.loads(rest)
    traced, score = held["traced"], held["score"]
    traced["losses"] = tuple(Loss(code, words) for code, words in traced["losses"])
    traced["conventions"] = tuple(traced["conventions"])
    if traced.get("released") is not None:  # rows of before have none
        traced["released"] = Release.model_validate(traced["released"])
    for rubric in ("structural", "resolvability", "semantic"):
        score[rubric] = Outcome(score[rubric])
    score["rubrics"] = tuple(score["rubrics"])
    return LiveScore(
        answer=TracedAnswer(record=Record.model_validate_json(record), **traced),
        scorecard=Scorecard.model_validate_json(scorecard),
        **score,
    )


def _rest(score: LiveScore) -> str:
    """Write down all of it but the record and the scorecard, exactly: a column may hold a time or a text that was bounded or cleaned."""
    traced = {name: getattr(score.answer, name) for name in TracedAnswer.__slots__ if name != "record"}
    traced["losses"] = [(loss.code, loss.words) for loss in score.answer.losses]
    traced["conventions"] = list(score.answer.conventions)
    released = score.answer.released
    traced["released"] = None if released is None else released.model_dump(mode="json", exclude_defaults=True)
    rest = {name: getattr(score, name) for name in LiveScore.__slots__ if name not in {"answer", "scorecard"}}
    rest["rubrics"] = list(score.rubrics)
    return as_json({"traced": traced, "score": rest}).decode()


def _written(value: BaseModel) -> str:
    try:
        return value.model_dump_json(exclude_defaults=True)
    except PydanticSerializationError:  # half of a surrogate pair somewhere in it
        plain = json.dumps(value.model_dump(exclude_defaults=True), ensure_ascii=False, default=str)
        return plain.encode("utf-8", "replace").decode()


def _citations(card: Scorecard) -> Iterator[CitationScore]:
    for claim in card.claims:
        yield from claim.citations
    yield from card.loose


def _bounded(count: int | None) -> int | None:
    return None if count is None else bounded(count)


def as_lists(value: Any) -> str | None:
    """Write a list of ids as JSON, for an engine without lists."""
    return None if value is None else orjson.dumps(value).decode()
