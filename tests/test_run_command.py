"""`showable run`: a set put to a pipeline, what becomes of failures, and going on after a stop."""

import asyncio
import json
import os
import signal
import sys
import textwrap
import time
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from forked import command_line, forked, needs_fork
from hypothesis import given, settings
from hypothesis import strategies as st
from pipeline_server import Say, serving

from showable.errors import SettingError
from showable.harness.asking import ask_all
from showable.harness.asking_once import Asker, AskSettings
from showable.harness.asking_purse import Purse
from showable.harness.asking_tally import AskTally
from showable.harness.pacing import read_pace
from showable.harness.pipelines.failures import PipelineError
from showable.harness.pipelines.http_endpoint import HttpPipeline
from showable.harness.pipelines.pipeline import Reply
from showable.harness.pipelines.threads import CallThreads
from showable.records.asking import AskFacts
from showable.records.evidence import Cost
from showable.records.record import Gold, Question

LOG = [{"source_id": "lease", "text": "The notice period is thirty days."}]
ANSWER = "The notice period is thirty days [lease]."
SECRET = Gold(answer="thirty days", answerable=True, category="answerable", expected=("correct",), why="written down")
ONE = Question(id="q1", question="What is the notice period?", gold=SECRET)


class Panic(BaseException):
    """No Exception, as pyo3_runtime.PanicException is none."""


class Scripted:
    """Does what it is told for each try in turn: raises, gives back, or waits."""

    name = "scripted"

    def __init__(self, *tries):
        self.tries, self.asked = list(tries), []

    async def ask(self, asked):
        self.asked.append(asked)
        step = self.tries[min(len(self.asked), len(self.tries)) - 1]
        if isinstance(step, BaseException):
            raise step
        return await step() if callable(step) else step

    async def aclose(self):
        pass


GOOD = Reply(answer=ANSWER, retrieved=())
SOON = AskSettings(timeout_s=0.05, retries=2)


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch):
    monkeypatch.setattr("showable.harness.asking_once._FIRST_WAIT_S", 0.001)


def ask_one(pipeline, question=ONE, settings=SOON):
    async def once():
        return await Asker(pipeline, settings).ask(question)

    record = asyncio.run(once())
    return record, AskFacts.model_validate(record.metadata["ask"])


async def forever():
    await asyncio.sleep(600)


async def cancels_itself():
    raise asyncio.CancelledError


@pytest.mark.parametrize(
    ("tries", "answer", "count", "error"),
    [
        ([GOOD], ANSWER, 1, None),
        ([ValueError("no shelf"), GOOD], ANSWER, 2, None),
        ([ValueError("no shelf")], None, 3, "ValueError: no shelf"),
        ([forever], None, 3, "no answer within 0.05 s"),
        ([forever, GOOD], ANSWER, 2, None),
        ([TimeoutError()], None, 3, "TimeoutError"),
        ([PipelineError("HTTP 404", again=False), GOOD], None, 1, "HTTP 404"),
        ([PipelineError("left alone", wait=3600), GOOD], None, 1, "left alone"),
        ([cancels_itself], None, 3, "it cancelled itself"),
        ([Reply(answer=None)], None, 1, "it gave no answer"),
        ([Panic("index out of bounds")], None, 1, "Panic: index out of bounds"),
        ([SystemExit(4), GOOD], None, 1, "it called sys.exit(4)"),
        ([7], None, 1, "expected a text"),
    ],
)
def test_tries_and_what_is_written_down(tries, answer, count, error):
    record, facts = ask_one(Scripted(*tries))
    assert (record.answer, facts.tries) == (answer, count)
    assert (facts.error is None) if error is None else error in facts.error
    assert record.gold == SECRET
    assert facts.seconds >= 0


def test_a_pipeline_that_tries_itself_is_asked_once_and_keeps_its_own_time():
    class Patient(Scripted):
        tries_itself = True

    async def slow():
        await asyncio.sleep(0.1)
        return GOOD

    assert ask_one(Patient(slow))[1].error is None
    assert ask_one(Patient(ValueError("no")))[1].tries == 1


