"""An open label file: one connection that threads take in turn, every write one transaction, every error one line."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from showable.errors import SettingError
from showable.stores.labels.schema import connect, refused
from showable.stores.sqlite_statements import SqliteStatements


class RefusedLabelError(SettingError):
    """A label or a person that does not go together with what the file holds; `field` says by which part of it."""

    def __init__(self, message: str, field: str = "") -> None:
        """Report what is wrong with which field."""
        self.message, self.field = message, field
        super().__init__(f"{field}: {message}" if field else message)


class LabelFile(SqliteStatements):
    """The file behind a store. Raises SettingError, in one line, for whatever SQLite or the disk refuses."""

    def __init__(self, path: Path) -> None:
        """Open or make it."""
        self.path = path
        self._lock = threading.RLock()
        self._connection = connect(path)

    @contextmanager
    def writing(self) -> Iterator[LabelFile]:
        """Hold the file for writing: what is done inside is committed at the end as a whole, or not at all.

        Other processes wait. Inside another `writing` of the same thread it is part of that one.
        """
        with self._lock, self._plainly():
            if self._connection.in_transaction:
                yield self
                return
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    @contextmanager
    def reading(self) -> Iterator[LabelFile]:
        """Hold one state of the file: several reads inside see the same."""
        with self._lock, self._plainly():
            if self._connection.in_transaction:
                yield self
                return
            self._connection.execute("BEGIN")
            try:
                yield self
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.ProgrammingError as error:
            if "closed" not in str(error):
                raise
            raise SettingError(f"{self.path}: the labels are closed") from None
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise refused(self.path, error) from None


def now() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)


def written(at: datetime) -> str:
    """Write a time down to the microsecond; such times sort as text."""
    return at.isoformat(timespec="microseconds").replace("+00:00", "Z")


def sortable(at: str) -> str:
    """Write a label's time, of whatever precision, so that it sorts as text. Raises SettingError for a day there never was."""
    try:
        return written(datetime.fromisoformat(at))
    except ValueError:
        raise RefusedLabelError(f"no such time: {at[:40]!r}", "at") from None


def just_after(at: str) -> str:
    """Return the next microsecond."""
    try:
        return written(datetime.fromisoformat(at) + timedelta(microseconds=1))
    except OverflowError:
        raise RefusedLabelError(f"no time comes after {at}; the label that says so cannot be replaced", "at") from None
