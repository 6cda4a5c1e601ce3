"""A SQLite file of ours with a version: opened or made, brought up to date, written in whole transactions or not at all."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, Self

from showable.errors import SettingError
from showable.own_files import distrust, open_database
from showable.stores.sqlite_statements import SqliteStatements

BUSY_S = 30.0


class VersionedFile(SqliteStatements):
    """An open file. Threads may share one; every write inside `writing` is one transaction, one writer at a time.

    Raises SettingError, in one line, for whatever SQLite or the disk refuses.
    """

    APPLICATION: ClassVar[int]
    """Stands in the file's header, so that no other database is taken for one."""
    STEPS: ClassVar[tuple[str, ...]]
    """What leads from each version to the next; a new version is a new entry, and no entry ever changes."""
    HOLDS: ClassVar[str]
    """What it holds, for messages: ``a feed``."""
    ABSENT: ClassVar[str]
    """What is said where there is no file and none is to be made."""

    def __init__(self, path: Path, *, make: bool = True) -> None:
        """Open it, or make it unless `make` is off."""
        if not make and not path.is_file():
            raise SettingError(f"{path}: {self.ABSENT}")
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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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
        self._connection.execute("PRAGMA synchronous=FULL")  # a word that was acknowledged survives a power cut
        if version == len(self.STEPS):
            return
        with self.writing():  # of two processes the second finds all done
            for step in self.STEPS[self._checked_version() :]:
                for statement in step.split(";\n"):  # executescript would commit in between
                    self._connection.execute(statement)
            self._connection.execute(f"PRAGMA application_id={self.APPLICATION}")
            self._connection.execute(f"PRAGMA user_version={len(self.STEPS)}")

    def _checked_version(self) -> int:
        """Return the version of the schema, 0 for an empty file. Raises SettingError for another database or a newer one."""
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if application != self.APPLICATION and (
            application or version or self._connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        ):
            raise SettingError(f"{self.path}: is a database, but not {self.HOLDS}; name another")
        if version > len(self.STEPS):
            found = f"its schema is {version}, and this version reads up to {len(self.STEPS)}"
            raise SettingError(f"{self.path}: {found}; use the newer version of showable that wrote it")
        return int(version)

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise SettingError(
                f"{self.path}: {self.HOLDS} cannot be opened there ({error.strerror or error})"
            ) from None
        except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:
            reason = " ".join(str(error).split())
            if "locked" in reason or "busy" in reason:
                reason = f"another process has been writing it for over {BUSY_S:.0f} seconds"
            raise SettingError(f"{self.path}: cannot be read or written as {self.HOLDS} ({reason})") from None