@settings(max_examples=30)
@given(st.text(min_size=1), st.text(), st.booleans())
def test_no_pipeline_sees_gold_or_where_a_question_comes_from(answer, why, force_null):
    gold = Gold(answer=answer, why=why, category="unanswerable", expected=("refused",))
    question = Question(id="q", question="Q?", gold=gold, force_null=force_null, metadata={"labels": answer})
    pipeline = Scripted(GOOD)
    ask_one(pipeline, question)
    assert [one.model_dump() for one in pipeline.asked] == [{"id": "q", "question": "Q?", "force_null": force_null}]


@pytest.mark.parametrize(
    ("force_null", "retrieved", "honoured"),
    [(True, (), True), (True, LOG, False), (True, None, None), (False, LOG, None), (False, (), None)],
)
def test_whether_an_empty_retrieval_was_honoured(force_null, retrieved, honoured):
    reply = Reply(answer=ANSWER, retrieved=retrieved)
    facts = ask_one(Scripted(reply), ONE.model_copy(update={"force_null": force_null}))[1]
    assert (facts.force_null, facts.null_honoured) == (force_null, honoured)


def test_metadata_of_the_pipeline_is_kept_but_not_in_place_of_ours():
    record, facts = ask_one(Scripted(Reply(answer=ANSWER, metadata={"ask": "mine", "model": "m"})))
    assert (record.metadata["model"], facts.tries) == ("m", 1)


def test_tokens_have_the_price_that_the_user_says():
    reply = Reply(answer=ANSWER, cost=Cost(calls=1, tokens_in=1_000, tokens_out=100, usd=None))
    priced = AskSettings(price_in=2.0, price_out=10.0)
    assert ask_one(Scripted(reply), settings=priced)[1].cost.usd == pytest.approx(0.003)
    assert ask_one(Scripted(reply))[1].cost.usd is None


@pytest.mark.parametrize(
    ("rate", "per_second"), [("10/s", 10), ("60/min", 1), ("7200/hour", 2), ("0.5", 0.5), (None, float("inf"))]
)
def test_rates(rate, per_second):
    assert read_pace(rate, 3).per_second == pytest.approx(per_second)
    assert read_pace(rate, 3).at_once == 3


@pytest.mark.parametrize("rate", ["fast", "0/s", "-1/s", "10/day", ""])
def test_rates_that_are_none(rate):
    with pytest.raises(SettingError, match="--rate"):
        read_pace(rate, 1)


def test_the_purse_asks_one_until_it_knows_a_price_and_stops_before_the_limit():
    purse = Purse(0.10)
    assert [purse.allows(n) for n in (0, 1)] == [True, False]
    purse.add(AskFacts(seconds=0, cost=Cost(usd=0.04)))
    assert [purse.allows(n) for n in (0, 1)] == [True, False]
    purse.add(AskFacts(seconds=0, cost=Cost(usd=0.01)))
    assert [purse.allows(n) for n in (0, 1)] == [True, False]
    purse.add(AskFacts(seconds=0, error="it failed"))  # may have been paid for: counts as the dearest
    assert purse.spent == pytest.approx(0.09)
    assert not purse.allows(0)
    with pytest.raises(SettingError, match="the pipeline says none"):
        purse.add(AskFacts(seconds=0))


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf")])
def test_a_time_that_is_none(seconds):
    with pytest.raises(SettingError, match="--timeout"):
        AskSettings(timeout_s=seconds)


def test_failures_are_counted_by_what_stands_before_the_first_colon():
    tally = AskTally(total=4)
    for error in ("HTTP 500: a7", "no answer within 1 s", "HTTP 500: b8", None):
        tally.add(AskFacts(seconds=1, error=error))
    assert tally.as_json()["failures"] == [
        {"error": "HTTP 500: a7", "questions": 2},
        {"error": "no answer within 1 s", "questions": 1},
    ]


