"""A pipeline behind HTTP on loopback that says what a test tells it to, and remembers what it was asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web


@dataclass
class Say:
    """One response: a JSON body, or raw bytes, with everything that can go wrong around it."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    delay_s: float = 0.0
    hang_up: bool = False


@dataclass
class PipelineServer:
    """Says the answers in turn, the last one for ever; or what the function makes of each request."""

    answers: list[Say] | Callable[[dict[str, Any]], Say]
    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    in_flight: int = 0
    most_in_flight: int = 0

    async def handle(self, request: web.Request) -> web.StreamResponse:
        asked = await request.json()
        self.asked.append(asked)
        self.headers.append(dict(request.headers))
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            return await self._reply(request, asked)
        finally:
            self.in_flight -= 1

    async def _reply(self, request: web.Request, asked: dict[str, Any]) -> web.StreamResponse:
        if callable(self.answers):
            say = self.answers(asked)
        else:
            say = self.answers[min(len(self.asked), len(self.answers)) - 1]
        await asyncio.sleep(say.delay_s)
        if say.hang_up and request.transport is not None:
            request.transport.close()
        if say.raw is not None:
            return web.Response(body=say.raw, status=say.status, headers=say.headers)
        return web.json_response(say.body, status=say.status, headers=say.headers)


@asynccontextmanager
async def serving(answers):
    """Serve while this lasts."""
    server = PipelineServer(answers)
    app = web.Application()
    app.router.add_post("/ask", server.handle)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}/ask"
    try:
        yield server
    finally:
        await runner.cleanup()
