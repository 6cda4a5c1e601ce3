"""Give up on what takes too long, so that one trace does not hold up all others."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

LIMIT_S = 5.0
"""Seconds of the processor for one trace; a long answer takes a hundredth of that."""


class TookTooLongError(Exception):
    """A trace took more time than one trace may."""


@contextmanager
def time_limit(seconds: float = LIMIT_S) -> Iterator[None]:
    """Raise TookTooLongError in what is run within, after so many seconds of the processor's time. Main thread alone: else no limit."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def give_up(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as signal handlers are called
        raise TookTooLongError(f"it took more than {seconds:g} s, and was given up")

    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)