def test_the_seconds_of_a_tally_are_of_answers():
    tally = AskTally(total=3)
    assert tally.quantile(0.5) is None
    for seconds, error in ((1.0, None), (3.0, None), (60.0, "no answer")):
        tally.add(AskFacts(seconds=seconds, error=error))
    assert (tally.quantile(0.5), tally.failed, tally.unpriced) == (2.0, 1, 3)
    assert tally.as_json()["cost"]["usd"] is None


def test_retry_after_is_heeded_by_all_and_so_many_are_asked_at_a_time():
    def reply(asked):
        if len(server.asked) == 1:
            return Say({}, status=429, headers={"Retry-After": "1"})
        return Say({"answer": ANSWER, "retrieved": LOG}, delay_s=0.02)

    async def every():
        nonlocal server
        async with serving(reply) as server:
            pipeline = HttpPipeline(server.url)
            asker = Asker(pipeline, AskSettings(pace=read_pace(None, 3)))
            first = await asyncio.gather(*(asker.ask(ONE.model_copy(update={"id": str(n)})) for n in range(9)))
            await pipeline.aclose()
            return first

    server = None
    records = asyncio.run(every())
    assert all(record.answer == ANSWER for record in records)
    assert max(record.metadata["ask"]["tries"] for record in records) == 2
    assert server.most_in_flight <= 3


def test_a_thread_that_hangs_is_waited_for_by_nobody():
    async def once():
        asyncio.get_running_loop().set_default_executor(CallThreads())
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.02):
                await asyncio.to_thread(time.sleep, 30)
        return await asyncio.to_thread(lambda: "next")

    assert asyncio.run(once()) == "next"


@pytest.mark.parametrize(("said", "expected"), [((), "StopIteration"), (("no hit",), "StopIteration: no hit")])
def test_a_stop_iteration_in_a_thread_is_a_failure_and_no_hang(said, expected):
    """Source: PEP 479; an asyncio future takes no StopIteration."""

    def no_hit():
        raise StopIteration(*said)

    async def once():
        asyncio.get_running_loop().set_default_executor(CallThreads())
        async with asyncio.timeout(5):
            await asyncio.to_thread(no_hit)

    with pytest.raises(RuntimeError, match=f"^{expected}$"):
        asyncio.run(once())


MODULE = """
    import ctypes, os
    from pathlib import Path

    LOG = [{"source_id": "lease", "text": "The notice period is thirty days."}]
    REFUSAL = "The documents that were retrieved do not say this, so I cannot answer."

    def answer(question, id, force_null=False):
        with open("asked.txt", "a") as log:
            log.write(id + "\\n")
        found = [] if force_null else LOG
        if not found or "deposit" in question:
            return {"answer": REFUSAL, "retrieved": found, "cost": 0.01}
        return {"answer": "The notice period is thirty days [lease].", "retrieved": found, "cost": 0.01}

    def deaf(question):
        print("something on stdout")
        return "The notice period is thirty days [lease].", LOG

    def broken(question):
        raise RuntimeError("no index")

    def loud(question):
        os.write(1, b"straight to stdout")
        ctypes.CDLL(None).printf(b"a library of C")  # held back until it is flushed, at the latest at exit
        return REFUSAL, []

    def ailing(question, id, force_null=False):
        reply = answer(question, id, force_null)
        if Path("ill.txt").exists() and id in Path("ill.txt").read_text().split():
            raise RuntimeError(f"no index: {id}")
        return reply

    def dear_failure(question, id, force_null=False):
        reply = answer(question, id, force_null)
        ill = Path("ill.txt").exists() and id in Path("ill.txt").read_text().split()
        return reply | {"answer": None} if ill else reply

    def gated(question, id):
        if id == "q2" and Path("gate").exists():
            Path("gate").read_bytes()  # a FIFO: until somebody has opened it and closed it again
        return answer(question, id)

    def wavering(question, id):
        done = Path("asked.txt").read_text().count(id) if Path("asked.txt").exists() else 0
        reply = answer(question, id)
        return reply if id != "q1" or not done else {"answer": REFUSAL, "retrieved": LOG}
"""
QUESTIONS = [
    ONE,
    Question(id="q2", question="How high is the deposit?", gold=Gold(answerable=False, category="unanswerable")),
    Question(
        id="q3",
        question="What is the notice period?",
        gold=Gold(answerable=False, category="null_retrieval", expected=("refused",)),
        force_null=True,
    ),
]


