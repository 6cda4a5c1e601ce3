"""A process forked from this one: what it needs is imported already, so that to start it, and to kill it, costs little."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import sys
import time
import traceback
import warnings
from contextlib import contextmanager
from pathlib import Path

import pytest

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="starts processes by fork")


class Forked:
    """A process that runs; what it prints is in two files."""

    def __init__(self, pid: int, folder: Path):
        self.pid, self.folder, self.code = pid, folder, None

    def send(self, how: signal.Signals) -> None:
        os.kill(self.pid, how)

    def wait(self, options=0) -> int | None:
        """Wait for its end; gives the exit code, or the number of the signal below 0."""
        if self.code is None and (ended := os.waitpid(self.pid, options))[0]:
            self.code = os.waitstatus_to_exitcode(ended[1])
        return self.code

    def until(self, ready) -> None:
        """Wait until something holds, as long as the process runs."""
        while not ready():
            assert self.wait(os.WNOHANG) is None, f"it ended with {self.code}: {self.err}"
            time.sleep(0.001)

    @property
    def out(self) -> str:
        return (self.folder / "out").read_text()

    @property
    def err(self) -> str:
        return (self.folder / "err").read_text()


@contextmanager
def forked(work, folder: Path):
    """Run `work()` in a process of its own, as long as this lasts; `folder` takes what it prints."""
    folder.mkdir(exist_ok=True)
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        with warnings.catch_warnings():
            # Python 3.12 warns that other threads do not come along; that of xdist only listens
            warnings.simplefilter("ignore")
            pid = os.fork()
        if pid == 0:
            _work(work, out.fileno(), err.fileno())
    process = Forked(pid, folder)
    try:
        yield process
    finally:
        if process.wait(os.WNOHANG) is None:
            process.send(signal.SIGKILL)
            process.wait()


def command_line(*arguments):
    """Give the work of a command of ours."""

    def work():
        from showable.cli import main

        sys.argv = ["showable", *map(str, arguments)]
        main()

    return work


def _work(work, out: int, err: int) -> None:
    code = 70
    try:
        os.dup2(out, 1)
        os.dup2(err, 2)
        sys.stdout, sys.stderr = (open(number, "w", buffering=1, closefd=False) for number in (1, 2))  # noqa: SIM115 - open to the end
        asyncio._set_running_loop(None)  # a browser may be driven just now
        code = work() or 0
    except SystemExit as leave:
        code = leave.code or 0
    except BaseException:  # noqa: BLE001 - this process is the parent's copy, and must not go on as pytest
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        ctypes.CDLL(None).fflush(None)  # as at an exit, which would also run what is registered for pytest's own
        os._exit(code)
