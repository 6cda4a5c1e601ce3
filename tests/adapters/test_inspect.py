"""The Inspect AI scorer, through `inspect_ai.eval` with its mock model; the logs are read back from disk."""

# ruff: noqa: E402 - the package is imported once it is known to be there

import json
import math
import os
from pathlib import Path

import pytest
from adapter_rows import EMPTY, JUDGE, LOG, NOTICE, RICH, ROWS, Registries
from outside import needs

needs("inspect_ai")

from inspect_ai import Task, eval_retry, score, task
from inspect_ai import eval as run_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import read_eval_log
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Target, match
from inspect_ai.solver import TaskState, solver

import showable
from showable.adapters.inspect_ai import as_record, showable_scorer
from showable.converters.inspect_log import InspectLog
from showable.converters.shape import Row
from showable.measure.rates import wilson_interval

pytestmark = pytest.mark.filterwarnings("ignore")  # the package's own


@solver
def replay(answers):
    """Answer as the table says: per sample one answer, or one an epoch."""

    async def solve(state, generate):
        said = answers[state.sample_id]
        said = said if isinstance(said, str) else said[state.epoch - 1]
        state.output = ModelOutput.from_content("mockllm", said)
        return state

    return solve


def sample(row):
    kept = {} if row.passages is None else {"retrieved": row.passages}
    return Sample(id=row.name, input=row.question, target=row.gold or "", metadata=kept)


def run(task, tmp_path, **options):
    (log,) = run_eval(task, model="mockllm/model", log_dir=str(tmp_path), display="none", **options)
    return read_eval_log(log.location)


def the_task(rows, answers=None, **scorer):
    answers = answers or {row.name: row.answer or "" for row in rows}
    dataset = MemoryDataset([sample(row) for row in rows])
    return Task(dataset=dataset, solver=replay(answers), scorer=showable_scorer(judge=JUDGE, **scorer))


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    return run(the_task([*ROWS, EMPTY]), tmp_path_factory.mktemp("logs"))


def test_every_row_has_the_bucket_that_score_gives(log):
    assert log.status == "success"
    scores = {one.id: one.scores["showable_scorer"] for one in log.samples}
    for row in [*ROWS, EMPTY]:
        card, score = showable.score(row.record, judge=JUDGE), scores[row.name]
        told = score.metadata
        assert (told["bucket"], told["cause"]) == (card.bucket, card.cause) == (row.bucket, row.cause)
        assert told["claims"] == card.model_dump(mode="json")["claims"]
        assert score.explanation.startswith(row.bucket)
        assert "|judge:lexical" in told["signature"]
        if row.acceptable is None:
            assert math.isnan(score.value)
        else:
            assert score.value == row.bucket


@pytest.mark.parametrize("retrieved", [None, "retrieved"])
def test_pages_and_standing_of_passages_count(tmp_path, retrieved):
    log = run(the_task(RICH, retrieved=retrieved), tmp_path)
    told = {one.id: one.scores["showable_scorer"].metadata for one in log.samples}
    for row in RICH:
        card = showable.score(row.record, judge=JUDGE)
        assert (
            (told[row.name]["bucket"], told[row.name]["cause"]) == (card.bucket, card.cause) == (row.bucket, row.cause)
        )


def test_registries_are_passed_on_and_named(tmp_path):
    (one,) = run(the_task(ROWS[:1], registries=Registries()), tmp_path).samples
    assert "|registries:none-asked@1|" in one.scores["showable_scorer"].metadata["signature"]


def test_unknown_is_unscored_and_says_why_in_the_words_of_inspect(log):
    reasons = {one.id: one.scores["showable_scorer"].reason for one in log.samples}
    assert reasons["empty"] == "no_response"
    assert reasons["not-logged"] == "undecided"
    assert reasons["uncited"] is None


def test_shares_are_of_what_was_decided_and_the_log_counts_the_rest(log):
    (result,) = log.results.scores
    assert (result.scored_samples, result.unscored_samples) == (15, 2)
    shares = {name: metric.value for name, metric in result.metrics.items()}
    low, high = wilson_interval(3 / 15, 15)
    expected = {
        "acceptable": 3 / 15,
        "acceptable_low": low,
        "acceptable_high": high,
        "correct": 2 / 15,
        "wrong": 3 / 15,
    }
    expected |= {"unsupported": 9 / 15, "refused": 1 / 15, "decided": 15}
    assert shares == pytest.approx(expected)