@pytest.fixture
def shop(tmp_path, monkeypatch):
    (tmp_path / "run_shop.py").write_text(textwrap.dedent(MODULE))
    (tmp_path / "set.jsonl").write_text("".join(q.model_dump_json() + "\n" for q in QUESTIONS))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    sys.modules.pop("run_shop", None)


@pytest.fixture
def run(cli, shop):
    def ran(name, *more):
        return cli("run", "--pipeline", f"run_shop:{name}", "--questions", "set.jsonl", "--judge", "lexical", *more)

    return ran


def asked_ids(shop):
    return (shop / "asked.txt").read_text().split()


def scores(folder):
    return {card["id"]: card for card in map(json.loads, (folder / "scores.jsonl").read_text().splitlines())}


def test_a_run_is_asked_scored_and_written_down(run, shop):
    code, out, _ = run(
        "answer", "--out", "r", "--label", "mine", "--model-class", "small", "--no-refusal-licence", "--json"
    )
    document = json.loads(out)
    assert code == 0
    assert document["buckets"] == {"correct": 1, "wrong": 0, "unsupported": 0, "refused": 2, "unknown": 0}
    held = json.loads((shop / "r/run.json").read_text())
    assert held["finished"]
    facts = held["pipeline"]
    assert (facts["name"], facts["label"], facts["model_class"]) == ("run_shop:answer", "mine", "small")
    assert (facts["refusal_licence"], facts["questions"], facts["repeat"]) == (False, "set", 1)
    assert document["pipeline"] == facts
    assert document["asking"]["forced_null"] == {"asked": 1, "not_honoured": 0, "not_logged": 0}
    assert document["asking"]["cost"]["usd"] == pytest.approx(0.03)
    records = [json.loads(line) for line in (shop / "r/records.jsonl").read_text().splitlines()]
    assert {record["id"]: record["gold"].get("category") for record in records} == {
        "q1": "answerable",
        "q2": "unanswerable",
        "q3": "null_retrieval",
    }


def test_the_same_command_on_a_finished_folder_asks_nothing(run, shop):
    first = run("answer", "--out", "r", "--json")[1]
    code, out, err = run("answer", "--out", "r", "--json")
    assert (code, json.loads(out)["buckets"]) == (0, json.loads(first)["buckets"])
    assert "all 3 questions were asked before; none was asked again\n" in err
    assert len(asked_ids(shop)) == 3


def test_without_a_folder_a_finished_run_is_never_taken_for_a_new_one(run, shop):
    run("answer")
    run("answer")
    assert sorted(path.name for path in (shop / "runs").iterdir()) == ["set-run-shop-answer-1", "set-run-shop-answer-2"]
    assert len(asked_ids(shop)) == 6


def test_an_unfinished_run_is_taken_up_and_its_torn_line_dropped(run, shop):
    run("answer", "--max-cost", "0.02")
    (folder,) = (shop / "runs").iterdir()
    assert not (folder / "run.json").exists()
    with (folder / "answers.jsonl").open("a") as handle:
        handle.write('{"id":"q3","question":"What is')
    code, _, err = run("answer")
    assert (code, err) == (0, "")
    assert asked_ids(shop) == ["q1", "q2", "q3"]
    assert [path.name for path in (shop / "runs").iterdir()] == [folder.name]
    assert len(scores(folder)) == 3


def test_the_budget_stops_before_it_is_spent(run, shop):
    code, out, err = run("answer", "--out", "r", "--max-cost", "0.02")
    assert (code, out) == (3, "")
    assert "stopped before --max-cost: $0.0200 of $0.0200 spent; 1 of 3 questions left" in err
    assert asked_ids(shop) == ["q1", "q2"]


