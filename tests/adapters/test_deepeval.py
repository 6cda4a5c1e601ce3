"""The DeepEval metric, measured alone, in `assert_test` and in `evaluate`, offline."""

# ruff: noqa: E402 - the package is imported once it is known to be there

import asyncio
import json

import pytest
from adapter_rows import EMPTY, EVERY, JUDGE, LOG, NOTICE, ROWS, Registries
from outside import needs

needs("deepeval")

from deepeval import assert_test, evaluate
from deepeval.evaluate.configs import AsyncConfig, DisplayConfig, ErrorConfig
from deepeval.metrics.utils import copy_metrics
from deepeval.test_case import LLMTestCase, RetrievedContextData

import showable
from showable.adapters.deepeval import ShowableMetric, as_record
from showable.converters.deepeval import DeepEval
from showable.converters.shape import Row

pytestmark = pytest.mark.filterwarnings("ignore")  # the package's own
GOOD, UNDECIDED = ROWS[0], next(row for row in ROWS if row.name == "not-logged")


def case_of(row):
    return LLMTestCase(
        name=row.name,
        input=row.question,
        actual_output=row.answer,
        expected_output=row.gold,
        retrieval_context=row.passages,
    )


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    """DeepEval leaves files where it runs."""
    monkeypatch.chdir(tmp_path)


@EVERY
@pytest.mark.parametrize("asynchronously", [False, True])
def test_every_row_has_the_bucket_that_score_gives(row, asynchronously):
    metric, case = ShowableMetric(judge=JUDGE), case_of(row)
    got = asyncio.run(metric.a_measure(case)) if asynchronously else metric.measure(case)
    card = showable.score(row.record, judge=JUDGE)
    assert (metric.scorecard.bucket, metric.scorecard.cause) == (card.bucket, card.cause) == (row.bucket, row.cause)
    assert metric.scorecard.claims == card.claims
    assert got == metric.score == (None if row.acceptable is None else float(row.acceptable))
    assert metric.is_successful() is (row.acceptable is True)
    assert metric.reason.startswith(row.bucket)
    assert (metric.error is not None) is (row.acceptable is None)
    assert "|judge:lexical" in json.loads(metric.verbose_logs)["signature"]


def test_an_error_does_not_outlive_its_answer():
    metric = ShowableMetric(judge=JUDGE)
    metric.measure(case_of(EMPTY))
    assert metric.error.startswith("unknown (empty_answer)")
    metric.measure(case_of(GOOD))
    assert (metric.error, metric.score, metric.success) == (None, 1.0, True)


def run(rows, *, asynchronously=True):
    result = evaluate(
        [case_of(row) for row in rows],
        [ShowableMetric(judge=JUDGE)],
        async_config=AsyncConfig(run_async=asynchronously),
        display_config=DisplayConfig(show_indicator=False, print_results=False, inspect_after_run=False),
        error_config=ErrorConfig(ignore_errors=False),
    )
    return {one.name: one for one in result.test_results}


@pytest.mark.parametrize("asynchronously", [False, True])
def test_evaluate_gives_every_row_its_own_result(asynchronously):
    rows = [*ROWS, EMPTY]
    results = run(rows, asynchronously=asynchronously)
    for row in rows:
        (told,) = results[row.name].metrics_data
        assert json.loads(told.verbose_logs)["bucket"] == row.bucket
        assert told.score == (None if row.acceptable is None else float(row.acceptable))
        assert told.success is (row.acceptable is True)
        assert (told.error is not None) is (row.acceptable is None)
        assert told.evaluation_model == json.loads(told.verbose_logs)["signature"]
    assert results["miscited"].metrics_data[0].reason.startswith("unsupported (miscited): ")


def test_assert_test_passes_what_may_be_shown():
    assert_test(case_of(GOOD), [ShowableMetric(judge=JUDGE)])


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (next(row for row in ROWS if row.name == "invented"), r"unsupported \(invented_source\)"),
        (UNDECIDED, r"score: None.*error: unknown \(undecided\)"),
    ],
)
def test_assert_test_fails_what_may_not_and_what_could_not_be_decided(row, said):
    with pytest.raises(AssertionError, match=said):
        assert_test(case_of(row), [ShowableMetric(judge=JUDGE)])


def test_copies_share_what_scores():
    metric = ShowableMetric(judge=JUDGE, threshold=0.5, registries=Registries())
    (copy,) = copy_metrics([metric])
    assert copy is not metric
    assert copy.scoring is metric.scoring
    assert copy.threshold == 0.5
    copy.measure(case_of(GOOD))
    assert "|registries:none-asked@1|" in json.loads(copy.verbose_logs)["signature"]


def test_the_record_is_the_one_that_the_converter_makes_of_the_saved_case():
    case = LLMTestCase(
        input="What is the notice period?",
        actual_output="The notice period is 30 days [lease].",
        expected_output="30 days",
        context=[NOTICE],
        retrieval_context=[
            RetrievedContextData(context=NOTICE, source="lease"),
            RetrievedContextData(context=LOG[1], source="rent"),
        ],
        metadata={"team": "leases"},
    )
    saved = json.loads(
        json.dumps({"input": case.input, "actualOutput": case.actual_output, "expectedOutput": "30 days"})
    )
    saved |= {"context": [NOTICE], "metadata": {"team": "leases"}}
    saved["retrievalContext"] = [{"context": NOTICE, "source": "lease"}, {"context": LOG[1], "source": "rent"}]
    record = as_record(case)
    assert record == DeepEval().convert(Row(saved, fallback_id="test case")).record
    assert [one.source_id for one in record.retrieved] == ["lease", "rent"]
    metric = ShowableMetric(judge=JUDGE)
    assert metric.measure(case) == 1.0


def test_the_example():
    metric = ShowableMetric(judge="lexical")  # without a judge, the embedded model
    case = LLMTestCase(
        input="What is the notice period?",
        actual_output="The notice period is 30 days [1].",
        retrieval_context=["The notice period is 30 days.", "The rent is 900 euros a month."],
    )
    assert_test(case, [metric])
