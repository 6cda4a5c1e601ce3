"""Run the pages until Ctrl-C: take the port first, say where they are, and end cleanly."""

from __future__ import annotations

import errno
import logging
import socket
import sys
from collections.abc import Callable

from showable.errors import SettingError
from showable.report.untrusted import printable

_LAST_ANSWERS_S = 3
"""Seconds that answers on their way have when the server is stopped."""


def take_port(host: str, port: int) -> socket.socket:
    """Listen at an address. Raises SettingError where it is taken or is not this machine's; port 0 is any free one."""
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise SettingError(f"--host {host}: no such address ({getattr(error, 'strerror', None) or error})") from None
    taken = socket.socket(family, kind, proto)
    try:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(address)
        taken.listen(128)
    except OSError as error:
        taken.close()
        raise SettingError(_why(host, port, error)) from None
    return taken


def _why(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"--port {port}: something else listens there; give another, or 0 for any free one"
    if error.errno == errno.EACCES:
        return f"--port {port}: not allowed to listen there; give one from 1024 up"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"--host {host}: is no address of this machine"
    return f"{host}:{port}: cannot listen there: {error.strerror or error}"


class _OneLine(logging.Handler):
    """Write warnings and errors to stderr, a line each, without what could steer a terminal; no traceback."""

    def emit(self, record: logging.LogRecord) -> None:
        said = record.getMessage()
        if record.exc_info and record.exc_info[1] is not None:
            said = f"{said.splitlines()[0]}: {type(record.exc_info[1]).__name__}: {record.exc_info[1]}"
        print(f"showable: {printable(said, limit=500)}", file=sys.stderr, flush=True)  # noqa: T201 - the log of a command


def serve(app: Callable[..., object], taken: socket.socket) -> None:
    """Answer requests until Ctrl-C or a signal to end."""
    import uvicorn  # noqa: PLC0415 - of the extra [review]

    logger = logging.getLogger("uvicorn")
    logger.handlers, logger.propagate = [_OneLine()], False
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=_LAST_ANSWERS_S,
    )
    try:
        uvicorn.Server(config).run(sockets=[taken])
    except KeyboardInterrupt:  # raised again by uvicorn once everything is closed
        return
    finally:
        taken.close()
