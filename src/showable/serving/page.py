"""The dashboard's process: it only ever reads the store, and answers until SIGTERM."""

from __future__ import annotations

import asyncio
import signal
import socket
from functools import partial

from aiohttp import web

from showable.review.door import Door
from showable.review.serving import take_port
from showable.serving.address import need_token
from showable.serving.doorway import PageRunner
from showable.serving.pages.app import make_app
from showable.serving.pages.asking import Asker
from showable.serving.saying import silence_asyncio, silent_log
from showable.serving.settings import ServeSettings
from showable.stores.traces.opening import open_trace_store

LAST_ANSWERS_S = 1.0
"""Seconds that answers on their way have when the page is stopped."""


def run(settings: ServeSettings, taken: socket.socket | None = None) -> None:
    """Answer until SIGTERM. `taken` listens already, where it is given.

    Raises SettingError where others can reach the address and no token is asked of them, or where the port is taken.
    """
    need_token("--page-host", settings.page_host, settings.reader_token)
    silence_asyncio()
    with taken or take_port(settings.page_host, settings.page_port) as listening:
        asyncio.run(_answer(settings, listening))


async def _answer(settings: ServeSettings, listening: socket.socket) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await serve_pages(settings, listening, stop)


async def serve_pages(settings: ServeSettings, listening: socket.socket, stop: asyncio.Event) -> None:
    """Answer requests at a socket until `stop` is set."""
    door = Door(settings.page_host, listening.getsockname()[1], settings.reader_token)
    asker = Asker(partial(open_trace_store, settings.store))
    app = make_app(door, asker, settings)
    runner = PageRunner(app, access_log=None, logger=silent_log(), shutdown_timeout=LAST_ANSWERS_S)
    await runner.setup()
    try:
        await web.SockSite(runner, listening).start()
        await stop.wait()
    finally:
        await runner.cleanup()
        asker.close()
