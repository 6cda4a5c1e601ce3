"""Servers on loopback that stand for registries, and a way out that can reach these and nothing else.

    with serve(app) as base:                     # an aiohttp.web.Application, or an http.server handler class
        registry = Crossref(loopback_web(base), Settings(base={"crossref": base}))

`loopback_web` takes base URLs or port numbers. A server stops, and its thread ends, with its `with` block.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web

from showable.registries.web.asking import Pace

UNHURRIED = Pace(per_second=10_000, at_once=1_000)
"""A pace that never makes a test wait."""


@contextmanager
def serve(server: web.Application | type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Serve on 127.0.0.1, on a port that the system picks: gives the base URL without a slash at its end."""
    how = _serve_app if isinstance(server, web.Application) else _serve_handler
    with how(server) as port:
        yield f"http://127.0.0.1:{port}"


def loopback_web(*where: str | int, pace: Pace = UNHURRIED, **options: Any) -> Any:
    """Give a Web that may ask these ports of 127.0.0.1 (numbers or base URLs) besides public addresses."""
    from showable.registries.web.client import SafeNetwork

    ports = [urlsplit(place).port if isinstance(place, str) else place for place in where]
    bound = {name: options.pop(name) for name in ("vet_url",) if name in options}
    allow = frozenset(("127.0.0.1", port) for port in ports)
    # Without kept connections nothing is left to close, however many event loops a test goes through.
    return SafeNetwork(allow=allow, **{"keep_alive": False, **options}).bind("test", pace, **bound)


@contextmanager
def _serve_handler(handler: type[BaseHTTPRequestHandler]) -> Iterator[int]:
    class Quiet(handler):  # type: ignore[misc, valid-type]
        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def _serve_app(app: web.Application) -> Iterator[int]:
    ready, ports, trouble = threading.Event(), [], []
    stop: list[Any] = []

    async def run() -> None:
        runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
        try:
            await runner.setup()
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            done = asyncio.Event()
            stop.append((asyncio.get_running_loop(), done))
            ports.append(runner.addresses[0][1])
            ready.set()
            await done.wait()
        except Exception as error:  # noqa: BLE001 - told in the test's own thread
            trouble.append(error)
        finally:
            await runner.cleanup()
            ready.set()

    thread = threading.Thread(target=asyncio.run, args=(run(),), daemon=True)
    thread.start()
    ready.wait()
    if trouble:
        raise trouble[0]
    try:
        yield ports[0]
    finally:
        loop, done = stop[0]
        loop.call_soon_threadsafe(done.set)
        thread.join()
