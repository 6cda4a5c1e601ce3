"""Run the pages until Ctrl-C: take the port first, say where they are, and end cleanly."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import sys
from collections.abc import Callable
from typing import Any

from showable.errors import SettingError
from showable.report.untrusted import printable
from showable.review.connections import Connections

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


def _protocol() -> Any:
    """Build uvicorn's protocol with a bound on connections, which uvicorn counts only once they have asked for something."""
    from uvicorn.protocols.http.h11_impl import H11Protocol  # noqa: PLC0415 - of the extra [review]

    held: Connections[asyncio.Protocol] = Connections()

    class Bounded(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if not held.opened(self, transport):
                transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            held.closed(self)
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.cycle is not None and not self.cycle.response_complete:
                held.busy(self)

        def on_response_complete(self) -> None:
            held.idle(self)
            super().on_response_complete()

    return Bounded


def serve(app: Callable[..., object], taken: socket.socket) -> None:
    """Answer requests until Ctrl-C or a signal to end."""
    import uvicorn  # noqa: PLC0415 - of the extra [review]

    logging.getLogger("asyncio").disabled = True  # where descriptors run out it says so megabytes a second
    logger = logging.getLogger("uvicorn")
    logger.handlers, logger.propagate = [_OneLine()], False
    config = uvicorn.Config(
        app,
        http=_protocol(),
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
