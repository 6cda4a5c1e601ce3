"""Processes beside a worker: started with what they work by, told things over a socket, started again when they die."""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any

from showable.errors import SettingError

LOG = logging.getLogger("showable.guard")
READY = "ready"
"""What a process says once it can work."""
START_S = 60.0
_FIRST_PAUSE_S, _LONGEST_PAUSE_S, _SETTLED_S = 0.2, 10.0, 30.0
_SIZE = struct.Struct("!I")


class HelperProcess(asyncio.Protocol):
    """One process that runs `main` of a module, and the socket to it.

    Objects go both ways as pickles: both ends are this program, and nobody else holds the socket. A process that ends is
    started again; `lost` is told first. One whose worker is gone reads the end of its socket, and ends.
    """

    def __init__(
        self, module: str, setup: Any, take: Callable[[Any], None], lost: Callable[[], None] = lambda: None
    ) -> None:
        self._module, self._setup, self._take, self._lost = module, setup, take, lost
        self._process: subprocess.Popen[bytes] | None = None
        self._transport: asyncio.Transport | None = None
        self._data, self._closed, self._pause, self._began = bytearray(), False, _FIRST_PAUSE_S, 0.0
        self._renewing = False
        self.ready = asyncio.Event()

    @property
    def pid(self) -> int | None:
        """Its process id, None while there is none."""
        return self._process.pid if self._process is not None else None

    async def start(self) -> None:
        """Start it, without waiting until it is ready."""
        loop = asyncio.get_running_loop()
        mine, theirs = socket.socketpair()
        # the paths are those of this process, however it came by them; -P, so that no file of the working folder is imported
        code = f"from {self._module} import main; main({theirs.fileno()})"
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._process = subprocess.Popen(  # noqa: ASYNC220, S603 - a few ms, and our own command
            [sys.executable, "-P", "-c", code],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            env=environment,
        )
        theirs.close()
        self._began = loop.time()
        mine.setblocking(False)  # noqa: FBT003 - the standard library's
        await loop.create_unix_connection(lambda: self, sock=mine)
        self.send(self._setup)

    async def until_ready(self) -> None:
        """Wait until it can work. Raises SettingError."""
        try:
            async with asyncio.timeout(START_S):
                await self.ready.wait()
        except TimeoutError:
            name = self._module.rpartition(".")[2]
            raise SettingError(f"the guard's process {name} did not start within {START_S:g} seconds") from None

    def send(self, message: Any) -> bool:
        """Send an object; False where nobody is there to take it."""
        if self._transport is None or self._transport.is_closing():
            return False
        data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
        self._transport.write(_SIZE.pack(len(data)) + data)
        return True

    def renew(self, setup: Any) -> None:
        """Have another one work by this setup, once this one has ended what it is at."""
        if setup != self._setup and self._transport is not None:
            self._renewing = True
            self._transport.write_eof()
        self._setup = setup

    def kill(self) -> None:
        """End it at once; another one is started in its place."""
        if self._process is not None:
            self._process.kill()

    async def close(self) -> None:
        """End it for good, and wait until it is gone."""
        self._closed = True
        if self._transport is not None:
            self._transport.close()
        process, self._process = self._process, None
        if process is not None:
            await asyncio.get_running_loop().run_in_executor(None, _ended, process)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport, self._data = transport, bytearray()  # type: ignore[assignment] # uvloop's is none of asyncio's

    def data_received(self, data: bytes) -> None:
        """Take whole messages."""
        self._data += data
        while len(self._data) >= _SIZE.size:
            (size,) = _SIZE.unpack_from(self._data)
            if len(self._data) < _SIZE.size + size:
                return
            message = pickle.loads(self._data[_SIZE.size : _SIZE.size + size])  # noqa: S301 - our own process wrote it
            del self._data[: _SIZE.size + size]
            if message == READY:
                self.ready.set()
            else:
                self._take(message)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the protocol's
        """Start another one, unless it was to end."""
        self._transport = None
        self.ready.clear()
        process = self._process
        if self._closed or process is None:
            return
        loop = asyncio.get_running_loop()
        if self._renewing:
            self._renewing, self._ending = False, loop.run_in_executor(None, _ended, process)
        else:
            process.kill()
            LOG.error("%s ended with %s, and is started again", self._module.rpartition(".")[2], process.wait())
        self._lost()
        if loop.time() - self._began > _SETTLED_S:
            self._pause = _FIRST_PAUSE_S
        loop.call_later(self._pause, self._again)
        self._pause = min(2 * self._pause, _LONGEST_PAUSE_S)

    def _again(self) -> None:
        if not self._closed:
            self._starting = asyncio.get_running_loop().create_task(self.start())


def _ended(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(5.0)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Inbox:
    """The other end, within the process: `setup` first, then messages until the worker is gone."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def open(cls, number: int) -> Inbox:
        """Open the socket that was handed over. Signals for the guard are not for this process: it ends with its worker."""
        for ignored in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
            signal.signal(ignored, signal.SIG_IGN)
        logging.basicConfig(level=logging.WARNING, format="showable guard: %(message)s", stream=sys.stderr)
        return cls(*await asyncio.open_unix_connection(sock=socket.socket(fileno=number)))

    def send(self, message: Any) -> None:
        """Send an object to the worker."""
        data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
        self._writer.write(_SIZE.pack(len(data)) + data)

    async def messages(self) -> AsyncIterator[Any]:
        """Yield what the worker sends."""
        try:
            while True:
                (size,) = _SIZE.unpack(await self._reader.readexactly(_SIZE.size))
                yield pickle.loads(await self._reader.readexactly(size))  # noqa: S301 - our own process wrote it
        except (asyncio.IncompleteReadError, ConnectionError):
            return
