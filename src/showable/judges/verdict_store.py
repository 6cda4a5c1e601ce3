"""Verdicts on disk, one SQLite file, safe for several processes and threads at once."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from pydantic import ValidationError

from showable.own_files import distrust, open_database
from showable.records import SettingError, Verdict

_FORMAT = 1
_BUSY_S = 30.0
_BATCH = 500
"""Keys in one query; SQLite allows 999 at the least."""


class VerdictStore:
    """A table of verdicts by key. What cannot be read back counts as absent; `failures` counts what the disk refused.

    Opens or makes the file. Raises SettingError naming the file where it is damaged, of another
    format, or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        """Open the file and look it through once."""
        self.path = path
        self.failures = 0
        self._lock = threading.Lock()
        try:
            self._connection = open_database(path, _BUSY_S)
        except (OSError, sqlite3.OperationalError) as error:
            raise SettingError(
                f"verdict cache {path}: cannot be opened ({error}); name a file that can be written"
            ) from None
        try:
            self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def get(self, keys: Sequence[str]) -> dict[str, Verdict]:
        """Return the verdicts there are, by key."""
        found: dict[str, Verdict] = {}
        with self._lock:
            try:
                for at in range(0, len(keys), _BATCH):
                    found |= self._get(keys[at : at + _BATCH])
            except sqlite3.Error:
                self.failures += 1
        return found

    def put(self, verdicts: Mapping[str, Verdict]) -> None:
        """Write verdicts down and commit. A disk that refuses costs the cache, never the verdict."""
        rows = [(key, verdict.model_dump_json(exclude_defaults=True)) for key, verdict in verdicts.items()]
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.executemany("INSERT OR REPLACE INTO verdicts (key, verdict) VALUES (?, ?)", rows)
                self._connection.execute("COMMIT")
            except sqlite3.Error:
                self.failures += 1
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _get(self, keys: Sequence[str]) -> dict[str, Verdict]:
        marks = ",".join("?" * len(keys))
        query = f"SELECT key, verdict FROM verdicts WHERE key IN ({marks})"  # noqa: S608 - question marks alone
        found: dict[str, Verdict] = {}
        with closing(self._connection.execute(query, tuple(keys))) as rows:
            for key, text in rows:
                try:
                    found[key] = Verdict.model_validate_json(text)
                except ValidationError:
                    self.failures += 1
        return found

    def _prepare(self) -> None:
        try:
            distrust(self._connection)
            self._set_wal()
            self._connection.execute("PRAGMA synchronous=NORMAL")
            (state,) = self._connection.execute("PRAGMA quick_check(1)").fetchone()
            (revision,) = self._connection.execute("PRAGMA user_version").fetchone()
            if state == "ok" and revision == 0:
                self._create()
                revision = _FORMAT
        except sqlite3.OperationalError as error:
            raise SettingError(f"verdict cache {self.path}: cannot be used ({error})") from None
        except sqlite3.DatabaseError as error:
            raise self._damaged(str(error)) from None
        if state != "ok":
            raise self._damaged(str(state))
        if revision != _FORMAT:
            raise SettingError(f"verdict cache {self.path}: written by another version of this program; delete it")

    def _create(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("CREATE TABLE IF NOT EXISTS verdicts (key TEXT PRIMARY KEY, verdict TEXT NOT NULL)")
        self._connection.execute(f"PRAGMA user_version={_FORMAT}")
        self._connection.execute("COMMIT")

    def _set_wal(self) -> None:
        """Switch to write-ahead logging; SQLite does not wait by itself while another process does the same."""
        give_up = time.monotonic() + _BUSY_S
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode=WAL")
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > give_up:
                    raise
                time.sleep(0.01)
            else:
                return

    def _damaged(self, said: str) -> SettingError:
        what = " ".join(said.split())
        return SettingError(
            f"verdict cache {self.path}: damaged ({what}); delete it, and verdicts will be asked for again"
        )