def test_where_nothing_was_decided_there_is_no_share(tmp_path):
    rows = [row for row in [*ROWS, EMPTY] if row.bucket == "unknown"]
    (result,) = run(the_task(rows), tmp_path).results.scores
    assert (result.scored_samples, result.unscored_samples) == (0, 2)
    assert {name: metric.value for name, metric in result.metrics.items()} == {"decided": 0}


GOOD, BAD, NOTHING = "The notice period is 30 days [1].", "The notice period is 30 days [9].", ""
# answers of three epochs, the sample's bucket; source: the gate's rule for repeats, most epochs, of ties the worse
EPOCHS = [
    ([GOOD, GOOD, BAD], "correct"),
    ([GOOD, BAD, BAD], "unsupported"),
    ([GOOD, NOTHING, BAD], "unsupported"),
    ([GOOD, NOTHING, NOTHING], "correct"),
]


def test_a_sample_of_several_epochs_counts_once(tmp_path):
    rows = [ROWS[0]._replace(name=f"s{number}") for number, _ in enumerate(EPOCHS)]
    answers = {f"s{number}": said for number, (said, _) in enumerate(EPOCHS)}
    (result,) = run(the_task(rows, answers), tmp_path, epochs=3).results.scores
    assert result.metrics["decided"].value == 4
    assert result.metrics["correct"].value == sum(bucket == "correct" for _, bucket in EPOCHS) / 4
    assert result.metrics["unsupported"].value == sum(bucket == "unsupported" for _, bucket in EPOCHS) / 4
    assert result.unscored_samples == 3, "Inspect counts epochs here"


def test_it_stands_beside_the_scorers_a_team_has(tmp_path):
    team = the_task(ROWS[:3])
    team.scorer = [*team.scorer, match()]
    log = run(team, tmp_path)
    assert [score.name for score in log.results.scores] == ["showable_scorer", "match"]


@solver
def storing(key, value):
    async def solve(state, generate):
        state.store.set(key, value)
        state.output = ModelOutput.from_content("mockllm", GOOD)
        return state

    return solve


def test_passages_come_from_the_store_before_the_metadata(tmp_path):
    dataset = [Sample(id="a", input="Q?", metadata={"docs": ["The office opens at nine."]})]
    team = Task(dataset=dataset, solver=storing("docs", LOG), scorer=showable_scorer(judge=JUDGE, retrieved="docs"))
    (one,) = run(team, tmp_path).samples
    assert one.scores["showable_scorer"].value == "correct"


def test_passages_come_from_a_function(tmp_path):
    found = [{"page_content": NOTICE, "metadata": {"source": "lease.pdf"}}]
    scorer = showable_scorer(judge=JUDGE, retrieved=lambda state: state.metadata["hits"])
    dataset = [Sample(id="a", input="Q?", metadata={"hits": found})]
    answers = {"a": "The notice period is 30 days [lease.pdf]."}
    (one,) = run(Task(dataset=dataset, solver=replay(answers), scorer=scorer), tmp_path).samples
    assert one.scores["showable_scorer"].value == "correct"


def test_what_is_no_list_of_passages_is_an_error_of_the_sample(tmp_path):
    dataset = [Sample(id="a", input="Q?", metadata={"docs": "The lease."})]
    scorer = showable_scorer(judge=JUDGE, retrieved="docs")
    log = run(Task(dataset=dataset, solver=replay({"a": GOOD}), scorer=scorer), tmp_path)
    assert log.status == "error"
    assert "retrieved: expected a list of passages, got str" in log.error.traceback


