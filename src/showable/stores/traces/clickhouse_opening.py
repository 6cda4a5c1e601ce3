"""Opens a trace store in ClickHouse by its URL."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, unquote, urlsplit

from showable.former_name import FORMER
from showable.stores.traces.clickhouse_engine import Engine, refused
from showable.stores.traces.clickhouse_schema import prepare
from showable.stores.traces.clickhouse_store import ClickHouseTraceStore
from showable.stores.traces.errors import StoreError

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

DATABASE = "showable"
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
    named = unquote(parts.path.strip("/"))
    shown = f"{parts.scheme}://{parts.hostname or ''}"
    address = _address(parts, f"{shown}/{named or DATABASE}")
    place = f"{shown}:{address['port']}"
    client = _connected(f"{place}/{named or DATABASE}", **address)
    database = named or _unnamed(client, place)
    return open_database(client, f"{place}/{database}", database, make=make)


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


def _unnamed(client: Client, place: str) -> str:
    """Return the database of a URL that names none: ours, or the one under the former name where only that exists."""
    known = {str(row[0]) for row in Engine(client, place, DATABASE).rows("SELECT name FROM system.databases")}
    return FORMER if FORMER in known and DATABASE not in known else DATABASE


def _open_embedded(folder: str, *, make: bool) -> ClickHouseTraceStore:
    name = f"chdb:{folder}"
    if folder and not make and not Path(folder).is_dir():
        raise StoreError(f"{name}: there is no trace store; `showable traces import` makes one")
    path = os.fspath(Path(folder).absolute()) if folder else ":memory:"
    client = _connected(name, interface="chdb", path=path)
    return open_database(client, name, _unnamed(client, name), make=make)


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
        raise StoreError(f"{name}: ClickHouse wants clickhouse-connect; pip install 'showable[scale]'") from None
    logging.getLogger("clickhouse_connect").addHandler(_NOWHERE)  # what it has to say is said by the StoreError
    try:
        return clickhouse_connect.get_client(settings=dict(_SETTINGS), **address)
    except ImportError:
        raise StoreError(f"{name}: ClickHouse within this process wants chdb; pip install chdb") from None
    except (ClickHouseError, OSError, ValueError, RuntimeError) as error:
        raise refused(name, error) from None