def test_a_budget_needs_a_price(run):
    code, _, err = run("deaf", "--out", "r", "--max-cost", "1")
    assert code == 2
    assert "the pipeline says none" in err


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (["--label", "other"], "label not given, now other"),
        (["--model", "m"], "model not given, now m"),
        (["--refusal-licence"], "refusal licence not given, now yes"),
        (["--corpus", "texts"], "corpus not given, now texts@"),
        (["--repeats", "2"], "holds a single run"),
    ],
)
def test_a_folder_is_never_mixed(run, shop, changed, said):
    (shop / "texts").mkdir()
    (shop / "texts/lease.txt").write_text("The notice period is thirty days.")
    run("answer", "--out", "r")
    before = (shop / "r/answers.jsonl").read_bytes()
    code, _, err = run("answer", "--out", "r", *changed)
    assert code == 2
    assert said in err
    assert (shop / "r/answers.jsonl").read_bytes() == before


def test_other_questions_are_another_run(run, shop):
    run("answer", "--out", "r")
    with (shop / "set.jsonl").open("a") as handle:
        handle.write(ONE.model_copy(update={"id": "q4"}).model_dump_json() + "\n")
    code, _, err = run("answer", "--out", "r")
    assert code == 2
    assert "questions" in err


def test_a_retrieval_all_the_same_is_unknown_and_said(run, shop):
    code, out, err = run("deaf", "--out", "r")
    assert code == 0
    assert "asked for with 1 question, honoured in 0; 1 retrieved all the same and count as unknown" in out
    assert "something on stdout" not in out
    assert "something on stdout" in err
    assert (scores(shop / "r")["q3"]["bucket"], scores(shop / "r")["q3"]["cause"]) == ("unknown", "null_not_honoured")


def test_a_pipeline_that_always_fails_is_inconclusive_and_says_why(run, shop):
    code, out, _ = run("broken", "--out", "r", "--retries", "0")
    assert code == 3
    assert "3 asked, 3 failed" in out
    cards = scores(shop / "r").values()
    assert {card["bucket"] for card in cards} == {"unknown"}
    assert all("RuntimeError: no index" in card["why"] for card in cards)


def many(shop, count):
    """Put so many questions into the set in place of its three."""
    rows = [QUESTIONS[1].model_copy(update={"id": f"n{number}"}) for number in range(count)]
    (shop / "set.jsonl").write_text("".join(row.model_dump_json() + "\n" for row in rows))
    return [row.id for row in rows]


def test_where_nobody_answers_the_asking_stops_soon_and_goes_on_with_the_rest(run, shop):
    keys = many(shop, 30)
    (shop / "ill.txt").write_text(" ".join(keys))
    plain = ("ailing", "--out", "r", "--retries", "0", "--concurrency", "1")
    code, out, err = run(*plain)
    assert (code, out) == (3, "")
    assert (
        "the first 10 questions all failed in the same way (RuntimeError: no index: n0); 20 of 30 questions left" in err
    )
    assert "the same command with --out r goes on from here, and asks those that failed once more" in err
    assert err.count("\n") == 1
    assert asked_ids(shop) == keys[:10]
    (shop / "ill.txt").write_text("")
    code, _, _ = run(*plain)
    assert code == 0
    assert asked_ids(shop)[10:] == [*keys[10:], *keys[:10]]
    assert [json.loads(line)["id"] for line in (shop / "r/answers.jsonl").read_text().splitlines()] == keys
    assert {card["bucket"] for card in scores(shop / "r").values()} == {"refused"}


@pytest.mark.parametrize("ill", [range(10, 30), range(9), range(1, 30)])
def test_where_one_question_is_answered_all_are_asked(run, shop, ill):
    keys = many(shop, 30)
    (shop / "ill.txt").write_text(" ".join(keys[number] for number in ill))
    code, out, _ = run("ailing", "--out", "r", "--retries", "0", "--concurrency", "1")
    assert (code, asked_ids(shop)) == (0, keys)
    assert f"failed {len(ill)}×: RuntimeError: no index" in out


