"""The file that imported sets are kept in: one SQLite database, each set replaced whole or not at all."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from showable.errors import SettingError
from showable.own_files import distrust, open_database
from showable.records import Entry
from showable.registries.local_sets.entry_keys import Standing, cite_keys, standing_of, telling_words, titles_of

FORMAT = 2
"""Raised whenever entries are kept by other keys: what was kept by the old ones would seem not to be there."""
_BUSY_S = 30.0
_TABLES = (
    "CREATE TABLE sets (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, about TEXT NOT NULL)",
    "CREATE TABLE entries (id INTEGER PRIMARY KEY, set_id INTEGER NOT NULL, kind TEXT NOT NULL, entry TEXT NOT NULL)",
    "CREATE TABLE ids (kind TEXT NOT NULL, key TEXT NOT NULL, entry_id INTEGER NOT NULL)",
    "CREATE TABLE cites (volume TEXT NOT NULL, reporter TEXT NOT NULL, page TEXT NOT NULL, entry_id INTEGER NOT NULL)",
    "CREATE TABLE standing (volume TEXT NOT NULL, reporter TEXT NOT NULL, series TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, entry_id INTEGER NOT NULL)",
    "CREATE TABLE words (word TEXT NOT NULL, entry_id INTEGER NOT NULL)",
    "CREATE TABLE volumes (volume TEXT NOT NULL, reporter TEXT NOT NULL, set_id INTEGER NOT NULL)",
    "CREATE INDEX by_set ON entries (set_id)",
    "CREATE INDEX by_id ON ids (kind, key)",
    "CREATE INDEX by_cite ON cites (volume, reporter, page)",
    "CREATE INDEX by_place ON standing (volume, reporter, series, first)",
    "CREATE INDEX by_word ON words (word, entry_id)",
    "CREATE INDEX by_volume ON volumes (volume, reporter)",
)
_PARTS = ("ids", "cites", "standing", "words")


@dataclass(frozen=True, slots=True)
class SetAbout:
    """What is known of a set: where it is from, when it was imported, how much is in it, and what it is complete for.

    `kinds` counts entries by kind, `bad` the rows left out. `volumes` counts whole volumes of reporters; where
    there are any, completeness for cases means those volumes. `at` is ISO 8601, UTC.
    """

    name: str
    source: str
    form: str
    at: str
    sha256: str
    kinds: dict[str, int]
    bad: int = 0
    complete_for: tuple[str, ...] = ()
    volumes: int = 0

    def as_row(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Kept:
    """One entry to keep: its kind, the entry, the ids that it is found by, and the row of the file it is from."""

    kind: str
    entry: Entry
    ids: tuple[tuple[str, str], ...]
    row: int


Described = tuple[SetAbout, set[tuple[str, str]]]
"""What is known of a set, and the whole volumes (volume, reporter) in it."""


class SetStore:
    """An open file of sets. Raises SettingError where it is damaged, of another format, or cannot be opened."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path, self._connection = path, connection

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open the file, or make it."""
        try:
            connection = open_database(path, _BUSY_S)
        except (OSError, sqlite3.Error) as error:
            raise SettingError(f"{path}: cannot be opened ({error}); name a file that can be written") from None
        try:
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
        return cls(path, connection)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def put(self, name: str, entries: Iterable[Kept], describe: Callable[[], Described]) -> SetAbout:
        """Put a set in the place of the one of its name. Where anything fails, nothing has changed.

        `describe` is called when all entries were taken in, and gives what is known of the set, with its whole
        volumes. What it and `entries` raise is passed on; raises SettingError where the disk refuses.
        """
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._drop(name)
            number = self._insert("INSERT INTO sets (name, about) VALUES (?, '')", (name,))
            for one in entries:
                self._keep(number, one)
            about, volumes = describe()
            self._many("INSERT INTO volumes VALUES (?, ?, ?)", [(*volume, number) for volume in sorted(volumes)])
            self._connection.execute("UPDATE sets SET about=? WHERE id=?", (json.dumps(about.as_row()), number))
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise SettingError(f"{self.path}: cannot be written ({error})") from None
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        return about

    def sets(self) -> list[SetAbout]:
        """Return what is known of each set, by name."""
        rows = self._all("SELECT about FROM sets ORDER BY name")
        return [_about(json.loads(text)) for (text,) in rows]

    def by_ids(self, keys: Sequence[tuple[str, str]]) -> list[Entry]:
        """Return the entries that bear one of these ids, those of the first id first."""
        numbers = [row[0] for key in keys for row in self._all("SELECT entry_id FROM ids WHERE kind=? AND key=?", key)]
        return self._entries(numbers)

    def by_cite(self, key: tuple[str, str, str]) -> list[Entry]:
        """Return the cases that begin at a page of a volume."""
        rows = self._all("SELECT entry_id FROM cites WHERE volume=? AND reporter=? AND page=?", key)
        return self._entries([row[0] for row in rows])

    def around(self, volume: str, reporter: str, series: str, page: int) -> list[Entry]:
        """Return the cases that a page lies within, the last to begin first."""
        rows = self._all(
            "SELECT entry_id FROM standing WHERE volume=? AND reporter=? AND series=? AND first<? AND last>=?"
            " ORDER BY first DESC LIMIT 5",
            (volume, reporter, series, page, page),
        )
        return self._entries([row[0] for row in rows])

    def last_beginning(self, volume: str, reporter: str, series: str, page: int) -> int:
        """Count the cases that begin on the last page, up to this one, on which any begins."""
        (row,) = self._all(
            "SELECT COUNT(*) FROM standing WHERE volume=?1 AND reporter=?2 AND series=?3 AND first=(SELECT MAX(first)"
            " FROM standing WHERE volume=?1 AND reporter=?2 AND series=?3 AND first<=?4)",
            (volume, reporter, series, page),
        )
        return int(row[0])

    def in_volume(self, volume: str, reporter: str) -> list[Entry]:
        """Return every case of a volume."""
        rows = self._all("SELECT DISTINCT entry_id FROM cites WHERE volume=? AND reporter=?", (volume, reporter))
        return self._entries([row[0] for row in rows])

    def holds_volume(self, volume: str, reporter: str, complete: Iterable[str]) -> bool:
        """Check whether one of these sets has the whole of a volume."""
        rows = self._all(
            "SELECT name FROM sets JOIN volumes ON set_id=id WHERE volume=? AND reporter=?", (volume, reporter)
        )
        return not {row[0] for row in rows}.isdisjoint(complete)

    def spans_of(self, reporter: str, complete: Iterable[str]) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """Return the first and last volume, and year, of a reporter's cases in these sets; None where they have none of it."""
        sql = (
            "SELECT MIN(CAST(volume AS INTEGER)), MAX(CAST(volume AS INTEGER)),"
            " MIN(json_extract(entry, '$.years[0]')), MAX(json_extract(entry, '$.years[0]'))"
            " FROM cites JOIN entries ON entry_id=entries.id JOIN sets ON set_id=sets.id"
            " WHERE reporter=? AND name IN (SELECT value FROM json_each(?))"
        )
        first, last, earliest, latest = self._all(sql, (reporter, json.dumps(list(complete))))[0]
        return None if first is None else ((first, last), (earliest or 0, latest or 0))

    def by_words(self, words: Iterable[str], *, rarest: int = 6, most: int = 12) -> list[Entry]:
        """Return the entries whose titles have most of the rarest of these words. A word that no title has is passed over."""
        counts = {word: self._count(word) for word in words}
        sought = sorted((word for word, count in counts.items() if count), key=lambda word: (counts[word], word))[
            :rarest
        ]
        if not sought:
            return []
        marks = ",".join("?" * len(sought))
        query = (  # question marks alone
            f"SELECT entry_id FROM words WHERE word IN ({marks}) GROUP BY entry_id"  # noqa: S608
            f" HAVING COUNT(*)>=? ORDER BY COUNT(*) DESC, entry_id LIMIT ?"
        )
        rows = self._all(query, (*sought, (len(sought) + 1) // 2, most))
        return self._entries([row[0] for row in rows])

    def _count(self, word: str) -> int:
        (row,) = self._all("SELECT COUNT(*) FROM words WHERE word=?", (word,))
        return int(row[0])

    def _keep(self, number: int, one: Kept) -> None:
        text = one.entry.model_dump_json(exclude_defaults=True)
        kept = self._insert("INSERT INTO entries (set_id, kind, entry) VALUES (?, ?, ?)", (number, one.kind, text))
        self._many("INSERT INTO ids VALUES (?, ?, ?)", [(*key, kept) for key in dict.fromkeys(one.ids)])
        self._many("INSERT INTO cites VALUES (?, ?, ?, ?)", [(*key, kept) for key in cite_keys(one.entry)])
        stands: list[Standing] = standing_of(one.entry)
        rows = [(at.volume, at.reporter, at.series, at.first, at.last, kept) for at in stands]
        self._many("INSERT INTO standing VALUES (?, ?, ?, ?, ?, ?)", rows)
        self._many("INSERT INTO words VALUES (?, ?)", [(word, kept) for word in telling_words(titles_of(one.entry))])

    def _drop(self, name: str) -> None:
        for (number,) in self._all("SELECT id FROM sets WHERE name=?", (name,)):
            for table in _PARTS:
                query = f"DELETE FROM {table} WHERE entry_id IN (SELECT id FROM entries WHERE set_id=?)"  # noqa: S608 - our own names
                self._connection.execute(query, (number,))
            self._connection.execute("DELETE FROM entries WHERE set_id=?", (number,))
            self._connection.execute("DELETE FROM volumes WHERE set_id=?", (number,))
            self._connection.execute("DELETE FROM sets WHERE id=?", (number,))

    def _entries(self, numbers: Iterable[int]) -> list[Entry]:
        found = []
        for number in dict.fromkeys(numbers):
            for (text,) in self._all("SELECT entry FROM entries WHERE id=?", (number,)):
                found.append(Entry.model_validate_json(text))
        return found

    def _insert(self, query: str, values: Sequence[Any]) -> int:
        with closing(self._connection.execute(query, values)) as cursor:
            return int(cursor.lastrowid or 0)

    def _many(self, query: str, rows: Sequence[Sequence[Any]]) -> None:
        if rows:
            self._connection.executemany(query, rows)

    def _all(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        try:
            with closing(self._connection.execute(query, values)) as cursor:
                return cursor.fetchall()
        except sqlite3.Error as error:
            raise SettingError(f"{self.path}: cannot be read ({error}); import the sets again") from None


def _about(row: dict[str, Any]) -> SetAbout:
    return SetAbout(**{**row, "complete_for": tuple(row["complete_for"])})


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    try:
        distrust(connection)
        (revision,) = connection.execute("PRAGMA user_version").fetchone()
        if revision == 0 and not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            connection.execute("BEGIN IMMEDIATE")
            if connection.execute("PRAGMA user_version").fetchone() == (0,):  # another process may have been quicker
                for table in _TABLES:
                    connection.execute(table)
                connection.execute(f"PRAGMA user_version={FORMAT}")
            connection.execute("COMMIT")
            revision = FORMAT
    except sqlite3.DatabaseError as error:
        raise SettingError(f"{path}: is no file of imported citations ({error}); name another with --store") from None
    if 0 < revision < FORMAT:
        said = "its sets were imported by an earlier version, which kept them by other keys"
        raise SettingError(f"{path}: {said}; delete the file and import them again")
    if revision != FORMAT:
        raise SettingError(
            f"{path}: is no file of imported citations, or one of another version; name another with --store"
        )
