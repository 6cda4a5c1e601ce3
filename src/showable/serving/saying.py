"""What a process of `showable serve` says on the terminal: a line at a time, and nothing that could steer it."""

from __future__ import annotations

import logging
import sys

from showable.report.untrusted import printable


def say(line: str) -> None:
    """Report that something is not as it should be, on stderr."""
    print(f"showable: {printable(line, limit=500)}", file=sys.stderr, flush=True)  # noqa: T201 - the log of a command


def tell(line: str) -> None:
    """Report where things are, on stdout."""
    print(printable(line), flush=True)  # noqa: T201 - what a command prints


def silence_asyncio() -> None:
    """Let asyncio log nothing: where descriptors run out it says so megabytes a second."""
    logging.getLogger("asyncio").disabled = True


def silent_log() -> logging.Logger:
    """Return a log that nothing comes out of, for a server of HTTP: what it logs is what strangers send."""
    log = logging.getLogger("showable.serving.http")
    log.disabled = True
    return log
