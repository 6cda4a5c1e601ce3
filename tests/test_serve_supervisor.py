"""The first process of `serve`: it takes the ports, starts the others, starts them again, and ends them together."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
from contextlib import contextmanager
from pathlib import Path

import pytest

from showable.errors import SettingError
from showable.serving.address import is_loopback, names_loopback, need_token, shows_token, url_of
from showable.serving.children import LONGEST_PAUSE_S, Child, Kind
from showable.serving.retention import Retention
from showable.serving.settings import ServeSettings
from showable.serving.supervisor import serve

PROC = Path("/proc")
TINY = """
import os, signal
from pathlib import Path
def run(settings, taken=None):
    listens = "no" if taken is None else taken.getsockname()[1]
    Path(settings.store).with_name(f"pid-{os.getpid()}-{listens}").touch()
    signal.pause()
"""
SERVE = """
import sys
from showable.serving import supervisor
from showable.serving.settings import ServeSettings
supervisor.PROCESSES = {"receiver": "tiny:run", "scoring": "tiny:run"}
if __name__ == "__main__":
    supervisor.serve(ServeSettings(store=sys.argv[1], port=0, page_port=0, token="s3cret of sixteen", retain_days=7))
"""


@contextmanager
def started(folder):
    """Run a supervisor whose processes only wait; gives it, and a way to wait for its processes' ids."""
    (folder / "tiny.py").write_text(TINY)
    (folder / "first.py").write_text(SERVE)
    command = [sys.executable, str(folder / "first.py"), str(folder / "spans.sqlite")]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])},
    )

    def ids(n):
        while len(found := sorted(folder.glob("pid-*"), key=lambda path: path.stat().st_mtime_ns)) < n:
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.01)
        return [int(path.name.split("-")[1]) for path in found]

    with process:
        try:
            yield process, ids
        finally:
            process.kill()


def gone(pid):
    """Wait until a process has ended; one that nobody has asked how it ended is a zombie still."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
            if PROC.exists() and (PROC / f"{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.01)
    return False


def test_what_dies_is_started_again_and_nothing_outlives_the_first_process(tmp_path):
    with started(tmp_path) as (process, ids):
        first, second = ids(2)
        os.kill(first, signal.SIGKILL)
        third = ids(3)[2]
        process.kill()  # SIGKILL: it has no time to tell anybody
        assert gone(second)
        assert gone(third)
        [line] = process.stderr.read().splitlines()
    assert line.endswith(" ended (SIGKILL); it is started again in 0.5 s")


@pytest.mark.slow
def test_a_signal_ends_all_of_it_and_the_start_says_where_things_are(tmp_path):
    with started(tmp_path) as (process, ids):
        children = ids(2)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        assert all(gone(child) for child in children)
        said = process.stdout.read()
        assert process.stderr.read() == ""
    [port] = {path.name.split("-")[2] for path in tmp_path.glob("pid-*")} - {"no"}
    assert f"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:{port}" in said
    assert "s3cret" not in said
    assert "for 7 days" in said
    assert "Stopped." in said


class Ended:
    """A process that has ended."""

    def __init__(self, exitcode):
        self.exitcode, self.sentinel = exitcode, -1

    def close(self):
        pass


def child(exitcode):
    made = Child(Kind("scoring", "nowhere:run"), ServeSettings(store="-"))
    made._process, made._began = Ended(exitcode), time.monotonic()
    return made


def test_pauses_grow_to_their_longest(capsys):
    made = child(1)
    for _ in range(9):
        made._process, made._began = Ended(1), time.monotonic()
        made.look()
    pauses = [float(line.split(" in ")[1].split()[0]) for line in capsys.readouterr().err.splitlines()]
    assert pauses == [0.5, 1, 2, 4, 8, 16, LONGEST_PAUSE_S, LONGEST_PAUSE_S, LONGEST_PAUSE_S]


def test_a_wrong_setting_is_not_tried_again():
    with pytest.raises(SettingError, match="scoring cannot work as it was told to"):
        child(2).look()


def test_a_taken_port_is_said_before_anything_starts(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(SettingError, match=f"--port {port}: something else listens there"):
            serve(ServeSettings(store=str(tmp_path / "s.sqlite"), port=port, page_port=0))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"host": "0.0.0.0"}, "--host 0.0.0.0: others can reach"),  # noqa: S104 - refused
        ({"page_host": "::"}, "--page-host ::: others can reach"),
        ({"store": "chdb:/data"}, "open to one process alone"),
    ],
)
def test_what_cannot_be_served_is_refused(told, words):
    with pytest.raises(SettingError, match=words):
        serve(ServeSettings(**{"store": "-", "port": 0, "page_port": 0, **told}))


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("127.0.0.1", True), ("127.8.8.8", True), ("::1", True), ("localhost", True),  # RFC 1122 3.2.1.3, RFC 4291 2.5.3
        ("0.0.0.0", False), ("::", False), ("10.0.0.1", False), ("example.org", False),  # noqa: S104 - compared
    ],
)  # fmt: skip
def test_loopback(host, loopback):
    assert is_loopback(host) is loopback
    assert names_loopback(f"[{host}]:80" if ":" in host else f"{host}:80") is loopback
    if loopback:
        need_token("--host", host, None)


@pytest.mark.parametrize("header", ["", "127.0.0.1/x", "localhost@evil.example", "local host", "127.0.0.1:80:80"])
def test_odd_host_headers_name_nothing(header):
    assert not names_loopback(header)


@pytest.mark.parametrize(
    ("header", "shown"),
    [("Bearer a", True), ("bearer  a ", True), ("Bearer b", False), ("a", False), ("", False), (None, False), ("Bearer ä", False)],
)  # fmt: skip
def test_tokens(header, shown):
    assert shows_token(header, "a") is shown
    assert shows_token(header, None)


@pytest.mark.parametrize(("host", "name"), [("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("0.0.0.0", None)])  # noqa: S104 - shown
def test_addresses_can_be_opened(host, name):
    parts = urllib.parse.urlsplit(url_of(host, 4318))
    assert (parts.hostname, parts.port) == (name or socket.gethostname().lower(), 4318)


class Old:
    """A store with so many old rows."""

    def __init__(self, rows):
        self.rows, self.before = rows, []

    def prune(self, before_ns, *, limit):
        self.before.append(before_ns)
        gone, self.rows = min(limit, self.rows), max(0, self.rows - limit)
        return gone

    def close(self):
        pass


def test_what_is_old_goes_a_little_at_a_time(monkeypatch):
    store = Old(12_000)
    monkeypatch.setattr("showable.serving.retention.BETWEEN_S", 0)
    monkeypatch.setattr("showable.serving.retention.open_trace_store", lambda _: store)
    kept = Retention(ServeSettings(store="-", retain_days=2))
    kept.start()
    while store.rows or len(store.before) < 4:
        time.sleep(0.005)
    kept.end(5)
    assert len(store.before) == 4  # 5,000 and 5,000 and 2,000 and none
    assert abs(time.time_ns() - 2 * 86_400 * 10**9 - store.before[0]) < 60 * 10**9
