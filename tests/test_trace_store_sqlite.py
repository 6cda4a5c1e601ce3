"""The trace store in SQLite: versions, damaged files, a full disk, several processes, and kill -9."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing

import pytest
from trace_store_rows import NOON, T1, T2, batch, scored, span

from showable.records.spans import SpanEvent
from showable.stores.traces.errors import StoreError
from showable.stores.traces.opening import open_trace_store
from showable.stores.traces.sqlite_schema import APPLICATION, STEPS, VERSION


@pytest.fixture
def path(tmp_path):
    return tmp_path / "traces.db"


def refused(path, **options):
    with pytest.raises(StoreError) as error:
        open_trace_store(path, **options)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_store_of_the_first_version_is_brought_up_to_date(path):
    with closing(sqlite3.connect(path)) as by_hand:
        by_hand.executescript(STEPS[0])
        body = b'[null,"step",7,9,"shop",{"a":1},[],[],"ok","","scope",{},["odd"]]'
        row = (bytes.fromhex(T1), bytes(8), 7, "shop", "step", body)
        by_hand.execute("INSERT INTO spans (trace, span, at_ns, service, name, body) VALUES (?, ?, ?, ?, ?, ?)", row)
        by_hand.execute("UPDATE schema_version SET version=1")
        by_hand.execute(f"PRAGMA application_id={APPLICATION}")
        by_hand.commit()
    with closing(open_trace_store(path)) as store:
        (held,) = store.spans_of(T1)
        assert (held.name, held.start_ns, held.attributes, held.problems) == ("step", 7, {"a": 1}, ("odd",))
        assert store.add_events([(T1, "00" * 8, SpanEvent("e", 8))]) == 1
        assert store.file.first("SELECT version FROM schema_version") == (VERSION,)


def test_a_newer_store_is_refused(path):
    with closing(open_trace_store(path)) as store, store.file.writing():
        store.file.write("UPDATE schema_version SET version=99")
    assert f"schema 99, and this version reads up to {VERSION}" in refused(path)


def test_what_is_no_trace_store_is_refused(path):
    path.write_text("question,answer\n" * 2000)
    assert "no trace store, or a damaged one" in refused(path)
    path.unlink()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE notes (text)")
    assert "is a database, but no trace store" in refused(path)
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("notes",)]


def test_a_store_that_another_makes_meanwhile_is_taken_for_one(path, monkeypatch):
    """Another makes the store in the middle of the check of what the file is; that check then saw half of each."""
    connect, others = sqlite3.connect, []

    def connected(*given, **options):
        connection = connect(*given, **options)
        if not others:
            connection.set_trace_callback(meanwhile)
        return connection

    def meanwhile(statement):
        if "sqlite_master" in statement and not others:
            others.append(threading.Thread(target=lambda: open_trace_store(path).close()))
            others[0].start()
            others[0].join(0.2)

    monkeypatch.setattr(sqlite3, "connect", connected)
    with closing(open_trace_store(path)) as store:
        others[0].join()
        assert store.holdings().spans == 0


def test_what_cannot_be_opened_is_refused(path, tmp_path):
    assert "there is no trace store" in refused(path, make=False)
    assert not path.exists()
    assert "can be opened there" in refused(tmp_path)
    path.write_text("")
    assert "can be opened there" in refused(path / "below")
    assert "can be opened there" in refused("a\x00b")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_store_that_may_not_be_written_is_refused(path):
    open_trace_store(path).close()
    path.chmod(0o400)
    path.parent.chmod(0o500)
    try:
        assert "cannot be" in refused(path)
    finally:
        path.parent.chmod(0o700)


def test_a_damaged_page_is_met_in_one_line(path):
    with closing(open_trace_store(path)) as store:
        store.add_spans(batch(500))
    whole = path.read_bytes()
    path.write_bytes(whole[:16384] + os.urandom(len(whole) - 16384))
    with pytest.raises(StoreError, match="damaged") as error, closing(open_trace_store(path)) as store:
        store.add_spans(batch(501))
    assert "\n" not in str(error.value)


def test_a_damaged_row_is_met_in_one_line(path):
    with closing(open_trace_store(path)) as store:
        store.add_spans(batch(2))
        store.add_scores([scored("a")])
        with store.file.writing():
            store.file.write("UPDATE spans SET body=substr(body, 1, 20) WHERE position=2")
            store.file.write("UPDATE answer_texts SET scorecard=?", ('{"id": "a", "axes": 6}',))
        with pytest.raises(StoreError, match=r"span '0{15}2' of trace '0a.* is damaged in the store"):
            store.spans_after(0, 10)
        assert [one for _, one in store.spans_after(0, 1)] == batch(1)
        with pytest.raises(StoreError, match="is damaged in the store, or of another version of showable"):
            store.to_export(5)


def test_on_a_full_disk_nothing_is_half_written_and_later_writes_work(path):
    with closing(open_trace_store(path)) as store:
        store.add_spans(batch(5))
        store.add_scores([scored("a")], checkpoint=1)
        (pages,) = store.file.first("PRAGMA page_count")
        store.file.rows(f"PRAGMA max_page_count={pages + 2}")
        large = [span(n, T2, attributes={"text": "x" * 5000}) for n in range(50)]
        for write in (
            lambda: store.add_spans(large),
            lambda: store.add_texts({f"d{n}": "x" * 5000 for n in range(50)}),
            lambda: store.add_scores([scored("a"), scored("b", question="x" * 100_000)], checkpoint=2),
        ):
            with pytest.raises(StoreError, match="the disk is full; nothing of this was written"):
                write()
        assert (store.spans_of(T2), store.texts(["d0"]), store.checkpoint()) == ([], {}, 1)
        assert (store.holdings().spans, store.holdings().answers) == (5, 1)
        assert store.add_spans([span(6)]) == 1
        store.file.rows("PRAGMA max_page_count=1000000")
        assert store.add_spans(large) == 50
        assert store.file.first("PRAGMA quick_check") == ("ok",)


def test_pruning_gives_room_back(path):
    with closing(open_trace_store(path)) as store:
        texts = {"text": "x" * 3000}
        store.add_spans([span(n, attributes=texts) for n in range(300)])
        store.add_scores([], checkpoint=300)
        pages = store.file.first("PRAGMA page_count")[0]
        assert store.prune(NOON + 200, limit=150) == 150
        assert store.prune(NOON + 200, limit=150) == 50
        assert store.file.first("PRAGMA page_count")[0] < pages / 2
        assert len(store.spans_of(T1)) == store.holdings().spans == 100


_NURSERY = """
import os, sys
from showable.records.spans import Span
from showable.stores.traces.opening import open_trace_store

