"""When a process of `showable serve` is to end: at SIGTERM, or when the process that started it is gone."""

from __future__ import annotations

import os
import signal
import threading
from types import FrameType


class Ending:
    """Says whether the end has come. Signals are taken where this is made in the main thread of a process."""

    def __init__(self) -> None:
        self._come = threading.Event()
        self._parent = os.getppid()
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, self._take)

    @property
    def come(self) -> bool:
        """Whether it is time to end."""
        if os.getppid() != self._parent:
            self._come.set()
        return self._come.is_set()

    def wait(self, seconds: float) -> None:
        """Wait, but not beyond the end."""
        self._come.wait(seconds)

    def end(self) -> None:
        """Report that it is time."""
        self._come.set()

    def _take(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - as signal handlers are called
        self._come.set()
