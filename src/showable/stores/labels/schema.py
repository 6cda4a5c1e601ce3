"""The tables of a label file, how one version becomes the next, and the checks a file passes before it is used."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

from showable.errors import SettingError
from showable.own_files import distrust, open_database

APPLICATION = 0x50524C42
"""Stands in the header of every label file, so that no other database is taken for one."""
BUSY_S = 30.0
_NOT_A_DATABASE, _CORRUPT = "not a database", "malformed"

_FIRST = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE guides (digest TEXT PRIMARY KEY, about TEXT NOT NULL, text TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE reviewers (key TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, role TEXT NOT NULL, since TEXT NOT NULL);
-- `at` is the label's time in microseconds and sorts as text; a claim or citation that is not there is -1.
-- `here` tells words given on the page from imported ones; `undoes` names the event that an undo takes back
CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
    record TEXT NOT NULL, about TEXT NOT NULL, claim INTEGER NOT NULL, citation INTEGER NOT NULL,
    reviewer TEXT NOT NULL, adjudicated INTEGER NOT NULL, at TEXT NOT NULL,
    here INTEGER NOT NULL, undoes INTEGER UNIQUE REFERENCES events (seq), seconds REAL, body TEXT NOT NULL
);
CREATE INDEX by_target ON events (record, about, claim, citation, reviewer, adjudicated, at, id);
CREATE INDEX by_reviewer ON events (reviewer, record);
CREATE INDEX by_turn ON events (reviewer, here, seq);
CREATE TABLE queues (
    name TEXT PRIMARY KEY, kind TEXT NOT NULL, seed INTEGER NOT NULL, overlap INTEGER NOT NULL, at TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE queue_records (
    queue TEXT NOT NULL, position INTEGER NOT NULL, record TEXT NOT NULL,
    PRIMARY KEY (queue, position), UNIQUE (queue, record)
) WITHOUT ROWID;
CREATE TABLE assignments (
    turn INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, position INTEGER NOT NULL, reviewer TEXT NOT NULL,
    shared INTEGER NOT NULL, at TEXT NOT NULL, finished TEXT, UNIQUE (queue, reviewer, position)
);
CREATE UNIQUE INDEX dealt_once ON assignments (queue, position) WHERE shared = 0;
CREATE TABLE hold_out (position INTEGER PRIMARY KEY, record TEXT NOT NULL UNIQUE);
-- the records of which a person was shown what others said: what they label after that is not blind
CREATE TABLE others_seen (
    reviewer TEXT NOT NULL, record TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (reviewer, record)
) WITHOUT ROWID;
"""
_SECOND = """
-- people who said that they only settle what others disagree on: nothing is hidden from them, and no label of theirs is blind
CREATE TABLE settle_only (reviewer TEXT PRIMARY KEY, since TEXT NOT NULL) WITHOUT ROWID
"""
_STEPS = (_FIRST, _SECOND)
"""What leads from each version of the file to the next; a new version is a new entry, and no entry ever changes."""
VERSION = len(_STEPS)


def connect(path: Path) -> sqlite3.Connection:
    """Open or make a label file. Raises SettingError, in one line, where it cannot be read and written as one."""
    if path.is_symlink() and (path.parent / "run.json").exists():
        raise SettingError(f"{path}: is a link, which is not followed in a run's own folder; name the file itself")
    try:
        connection = open_database(path, BUSY_S)
    except (OSError, sqlite3.Error) as error:
        raise SettingError(f"{path}: labels cannot be opened ({error}); name a file that can be written") from None
    try:
        _prepare(connection, path)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        connection.close()
        raise refused(path, error) from None
    except BaseException:
        connection.close()
        raise
    return connection


def refused(path: Path, error: Exception) -> SettingError:
    """Return what became of a read or a write that SQLite refused."""
    said = " ".join(str(error).split())
    if _NOT_A_DATABASE in said or _CORRUPT in said:
        return damaged(path, said)
    if "full" in said:
        return SettingError(
            f"{path}: the disk is full; nothing of this was written, what was acknowledged before stands"
        )
    if "readonly" in said or "read-only" in said:
        return SettingError(f"{path}: labels cannot be written ({said}); copy the file to where it can be written")
    if "locked" in said or "busy" in said:
        return SettingError(f"{path}: in use by another process for over {BUSY_S:.0f} seconds; try again")
    return SettingError(f"{path}: labels cannot be read or written ({said})")


def damaged(path: Path, said: str) -> SettingError:
    """Report that a file is not, or no longer, a whole label file."""
    plainly = " ".join(said.split())
    return SettingError(f"{path}: no label file, or a damaged one ({plainly}); name another, or put back a copy of it")


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    distrust(connection)
    _refuse_others(connection, path)
    _set_wal(connection)
    connection.execute("PRAGMA synchronous=FULL")  # a label that was acknowledged survives a power cut
    (state,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if state != "ok":
        raise damaged(path, str(state))
    connection.execute("BEGIN IMMEDIATE")  # of two processes the second finds all done
    try:
        _refuse_others(connection, path)
        _migrate(connection)
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _refuse_others(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a database that is no label file, or a newer one, before anything in it is changed."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        if application or version or connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            raise SettingError(f"{path}: is a database, but no label file; name another")
    elif version > VERSION:
        said = f"labels are of schema {version}, and this version reads up to {VERSION}"
        raise SettingError(f"{path}: {said}; use the newer version of showable that wrote them")


def _migrate(connection: sqlite3.Connection) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    for step in _STEPS[version:]:
        for statement in step.split(";\n"):  # executescript would commit in between
            connection.execute(statement)
    if version < VERSION:
        connection.execute(f"PRAGMA application_id={APPLICATION}")
        connection.execute(f"PRAGMA user_version={VERSION}")


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
