"""What is kept of guarded answers: a row each in the trace store, judged behind the answers; and what its floors say back."""

import json
import os
import signal
import sqlite3
import time
from contextlib import closing
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import httpx
import pytest
from guarded import BAD, GOOD, LOG, chat, guarding, model
from registry_doubles import serve
from registry_doubles.crossref import crossref
from scored_traces import live

from showable.records.findings import Outcome
from showable.stores.traces.opening import open_trace_store
from showable.stores.traces.store import Where

CHAT = "/v1/chat/completions"
ASKED = {"model": "m", "messages": [{"role": "user", "content": "How much notice must the tenant give?"}]}
ROUTES = """
[upstream.model]
base_url = "http://127.0.0.1:PORT"
[store]
path = "traces.sqlite"
retain_days = 30
webhook = "http://127.0.0.1:HOOK/alarm"
[[route]]
name = "held"
model = "held"
upstream = "model"
profile = "news"
no_retrieval = "unverified"
below_floor = "hold"
[[route]]
name = "sampled"
upstream = "model"
profile = "news"
no_retrieval = "unverified"
on_unknown = "show"
semantic = "sampled"
sample = 1.0
"""

pytestmark = pytest.mark.slow  # a keeper takes seconds to start


def wait_for(found, seconds=60):
    until = time.monotonic() + seconds
    while not (value := found()):
        assert time.monotonic() < until, "nothing came in time"
        time.sleep(0.05)
    return value


@pytest.fixture(scope="module")
def alarms():
    """A webhook on this machine, and what it was posted."""
    posted = []

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self):
            posted.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_args):
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Hook) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        posted.append(server.server_port)
        yield posted
        server.shutdown()


@pytest.fixture(scope="module")
def guard(alarms):
    """A guard that keeps its answers, whose upstream says what a test sets."""
    said = {}
    text = ROUTES.replace("HOOK", str(alarms[0]))
    with guarding(lambda _request: (json.dumps(chat(said["now"])).encode(), b"application/json"), text=text) as running:
        running.said = said
        running.store = running.config.with_name("traces.sqlite")
        yield running


def ask(guard, answer, model="sampled", log=LOG):
    guard.said["now"] = answer
    return httpx.post(f"{guard.url}{CHAT}", json=ASKED | {"model": model, "showable": log}, timeout=30)


def rows(guard):
    with closing(open_trace_store(guard.store)) as store:
        listed = store.answers(Where(), limit=1000)
        return {score.id: score for score in store.scores([row.id for row in listed])}


def test_an_answer_is_one_row_judged_behind_it_and_keeps_no_text(guard):
    calls = {ask(guard, answer).headers["x-showable-call"]: answer for answer in (GOOD, BAD)}

    def judged():
        found = rows(guard).values()
        return found if len(found) == 2 and all(score.judged for score in found) else None

    found = {score.answer.trace_id.removeprefix("0" * 8): score for score in wait_for(judged)}
    assert found.keys() == calls.keys()
    by_answer = {calls[call]: score for call, score in found.items()}
    good, bad = by_answer[GOOD], by_answer[BAD]
    assert (good.answer.route, good.answer.release, bad.answer.release) == ("sampled", "show", "hold")
    assert (good.resolvability, bad.resolvability, good.stratum, bad.stratum) == (
        Outcome.PASS,
        Outcome.FAIL,
        "rest",
        "failure",
    )
    assert good.semantic is not Outcome.NOT_APPLICABLE
    assert bad.answer.released.codes == ("resolvability.not_retrieved",)
    assert [source.source_id for source in bad.answer.record.retrieved] == ["lease", "amendment"]
    with closing(open_trace_store(guard.store)) as store:
        told = json.dumps(store.file.rows("SELECT question, answer, record, scorecard, rest FROM answer_texts"))
        (count,) = store.routes(Where())
    assert not [words for words in ("ninety", "courts", "notice", "How much") if words in told]
    assert (count.route, count.releases) == ("sampled", {"hold": 1, "show": 1})
    assert count.latency_ms >= count.guard_ms > (0, 0)


def test_a_killed_keeper_is_started_again_and_no_answer_waits_for_it(guard):
    before, keeping = len(rows(guard)), guard.worker.proxy.keeping
    killed = keeping._process.pid
    os.kill(killed, signal.SIGKILL)
    wait_for(lambda: keeping._transport is None)
    assert ask(guard, GOOD).headers["x-showable-release"] == "show"
    wait_for(lambda: keeping._transport is not None and keeping._process.pid != killed)
    wait_for(lambda: len(rows(guard)) > before)


