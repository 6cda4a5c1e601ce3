"""Opens a trace store in ClickHouse by its URL."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, unquote, urlsplit

from probative.stores.traces.clickhouse_engine import Engine, refused
from probative.stores.traces.clickhouse_schema import prepare
from probative.stores.traces.clickhouse_store import ClickHouseTraceStore
from probative.stores.traces.errors import StoreError

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

DATABASE = "probative"
_NOWHERE = logging.NullHandler()
_SETTINGS: dict[str, Any] = {
    "do_not_merge_across_partitions_select_final": 1,  # an answer never changes its partition, and this reads them side by side
    "async_insert": 0,  # an insert that returned is on disk
    "max_partitions_per_insert_block": 0,  # an import may bring years of answers at once
    "mutations_sync": 1,
}


def open_clickhouse(url: str, *, make: bool = True) -> ClickHouseTraceStore:
    """Open a store, and make its database where there is none and `make` says so. No message shows a password. Raises StoreError."""
    if url.startswith("chdb:"):
        return _open_embedded(url.removeprefix("chdb:"), make=make)
    parts = urlsplit(url)
    database = unquote(parts.path.strip("/")) or DATABASE
    shown = f"{parts.scheme}://{parts.hostname or ''}"
    address = _address(parts, f"{shown}/{database}")
    name = f"{shown}:{address['port']}/{database}"
    return open_database(_connected(name, **address), name, database, make=make)


def open_database(client: Client, name: str, database: str, *, make: bool = True) -> ClickHouseTraceStore:
    """Open the store in a database of a client; it is closed with the store."""
    if "`" in database or "\\" in database:
        raise StoreError(f"{name}: no database can be called that")
    engine = Engine(client, name, database)
    try:
        if make:
            engine.command(f"CREATE DATABASE IF NOT EXISTS `{database}`")
        client.database = database
        prepare(engine, make=make)
        return ClickHouseTraceStore(engine)
    except BaseException:
        engine.close()
        raise


def _open_embedded(folder: str, *, make: bool) -> ClickHouseTraceStore:
    name = f"chdb:{folder}"
    if folder and not make and not Path(folder).is_dir():
        raise StoreError(f"{name}: there is no trace store; `probative traces import` makes one")
    path = os.fspath(Path(folder).absolute()) if folder else ":memory:"
    return open_database(_connected(name, interface="chdb", path=path), name, DATABASE, make=make)


def _address(parts: SplitResult, name: str) -> dict[str, Any]:
    secure = parts.scheme == "clickhouses"
    try:
        port = parts.port or (8443 if secure else 8123)
    except ValueError:
        raise StoreError(f"{name}: the port is no number from 1 to 65535") from None
    if not parts.hostname:
        raise StoreError(f"{name}: names no host; write clickhouse://user:password@host:8123/database")
    return {
        "host": parts.hostname,
        "port": port,
        "username": unquote(parts.username or "default"),
        "password": unquote(parts.password or ""),
        "secure": secure,
        "autogenerate_session_id": False,  # threads share the client
    }


def _connected(name: str, **address: Any) -> Client:
    try:
        import clickhouse_connect  # noqa: PLC0415 - an extra
        from clickhouse_connect.driver.exceptions import ClickHouseError  # noqa: PLC0415 - the same
    except ImportError:
        raise StoreError(f"{name}: ClickHouse wants clickhouse-connect; pip install 'probative[scale]'") from None
    logging.getLogger("clickhouse_connect").addHandler(_NOWHERE)  # what it has to say is said by the StoreError
    try:
        return clickhouse_connect.get_client(settings=dict(_SETTINGS), **address)
    except ImportError:
        raise StoreError(f"{name}: ClickHouse within this process wants chdb; pip install chdb") from None
    except (ClickHouseError, OSError, ValueError, RuntimeError) as error:
        raise refused(name, error) from None
