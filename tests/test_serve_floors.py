"""The floors of `serve`: what a week of traffic comes to, kept once, shown on the page and as metrics, posted once."""

from contextlib import closing
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import ClassVar

import pytest
from scored_traces import live

from showable.drifting.webhook import deliver
from showable.records.findings import Outcome
from showable.serving.floors import PREFIX, Floors, floor_lines, week_of
from showable.serving.pages.processes import state_of
from showable.serving.receiver_metrics import of_floors
from showable.stores.traces.opening import open_trace_store

MONDAY = 1_790_553_600_000_000_000  # 2026-09-28 00:00 UTC
MINUTE = 60 * 10**9
GOOD, BAD = (
    "The notice period is 30 days [lease].",
    "The notice period is 30 days [lease]. The rent is 900 euros [ghost].",
)


@pytest.fixture
def store(tmp_path):
    with closing(open_trace_store(tmp_path / "t.sqlite")) as store:
        yield store


def add(store, texts, profile="legal", start=MONDAY + MINUTE, first=0):
    """Keep scored answers, a minute apart."""
    scores = []
    for n, text in enumerate(texts, first):
        one = live(text, label=None, trace=f"{n:032x}", span=f"{n:016x}", profile=profile)
        failed = any(c.resolves is Outcome.FAIL for claim in one.scorecard.claims for c in claim.citations)
        outcome = Outcome.FAIL if failed else Outcome.PASS
        answer = replace(one.answer, started_ns=start + (n - first) * MINUTE)
        scores.append(replace(one, answer=answer, resolvability=outcome))
    store.add_scores(scores, checkpoint=1)


def test_a_week_that_crosses_its_floor_is_below_and_another_is_not(store):
    add(store, [BAD if n % 5 == 0 else GOOD for n in range(60)])
    add(store, [GOOD] * 60, profile="news", first=100)
    add(store, [BAD] * 60, profile="general", first=200)  # has no floor
    floors = Floors(store, {"legal": 0.99, "news": 0.97})
    looks = floors.look(MONDAY + 600 * MINUTE)
    assert (looks["legal"].below, looks["legal"].n, looks["legal"].share) == (True, 60, pytest.approx(0.9))
    assert (looks["news"].below, looks["news"].n, looks["news"].share) == (False, 60, 1.0)
    assert [(line.below, line.said.partition(":")[0]) for line in floor_lines(store.gauges())] == [
        (True, "legal"), (False, "news"),
    ]  # fmt: skip


def test_answers_are_counted_once_and_a_new_week_begins_anew(store):
    add(store, [GOOD] * 10)
    floors = Floors(store, {"legal": 0.99})
    assert floors.look(MONDAY + 60 * MINUTE)["legal"].n == 10
    add(store, [BAD] * 3, start=MONDAY + 20 * MINUTE, first=10)
    assert floors.look(MONDAY + 61 * MINUTE)["legal"].n == 13
    assert floors.look(MONDAY + 62 * MINUTE)["legal"].n == 13
    assert Floors(store, {"legal": 0.99}).look(MONDAY + 62 * MINUTE)["legal"].n == 13  # a restart reads the week again
    assert floors.look(MONDAY + 7 * 24 * 60 * MINUTE)["legal"].n == 0


@pytest.mark.parametrize(
    ("now_ns", "start_ns"),
    [(MONDAY, MONDAY), (MONDAY - 1, MONDAY - 7 * 24 * 60 * MINUTE), (MONDAY + 6 * 24 * 60 * MINUTE, MONDAY)],
)
def test_a_week_begins_on_monday_utc(now_ns, start_ns):
    assert week_of(now_ns) == start_ns


def test_the_page_and_the_metrics_say_it(store):
    add(store, [BAD] * 40)
    Floors(store, {"legal": 0.99}).look(MONDAY + 60 * MINUTE)
    state = state_of(store, MONDAY + 60 * MINUTE)
    assert [process.name for process in state.processes if process.name.startswith(PREFIX)] == []
    (line,) = state.floors
    assert line.below
    assert line.said.startswith("legal: 50.0 % of an answer's citations resolve on average, at most ")
    assert line.said.endswith("(n = 40 since 2026-09-28); that is below the floor of 99.0 %")
    told = {
        (family.name, *sample.labels.values()): sample.value
        for family in of_floors(store.gauges())
        for sample in family.samples
    }
    assert told["showable_resolvability_share", "legal"] == 0.5
    assert told["showable_resolvability_floor", "legal"] == 0.99
    assert told["showable_resolvability_below_floor", "legal"] == 1.0


class _Hook(BaseHTTPRequestHandler):
    posted: ClassVar[list] = []
    status = 204

    def do_POST(self):
        import json

        type(self).posted.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(type(self).status)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def hook():
    _Hook.posted, _Hook.status = [], 204
    with HTTPServer(("127.0.0.1", 0), _Hook) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/hook"
        server.shutdown()
        thread.join()


def post(floors, hook, now_ns):
    report = floors.unsent(floors.look(now_ns))
    if report is not None:
        floors.mark_sent(alarm.profile for alarm in deliver(hook, report, report.alarms).delivered)


def test_an_alarm_is_posted_once_a_week_and_again_where_it_did_not_arrive(store, hook):
    add(store, [BAD] * 40)
    floors = Floors(store, {"legal": 0.99})
    _Hook.status = 400
    post(floors, hook, MONDAY + 60 * MINUTE)
    _Hook.status = 204
    for now in (61, 62):
        post(floors, hook, MONDAY + now * MINUTE)
    post(Floors(store, {"legal": 0.99}), hook, MONDAY + 63 * MINUTE)  # after a restart
    refused, arrived = _Hook.posted
    assert refused == arrived
    alarm = arrived["alarm"]
    assert (alarm["what"], alarm["profile"], alarm["before"]["value"], alarm["after"]["value"], alarm["n"]) == (
        "resolvability_floor", "legal", 0.99, 0.5, 40,
    )  # fmt: skip
    assert alarm["after"]["high"] < 0.99
    assert "notice" not in str(arrived)  # no text of an answer leaves
