"""A judge or a registry that fails is no result: exit 3, a headline that says so, and the same command asks again."""

import asyncio
import json
import resource
import signal
import sys
import threading
from collections import Counter
from contextlib import contextmanager

import pytest
from chat_server import Say, serve

from showable.api import evaluate, gate
from showable.errors import SettingError
from showable.evaluation import evaluate_one
from showable.judges.chat import ChatJudge
from showable.judges.chat_settings import ChatSettings
from showable.measure.not_measured import parse_share
from showable.records import Pair, Record, Verdict
from showable.records.calls import OFFLINE, CallCounts, Calls, count_calls_of
from showable.records.evidence import Evidence
from showable.records.lookups import Lookup, LookupResult
from showable.serving.pages.processes import processes_of
from showable.serving.receiver_metrics import of_processes

DEAD = Say(status=401)
OFF_MENU = Say(json.dumps({"verdict": "probably", "reason": "It seems so.", "quote": "notice"}))


@contextmanager
def endpoint(answers):
    """Serve a chat endpoint from a thread, for commands that run a loop of their own."""
    started, ended, held = threading.Event(), asyncio.Event(), []

    async def run():
        async with serve(answers) as server:
            held.extend([server, asyncio.get_running_loop()])
            started.set()
            await ended.wait()

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    started.wait()
    try:
        yield held[0]
    finally:
        held[1].call_soon_threadsafe(ended.set)
        thread.join()


def lease(n):
    text = f"Clause {n}: notice of {n + 10} days ends the lease."
    claim = {"text": f"Lease {n} may be ended on {n + 10} days' notice.", "citations": [{"source_id": "d1"}]}
    return {
        "id": f"lease-{n}",
        "question": f"How is lease {n} ended?",
        "retrieved": [{"source_id": "d1", "text": text}],
        "answer": {"claims": [claim], "refusal": "none"},
        "gold": {"category": "answerable", "expected": ["correct"]},
    }


def declines(n):
    return lease(n) | {
        "answer": "I don't have evidence for that; see [d1] for the closest clause, or ask the landlord."
    }


def supports(asked):
    passage = asked["messages"][-1]["content"]
    clause = passage[passage.index("Clause") :].split("\n")[0]
    return Say(json.dumps({"verdict": "supported", "reason": "It says so.", "quote": clause, "p": 0.95}))


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdef")


@pytest.fixture
def records(tmp_path):
    """The audit's input in small: one answer of twelve needs no judge."""
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in [*map(lease, range(11)), declines(11)]))
    return path


def test_a_dead_judge_is_no_result_anywhere(cli, records, tmp_path):
    """Nowhere does one decided answer of twelve become 100 %."""
    outputs = [tmp_path / f"r{ending}" for ending in (".html", ".md", ".xml", ".json", ".sarif")]
    with endpoint([DEAD]) as server:
        command = ["score", records, "--judge", f"chat:m@{server.url}", "--out", "run"]
        code, out, err = cli(*command, *(part for path in outputs for part in ("-o", path)))
        asked = len(server.requests)
    said = "not measured: 11 of 12 answers, the judge failed (401)"
    assert code == 3
    assert out.startswith(said)
    assert said in err
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert summary["not_measured"] == said
    assert summary["unmeasured"] == 11
    assert summary["calls"]["judge"] == {"made": asked, "failures": {"401": asked}}
    assert summary["buckets"] == {"correct": 0, "wrong": 0, "unsupported": 0, "refused": 1, "unknown": 11}
    decided = {name: rate for name, rate in summary["rates"].items() if rate["unknown"]}
    assert decided["acceptable"]["passed"] == 1
    assert {rate["rate"] for rate in decided.values()} == {None}
    for path in [*outputs[:-1], tmp_path / "run" / "report.html"]:
        text = path.read_text()
        assert said[1:] in text, path
        assert "of 12 answers are acceptable" not in text, path
        assert "100 % (1/1" not in text, path
        assert "100\u00a0% are acceptable" not in text, path
    assert "100 % (1/1" not in out
    assert '<testcase name="measured"' in outputs[2].read_text()
    assert 'errors="1"' in outputs[2].read_text()
    assert '"executionSuccessful":false' in outputs[4].read_text()


