"""Answers of registries on disk, one SQLite file, safe for several processes at once. What is unsure is never written."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path

from pydantic import ValidationError

from showable.own_files import distrust, open_database
from showable.records import Found
from showable.records.lookups import FoundStatus

_FORMAT = 1
"""Part of the table's name: another version of this program does not read, and does not destroy, these rows."""
_BUSY_S = 5.0
_DAY_S = 86_400.0
_REFUSALS = (sqlite3.Error, UnicodeError)
"""What a disk or a key refuses: half a character in a citation cannot be written as text."""
_TABLE = f"answers_{_FORMAT}"

TIMES_TO_LIVE: Mapping[FoundStatus, float] = {
    "found": 7 * _DAY_S,
    "ambiguous": _DAY_S,
    "malformed": _DAY_S,
    "not_found": _DAY_S,
    "not_covered": _DAY_S,
}
"""Seconds for which an answer is believed. A status that is missing here (no network, no key, a limit) is never kept."""

MAY_BE_RETRACTED = frozenset({"doi", "pmid", "pmcid", "arxiv", "bibliographic", "nct", "url", "news"})
"""Kinds of which a record can turn bad from one day to the next: it is believed for a day."""


def lives_s(status: FoundStatus, kind: str) -> float | None:
    """Return the seconds for which an answer about a kind is believed; None where it is not to be kept."""
    seconds = TIMES_TO_LIVE.get(status)
    return min(seconds, _DAY_S) if seconds and kind in MAY_BE_RETRACTED else seconds


class AnswerCache:
    """A table of answers by key, with a time of expiry each.

    A file that is damaged is set aside under another name, and one that cannot be used is done without: `note`
    then says so in one line. `failures` counts what the disk refused.
    """

    def __init__(self, path: Path, now: Callable[[], float] = time.time, *, believed: float = 1.0) -> None:
        """Open the file, look it through, and drop what has expired.

        `believed` is the share of its time for which an answer counts here: whoever refreshes asks again before it is over.
        """
        self.path, self.note, self.failures = path, "", 0
        self._now, self._believed = now, believed
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        try:
            self._connection = self._opened()
        except sqlite3.OperationalError as error:
            self.note = f"registry cache {path}: cannot be used ({_line(error)}); answers are not kept"
        except (sqlite3.DatabaseError, UnicodeError) as error:  # a damaged file is quoted in what SQLite says of it
            self._connection = self._set_aside(_line(error))
        except OSError as error:
            self.note = f"registry cache {path}: cannot be opened ({_line(error)}); answers are not kept"

    def get(self, key: str) -> Found | None:
        """Return an answer that is still believed."""
        row = self._run(
            f"SELECT answer FROM {_TABLE} WHERE key = ? AND kept + (expires - kept) * ? > ? AND kept <= ?",  # noqa: S608
            key,
        )
        if row is None:
            return None
        try:
            return Found.model_validate_json(row[0]).model_copy(update={"cached": True})
        except ValidationError:
            self.failures += 1
            return None

    def put(self, key: str, kind: str, answer: Found) -> None:
        """Write an answer down, if it is one to keep. A disk that refuses costs the cache, never the answer."""
        seconds = lives_s(answer.status, kind)
        if seconds is None or answer.cached or self._connection is None:
            return
        text, now = answer.model_dump_json(exclude_defaults=True), self._now()
        with self._lock:
            try:
                self._connection.execute(
                    f"INSERT OR REPLACE INTO {_TABLE} (key, answer, kept, expires) VALUES (?, ?, ?, ?)",  # noqa: S608
                    (key, text, now, now + seconds),
                )
            except _REFUSALS:
                self.failures += 1
                # Whoever holds the file may hold it for long, and all that wait for answers wait with this.
                self._connection.execute("PRAGMA busy_timeout=0")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _run(self, query: str, key: str) -> tuple[str] | None:
        now = self._now()
        with self._lock:
            if self._connection is None:
                return None
            try:
                # A row from the future was kept under a clock that was wrong: nobody knows how old it is.
                with closing(self._connection.execute(query, (key, self._believed, now, now + _DAY_S / 24))) as rows:
                    row: tuple[str] | None = rows.fetchone()
                    return row
            except _REFUSALS:
                self.failures += 1
                return None

    def _opened(self) -> sqlite3.Connection:
        connection = open_database(self.path, _BUSY_S)
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        distrust(connection)
        _set_wal(connection)
        connection.execute("PRAGMA synchronous=NORMAL")
        (state,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if state != "ok":
            raise sqlite3.DatabaseError(state)
        connection.execute(
            f"CREATE TABLE IF NOT EXISTS {_TABLE}"
            " (key TEXT PRIMARY KEY, answer TEXT NOT NULL, kept REAL NOT NULL, expires REAL NOT NULL) WITHOUT ROWID"
        )
        connection.execute(f"DELETE FROM {_TABLE} WHERE expires <= ?", (self._now(),))  # noqa: S608

    def _set_aside(self, said: str) -> sqlite3.Connection | None:
        """Move a damaged file out of the way and begin anew."""
        aside = self.path.with_name(f"{self.path.name}.damaged-{os.getpid()}")
        try:
            self.path.replace(aside)
            for end in ("-wal", "-shm"):
                with suppress(FileNotFoundError):
                    self.path.with_name(f"{self.path.name}{end}").unlink()
            connection = self._opened()
        except (OSError, *_REFUSALS):
            self.note = f"registry cache {self.path}: damaged ({said}); delete it. Answers are not kept"
            return None
        self.note = f"registry cache {self.path}: damaged ({said}); set aside as {aside.name}, and begun anew"
        return connection


def _set_wal(connection: sqlite3.Connection) -> None:
    """Switch to write-ahead logging; SQLite does not wait by itself while another process does the same."""
    give_up = time.monotonic() + _BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > give_up:
                raise
            time.sleep(0.01)
        else:
            return


def _line(error: object) -> str:
    return " ".join(str(error).split())
