"""The trace store in ClickHouse, on its own engine within this process, and on a server where SHOWABLE_CLICKHOUSE_URL names one.

SHOWABLE_CLICKHOUSE_URL is such as clickhouse://default:@127.0.0.1:8123; databases `showable_test_…` are made there and dropped.
"""

import os
import subprocess
import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from trace_store_contract_answers import *  # noqa: F403 - the tests
from trace_store_contract_spans import *  # noqa: F403 - the tests
from trace_store_rows import NOON, T1, batch, ids, scored, span

from showable.records.spans import SpanEvent
from showable.stores.traces.clickhouse_engine import Engine
from showable.stores.traces.clickhouse_opening import _connected, open_database
from showable.stores.traces.clickhouse_schema import STEPS, VERSION
from showable.stores.traces.errors import StoreError
from showable.stores.traces.opening import open_trace_store

pytest.importorskip("chdb")
SERVER = os.environ.get("SHOWABLE_CLICKHOUSE_URL")


@pytest.fixture(scope="module")
def engine_folder(tmp_path_factory):
    return str(tmp_path_factory.mktemp("chdb") / "data")


@pytest.fixture(scope="module")
def kept_open(engine_folder):
    """The engine starts once: one client holds it for the whole module."""
    client = _connected("chdb", interface="chdb", path=engine_folder)
    yield client
    client.close()


@pytest.fixture(params=["chdb", "server"] if SERVER else ["chdb"])
def opened(request, kept_open, engine_folder):
    """Gives a function that opens the store of this test."""
    database = f"showable_test_{uuid.uuid4().hex[:12]}"
    stores = []

    def open_it(**options):
        if request.param == "server":
            stores.append(open_trace_store(f"{SERVER.rstrip('/')}/{database}", **options))
        else:
            client = _connected("chdb", interface="chdb", path=engine_folder)
            stores.append(open_database(client, "chdb", database, **options))
        return stores[-1]

    yield open_it
    for store in stores:
        store.close()
    if request.param == "chdb":
        kept_open.command(f"DROP DATABASE IF EXISTS {database}")
    else:
        store = open_trace_store(f"{SERVER.rstrip('/')}/{database}")
        store.engine.command(f"DROP DATABASE {database}")
        store.close()


@pytest.fixture
def store(opened):
    return opened()


def test_on_a_server(store):
    """All tests here run on the server that is named; without one this says so."""
    if not SERVER:
        pytest.skip("SHOWABLE_CLICKHOUSE_URL names no server: only ClickHouse's engine within this process was tested")
    assert store.engine.first("SELECT uptime()")[0] > 0


def test_a_store_that_is_opened_again_goes_on(opened):
    first = opened()
    first.add_spans(batch(3))
    first.add_scores([scored("a", chosen=True)], checkpoint=5)
    first.close()
    again = opened(make=False)
    last = again.spans_after(0, 9)[-1][0]
    assert again.add_spans([*batch(3), span(4)]) == 1
    assert again.spans_after(last, 9)[0][1] == span(4)
    assert (again.checkpoint(), ids(again.to_judge(5))) == (5, ids([scored("a")]))


def test_a_store_of_the_first_version_is_brought_up_to_date(opened):
    store = opened()
    store.add_spans(batch(2))
    store.engine.command("DROP TABLE waiting_events")
    store.engine.command("TRUNCATE TABLE schema_version")
    store.engine.insert("schema_version", {"version": [1]})
    again = opened()
    assert again.spans_of(T1) == batch(2)
    assert again.add_events([(T1, "ff" * 8, SpanEvent("e", NOON))]) == 1
    assert again.engine.first("SELECT max(version) FROM schema_version") == (VERSION,)
    assert len(STEPS) == VERSION


def test_a_newer_store_is_refused(opened):
    store = opened()
    store.engine.insert("schema_version", {"version": [VERSION + 1]})
    with pytest.raises(StoreError, match=f"schema {VERSION + 1}, and this version reads up to {VERSION}") as refused:
        opened()
    assert "\n" not in str(refused.value)


def test_what_is_refused_is_one_line(store):
    with pytest.raises(StoreError, match="did not do what was asked") as refused:
        store.engine.rows("SELECT nothing FROM nowhere")
    assert "\n" not in str(refused.value)
    assert isinstance(store.engine, Engine)


def test_a_batch_of_many_days_is_read_on_without_gaps(store):
    spans = [span(n, start_ns=NOON - n * 86_400_000_000_000) for n in range(150)]
    assert store.add_spans(spans) == 150
    assert {s.key for _, s in store.spans_after(0, 200)} == {s.key for s in spans}
    assert store.add_spans(spans) == 0
    store.add_scores([scored(chr(300 + n), at=NOON - n * 86_400_000_000_000) for n in range(150)])
    assert store.holdings().answers == 150


ANSWERS = {
    "a wrong password": (
        403,
        516,
        "DB::Exception: ada: Authentication failed: " + "password is incorrect. " * 30,
        "refused the user",
    ),
    "no such database": (404, 81, "DB::Exception: Database db does not exist.", "there is no such database"),
    "no ClickHouse": (200, None, "<html>hello</html>", "did not do what was asked"),
    "many words": (500, 999, "DB::Exception: " + "something " * 90, r"something …\)$"),
}


class Refusing(BaseHTTPRequestHandler):
    """Says what a ClickHouse server says when it refuses, in the form of its HTTP interface."""

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, code, words, _ = ANSWERS[self.server.answer]
        body = words.encode() if code is None else f"Code: {code}. {words}\n".encode()
        self.send_response(status)
        if code is not None:
            self.send_header("X-ClickHouse-Exception-Code", str(code))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST  # noqa: N815 - so it is called

    def log_message(self, *said):
        """Nothing on the terminal of the tests."""


@pytest.fixture(scope="module")
def refusing():
    with ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.mark.parametrize("answer", ANSWERS)
def test_what_a_server_refuses_is_one_line_with_its_address(refusing, answer):
    refusing.answer = answer
    at = f"127.0.0.1:{refusing.server_port}/db"
    with pytest.raises(StoreError, match=ANSWERS[answer][-1]) as refused:
        open_trace_store(f"clickhouse://ada:secret@{at}")
    assert str(refused.value).startswith(f"clickhouse://{at}: ")
    assert "secret" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_driver_writes_nothing_beside_the_error():
    """What a logger without a handler is told goes to stderr: here the error alone is to be there."""
    code = (
        "from showable.stores.traces.opening import open_trace_store as o; o('clickhouse://ada:secret@127.0.0.1:1/db')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "cannot be reached" in done.stderr
    assert "Unexpected Http Driver" not in done.stderr


@pytest.mark.parametrize(
    ("url", "said"),
    [
        (
            "clickhouse://ada:secret@127.0.0.1:1/db",
            "127.0.0.1:1/db: ClickHouse cannot be reached there: Connection refused$",
        ),
        ("clickhouse://ada:secret@127.0.0.1:99999/db", "no number from 1 to 65535"),
        ("clickhouse:///db", "names no host"),
        ("chdb:/nowhere/at/all", "there is no trace store"),
    ],
)
def test_what_cannot_be_reached_is_one_line_without_the_password(url, said):
    with pytest.raises(StoreError, match=said) as refused:
        open_trace_store(url, make=False)
    assert "secret" not in str(refused.value)
    assert "\n" not in str(refused.value)
