"""Statements on one SQLite connection that threads take in turn; what the engine refuses is said as each store says it."""

from __future__ import annotations

import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any


class SqliteStatements(ABC):
    """An open connection. `_plainly` turns whatever the engine raises into the store's own error, in one line."""

    _lock: threading.RLock
    _connection: sqlite3.Connection

    def close(self) -> None:
        """Close it; a second time does nothing."""
        with self._lock:
            self._connection.close()

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return all rows of a query."""
        with self._lock, self._plainly():
            return self._connection.execute(query, values).fetchall()

    def first(self, query: str, values: Sequence[Any] = ()) -> Any:
        """Return the first row of a query, or None."""
        found = self.rows(query, values)
        return found[0] if found else None

    def write(self, query: str, values: Sequence[Any] = ()) -> int:
        """Run one statement; gives the number of rows changed. Only inside `writing`."""
        with self._plainly():
            return self._connection.execute(query, values).rowcount

    def write_all(self, query: str, rows: Iterable[Sequence[Any]]) -> int:
        """Run one statement for many rows; gives the number of rows changed. Only inside `writing`."""
        before = self._connection.total_changes
        with self._plainly():
            self._connection.executemany(query, rows)
        return self._connection.total_changes - before

    @abstractmethod
    def _plainly(self) -> AbstractContextManager[None]:
        """Raise the store's own error for whatever the engine raises inside."""