def test_below_the_floor_what_is_undecided_is_held_and_the_alarm_is_raised_once(guard, alarms, caplog):
    text = "The notice period is 30 days [lease]. The rent is 900 euros [ghost]."
    one = live(text, label=None, profile="news")
    week = []
    for number in range(60):
        record = one.answer.record.model_copy(update={"id": f"{number:032x}:1"})
        answer = replace(one.answer, record=record, trace_id=f"{number:032x}", started_ns=time.time_ns())
        week.append(replace(one, answer=answer, resolvability=Outcome.FAIL, chosen=False))
    with closing(open_trace_store(guard.store)) as store:
        store.add_scores(week)
    wait_for(lambda: guard.worker.proxy.deciding.below)
    undecided = {"retrieved": [{"source_id": "lease"}]}  # an id without a text
    replies = {
        (model, kind): ask(guard, answer, model, log).headers
        for model, kind, answer, log in (
            ("sampled", "good", GOOD, LOG),
            ("sampled", "undecided", "Notice is due [lease].", undecided),
            ("held", "good", GOOD, LOG),
        )
    }
    assert {key: headers["x-showable-release"] for key, headers in replies.items()} == {
        ("sampled", "good"): "show",
        ("sampled", "undecided"): "hold",
        ("held", "good"): "hold",
    }
    assert "guard.below_floor" in replies["held", "good"]["x-showable-reasons"]
    metrics = httpx.get(f"{guard.url}/metrics").text
    assert 'showable_resolvability_below_floor{profile="news"} 1' in metrics
    assert "# TYPE showable_resolvability_below_floor gauge" in metrics
    wait_for(lambda: len(alarms) > 1)
    assert [posted["alarm"]["profile"] for posted in alarms[1:]] == ["news"]
    assert "the resolvability rate of the profile news lies below its floor" in caplog.text


def work(doi, *notices):
    return {
        "DOI": doi,
        "type": "journal-article",
        "title": ["A trial"],
        "updated-by": [{"DOI": "10.1000/n", "type": one, "updated": {"date-parts": [[2021]]}} for one in notices],
    }


def test_what_the_cache_lacks_is_unknown_and_looked_up_behind_the_answer(tmp_path, monkeypatch):
    """Crossref's double knows one work that stands and one that was retracted; nobody is asked while an answer waits."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    seen, works = [], {"stands": work("10.1000/good"), "retracted": work("10.1000/bad", "retraction")}
    text = "The drug lowered blood pressure."
    logs = {
        name: {"retrieved": [{"source_id": "trial", "text": text, "title": "A trial", "doi": one["DOI"]}]}
        for name, one in works.items()
    }
    (tmp_path / "p.toml").write_text('name = "p"\n[registries]\ndoi = ["crossref"]\n')
    with serve(crossref(list(works.values()), seen=seen)) as base:
        monkeypatch.setenv("SHOWABLE_REGISTRY_CROSSREF", base)
        route = {"profile": str(tmp_path / "p.toml"), "registries": "cache", "reading_ms": 30_000, "on_unknown": "show"}
        answer = chat("The drug lowered blood pressure [trial].")
        with guarding(model(answer), route, top="[registries]\nrefresh = true") as guard:

            def asked(name):
                return httpx.post(f"{guard.url}{CHAT}", json=ASKED | {"showable": logs[name]}, timeout=60)

            first = {name: asked(name).headers["x-showable-release"] for name in logs}
            wait_for(lambda: asked("stands").headers["x-showable-release"] == "show")
            wait_for(lambda: asked("retracted").headers["x-showable-release"] == "hold")
            assert len(seen) == 2  # once each
            with closing(sqlite3.connect(tmp_path / "cache" / "showable" / "registries.sqlite")) as locking:
                locking.execute("BEGIN EXCLUSIVE")  # somebody holds the cache: what is known still is, and nobody waits
                assert asked("retracted").headers["x-showable-release"] == "hold"
    assert first == {"stands": "unverified", "retracted": "unverified"}


def test_a_reload_replaces_the_keeper_and_loses_no_answer(guard):
    before, keeping = len(rows(guard)), guard.worker.proxy.keeping
    replaced = keeping._process.pid
    ask(guard, GOOD)
    guard.config.write_text(guard.config.read_text().replace("webhook =", "texts = true\nwebhook ="), "utf-8")
    guard.call_soon(guard.worker.reload)
    assert ask(guard, GOOD).headers["x-showable-release"] == "show"
    wait_for(lambda: keeping._process.pid not in {None, replaced} and keeping._transport is not None)
    ask(guard, BAD)
    wait_for(lambda: len(rows(guard)) == before + 3)
    texts = {score.answer.record.answer for score in rows(guard).values() if score.answer.route}
    assert BAD in texts