def test_the_same_command_asks_again_what_failed_and_nothing_else(cli, records, tmp_path):
    with endpoint([DEAD]) as server:
        command = ["score", records, "--judge", f"chat:m@{server.url}", "--out", "run", "--json"]
        assert cli(*command)[0] == 3
        server.answers = lambda asked: DEAD if "Lease 3 " in asked["messages"][-1]["content"] else supports(asked)
        code, out, _ = cli(*command)
        assert code == 3  # 1 of 11 is more than 5 %
        assert json.loads(out)["unmeasured"] == 1
        server.requests.clear()
        server.answers = supports
        code, out, _ = cli(*command)
        assert code == 0
        assert len(server.requests) == 1
        assert "Lease 3 " in server.requests[0]["messages"][-1]["content"]
        server.requests.clear()
        assert cli(*command)[0] == 0
        assert server.requests == []
    found = json.loads(out)
    assert found["not_measured"] is None
    assert found["buckets"]["correct"] == 11
    assert found["rates"]["acceptable"]["rate"] == 1.0
    ids = [json.loads(line)["id"] for line in (tmp_path / "run" / "evidence.jsonl").read_text().splitlines()]
    assert Counter(ids).most_common(1)[0][1] == 1
    assert len(ids) == 12
    assert "401" not in (tmp_path / "run" / "evidence.jsonl").read_text()


@pytest.mark.parametrize(
    ("limit", "code", "source"),
    [
        ("5%", 3, "the default, written out: 2 of 11 failed"),
        ("0.05", 3, "the same as a fraction"),
        ("20%", 0, "18 % are within it"),
        ("1", 0, "anything is"),
        ("0", 3, "nothing is"),
        ("5", 2, "no share"),
        ("x%", 2, "no number"),
        ("nan", 2, "no number either"),
    ],
)
def test_max_failures(cli, records, limit, code, source):
    def answer(asked):
        asks = asked["messages"][-1]["content"]
        return OFF_MENU if "Lease 3 " in asks or "Lease 4 " in asks else supports(asked)

    with endpoint(answer) as server:
        found, _, err = cli("score", records, "--judge", f"chat:m@{server.url}", "--max-failures", limit)
    assert found == code, source
    assert ("the judge failed (unreadable reply)" in err) == (code == 3)
    if code == 2:
        assert "--max-failures" in err


@pytest.mark.parametrize(
    ("answers", "settings", "failure", "source"),
    [
        ([DEAD], {}, "401", "the key is refused"),
        ([Say(status=500)], {}, "500", "the server breaks"),
        ([Say(status=429)], {}, "429", "too many requests"),
        ([OFF_MENU], {}, "unreadable reply", "a verdict that is not on the menu"),
        ([Say("I think so.")], {}, "unreadable reply", "no JSON"),
        ([Say(body="<html>")], {}, "unreadable reply", "a proxy's page"),
        ([Say(None, refusal="no")], {}, "unreadable reply", "the model refuses"),
        ([Say("{}", delay_s=5)], {"timeout_s": 0.05}, "timeout", "no answer in time"),
        (None, {"base_url": "http://127.0.0.1:9/v1"}, "unreachable", "nobody listens"),
        ([OFF_MENU], {"samples": 3}, "unreadable reply", "none of several samples is read"),
    ],
)
def test_how_a_call_to_a_chat_model_fails(answers, settings, failure, source):
    async def ask():
        async with serve(answers or []) as server:
            judge = ChatJudge(ChatSettings(**{"model": "m", "base_url": server.url, "retries": 0} | settings))
            try:
                return (await judge.verdicts([Pair("Notice is ten days.", "Notice is ten days.")]))[0]
            finally:
                await judge.aclose()

    verdict = asyncio.run(ask())
    assert (verdict.label, verdict.failure) == ("unknown", failure), source


class Odd:
    """A judge of somebody's own that breaks in some way."""

    name, prompt_hash = "odd@1", None

    def __init__(self, answer):
        self._answer = answer

    async def verdicts(self, pairs):
        return self._answer(pairs)

    def estimate(self, _pairs):
        raise AssertionError


def broken(_pairs):
    raise ConnectionError("gone")


@pytest.mark.parametrize(
    ("answer", "failures", "source"),
    [
        (broken, {"ConnectionError": 1}, "it raises"),
        (lambda _: [], {"no verdicts": 1}, "it leaves a pair out"),
        (lambda _: "supported", {"no verdicts": 1}, "it gives no list"),
        (
            lambda pairs: [Verdict(label="unknown", judge="odd@1", reason="undecided")] * len(pairs),
            {},
            "it is undecided",
        ),
    ],
)
def test_how_a_judge_of_ones_own_fails(answer, failures, source):
    """Being undecided is an answer; only what is no answer has failed."""
    graded = asyncio.run(evaluate_one(Record.model_validate(lease(1)), Odd(answer)))
    assert graded.scorecard.calls.judge == Calls(made=1, failures=failures), source
    assert evaluate([lease(1)], judge=Odd(answer)).summary.not_measured == (
        f"not measured: 1 of 1 answers, the judge failed ({next(iter(failures))})" if failures else None
    )


