"""How the receiver and the page let connections in: within bounds, and none that only keeps a place."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from showable.review.connections import IDLE_S, Connections
from showable.serving.saying import silent_log

_FULL = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
OPTIONS: dict[str, Any] = {"keepalive_timeout": IDLE_S, "lingering_time": 5.0, "access_log": None}


class Doorway(web.Server):
    """Answers by `answer`; lets in so many connections and no more, and closes one that asks nothing for a while."""

    def __init__(
        self,
        answer: Callable[[web.BaseRequest], Awaitable[web.StreamResponse]],
        request_factory: Any = None,
        **options: Any,
    ) -> None:
        super().__init__(self._answer, request_factory=request_factory, logger=silent_log(), **OPTIONS, **options)
        self._handler = answer
        self._held: Connections[web.RequestHandler] = Connections()

    def connection_made(self, handler: web.RequestHandler, transport: asyncio.Transport) -> None:
        """Count a connection in, or send it away."""
        super().connection_made(handler, transport)
        if not self._held.opened(handler, transport):
            transport.write(_FULL)
            asyncio.get_running_loop().call_later(
                0.01, transport.close
            )  # its handler has to have begun, or it would fail

    def connection_lost(self, handler: web.RequestHandler, exc: BaseException | None = None) -> None:
        """Count a connection out."""
        self._held.closed(handler)
        super().connection_lost(handler, exc)

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        self._held.busy(request.protocol)
        try:
            return await self._handler(request)
        finally:
            self._held.idle(request.protocol)


class PageRunner(web.AppRunner):
    """Runs an application behind a `Doorway`."""

    async def _make_server(self) -> web.Server:
        server = await super()._make_server()
        return Doorway(server.request_handler, server.request_factory)