def test_recorded_answers_are_looked_up_to_the_end(cli, shop):
    keys = many(shop, 30)
    (shop / "old.jsonl").write_text(json.dumps({"id": keys[-1], "answer": ANSWER, "retrieved": LOG}) + "\n")
    code, out, _ = cli("run", "--pipeline", "recorded:old.jsonl", "--questions", "set.jsonl", "--judge", "lexical")
    assert code == 0
    assert "30 asked, 29 failed" in out


def test_what_failed_in_a_finished_run_is_asked_again_on_demand(run, shop):
    (shop / "ill.txt").write_text("q1 q3")
    plain = ("ailing", "--out", "r", "--retries", "0")
    assert "3 asked, 2 failed" in run(*plain)[1]
    assert scores(shop / "r")["q1"]["bucket"] == "unknown"
    (shop / "ill.txt").unlink()
    (shop / "asked.txt").unlink()
    _, out, err = run(*plain)
    assert (
        "all 3 questions were asked before; none was asked again; 2 of them failed, and --retry-failed asks those"
        in err
    )
    assert "3 asked, 2 failed" in out
    assert not (shop / "asked.txt").exists()
    code, out, _ = run(*plain, "--retry-failed", "--json")
    assert (code, json.loads(out)["asking"]["failed"]) == (0, 0)
    assert sorted(asked_ids(shop)) == ["q1", "q3"]
    assert {key: card["bucket"] for key, card in scores(shop / "r").items()} == {
        "q1": "correct",
        "q2": "refused",
        "q3": "refused",
    }
    assert len((shop / "r/answers.jsonl").read_text().splitlines()) == 3


def test_fewer_repeats_than_a_folder_holds_are_refused(run, shop):
    """All that it holds are one side to the gate; a run that would tell of two of them told of another side."""
    run("answer", "--out", "r", "--repeats", "3")
    code, out, err = run("answer", "--out", "r", "--repeats", "2")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "r: holds more than 2 repeats of a run, and all of them count; say how many with --repeats" in err
    assert len(asked_ids(shop)) == 9


def test_an_unfinished_run_of_more_repeats_is_not_taken_up_for_fewer(run, shop):
    run("answer", "--repeats", "3")
    (first,) = (shop / "runs").iterdir()
    (first / "repeat-2/run.json").unlink()
    assert run("answer", "--repeats", "2")[0] == 0
    assert len(list((shop / "runs").iterdir())) == 2
    assert not (first / "repeat-2/run.json").exists()


def spent_of(folder):
    """What the answers of a run say that they cost, each time that they were asked."""
    asks = [json.loads(line)["metadata"]["ask"] for line in (folder / "answers.jsonl").read_text().splitlines()]
    return sum(cost["usd"] for ask in asks for cost in (*ask["earlier"], ask["cost"]))


def test_what_failed_and_was_paid_for_counts_each_time_that_it_is_asked(run, shop):
    (shop / "ill.txt").write_text("q1 q3")
    plain = ("dear_failure", "--out", "r", "--retries", "0", "--concurrency", "1", "--json")
    run(*plain)
    for calls in (5, 7):  # 3 questions, then 2 of them again, each $0.01
        code, out, _ = run(*plain, "--retry-failed")
        assert (code, json.loads(out)["asking"]["cost"]["usd"]) == (0, pytest.approx(calls / 100))
        assert len(asked_ids(shop)) == calls
        assert spent_of(shop / "r") == pytest.approx(calls / 100)
    code, _, err = run(*plain, "--retry-failed", "--max-cost", "0.08")
    assert code == 3
    assert "$0.0800 of $0.0800 spent; 1 of 3 questions left" in err
    assert len(asked_ids(shop)) == 8