def looked_up(status, **fields):
    return LookupResult(**{"status": status, "registry": "crossref", "asked": ("crossref",)} | fields)


@pytest.mark.parametrize(
    ("result", "calls", "source"),
    [
        (looked_up("resolved"), Calls(made=1), "answered"),
        (looked_up("not_found"), Calls(made=1), "answered: there is none"),
        (looked_up("unreachable", http_status=503), Calls(made=1, failures={"503": 1}), "down"),
        (looked_up("unreachable"), Calls(made=1, failures={"unreachable": 1}), "no connection"),
        (looked_up("rate_limited"), Calls(made=1, failures={"rate limited": 1}), "too many requests"),
        (looked_up("unreachable", reason=OFFLINE), Calls(), "--offline sends no packet, so none failed"),
        (looked_up("not_configured", asked=()), Calls(), "nobody was asked"),
        (looked_up("not_covered", asked=()), Calls(), "nobody could be asked"),
        (looked_up("unreachable", registry="web_page"), Calls(), "a dead page is the citation's fault"),
    ],
)
def test_how_a_lookup_fails(result, calls, source):
    lookup = Lookup(claim=0, citation=0, **result.model_dump())
    evidence = Evidence(id="a", judge="lexical@1", lookups=(lookup,))
    assert count_calls_of(evidence) == CallCounts(registries=calls), source


class DownRegistries:
    name = "crossref"

    async def lookup_all(self, references):
        return [looked_up("unreachable", http_status=503) for _ in references]

    async def aclose(self):
        pass


def test_dead_registries_are_no_result_either():
    """And what they have no part in keeps its rate: no answer was unknown to the judge."""
    source = {"source_id": "d1", "text": "Notice of ten days ends the lease.", "doi": "10.1000/182"}
    records = [
        lease(n) | {"retrieved": [source], "answer": "Notice of ten days ends the lease [d1]."} for n in range(3)
    ]
    summary = evaluate(records, judge="lexical", registries=DownRegistries()).summary
    assert summary.not_measured == "not measured: 3 of 3 answers, the registries failed (503)"
    assert all(rate.rate is None for rate in summary.rates.values() if rate.unknown)


def test_regrading_says_the_same(cli, records):
    with endpoint([DEAD]) as server:
        cli("score", records, "--judge", f"chat:m@{server.url}", "--out", "run")
    code, out, _ = cli("regrade", "run", "--threshold", "0.6", "--out", "again")
    assert code == 3
    assert out.startswith("not measured: 11 of 12 answers, the judge failed (401)")


def test_what_failed_costs_what_it_cost(cli, records, tmp_path):
    """A timeout may be billed: the run's cost holds both tries."""
    unread = Say("nothing to read")
    with endpoint([unread]) as server:
        command = ["score", records, "--judge", f"chat:m@{server.url}", "--out", "run", "--json"]
        prices = ("--price-in", "1", "--price-out", "1")
        first = json.loads(cli(*command, *prices)[1])["judge_calls"]["cost"]
        server.answers = supports
        second = json.loads(cli(*command, *prices)[1])["judge_calls"]["cost"]
    assert first["calls"] == 22  # each asked twice
    assert second["calls"] == 33
    assert second["usd"] == pytest.approx(1.5 * first["usd"])


@pytest.mark.parametrize("text", ["5%", "5 %", "0.05", " 5% "])
def test_a_share_in_both_spellings(text):
    assert parse_share(text) == pytest.approx(0.05)


@pytest.mark.parametrize("text", ["", "%", "-1%", "101%", "1.5", "inf", "five"])
def test_what_is_no_share(text):
    with pytest.raises(SettingError, match="--max-failures: expected a share"):
        parse_share(text)


