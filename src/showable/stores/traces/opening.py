"""Opens a trace store by its name: a path is a SQLite file, a URL is ClickHouse."""

from __future__ import annotations

from pathlib import Path

from showable.stores.traces.store import TraceStore

_CLICKHOUSE = ("clickhouse://", "clickhouses://", "chdb:")


def open_trace_store(where: str | Path, *, make: bool = True) -> TraceStore:
    """Open a store, and make it where there is none and `make` says so.

    `clickhouse://user:password@host:8123/database` is a ClickHouse server over HTTP, `clickhouses://` over HTTPS, `chdb:FOLDER` ClickHouse's own engine
    within this process (one process at a time), `chdb:` the same in memory. Anything else is the path of a SQLite file. Raises StoreError.
    """
    if isinstance(where, str) and where.startswith(_CLICKHOUSE):
        from showable.stores.traces.clickhouse_opening import open_clickhouse  # noqa: PLC0415 - an extra

        return open_clickhouse(where, make=make)
    from showable.stores.traces.sqlite_store import SqliteTraceStore  # noqa: PLC0415 - the engine that is asked for

    return SqliteTraceStore(where, make=make)