@pytest.mark.parametrize("ending", ["eval", "json"])
def test_the_record_is_the_one_that_the_converter_makes_of_the_log(tmp_path, monkeypatch, ending):
    made = {}

    def note(state, target, retrieved):
        made[str(state.sample_id)] = record = as_record(state, target, retrieved)
        return record

    monkeypatch.setattr("showable.adapters.inspect_ai.as_record", note)
    log = run(the_task([*ROWS, EMPTY]), tmp_path, log_format=ending)
    for sample in json.loads(log.model_dump_json(exclude={"samples": {"__all__": {"events"}}}))["samples"]:
        record = InspectLog().convert(Row(sample, "sample")).record
        assert made[record.id].model_dump(exclude={"metadata"}) == record.model_dump(exclude={"metadata"})


def test_a_log_that_is_there_is_scored_without_a_model(tmp_path):
    rows = ROWS[:6]
    dataset, answers = MemoryDataset([sample(row) for row in rows]), {row.name: row.answer for row in rows}
    log = run(Task(dataset=dataset, solver=replay(answers), scorer=match()), tmp_path)
    again = score(log, showable_scorer(judge=JUDGE), action="append")
    assert {one.id: one.scores["showable_scorer"].value for one in again.samples} == {
        row.name: row.bucket for row in rows
    }


def is_first_time():
    """Tell the first call from the next; the mark is a file, since a retry imports this module anew."""
    mark = Path(os.environ["FAILED_ONCE"])
    first = not mark.exists()
    mark.touch()
    return first


@solver
def failing_once(sample_id):
    async def solve(state, generate):
        if state.sample_id == sample_id and is_first_time():
            raise RuntimeError("the model was not there")
        return state

    return solve


@task
def lease_again():
    rows = ROWS[:10]
    answers = {row.name: row.answer for row in rows}
    solvers = [replay(answers), failing_once("miscited")]
    return Task(
        dataset=MemoryDataset([sample(row) for row in rows]), solver=solvers, scorer=showable_scorer(judge=JUDGE)
    )


def test_an_evaluation_that_broke_off_is_taken_up_and_counts_every_sample_once(tmp_path, monkeypatch):
    monkeypatch.setenv("FAILED_ONCE", str(tmp_path / "failed"))
    broken = run(lease_again(), tmp_path)
    assert broken.status == "error"
    (log,) = eval_retry(broken, log_dir=str(tmp_path), display="none")
    assert log.status == "success"
    got = {one.id: one.scores["showable_scorer"].value for one in read_eval_log(log.location).samples}
    assert got == {row.name: row.bucket for row in ROWS[:10]}
    assert log.results.scores[0].metrics["decided"].value == 10


def state(**more):
    said = {"sample_id": 7, "epoch": 1, "input": "Q?", "messages": [], "output": ModelOutput.from_content("m", "A.")}
    return TaskState(model="mockllm/model", **(said | more))


def test_further_targets_are_aliases_and_an_empty_one_is_none():
    record = as_record(state(), Target(["30 days", "thirty days"]))
    assert (record.gold.answer, record.gold.aliases, record.id) == ("30 days", ("thirty days",), "7")
    assert as_record(state(), Target("")).gold is None


def test_the_question_of_a_conversation_is_its_last_one():
    asked = [ChatMessageSystem(content="S."), ChatMessageUser(content="Q?")]
    assert as_record(state(input=asked, messages=asked), Target("")).question == "Q?"


def test_a_function_may_say_that_nothing_was_logged_or_nothing_found():
    kept = state(metadata={"retrieved": LOG})
    assert len(as_record(kept, Target("")).retrieved) == 3
    assert as_record(kept, Target(""), lambda _: None).retrieved is None
    assert as_record(kept, Target(""), lambda _: []).retrieved == ()


def test_the_example(tmp_path):
    @task
    def lease():
        return Task(
            dataset=[Sample(input="What is the notice period?", target="30 days", metadata={"retrieved": LOG})],
            scorer=showable_scorer(judge="lexical"),
        )

    said = ModelOutput.from_content("mockllm", GOOD)
    said.usage = ModelUsage(input_tokens=9, output_tokens=9, total_tokens=18)  # or Inspect fetches a tokenizer to count
    model = get_model("mockllm/model", custom_outputs=[said])
    (log,) = run_eval(lease(), model=model, log_dir=str(tmp_path), display="none")
    assert log.results.scores[0].metrics["correct"].value == 1
    assert log.eval.scorers[0].options == {"judge": "lexical"}
