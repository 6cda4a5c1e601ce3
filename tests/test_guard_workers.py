"""`showable guard` as a command: it says when it is ready, ends open calls before it ends, and outlives kill -9 of a worker."""

import asyncio
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from guarded import GOOD, LOG, Reply, Upstream, chat, config_text, model

from showable.production.guard.client_connection import ClientConnection
from showable.stores.traces.opening import open_trace_store
from showable.stores.traces.store import Where

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
from guard_kills import kill_under_load

CHAT = "/v1/chat/completions"
ASKED = {"model": "m", "messages": [{"role": "user", "content": "q"}], "showable": LOG}


@contextmanager
def upstream(script):
    """An upstream in a thread of its own."""
    behind, ready, ended = Upstream(script), threading.Event(), []

    async def run():
        connections = set()
        loop = asyncio.get_running_loop()
        stop = asyncio.Event()
        server = await loop.create_server(
            lambda: ClientConnection(behind.answer, connections, 64 << 20), "127.0.0.1", 0
        )
        behind.port = server.sockets[0].getsockname()[1]
        ended.append(lambda: loop.call_soon_threadsafe(stop.set))
        ready.set()
        await stop.wait()
        server.close()
        for connection in list(connections):
            connection.close()

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    assert ready.wait(30)
    try:
        yield behind
    finally:
        ended[0]()
        thread.join(30)


@contextmanager
def command(tmp_path, port, *options, route=None, top=""):
    """The command, once it says that it listens; what it still runs at the end is killed."""
    config = tmp_path / "guard.toml"
    config.write_text(config_text(port, route, top=top), "utf-8")
    given = [sys.executable, "-m", "showable", "guard", "--config", str(config), "--listen", "127.0.0.1:0", *options]
    process = subprocess.Popen(given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        assert line.startswith("listening on http://127.0.0.1:"), process.stderr.read()
        yield process, line.removeprefix("listening on ").strip()
    finally:
        process.kill()
        process.communicate(timeout=30)


def children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _connect_until_refused(port):
    while True:  # the port closes once the signal has been seen; what waited to be accepted then is reset
        with suppress(ConnectionResetError):
            socket.create_connection(("127.0.0.1", port), timeout=5).close()


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_an_open_call_is_finished_before_the_guard_ends(tmp_path, workers):
    asked, go_on = threading.Event(), threading.Event()
    body = json.dumps(chat(GOOD)).encode()
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body)

    def script(_request):
        asked.set()
        return Reply([head, go_on, body])

    found = []
    with upstream(script) as behind, command(tmp_path, behind.port, "--workers", str(workers)) as (process, url):
        client = threading.Thread(target=lambda: found.append(httpx.post(f"{url}{CHAT}", json=ASKED, timeout=60)))
        client.start()
        assert asked.wait(30)
        process.send_signal(signal.SIGTERM)
        port = int(url.rpartition(":")[2])
        if workers == 1:
            with pytest.raises(ConnectionRefusedError):
                _connect_until_refused(port)
        go_on.set()
        client.join(60)
        assert process.wait(60) == 0
    assert found[0].content == body
    assert found[0].headers["x-showable-release"] == "show"


@pytest.mark.slow
@pytest.mark.parametrize("of", ["worker", "upstream"])
def test_who_is_killed_under_load_releases_nothing_undecided_and_nothing_sticks(of):
    outcome = kill_under_load(of, 20)
    assert (outcome.kills, outcome.leaked, outcome.changed, outcome.stuck) == (20, 0, 0, 0)
    assert outcome.releases.keys() <= {"show", "hold", "error", "no reply"}
    assert min(outcome.releases["show"], outcome.releases["hold"]) > 20


@pytest.mark.slow
def test_workers_share_logs_and_counts(tmp_path):
    with (
        upstream(model(chat(GOOD))) as behind,
        command(tmp_path, behind.port, "--workers", "2", "--data", str(tmp_path / "d")) as (process, url),
    ):
        httpx.put(f"{url}/showable/logs/run", json=LOG).raise_for_status()
        bare = {"model": "m", "messages": []}
        for _ in range(8):  # each by a connection of its own, which either worker may take
            reply = httpx.post(f"{url}{CHAT}", json=bare, headers={"x-showable-log": "run"})
            assert reply.headers["x-showable-release"] == "show"
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    rows = [row for path in (tmp_path / "d").glob("counters-*.json") for row in json.loads(path.read_text())]
    assert sum(value for name, _, value in rows if name == "showable_guard_calls_total") == 8


@pytest.mark.slow
def test_workers_judge_in_processes_of_their_own_and_share_a_keeper(tmp_path):
    claim = {"text": "Notice is ninety days.", "kind": "holding"}
    claim["citations"] = [{"source_id": "lease", "quoted_span": "giving ninety days' written notice"}]
    answer = chat(json.dumps({"claims": [claim], "refusal": "none"}))
    route = {"profile": "legal", "no_retrieval": "hold", "semantic": None, "reading_ms": 30_000, "judge_ms": 30_000}
    with (
        upstream(model(answer)) as behind,
        command(
            tmp_path, behind.port, "--workers", "2", route=route, top='[store]\npath = "t.sqlite"\ntexts = true'
        ) as (process, url),
    ):
        seen = set()
        for _ in range(8):  # each by a connection of its own, which either worker may take
            reply = httpx.post(f"{url}{CHAT}", json=ASKED, timeout=60)
            seen.add(reply.headers["x-showable-release"])
            assert "semantic=unknown" not in reply.headers["x-showable-rubrics"]
        with closing(open_trace_store(tmp_path / "t.sqlite")) as store:
            until = time.monotonic() + 60
            while sum(sum(one.releases.values()) for one in store.routes(Where())) < 8:
                assert time.monotonic() < until, "not every answer was kept"
                time.sleep(0.05)
            texts = {row.answer for row in store.answers(Where(), limit=9)}
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    assert seen <= {"show", "refused"}  # by its verdict, and never undecided
    assert texts == {"Notice is ninety days."} or all("ninety" in text for text in texts)


def test_mistakes_of_the_command_line_are_one_line(tmp_path, cli):
    code, _, error = cli("guard", "--listen", "nowhere")
    assert (code, "HOST:PORT" in error) == (2, True)
    code, _, error = cli("guard", "--config", str(tmp_path / "missing.toml"))
    assert (code, error.count("\n")) == (2, 1)
    config = tmp_path / "guard.toml"
    config.write_text(config_text(1), "utf-8")
    code, _, error = cli("guard", "--config", str(config), "--listen", "0.0.0.0:0")
    assert (code, "others can reach that address" in error) == (2, True)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, _, error = cli("guard", "--config", str(config), "--listen", f"127.0.0.1:{taken.getsockname()[1]}")
    assert (code, "in use" in error) == (2, True)
