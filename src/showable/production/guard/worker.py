"""One process that guards: it listens beside its siblings, ends calls before it ends, and takes new rules on SIGHUP."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import time
from pathlib import Path

from showable.errors import ShowableError
from showable.production.guard.call_rows import CallRows
from showable.production.guard.client_connection import ClientConnection
from showable.production.guard.cost import Prices
from showable.production.guard.guard_file import GuardSettings, read_guard_file
from showable.production.guard.keeping import Keeping
from showable.production.guard.logs import LARGEST
from showable.production.guard.pool import Pool
from showable.production.guard.proxy import Proxy

LOG = logging.getLogger("showable.guard")
DRAIN_S, SWEEP_S, FORGET_S = 30.0, 1.0, 60.0
_BACKLOG = 2048
_GARBAGE = 20_000
"""New containers after which garbage is looked for: a call makes a thousand, none of them in a circle."""


def listening_socket(host: str, port: int) -> socket.socket:
    """Open a socket that siblings may share the port of. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    taken = socket.socket(family, socket.SOCK_STREAM)
    try:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        taken.bind((host, port))
        taken.listen(_BACKLOG)
    except OSError:
        taken.close()
        raise
    taken.setblocking(False)  # noqa: FBT003 - the standard library's
    return taken


async def guard_until_signalled(worker: Worker, taken: socket.socket) -> None:
    """Guard calls until SIGTERM or Ctrl-C; SIGHUP reads the config anew."""
    loop = asyncio.get_running_loop()
    for signalled in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signalled, worker.stopped.set)
    loop.add_signal_handler(signal.SIGHUP, worker.reload)
    gc.collect()
    gc.set_threshold(_GARBAGE, 20, 50)
    gc.freeze()  # what was read to begin with stays: looking through it for garbage costs milliseconds in calls
    await worker.serve(taken)


class Worker:
    """A proxy with its connections. `folder` is shared by the workers of one guard, `number` tells them apart.

    One whose `parent` is gone ends too: nobody would start it again, or end it. With `keeps` a row a call stays in the folder.
    """

    def __init__(
        self,
        settings: GuardSettings,
        prices: Prices,
        folder: Path,
        number: int = 0,
        *,
        config: Path | None = None,
        parent: int | None = None,
        keeps: bool = False,
    ) -> None:
        self.proxy = Proxy(settings, prices, folder, number, CallRows(folder, number) if keeps else None)
        self.connections: set[ClientConnection] = set()
        self.stopped = asyncio.Event()
        self._config, self._parent, self._folder, self._number = config, parent, folder, number

    async def serve(self, taken: socket.socket) -> None:
        """Take calls until `stopped` is set; then no new ones, and end within 30 seconds."""
        loop = asyncio.get_running_loop()
        await self._open_helpers()
        server = await loop.create_server(self.connection, sock=taken)
        sweeping = loop.create_task(self.sweep())
        try:
            await self.stopped.wait()
        finally:
            server.close()
            sweeping.cancel()
            await self.drain()

    async def _open_helpers(self) -> None:
        """Start the processes that the settings take, or have those that are there work by them."""
        own, proxy = self.proxy.settings, self.proxy
        if proxy.keeping is not None:
            proxy.keeping.take_settings(own)
        elif own.store is not None or own.table.registries.refresh:
            proxy.keeping = Keeping(own, self._folder, self._number, proxy.deciding, proxy.counters)
            await proxy.keeping.start()
        if proxy.deciding.pool is not None:
            proxy.deciding.pool.take_settings(own.judging)
        elif own.uses_pool:
            pool = Pool(own.judging, own.table.judge.processes)
            await pool.start()
            proxy.deciding.pool = pool

    def connection(self) -> ClientConnection:
        """Build what reads a client's connection."""
        largest = max(route.table.max_request for route in self.proxy.settings.routes)
        return ClientConnection(self.proxy.handle, self.connections, max(largest, LARGEST))

    def reload(self) -> None:
        """Read the config anew; one that is not valid changes nothing."""
        if self._config is None:
            return
        try:
            settings = read_guard_file(self._config)
        except ShowableError as error:
            LOG.error("the config was not reloaded: %s", error)  # noqa: TRY400 - the message is the user's
            return
        self.proxy.take_settings(settings)
        self._reloading = asyncio.get_running_loop().create_task(self._open_helpers())
        LOG.warning("the config was reloaded")

    async def sweep(self) -> None:
        """Close what keeps the guard waiting, save the counts, forget old logs."""
        loop = asyncio.get_running_loop()
        forgotten = loop.time()
        while True:
            await asyncio.sleep(SWEEP_S)
            if self._parent is not None and os.getppid() != self._parent:
                self.stopped.set()
            now = loop.time()
            for connection in list(self.connections):
                connection.close_if_idle(now)
            with contextlib.suppress(OSError):  # a full disk must not end the guard
                self._save()
                if now - forgotten > FORGET_S:
                    forgotten = now
                    self.proxy.logs.forget_old()
                    self.proxy.responses.forget_old()

    async def drain(self) -> None:
        """Let open calls end, and close what is idle."""
        self.proxy.draining = True
        loop = asyncio.get_running_loop()
        until = loop.time() + DRAIN_S
        while self.connections and loop.time() < until:
            for connection in [one for one in self.connections if not one.busy]:
                connection.close()
            await asyncio.sleep(0.02)
        for connection in list(self.connections):
            connection.close()
        await self.proxy.close()
        with contextlib.suppress(OSError):
            self._save()

    def _save(self) -> None:
        self.proxy.counters.save()
        if self.proxy.rows is not None:
            self.proxy.rows.save(time.time())
