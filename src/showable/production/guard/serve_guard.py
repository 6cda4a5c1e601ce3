"""`showable guard`: take the port, start the workers, start again those that die, and end them together."""

from __future__ import annotations

import logging
import multiprocessing
import os
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from showable.errors import SettingError
from showable.production.guard.cost import Prices
from showable.production.guard.guard_file import GuardSettings
from showable.production.guard.worker import DRAIN_S, Worker, guard_until_signalled, listening_socket
from showable.serving.address import is_loopback

_BETWEEN_STARTS_S, _HIGHEST_PORT = 0.1, 65_535


def parse_address(given: str) -> tuple[str, int]:
    """Parse HOST:PORT, [::1]:PORT. Raises SettingError."""
    host, _, port = given.rpartition(":")
    if not host or not port.isdecimal() or int(port) > _HIGHEST_PORT:
        raise SettingError(f"--listen {given}: expected HOST:PORT")
    return host.strip("[]"), int(port)


def serve_guard(
    settings: GuardSettings,
    prices: Prices,
    *,
    listen: tuple[str, int],
    workers: int = 1,
    config: Path | None = None,
    folder: Path | None = None,
    ready: Callable[[str], None],
) -> None:
    """Guard until SIGTERM or Ctrl-C; `ready` is told the address once the port is listened at.

    Each worker listens by itself (SO_REUSEPORT). Raises SettingError for an address that cannot be listened at, and for
    one that others reach while the guard asks for no key.
    """
    host, port = listen
    if not is_loopback(host) and not settings.keys:
        raise SettingError(
            f"--listen {host}: others can reach that address; give callers a [key.NAME], or listen at 127.0.0.1"
        )
    try:
        sockets = [listening_socket(host, port)]
        port = sockets[0].getsockname()[1]
        sockets += [listening_socket(host, port) for _ in range(workers - 1)]
    except OSError as error:
        raise SettingError(f"--listen {host}:{port}: {error.strerror or error}") from None
    shared = folder or Path(tempfile.mkdtemp(prefix="showable-guard-"))
    shared.mkdir(exist_ok=True, parents=True, mode=0o700)
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
    made = _Setup(settings, prices, sockets, shared, config, keeps=folder is not None)
    try:
        if workers == 1:
            ready(address)
            _run(made, 0)
        else:
            _supervise(made, lambda: ready(address))
    finally:
        for taken in sockets:
            taken.close()
        if folder is None:
            shutil.rmtree(shared, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class _Setup:
    """What every worker starts from; `sockets` has one for each."""

    settings: GuardSettings
    prices: Prices
    sockets: Sequence[socket.socket]
    shared: Path
    config: Path | None
    keeps: bool


def _run(made: _Setup, number: int, parent: int | None = None) -> None:
    import uvloop  # noqa: PLC0415 - an extra

    logging.basicConfig(level=logging.WARNING, format="showable guard: %(message)s", stream=sys.stderr)

    async def guarding() -> None:
        worker = Worker(
            made.settings, made.prices, made.shared, number, config=made.config, parent=parent, keeps=made.keeps
        )
        await guard_until_signalled(worker, made.sockets[number])

    uvloop.run(guarding())


def _supervise(made: _Setup, ready: Callable[[], None]) -> None:
    """Keep a process for each socket. A socket stays open while its process is started again: who connects, waits."""
    context = multiprocessing.get_context("fork")
    stop = threading.Event()

    def start(number: int) -> BaseProcess:
        process = context.Process(target=_child, args=(made, number), daemon=True)
        process.start()
        return process

    children = [start(number) for number in range(len(made.sockets))]
    for ending in (signal.SIGTERM, signal.SIGINT):
        signal.signal(ending, lambda *_: stop.set())
    signal.signal(signal.SIGHUP, lambda *_: _signal(children, signal.SIGHUP))
    ready()
    while not stop.is_set():
        wait([child.sentinel for child in children], timeout=0.25)
        for number, child in enumerate(children):
            if not child.is_alive() and not stop.is_set():
                logging.getLogger("showable.guard").error(
                    "worker %d ended with %s, and is started again", number, child.exitcode
                )
                time.sleep(_BETWEEN_STARTS_S if child.exitcode else 0)
                children[number] = start(number)
    _signal(children, signal.SIGTERM)
    until = time.monotonic() + DRAIN_S + 5
    for child in children:
        child.join(max(0.0, until - time.monotonic()))
        if child.is_alive():
            child.kill()


def _child(made: _Setup, number: int) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the group; the parent says when to end
    for other, taken in enumerate(made.sockets):
        if other != number:
            taken.close()
    _run(made, number, os.getppid())


def _signal(children: list[BaseProcess], number: int) -> None:
    for child in children:
        if child.pid is not None and child.is_alive():
            os.kill(child.pid, number)