def add(store, name, most, said):
    with open(said, "a", buffering=1) as said:
        for n in range(0, most, 20):
            store.add_spans([Span(name * 16, f"{n + i:016x}", start_ns=1, attributes={"text": "x" * 500}) for i in range(20)])
            store.add_scores([], checkpoint=n)
            print(n + 20, file=said)

for line in sys.stdin:
    path, name, most, said = line.split()
    if (child := os.fork()) == 0:
        add(open_trace_store(path), name, int(most), said)
        os._exit(0)
    print(child, flush=True)
"""


@pytest.fixture(scope="module")
def nursery():
    """A process that has everything imported, and forks one that writes whenever it is told to."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", _NURSERY]
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, env=environment, text=True, **streams) as process:
        yield process


def writer(nursery, path, name, most):
    """Another process that adds batches of 20 spans: its id, and the file where it notes how many were acknowledged."""
    said = path.with_name(f"{name}.txt")
    said.touch()
    nursery.stdin.write(f"{path} {name} {most} {said}\n")
    nursery.stdin.flush()
    return int(nursery.stdout.readline()), said


def acknowledged(said):
    """How many spans were acknowledged: the last whole line."""
    return int((["0", *said.read_text().split("\n")])[-2])


def wait_for(true):
    give_up = time.monotonic() + 30
    while not true():
        assert time.monotonic() < give_up
        time.sleep(0.001)


def test_what_was_acknowledged_survives_kill_9(path, nursery):
    names = ("a1", "a2", "a3")
    children = [writer(nursery, path, name, 10**9) for name in names]
    moments = random.Random(4)  # noqa: S311 - no secret
    for pid, said in children:
        wait_for(lambda said=said: acknowledged(said))
        time.sleep(moments.random() / 20)
        os.kill(pid, signal.SIGKILL)
    with closing(open_trace_store(path)) as store:
        for name, (_, said) in zip(names, children, strict=True):
            held = {s.span_id for s in store.spans_of(name * 16)}
            assert held >= {f"{i:016x}" for i in range(acknowledged(said))}
            assert len(held) % 20 == 0
        assert store.file.first("PRAGMA quick_check") == ("ok",)
        assert store.holdings().spans == store.file.first("SELECT count(*) FROM spans")[0]


def test_processes_write_and_read_at_once(path, nursery):
    for name in ("b1", "b2"):
        writer(nursery, path, name, 200)
    with closing(open_trace_store(path)) as store:
        position, seen = 0, []

        def all_seen():
            nonlocal position
            page = store.spans_after(position, 50)
            seen.extend(one.key for _, one in page)
            position = page[-1][0] if page else position
            return len(seen) >= 400

        wait_for(all_seen)
        assert len(seen) == len(set(seen)) == store.holdings().spans == 400
