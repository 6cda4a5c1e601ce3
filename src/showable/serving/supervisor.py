"""`showable serve`: take the ports, open the store, start the processes, and end them together."""

from __future__ import annotations

import signal
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.connection import wait
from types import FrameType

from showable.errors import SettingError
from showable.review.serving import take_port
from showable.serving.address import need_token, url_of
from showable.serving.children import GRACE_S, Child, Kind
from showable.serving.floors import FloorWatch
from showable.serving.retention import Retention
from showable.serving.saying import tell
from showable.serving.scoring_parts import SCORING, begin_parts, name_of
from showable.serving.settings import ServeSettings
from showable.stores.traces.opening import open_trace_store

PROCESSES = {
    "receiver": "showable.serving.receiver:run",
    "feeding": "showable.serving.feeding:run",
    "scoring": "showable.serving.scoring:run",
    "judging": "showable.serving.judging:run",
    "exporting": "showable.serving.exporting:run",
    "ticketing": "showable.serving.ticketing:run",
    "page": "showable.serving.page:run",
}
_STAND_BACK = {"judging": 10, "exporting": 5, "ticketing": 5}
"""What may take its time is not to slow down what receives and scores."""
_LOOK_S = 0.25


def serve(settings: ServeSettings) -> None:
    """Receive, score and show until Ctrl-C or SIGTERM.

    Raises SettingError where an address cannot be listened at, or a process cannot work as it was told to; StoreError where
    the store cannot be opened.
    """
    need_token("--host", settings.host, settings.token)
    need_token("--page-host", settings.page_host, settings.reader_token)
    if settings.store.startswith("chdb:"):
        raise SettingError(
            "--store chdb: is open to one process alone; give a file, or clickhouse://HOST:8123/DATABASE"
        )
    with take_port(settings.host, settings.port) as spans, take_port(settings.page_host, settings.page_port) as pages:
        settings = replace(settings, port=_port(spans), page_port=_port(pages))
        store = open_trace_store(settings.store)  # migrated once, before there are several to do it
        try:
            begin_parts(store, settings)
        finally:
            store.close()
        with _until_signalled() as stop:
            _tell_start(settings)
            _watch(_children(settings, {"receiver": spans, "page": pages}), settings, stop)
    tell("Stopped. What was acknowledged is stored; what is not scored yet is scored at the next start.")


def _children(settings: ServeSettings, taken: Mapping[str, socket.socket]) -> list[Child]:
    idle = {"exporting"} if not settings.export else set()
    idle |= {"ticketing"} if settings.tickets is None else set()
    names = [name for name in PROCESSES if name not in idle]
    children = [Child(Kind(n, PROCESSES[n], taken.get(n), _STAND_BACK.get(n, 0)), settings) for n in names]
    more = range(1, settings.scorers)
    return children + [Child(Kind(name_of(n), PROCESSES[SCORING]), replace(settings, scorer=n)) for n in more]


def _port(taken: socket.socket) -> int:
    port: int = taken.getsockname()[1]
    return port


@contextmanager
def _until_signalled() -> Iterator[threading.Event]:
    """Return what is set on SIGTERM and on Ctrl-C."""
    stop = threading.Event()

    def end(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _watch(children: Sequence[Child], settings: ServeSettings, stop: threading.Event) -> None:
    retention, floors = Retention(settings), FloorWatch(settings)
    try:
        for child in children:
            child.start()
        retention.start()
        floors.start()
        while not stop.is_set():
            wait([child.sentinel for child in children if child.sentinel is not None], _LOOK_S)
            if not stop.is_set():
                for child in children:
                    child.look()
    finally:
        until = time.monotonic() + GRACE_S
        for child in children:
            child.end()
        retention.end(GRACE_S)
        floors.end(GRACE_S)
        for child in children:
            child.wait(until)


def _tell_start(settings: ServeSettings) -> None:
    receiver, page = url_of(settings.host, settings.port), url_of(settings.page_host, settings.page_port)
    tell(f"Spans are received at {receiver} (OTLP over HTTP, protobuf and JSON). Have exporters send there:")
    tell(f"  OTEL_EXPORTER_OTLP_ENDPOINT={receiver} OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf")
    if settings.token:
        tell("  OTEL_EXPORTER_OTLP_HEADERS=authorization=Bearer%20TOKEN")
        tell("  The token travels unencrypted, so keep to networks that you trust.")
    tell(f"The page is at {page}/, metrics at {receiver}/metrics.")
    share = f"{100 * settings.sample:g} % of the clean answers, and all that stand out"
    tell(
        f"Judge: {settings.judge or 'embedded'}, for {share}."
        + (f" Scores are sent to {_without_password(settings.export)}." if settings.export else "")
    )
    kept = "" if settings.retain_days is None else f", for {settings.retain_days:g} days"
    tell(f"Kept in {_without_password(settings.store)}{kept}. Ctrl-C ends it; nothing that was acknowledged is lost.")


def _without_password(store: str) -> str:
    """Return the store's name as a terminal may show it."""
    scheme, slashes, rest = store.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}" if slashes else store