def test_a_budget_that_allows_nothing_leaves_a_finished_run_as_it_is(run, shop):
    (shop / "ill.txt").write_text("q1")
    plain = ("dear_failure", "--out", "r", "--retries", "0")
    run(*plain)
    held = {path.name: path.read_bytes() for path in (shop / "r").iterdir() if path.name != ".lock"}
    code, _, err = run(*plain, "--retry-failed", "--max-cost", "0.03")
    assert (code, "$0.0300 of $0.0300 spent" in err) == (3, True)
    assert len(asked_ids(shop)) == 3
    assert {path.name: path.read_bytes() for path in (shop / "r").iterdir() if path.name != ".lock"} == held


def test_what_later_repeats_cost_counts_before_an_earlier_one_is_asked_again(run, shop):
    (shop / "ill.txt").write_text("q1")
    plain = ("dear_failure", "--out", "r", "--retries", "0", "--repeats", "2")
    run(*plain)
    code, _, err = run(*plain, "--retry-failed", "--max-cost", "0.06")
    assert (code, "$0.0600 of $0.0600 spent" in err) == (3, True)
    assert len(asked_ids(shop)) == 6


def test_what_failed_before_a_stop_is_asked_again_last(run, shop):
    (shop / "ill.txt").write_text("q1")
    plain = ("ailing", "--out", "r", "--retries", "0", "--concurrency", "1")
    run(*plain, "--max-cost", "0.01")
    assert len((shop / "r/answers.jsonl").read_text().splitlines()) < 3
    (shop / "ill.txt").unlink()
    code, _, _ = run(*plain)
    assert code == 0
    assert asked_ids(shop)[-1] == "q1"
    assert [json.loads(line)["id"] for line in (shop / "r/answers.jsonl").read_text().splitlines()] == [
        "q1",
        "q2",
        "q3",
    ]
    assert scores(shop / "r")["q1"]["bucket"] == "correct"


@needs_fork
def test_what_a_library_of_c_prints_stays_out_of_the_document(shop):
    loud = command_line(
        "run", "--pipeline", "run_shop:loud", "--questions", "set.jsonl", "--judge", "lexical", "--json"
    )
    with forked(loud, shop / "said") as process:
        assert process.wait() == 0
    assert json.loads(process.out)["n"] == 3
    assert (process.err.count("straight to stdout"), process.err.count("a library of C")) == (3, 3)


def test_repeats_are_whole_runs_and_their_spread_is_printed(run, shop):
    code, out, _ = run("wavering", "--out", "r", "--repeats", "3")
    assert code == 0
    assert [json.loads((shop / f"r/repeat-{n}/run.json").read_text())["pipeline"]["repeat"] for n in (1, 2, 3)] == [
        1,
        2,
        3,
    ]
    assert "q1: correct, refused, refused -> refused" in out
    assert "1 of 3 questions came out differently" in out
    table = {
        line.split()[0]: line.split()[1:] for line in out.partition("Categories of question")[2].splitlines() if line
    }
    assert table["answerable"] == ["1", "0/1", *"01000"]  # q1, which two of three repeats refused
    assert table["null_retrieval"] == ["1", "none", "decided", *"00001"]
    document = json.loads(run("wavering", "--out", "r", "--repeats", "3", "--json")[1])
    assert document["spread"]["correct"] == {"counts": [1, 0, 0], "low": 0, "high": 1, "mean": pytest.approx(1 / 3)}
    assert [one["id"] for one in document["flaky"]] == ["q1"]
    assert len(document["runs"]) == 3


