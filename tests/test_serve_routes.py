"""The guard's routes on the dashboard of `serve`: counted by the store, with intervals, and no cost that is not known."""

import time
from contextlib import closing
from dataclasses import replace

import httpx
import pytest
from page_server import served
from scored_traces import live

from showable.serving.pages.routes import routes_of
from showable.serving.pages.view import read_view
from showable.stores.traces.opening import open_trace_store

ROWS = [  # route, release, dollars; the guard took 2 ms, the call 900
    *[("contracts", "show", 0.01)] * 6,
    *[("contracts", "hold", 0.01)] * 2,
    ("chat", "unverified", 0.5),
    ("chat", "pending", None),
    ("", "", None),  # an answer of a trace
]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    path = tmp_path_factory.mktemp("routes") / "t.sqlite"
    one = live("The notice period is 30 days [lease].", label=None)
    scores = []
    for number, (route, release, usd) in enumerate(ROWS):
        record = one.answer.record.model_copy(update={"id": f"{number:032x}:1"})
        times = {"guard_ms": 2.0, "latency_ms": 900.0} if route else {}
        told = {"record": record, "trace_id": f"{number:032x}", "started_ns": time.time_ns(), "cost_usd": usd}
        scores.append(replace(one, answer=replace(one.answer, route=route, release=release, **told, **times)))
    with closing(open_trace_store(path)) as store:
        store.add_scores(scores)
    return path


def test_a_route_says_what_clients_received_and_what_it_cost(place):
    with closing(open_trace_store(place)) as store:
        chat, contracts = routes_of(store, read_view({}), time.time_ns())
        assert routes_of(store, read_view({"service": "nobody"}), time.time_ns()) == ()
    assert [rate.passed for rate in contracts.shares] == [6, 2, 0, 0, 0]
    shown = contracts.shares[0]
    assert (shown.rate, round(shown.low, 3), round(shown.high, 3)) == (0.75, 0.409, 0.929)  # Wilson: 6 of 8
    assert (contracts.cost, contracts.per_shown, contracts.guard_ms) == ("0.0800", "0.01333", (2.0, 2.0))
    assert (chat.otherwise, chat.cost, chat.per_shown) == (
        "pending 1, unverified 1",
        "0.5000; unknown for 1",
        "unknown",
    )


def test_the_page_has_a_row_for_each_route_and_none_without(place, tmp_path):
    with served(place) as url:
        page = httpx.get(url).text
    assert [page.count(part) for part in ("Routes of the guard", "contracts</bdi>", "unknown for 1")] == [1, 1, 1]
    with served(tmp_path / "empty.sqlite") as url:
        assert "Routes of the guard" not in httpx.get(url).text
