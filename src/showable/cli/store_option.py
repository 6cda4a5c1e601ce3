"""The store of traces that commands read and write."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from showable.stores.traces.store import TraceStore

STORE = "traces.sqlite"

StoreOption = Annotated[
    str,
    typer.Option(
        "--store",
        envvar="SHOWABLE_STORE",
        help="Where traces are kept: a SQLite file, or clickhouse://USER:PASSWORD@HOST:8123/DATABASE.",
        metavar="STORE",
    ),
]


@contextmanager
def opened_store(where: str, *, make: bool = True) -> Iterator[TraceStore]:
    """Open a store and close it at the end. Raises SettingError where there is none and none is to be made."""
    from showable.stores.traces.opening import open_trace_store

    store = open_trace_store(where, make=make)
    try:
        yield store
    finally:
        store.close()
