"""The processes of `showable serve`: started, watched, started again where one dies, ended together."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.context import SpawnProcess
from pathlib import Path

from showable.errors import InputError, SettingError, ShowableError
from showable.serving.saying import say
from showable.serving.settings import ServeSettings

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
SETTLED_S = 60.0
"""A process that lived so long is started again after the first pause, as if it had never died."""
GRACE_S = 5.0
"""Seconds that a process has to end of itself."""
WRONG_SETTING = 2
"""The exit status of a process that cannot work as it was told to: starting it again would not help."""
_DIED = 1
_NAME = Path("/proc/self/comm")


@dataclass(frozen=True, slots=True)
class Kind:
    """A process by name: where its `run` is, and the socket that it is handed, if any. `nice` is how far it stands back for the others."""

    name: str
    target: str
    taken: socket.socket | None = None
    nice: int = 0


class Child:
    """A process of one kind, as often as it has to be started."""

    def __init__(self, kind: Kind, settings: ServeSettings) -> None:
        self.kind, self._settings = kind, settings
        self._process: SpawnProcess | None = None
        self._pause, self._began, self._again_at = FIRST_PAUSE_S, 0.0, 0.0

    def start(self) -> None:
        """Start it."""
        # spawn: a fork would copy threads' locks, and what the libraries of the judge hold
        context = multiprocessing.get_context("spawn")
        given = (self.kind, self._settings)
        self._process = context.Process(target=live, args=given, name=f"showable {self.kind.name}")
        # Ctrl-C reaches all; the first process ends the others in order. What is ignored here is ignored there from the start.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            self._process.start()
        finally:
            signal.signal(signal.SIGINT, before)
        self._began = time.monotonic()

    @property
    def sentinel(self) -> int | None:
        """What becomes readable when it dies; None while it waits to be started again."""
        return None if self._process is None else self._process.sentinel

    @property
    def pid(self) -> int | None:
        """Its process id, while it runs."""
        return None if self._process is None else self._process.pid

    def look(self) -> None:
        """Note that it died, or start it again when its pause is over. Raises SettingError where that would not help."""
        now = time.monotonic()
        if self._process is None:
            if now >= self._again_at:
                self.start()
            return
        status = self._process.exitcode
        if status is None:
            return
        self._process.close()
        self._process = None
        if status == WRONG_SETTING:
            raise SettingError(f"{self.kind.name} cannot work as it was told to (see above)")
        if now - self._began > SETTLED_S:
            self._pause = FIRST_PAUSE_S
        self._again_at = now + self._pause
        say(f"{self.kind.name} ended ({_how(status)}); it is started again in {self._pause:g} s")
        self._pause = min(2 * self._pause, LONGEST_PAUSE_S)

    def end(self) -> None:
        """Ask it to end."""
        if self._process is not None:
            self._process.terminate()

    def wait(self, until: float) -> None:
        """Wait for its end until a time of the monotonic clock; then end it by force."""
        if self._process is None:
            return
        self._process.join(max(0.0, until - time.monotonic()))
        if self._process.exitcode is None:
            say(f"{self.kind.name} did not end within {GRACE_S:g} s, and was ended by force")
            self._process.kill()
            self._process.join()
        self._process.close()
        self._process = None


def _how(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"


def live(kind: Kind, settings: ServeSettings) -> None:
    """Be a process of `serve`: run until SIGTERM, or until the process that started it is gone."""
    name = kind.name
    if _NAME.exists():  # Linux: what ps and top show
        _NAME.write_text(f"prob-{name}"[:15])
    threading.Thread(target=_end_with_parent, name="parent-watch", daemon=True).start()
    os.nice(kind.nice)
    module, _, function = kind.target.partition(":")
    given: Mapping[str, object] = {} if kind.taken is None else {"taken": kind.taken}
    try:
        getattr(importlib.import_module(module), function)(settings, **given)
    except (SettingError, InputError) as error:
        say(f"{name}: {error}")
        sys.exit(WRONG_SETTING)
    except ShowableError as error:
        say(f"{name}: {error}")
        sys.exit(_DIED)
    except Exception as error:  # noqa: BLE001 - said in a line; it is started again
        say(f"{name}: {type(error).__name__}: {error}")
        sys.exit(_DIED)


def _end_with_parent() -> None:
    """End this process when the one that started it is gone, however it went."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    parent.join()  # a pipe that closes with it
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_S)
    os._exit(_DIED)
