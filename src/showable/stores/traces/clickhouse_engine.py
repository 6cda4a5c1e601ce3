"""ClickHouse behind clickhouse-connect: a server, or its engine within this process; every error one line."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from showable.stores.traces.errors import StoreError

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

_CODE = re.compile(r"\bcode: (\d+)")
_NOBODY, _NO_DATABASE = frozenset({192, 193, 194, 516}), 81
"""ClickHouse's codes: an unknown user, a wrong or a missing password, a failed authentication; an unknown database."""
_SAID = 300
"""Characters of ClickHouse's own words that are passed on."""


class Engine:
    """A database of ClickHouse. Threads take the connection in turn. Raises StoreError for whatever is refused or not reached."""

    def __init__(self, client: Client, name: str, database: str) -> None:
        """Take a client; `name` is what messages call the store."""
        self.name, self.database = name, database
        self._client, self._lock, self._closed = client, threading.RLock(), False

    def close(self) -> None:
        """Close the connection; a second time does nothing."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._client.close()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let no other thread of this process in between."""
        with self._lock:
            yield

    def rows(self, query: str, values: Sequence[Any] = ()) -> Sequence[Sequence[Any]]:
        """Return all rows of a query; each question mark in it stands for a value."""
        with self._plainly() as client:
            return client.query(_placed(query, values), parameters=_named(values)).result_rows

    def first(self, query: str, values: Sequence[Any] = ()) -> Any:
        """Return the first row of a query, or None."""
        found = self.rows(query, values)
        return found[0] if found else None

    def command(self, query: str, values: Sequence[Any] = ()) -> None:
        """Run a statement."""
        with self._plainly() as client:
            client.command(_placed(query, values), parameters=_named(values))

    def insert(self, table: str, columns: Mapping[str, Sequence[Any]]) -> None:
        """Add rows, given column by column, as one block: of one partition it is seen as a whole or not at all."""
        with self._plainly() as client:
            client.insert(table, list(columns.values()), column_names=list(columns), column_oriented=True)

    @contextmanager
    def _plainly(self) -> Iterator[Client]:
        from clickhouse_connect.driver.exceptions import ClickHouseError  # noqa: PLC0415 - an extra

        with self._lock:
            if self._closed:
                raise StoreError(f"{self.name}: the trace store is closed")
            try:
                yield self._client
            except (ClickHouseError, OSError, ValueError, OverflowError) as error:
                raise refused(self.name, error) from None


def refused(name: str, error: Exception) -> StoreError:
    """Return what ClickHouse said, or why it was not reached, in one line."""
    said = shorten(str(error), _SAID, placeholder=" …") or type(error).__name__
    if (reason := _not_reached(error)) is not None:
        return StoreError(f"{name}: ClickHouse cannot be reached there: {reason}")
    code = _CODE.search(said)
    if code is not None and int(code[1]) in _NOBODY:
        return StoreError(f"{name}: ClickHouse refused the user or the password; write clickhouse://USER:PASSWORD@HOST")
    if code is not None and int(code[1]) == _NO_DATABASE:
        return StoreError(f"{name}: there is no such database; `showable serve` and `showable traces import` make it")
    if "EmbeddedServer" in said or "Cannot lock" in said:
        return StoreError(
            f"{name}: cannot be opened; one process at a time can have ClickHouse's engine on a folder ({said})"
        )
    return StoreError(f"{name}: ClickHouse did not do what was asked ({said})")


def _not_reached(error: Exception) -> str | None:
    """Return why no connection came about, in the words of the system, where that is what an error comes from."""
    from urllib3.exceptions import HTTPError, MaxRetryError  # noqa: PLC0415 - comes with clickhouse-connect

    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, HTTPError):
        cause = cause.__cause__ or cause.__context__
    while isinstance(cause, MaxRetryError):
        cause = cause.reason
    if cause is None:
        return None
    below = cause.__cause__ or cause.__context__ or cause
    return shorten(str(getattr(below, "strerror", None) or below), _SAID, placeholder=" …")


def _placed(query: str, values: Sequence[Any]) -> str:
    """Put a named and typed place where each question mark is."""
    parts = query.split("?")
    places = [f"{{v{n}:{_type(value)}}}" for n, value in enumerate(values)]
    return "".join(part + place for part, place in zip(parts, [*places, ""], strict=True))


def _named(values: Sequence[Any]) -> dict[str, Any]:
    return {f"v{n}": value for n, value in enumerate(values)}


def _type(value: Any) -> str:
    if isinstance(value, list):
        return "Array(Int64)" if value and isinstance(value[0], int) else "Array(String)"
    return "Int64" if isinstance(value, int) else "String"
