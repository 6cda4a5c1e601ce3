"""Threads for what is not async: one a call, and none that a call which never returns could keep the process alive by."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class CallThreads(ThreadPoolExecutor):
    """An event loop's executor that starts a daemon thread for every call and waits for none.

    A call that takes longer than its caller waits goes on in its thread until it returns: Python cannot stop it. The
    loop's own executor would have few threads, all taken soon by such calls, and would wait for them at the end.
    """

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Start the call now."""
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()  # from here on it cannot be cancelled, so that its outcome can always be set

        def work() -> None:
            try:
                found = fn(*args, **kwargs)
            except StopIteration as error:  # a future of asyncio takes none; said as PEP 479 has it
                future.set_exception(RuntimeError(f"StopIteration: {error}" if str(error) else "StopIteration"))
            except BaseException as error:  # noqa: BLE001 - whatever it was belongs to the caller, sys.exit() included
                future.set_exception(error)
            else:
                future.set_result(found)

        threading.Thread(target=work, daemon=True, name="pipeline").start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 - the signature it takes over
        """Wait for nothing."""
