"""An open trace store in SQLite: one connection that threads take in turn, every write one transaction, every error one line."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from showable.stores.sqlite_statements import SqliteStatements
from showable.stores.traces.errors import StoreError
from showable.stores.traces.sqlite_schema import connect, refused


class SqliteFile(SqliteStatements):
    """The file behind a store. Raises StoreError, in one line, for whatever SQLite or the disk refuses."""

    def __init__(self, path: Path, *, make: bool = True) -> None:
        """Open it, or make it."""
        self.path = path
        self._lock = threading.RLock()
        self._connection = connect(path, make=make)
        self._identity = self._found()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the file for writing: what is done inside is committed at the end as a whole, or not at all. Other processes wait."""
        with self._lock, self._plainly():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._need_file()
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def _found(self) -> tuple[int, int] | None:
        try:
            known = self.path.stat()
        except OSError:
            return None
        return known.st_dev, known.st_ino

    def _need_file(self) -> None:
        """Raise StoreError where another file, or none, has the name by now: SQLite would write on into what nobody finds again."""
        if self._found() != self._identity:
            raise StoreError(f"{self.path}: the file was moved, deleted or replaced while it was open; start again")

    def vacuum(self, pages: int) -> None:
        """Give free pages back to the disk. As a script: of another statement without rows only the first step would be run."""
        with self._lock, self._plainly():
            self._connection.executescript(f"PRAGMA incremental_vacuum({pages})")

    def count(self, changes: Mapping[tuple[str, str], int]) -> None:
        """Bring counters up to date, by name and value. Only inside `writing`."""
        rows = [(name, value, n) for (name, value), n in changes.items() if n]
        self.write_all(
            "INSERT INTO counters (name, value, n) VALUES (?, ?, ?) ON CONFLICT (name, value) DO UPDATE SET n=n+excluded.n",
            rows,
        )
        if any(n < 0 for _, _, n in rows):
            self.write("DELETE FROM counters WHERE n <= 0")

    def counted(self, name: str) -> dict[str, int]:
        """Return the counters of a name, by value."""
        return dict(self.rows("SELECT value, n FROM counters WHERE name=?", (name,)))

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.ProgrammingError as error:
            if "closed" not in str(error):
                raise
            raise StoreError(f"{self.path}: the trace store is closed") from None
        except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:
            raise refused(self.path, error) from None