def test_fail_on_and_reports(run, shop):
    assert run("answer", "--out", "r", "--fail-on", "refused", "-o", "r.json")[0] == 1
    assert json.loads((shop / "r.json").read_text())["pipeline"]["name"] == "run_shop:answer"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--questions", "none.jsonl"], "no such folder or file"),
        (["--held-out"], "holds none out"),
        (["--rate", "fast"], "--rate 'fast'"),
        (["--repeats", "2", "-o", "x.md"], "write one after with: showable report DIR/repeat-1 -o x.md"),
        (["--retry-failed"], "say which with --out DIR"),
        (["--timeout", "nan"], "--timeout nan: expected seconds above 0"),
        (["--label", "two\nlines"], "expected one line"),
        (["--prompt", "p.txt"], "--plain and --prompt go with"),
    ],
)
def test_a_mistake_is_one_line(run, more, said):
    code, out, err = run("answer", *more)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_what_is_said_must_agree_with_what_the_pipeline_says(cli, shop):
    (shop / "texts").mkdir()
    (shop / "texts/lease.txt").write_text("The notice period is thirty days.")
    spec = "chat:small@http://127.0.0.1:9/v1"
    command = ["run", "--pipeline", spec, "--questions", "set.jsonl", "--corpus", "texts", "--judge", "lexical"]
    code, _, err = cli(*command, "--model", "large")
    assert code == 2
    assert "--model: it is small, says the pipeline chat:small of itself" in err


@contextmanager
def at_its_second_question(shop):
    """A run in a process of its own, which has answered one question of three and waits in the next; gives it and the gate."""
    os.mkfifo(shop / "gate")
    words = ("run", "--pipeline", "run_shop:gated", "--questions", "set.jsonl", "--judge", "lexical")
    with (
        forked(command_line(*words, "--concurrency", "1", "--out", "r"), shop / "said") as process,
        ExitStack() as gate,
    ):

        def there():
            with suppress(OSError):  # nobody reads yet
                gate.callback(os.close, os.open(shop / "gate", os.O_WRONLY | os.O_NONBLOCK))
                return True

        process.until(there)
        yield process, gate


@needs_fork
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_stop_keeps_what_was_answered(run, shop, how):
    with at_its_second_question(shop) as (process, _):
        process.send(how)
        code = process.wait()
    before = [json.loads(line)["id"] for line in (shop / "r/answers.jsonl").read_text().splitlines()]
    assert before == ["q1"]
    assert (code, "stopped by Ctrl-C" in process.err) == ((130, True) if how == signal.SIGINT else (-9, False))
    (shop / "asked.txt").unlink()
    (shop / "gate").unlink()
    code, _, _ = run("gated", "--out", "r")
    assert code == 0
    assert sorted(asked_ids(shop)) == [question.id for question in QUESTIONS if question.id not in before]
    assert [json.loads(line)["id"] for line in (shop / "r/answers.jsonl").read_text().splitlines()] == [
        "q1",
        "q2",
        "q3",
    ]


@needs_fork
def test_a_folder_is_held_by_one_process(run, shop):
    with at_its_second_question(shop) as (process, gate):
        code, _, err = run("gated", "--out", "r")
        gate.close()
        assert process.wait() == 0, process.err
    assert code == 2
    assert f"in use by process {process.pid}" in err


def test_nothing_is_asked_when_everything_is_answered():
    class Held:
        answered = {"q1": ask_one(Scripted(GOOD))[0]}  # noqa: RUF012 - a stand-in

        def append(self, record):
            raise AssertionError

        def in_order(self, questions):
            self.ordered = [question.id for question in questions]

    class Quiet:
        def show(self, tally):
            raise AssertionError

    async def once(held):
        asker = Asker(Scripted(ValueError("asked")), SOON)
        return await ask_all([ONE], asker, held, at_once=1, purse=Purse(), progress=Quiet())

    held = Held()
    tally, stopped = asyncio.run(once(held))
    assert (tally.resumed, tally.done, stopped, held.ordered) == (1, 1, None, ["q1"])


@pytest.mark.slow
def test_the_embedded_set_runs_offline(cli, tmp_path):
    code, out, _ = cli(
        "run",
        "--pipeline",
        "reference",
        "--questions",
        "embedded",
        "--judge",
        "lexical",
        "--out",
        tmp_path / "r",
        "--json",
    )
    document = json.loads(out)
    assert (code, document["n"]) == (0, 130)
    assert document["asking"]["forced_null"] == {"asked": 10, "not_honoured": 0, "not_logged": 0}
    assert Path(document["run"]) == tmp_path / "r"
