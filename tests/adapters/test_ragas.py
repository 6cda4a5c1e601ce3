"""The ragas metrics: the flags through `ragas.evaluate`, the discrete metric alone and in an experiment."""

# ruff: noqa: E402 - the package is imported once it is known to be there

import asyncio
import math

import pytest
from adapter_rows import EMPTY, EVERY, JUDGE, LOG, ROWS, Registries
from outside import needs

needs("ragas")

from pydantic import BaseModel
from ragas import Dataset, EvaluationDataset, SingleTurnSample, evaluate, experiment

import showable
from showable.adapters.ragas import ShowableMetrics, as_record, showable_metric
from showable.converters.ragas import Ragas
from showable.converters.shape import Row as ShapeRow

pytestmark = pytest.mark.filterwarnings("ignore")  # the package's own
ALL = [*ROWS, EMPTY]


def fields(row):
    said = {
        "user_input": row.question,
        "response": row.answer,
        "retrieved_contexts": row.passages,
        "reference": row.gold,
    }
    return {name: value for name, value in said.items() if value is not None}


def run(rows):
    metrics = ShowableMetrics(judge=JUDGE)
    dataset = EvaluationDataset([SingleTurnSample(**fields(row)) for row in rows])
    return metrics, dataset, evaluate(dataset, metrics=metrics, show_progress=False, raise_exceptions=True)


@pytest.fixture(scope="module")
def evaluated():
    return run(ALL)


def flag(row, *buckets):
    return math.nan if row.bucket == "unknown" else float(row.bucket in buckets)


def test_every_row_has_the_flags_of_its_bucket(evaluated):
    _, _, result = evaluated
    for row, scores in zip(ALL, result.scores, strict=True):
        expected = {
            "showable_acceptable": flag(row, "correct", "refused"),
            "showable_wrong": flag(row, "wrong"),
            "showable_unsupported": flag(row, "unsupported"),
            "showable_refused": flag(row, "refused"),
            "showable_unknown": float(row.bucket == "unknown"),
        }
        assert scores == pytest.approx(expected, nan_ok=True)


def test_columns_hold_what_score_says(evaluated):
    metrics, dataset, result = evaluated
    for row, told in zip(ALL, metrics.columns(dataset.samples), strict=True):
        card = showable.score(row.record, judge=JUDGE)
        assert (told["bucket"], told["cause"]) == (card.bucket, card.cause) == (row.bucket, row.cause)
        assert told["reason"].startswith(row.bucket)
        assert "|judge:lexical" in told["signature"]
    frame = result.to_pandas().assign(bucket=[told["bucket"] for told in metrics.columns(dataset.samples)])
    assert list(frame["bucket"]) == [row.bucket for row in ALL]


def test_the_trap_a_mean_is_of_the_rows_that_were_judged(evaluated):
    """ragas passes over NaN: 3 of 15 judged rows are acceptable, and 2 of 17 could not be judged."""
    _, _, result = evaluated
    means = result._repr_dict
    assert means["showable_acceptable"] == pytest.approx(3 / 15)
    assert means["showable_unknown"] == pytest.approx(2 / 17)


def test_where_nothing_was_judged_the_means_are_nan_and_unknown_is_one():
    _, _, result = run([row for row in ALL if row.bucket == "unknown"])
    assert math.isnan(result._repr_dict["showable_acceptable"])
    assert result._repr_dict["showable_unknown"] == 1.0


def test_a_row_is_judged_once_for_all_flags(monkeypatch):
    metrics = ShowableMetrics(judge=JUDGE)
    asked = []
    submit = metrics.scoring.submit
    monkeypatch.setattr(metrics.scoring, "submit", lambda record: asked.append(record) or submit(record))
    dataset = EvaluationDataset([SingleTurnSample(**fields(row)) for row in ALL])
    evaluate(dataset, metrics=metrics, show_progress=False)
    metrics.columns(dataset.samples)
    assert len(asked) == len(ALL)


def test_ids_of_passages_are_kept():
    sample = SingleTurnSample(
        user_input="Q?", response="The notice period is 30 days [lease].", retrieved_contexts=LOG[:1], retrieved_context_ids=["lease"]
    )  # fmt: skip
    metrics = ShowableMetrics(judge=JUDGE)
    result = evaluate(EvaluationDataset([sample]), metrics=metrics, show_progress=False, raise_exceptions=True)
    assert result.scores[0]["showable_acceptable"] == 1.0


@EVERY
def test_the_discrete_metric_gives_the_bucket_the_reason_and_the_facts(row):
    result = showable_metric(judge=JUDGE).score(**fields(row))
    assert (result.value, result.traces["output"]["cause"]) == (row.bucket, row.cause)
    assert result.reason.startswith(row.bucket)
    assert "|judge:lexical" in result.traces["output"]["signature"]


def test_the_discrete_metric_keeps_rows_apart_when_they_are_scored_together():
    metric = showable_metric(judge=JUDGE)

    async def all_at_once():
        return await asyncio.gather(*(metric.ascore(**fields(row)) for row in ALL))

    assert [result.value for result in asyncio.run(all_at_once())] == [row.bucket for row in ALL]


def test_registries_are_passed_on_and_named():
    told = showable_metric(judge=JUDGE, registries=Registries()).score(**fields(ROWS[0]))
    assert "|registries:none-asked@1|" in told.traces["output"]["signature"]
    (columns,) = ShowableMetrics(judge=JUDGE, registries=Registries()).columns([SingleTurnSample(**fields(ROWS[0]))])
    assert "|registries:none-asked@1|" in columns["signature"]


def test_a_row_that_is_no_sample_has_no_value_and_says_why():
    result = showable_metric(judge=JUDGE).score(
        user_input="Q?", response="A.", retrieved_contexts=LOG, retrieved_context_ids=[1]
    )
    assert result.value is None
    assert "retrieved_context_ids" in result.reason


def test_the_record_is_the_one_that_the_converter_makes():
    for row in ALL:
        assert (
            as_record(SingleTurnSample(**fields(row)).model_dump())
            == Ragas().convert(ShapeRow(fields(row), "row")).record
        )


class Question(BaseModel):
    user_input: str
    response: str
    retrieved_contexts: list[str]


class Answered(BaseModel):
    user_input: str
    bucket: str
    reason: str


def test_the_example_of_an_experiment():
    metric = showable_metric(judge="lexical")  # without a judge, the embedded model
    dataset = Dataset(name="lease", backend="inmemory", data_model=Question)
    dataset.append(
        Question(user_input="What is the notice period?", response="It is 30 days [1].", retrieved_contexts=LOG)
    )

    @experiment(Answered, backend="inmemory")
    async def lease(row):
        judged = await metric.ascore(**row.model_dump())
        return Answered(user_input=row.user_input, bucket=judged.value, reason=judged.reason)

    (one,) = asyncio.run(lease.arun(dataset, name="first"))
    assert one.bucket == "correct"
