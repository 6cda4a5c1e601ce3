"""Keep stdout for the report: what others print while they are asked goes to stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress

_STDOUT, _STDERR = 1, 2


@contextmanager
def stdout_to_stderr() -> Iterator[None]:
    """Send to stderr what is printed within, by Python as by libraries of C and by programs that are started."""
    held = None
    with suppress(OSError, ValueError):  # either may be closed
        sys.stdout.flush()
        held = os.dup(_STDOUT)
        os.dup2(_STDERR, _STDOUT)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        if held is not None:
            _flush_c()
            os.dup2(held, _STDOUT)
            os.close(held)


def _flush_c() -> None:
    """Let C put down what it holds back for a pipe, before its stdout is ours again."""
    import ctypes

    with suppress(OSError, TypeError, AttributeError):  # no C library to be had by this way
        ctypes.CDLL(None).fflush(None)
