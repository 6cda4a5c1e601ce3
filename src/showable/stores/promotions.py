"""Candidates for the regression set and reviewers' words on them, in a SQLite file; nothing that was signed ever changes."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from showable.errors import SettingError
from showable.own_files import distrust, open_database
from showable.records.promotion import Candidate, SignOff
from showable.stores.sqlite_statements import SqliteStatements

PROMOTIONS = "promotions.sqlite"
"""The file of a run folder."""
APPLICATION, VERSION, BUSY_S = 0x53485052, 1, 30.0
_TABLES = """
CREATE TABLE candidates (id TEXT PRIMARY KEY, issue TEXT NOT NULL, position INTEGER NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE signoffs (seq INTEGER PRIMARY KEY AUTOINCREMENT, candidate TEXT NOT NULL, body TEXT NOT NULL);
CREATE INDEX signoffs_by_candidate ON signoffs (candidate, seq)
"""


class Promotions(SqliteStatements):
    """An open file of promotions. Raises SettingError, in one line, for whatever SQLite or the disk refuses."""

    def __init__(self, path: Path, *, make: bool = True) -> None:
        """Open it, or make it."""
        if not make and not path.is_file():
            raise SettingError(f"{path}: nothing was proposed yet; `showable feed promote` does")
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

    def propose(self, candidates: Iterable[Candidate]) -> int:
        """Keep candidates; one that somebody signed stays as it was signed. Returns how many are new or changed."""
        changed = 0
        with self._writing():
            signed = {row[0] for row in self.rows("SELECT DISTINCT candidate FROM signoffs")}
            (last,) = self.first("SELECT COALESCE(MAX(position), 0) FROM candidates")
            for position, one in enumerate(candidates, last + 1):
                if one.id not in signed:
                    row = (one.id, one.issue, position, one.model_dump_json())
                    changed += self.write(
                        "INSERT INTO candidates VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET body=excluded.body"
                        " WHERE body<>excluded.body",
                        row,
                    )
        return changed

    def candidates(self, issue: str | None = None) -> list[Candidate]:
        """Return the candidates, or those of an issue, in the order in which they were proposed."""
        where, values = ("", ()) if issue is None else (" WHERE issue=?", (issue,))
        rows = self.rows(f"SELECT body FROM candidates{where} ORDER BY position", values)  # noqa: S608 - our own names
        return [Candidate.model_validate_json(body) for (body,) in rows]

    def candidate(self, identifier: str) -> Candidate | None:
        """Return one candidate, None where there is none of that id."""
        row = self.first("SELECT body FROM candidates WHERE id=?", (identifier,))
        return None if row is None else Candidate.model_validate_json(row[0])

    def sign(self, word: SignOff) -> SignOff:
        """Keep a reviewer's word, which is on disk when this returns."""
        with self._writing():
            self.write("INSERT INTO signoffs (candidate, body) VALUES (?, ?)", (word.candidate, word.model_dump_json()))
            (seq,) = self.first("SELECT last_insert_rowid()")
        return word.model_copy(update={"seq": seq})

    def standing(self) -> dict[str, SignOff]:
        """Return the last word on each candidate that has one."""
        rows = self.rows("SELECT seq, body FROM signoffs ORDER BY seq")
        words = (SignOff.model_validate_json(body).model_copy(update={"seq": seq}) for seq, body in rows)
        return {word.candidate: word for word in words}

    @contextmanager
    def _writing(self) -> Iterator[None]:
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
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if (application, version) == (APPLICATION, VERSION):
            return
        if application or version or self._connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            raise SettingError(f"{self.path}: holds no promotions that this version reads; name another")
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=FULL")
        with self._writing():
            if not self._connection.execute("SELECT 1 FROM sqlite_master").fetchone():  # nobody was quicker
                for statement in _TABLES.split(";\n"):
                    self._connection.execute(statement)
                self._connection.execute(f"PRAGMA application_id={APPLICATION}")
                self._connection.execute(f"PRAGMA user_version={VERSION}")

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise SettingError(f"{self.path}: cannot be opened ({error.strerror or error})") from None
        except (sqlite3.Error, OverflowError, UnicodeDecodeError) as error:
            said = " ".join(str(error).split())
            raise SettingError(f"{self.path}: promotions cannot be read or written ({said})") from None
