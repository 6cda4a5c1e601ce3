"""The tables of a trace store in SQLite, how one version becomes the next, and the checks a file passes before it is used."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from showable.own_files import distrust, open_database
from showable.stores.traces.errors import StoreError

APPLICATION = 0x50524254
"""Stands in the header of every trace store, so that no other database is taken for one."""
BUSY_S = 30.0
_DAMAGED = ("not a database", "malformed", "unsupported file format")

_FIRST = """
CREATE TABLE schema_version (version INTEGER NOT NULL);
INSERT INTO schema_version VALUES (0);
-- ids are blobs where they are hexadecimal digits; at_ns is what retention counts from; body is all of the span but its ids
CREATE TABLE spans (
    position INTEGER PRIMARY KEY AUTOINCREMENT, trace BLOB NOT NULL, span BLOB NOT NULL, parent BLOB, at_ns INTEGER NOT NULL,
    service TEXT NOT NULL, name TEXT NOT NULL, body BLOB NOT NULL, UNIQUE (trace, span)
);
CREATE INDEX spans_by_time ON spans (at_ns);
CREATE TABLE answers (
    row INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, trace_id TEXT NOT NULL, span_id TEXT NOT NULL,
    started_ns INTEGER NOT NULL, scored_ns INTEGER NOT NULL, exported_ns INTEGER,
    service TEXT NOT NULL, model TEXT NOT NULL, prompt_version TEXT NOT NULL, profile TEXT NOT NULL, cohort TEXT NOT NULL,
    bucket TEXT NOT NULL, cause TEXT NOT NULL, refusal TEXT NOT NULL,
    structural TEXT NOT NULL, resolvability TEXT NOT NULL, semantic TEXT NOT NULL, diagnosis TEXT NOT NULL,
    stratum TEXT NOT NULL, probability REAL NOT NULL, chosen INTEGER NOT NULL, judged INTEGER NOT NULL,
    failing INTEGER NOT NULL, complete INTEGER NOT NULL,
    latency_ms REAL, tokens_in INTEGER, tokens_out INTEGER, cost_usd REAL,
    retrieved_ids TEXT, cited_ids TEXT NOT NULL, loss_codes TEXT NOT NULL
);
-- the long texts stand apart, so that counting does not read past them
CREATE TABLE answer_texts (
    row INTEGER PRIMARY KEY, question TEXT NOT NULL, answer TEXT NOT NULL, record TEXT NOT NULL, scorecard TEXT NOT NULL,
    rest TEXT NOT NULL
);
CREATE INDEX answers_by_time ON answers (started_ns, id);
CREATE INDEX answers_by_trace ON answers (trace_id);
CREATE INDEX answers_failing ON answers (started_ns, id) WHERE failing = 1;
CREATE INDEX answers_to_judge ON answers (started_ns, id) WHERE chosen = 1 AND judged = 0;
CREATE INDEX answers_to_export ON answers (started_ns, id) WHERE exported_ns IS NULL;
-- how many of what is held, kept up with every write: counting millions of rows would take seconds
CREATE TABLE counters (name TEXT NOT NULL, value TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (name, value)) WITHOUT ROWID;
CREATE TABLE marks (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE texts (source_id TEXT PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE gauges (process TEXT PRIMARY KEY, gauges TEXT NOT NULL);
"""
_SECOND = """
-- events that came in log records before the span that they name
CREATE TABLE waiting_events (
    trace BLOB NOT NULL, span BLOB NOT NULL, body BLOB NOT NULL, at_ns INTEGER NOT NULL, PRIMARY KEY (trace, span, body)
) WITHOUT ROWID;
CREATE INDEX waiting_by_time ON waiting_events (at_ns);
"""
_THIRD = """
-- of guarded answers: the route, what the client received, and how long the guard took
ALTER TABLE answers ADD COLUMN route TEXT NOT NULL DEFAULT '';
ALTER TABLE answers ADD COLUMN release TEXT NOT NULL DEFAULT '';
ALTER TABLE answers ADD COLUMN guard_ms REAL;
CREATE INDEX answers_guarded ON answers (started_ns) WHERE route <> '';
"""
STEPS = (_FIRST, _SECOND, _THIRD)
"""What leads from each version of the file to the next; a new version is a new entry, and no entry ever changes."""
VERSION = len(STEPS)


def connect(path: Path, *, make: bool) -> sqlite3.Connection:
    """Open, or make, a trace store. Raises StoreError, in one line, where it cannot be read and written as one."""
    try:
        if not make and not path.is_file():
            raise StoreError(f"{path}: there is no trace store; `showable serve` and `showable traces import` make one")
        connection = open_database(path, BUSY_S)
    except (OSError, ValueError, sqlite3.Error) as error:
        said = " ".join(str(error).split())
        raise StoreError(
            f"{path}: no trace store can be opened there ({said}); name a file that can be written"
        ) from None
    try:
        _prepare(connection, path)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        connection.close()
        raise refused(path, error) from None
    except BaseException:
        connection.close()
        raise
    return connection


def refused(path: Path, error: Exception) -> StoreError:
    """Return what became of a read or a write that SQLite refused."""
    said = " ".join(str(error).split())
    if any(words in said for words in _DAMAGED):
        return StoreError(f"{path}: no trace store, or a damaged one ({said}); name another, or put back a copy of it")
    if "full" in said:
        return StoreError(f"{path}: the disk is full; nothing of this was written, what was acknowledged before stands")
    if "readonly" in said or "read-only" in said:
        return StoreError(f"{path}: the trace store cannot be written ({said}); copy it to where it can be")
    if "locked" in said or "busy" in said:
        return StoreError(f"{path}: in use by another process for over {BUSY_S:.0f} seconds; try again")
    return StoreError(f"{path}: the trace store cannot be read or written ({said})")


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Set the connection up and bring the file to this version.

    No check of the whole file is made, as it may hold many gigabytes; a damaged page is refused when it is met. `synchronous` is FULL, so
    that what was acknowledged survives a power cut, and not kill -9 alone: a batch of 500 spans took 5 to 10 ms so, and 4 to 8 ms with
    NORMAL. The page size, 8 kB for bodies of a kilobyte or two, and the vacuum take effect in a file that has no pages yet.
    """
    distrust(connection)
    with _at_once(connection, "DEFERRED"):
        _refuse_others(connection, path)
    connection.execute("PRAGMA page_size=8192")
    connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
    _set_wal(connection)
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA cache_size=-65536")
    connection.execute("PRAGMA wal_autocheckpoint=4000")
    connection.execute("PRAGMA journal_size_limit=67108864")
    connection.create_function("folded", 1, _folded, deterministic=True)
    if _version(connection) == VERSION:
        return  # no write, so that opening waits for no writer
    with _at_once(connection, "IMMEDIATE"):  # of two processes the second finds all done
        _refuse_others(connection, path)
        _migrate(connection)


@contextmanager
def _at_once(connection: sqlite3.Connection, kind: str) -> Iterator[None]:
    """See one state of the file throughout, and leave it changed as a whole or not at all.

    Without this, a check of several reads may see a file half before and half after another process made the store in it.
    """
    connection.execute(f"BEGIN {kind}")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _folded(text: str | None) -> str | None:
    """Return text for a search whatever the case; SQLite's own `lower` knows ASCII alone."""
    return None if text is None else text.casefold()


def _refuse_others(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a database that is no trace store, or a newer one, before anything in it is changed."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION:
        if application or connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            raise StoreError(f"{path}: is a database, but no trace store; name another")
    elif (version := _version(connection)) > VERSION:
        said = f"the trace store is of schema {version}, and this version reads up to {VERSION}"
        raise StoreError(f"{path}: {said}; use the newer version of showable that wrote it")


def _version(connection: sqlite3.Connection) -> int:
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name='schema_version'").fetchone() is None:
        return 0
    return int(connection.execute("SELECT MAX(version) FROM schema_version").fetchone()[0])


def _migrate(connection: sqlite3.Connection) -> None:
    version = _version(connection)
    for step in STEPS[version:]:
        for statement in step.split(";\n"):  # executescript would commit in between
            connection.execute(statement)
    if version < VERSION:
        connection.execute("UPDATE schema_version SET version=?", (VERSION,))
        connection.execute(f"PRAGMA application_id={APPLICATION}")


def _set_wal(connection: sqlite3.Connection) -> None:
    """Switch to write-ahead logging; SQLite does not wait by itself while another process does the same."""
    give_up = time.monotonic() + BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > give_up:
                raise
            time.sleep(0.01)
        else:
            return