@pytest.mark.skipif(sys.platform == "win32", reason="no file size limits")
@pytest.mark.parametrize("room", [4_000, 9_000, 20_000])
def test_a_full_disk_is_one_line_and_loses_nothing(cli, records, tmp_path, room):
    """Wherever it fills: in the middle of the records, or in the summary and the report."""
    command = ["score", records, "--judge", "lexical", "--out", "run"]
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        code, _, err = cli(*command)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert code == 2
    assert len(err.strip().splitlines()) == 1, err
    assert "run: cannot be written: File too large" in err
    kept = (tmp_path / "run" / "scores.jsonl").read_bytes()
    assert kept.count(b"\n") == int(err.split("; ")[1].split()[0])
    assert cli(*command)[0] == 0
    assert (tmp_path / "run" / "scores.jsonl").read_bytes().startswith(kept)
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["n"] == 12


def test_the_gate_decides_nothing_on_runs_that_were_not_measured(cli, records, tmp_path):
    """Neither from folders nor from results; both sides alike would ship otherwise."""
    with endpoint([DEAD]) as server:
        for out in ("a", "b"):
            cli("score", records, "--judge", f"chat:m@{server.url}", "--out", out)
    code, out, _ = cli("gate", "a", "b", "--unknown-cap", "1", "--json")
    assert code == 3
    decision = json.loads(out)
    assert (decision["ship"], decision["inconclusive"]) == (False, True)
    assert decision["reasons"][0] == "a: not measured: 11 of 12 answers, the judge failed (401)"
    results = [evaluate([lease(1)], judge=Odd(broken)) for _ in range(2)]
    assert gate(*results, unknown_cap=1.0).inconclusive


def labelled_rows(path):
    rows = [
        {
            "claim": f"Lease {n} may be ended on {n + 10} days' notice.",
            "passage": f"Clause {n}: as you like.",
            "label": n % 2,
        }
        for n in range(80)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize("task", ["entailment", "factuality"])
def test_validate_with_a_dead_judge_has_no_figures(cli, records, tmp_path, task):
    """`validate factuality` printed 95 % of the answers that needed no judge."""
    path = labelled_rows(tmp_path / "rows.jsonl")
    if task == "factuality":
        rows = [lease(n) | {"gold": {"bucket": "correct"}} for n in range(11)]
        rows.append(declines(11) | {"gold": {"bucket": "refused"}})
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with endpoint([DEAD]) as server:
        command = ("validate", task, path, "--judge", f"chat:m@{server.url}")
        code, out, err = cli(*command, "--json")
        text = cli(*command, "-o", "v.html")[1]
    said = "80 of 80 rows" if task == "entailment" else "11 of 12 answers"
    assert code == 3
    assert err == f"showable: not measured: {said}, the judge failed (401)\n"
    found = json.loads(out)
    assert found["not_measured"] in err
    assert {found["macro"][name] for name in ("balanced_accuracy", "tpr", "tnr", "kappa", "bucket_accuracy")} == {None}
    assert found["files"][0]["intervals"] == {}
    assert {rate["rate"] for rate in (found["files"][0]["recall"] or {}).values()} <= {None}
    assert text.startswith(f"{task}: not measured: {said}")
    assert "95.0" not in text
    assert found["not_measured"] in (tmp_path / "v.html").read_text()


def test_calibrate_with_a_dead_judge_fits_nothing(cli, records, tmp_path):
    rows = labelled_rows(tmp_path / "rows.jsonl")
    with endpoint(lambda asked: DEAD if "Lease 7" in asked["messages"][-1]["content"] else supports(asked)) as server:
        code, out, _ = cli("calibrate", "--labelled", rows, "--judge", f"chat:m@{server.url}", "-o", "c.json")
    assert code == 3
    assert "not measured: 11 of 80 rows, the judge failed (401)" in " ".join(out.split())
    assert not (tmp_path / "c.json").exists()


@pytest.mark.parametrize(
    ("share", "trouble", "source"),
    [
        (0.0, None, "all answered"),
        (0.05, None, "within what `score` lets pass"),
        (0.5, "the judge fails: 50.0 % of its latest calls brought no verdict", "half of them failed"),
        (1.0, "the judge fails: 100 % of its latest calls", "dead"),
    ],
)
def test_the_page_of_serve_says_that_the_judge_fails(share, trouble, source):
    now = 10**18
    gauges = {"judging": {"judge_calls_failing_share": share, "judge_calls_failed_total": 3.0, "at_ns": float(now)}}
    (process,) = processes_of(gauges, now)
    assert (process.trouble is None) == (trouble is None), source
    assert (process.trouble or "").startswith(trouble or "")
    assert [gauge.value for gauge in process.gauges][1] == "3"
    names = {metric.name: metric.samples[0].value for metric in of_processes(gauges, now)}
    assert names["showable_judging_judge_calls_failing_share"] == share
