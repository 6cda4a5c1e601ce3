"""The SQLite file of a feed: its tables, how one version becomes the next, and transactions on it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from showable.errors import SettingError
from showable.own_files import distrust, open_database
from showable.stores.sqlite_statements import SqliteStatements

APPLICATION = 0x53484644
"""Stands in the header of every feed, so that no other database is taken for one."""
BUSY_S = 30.0

_FIRST = """
-- failing answers as points: features is JSON (what space.py reads), vector the text's, float32; gone once the answer is pruned
CREATE TABLE feed_items (
    answer_id TEXT NOT NULL, space TEXT NOT NULL, scored_ns INTEGER NOT NULL, at_ns INTEGER, same_as TEXT NOT NULL,
    weight REAL NOT NULL, features TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (answer_id, space)
) WITHOUT ROWID;
CREATE INDEX feed_items_by_time ON feed_items (at_ns);
CREATE TABLE feed_batches (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, at_ns INTEGER NOT NULL, since_ns INTEGER, until_ns INTEGER,
    space TEXT NOT NULL, parameters TEXT NOT NULL, n INTEGER NOT NULL, passing INTEGER NOT NULL, unknown INTEGER NOT NULL,
    not_grouped INTEGER NOT NULL, sampled INTEGER NOT NULL
);
-- cluster is the name before people's merges, issue the one after them, '' for what is not grouped
CREATE TABLE feed_members (
    batch TEXT NOT NULL, answer_id TEXT NOT NULL, cluster TEXT NOT NULL, issue TEXT NOT NULL, p REAL NOT NULL,
    core INTEGER NOT NULL, also TEXT NOT NULL, PRIMARY KEY (batch, answer_id)
) WITHOUT ROWID;
CREATE INDEX feed_members_by_issue ON feed_members (batch, issue);
-- body is the whole Issue as JSON, the columns what it is listed by
CREATE TABLE feed_issues (
    id TEXT PRIMARY KEY, number INTEGER NOT NULL UNIQUE, space TEXT NOT NULL, state TEXT NOT NULL, title TEXT NOT NULL,
    first_ns INTEGER, last_ns INTEGER, merged_into TEXT, split_from TEXT, batch TEXT NOT NULL, body TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE feed_events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, at_ns INTEGER NOT NULL, who TEXT NOT NULL, issue TEXT NOT NULL, kind TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX feed_events_by_issue ON feed_events (issue, seq);
CREATE TABLE feed_evidence (
    batch TEXT NOT NULL, issue TEXT NOT NULL, card TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (batch, issue, card)
) WITHOUT ROWID
"""
STEPS = (_FIRST,)
"""What leads from each version of the file to the next; a new version is a new entry, and no entry ever changes."""
VERSION = len(STEPS)


class FeedFile(SqliteStatements):
    """An open feed file. Threads may share one; every write inside `writing` is one transaction, one writer at a time.

    Raises SettingError, in one line, for whatever SQLite or the disk refuses.
    """

    def __init__(self, path: Path, *, make: bool = True) -> None:
        """Open it, or make it."""
        if not make and not path.is_file():
            raise SettingError(f"{path}: there is no feed here yet; `showable feed build` makes one")
        self.path = path
        self._lock = threading.RLock()
        with self._plainly():
            self._connection = open_database(path, BUSY_S)
        try:
            with self._plainly():
                self._prepare()
        except BaseException:
            self._connection.close()
            raise

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the file for writing: what is done inside is committed as a whole, or not at all. Other processes wait."""
        with self._lock, self._plainly():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def _prepare(self) -> None:
        distrust(self._connection)
        version = self._checked_version()
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute(
            "PRAGMA synchronous=FULL"
        )  # a person's word that was acknowledged survives a power cut
        if version == VERSION:
            return
        with self.writing():  # of two processes the second finds all done
            for step in STEPS[self._checked_version() :]:
                for statement in step.split(";\n"):  # executescript would commit in between
                    self._connection.execute(statement)
            self._connection.execute(f"PRAGMA application_id={APPLICATION}")
            self._connection.execute(f"PRAGMA user_version={VERSION}")

    def _checked_version(self) -> int:
        """Return the version of the schema, 0 for an empty file. Raises SettingError for another database or a newer one."""
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION and (
            application or version or self._connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        ):
            raise SettingError(f"{self.path}: is a database, but no feed; name another")
        if version > VERSION:
            said = f"the feed is of schema {version}, and this version reads up to {VERSION}"
            raise SettingError(f"{self.path}: {said}; use the newer version of showable that wrote it")
        return int(version)

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise SettingError(f"{self.path}: a feed cannot be opened there ({error.strerror or error})") from None
        except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:
            said = " ".join(str(error).split())
            if "locked" in said or "busy" in said:
                said = f"another process has been writing it for over {BUSY_S:.0f} seconds"
            raise SettingError(f"{self.path}: the feed cannot be read or written ({said})") from None
