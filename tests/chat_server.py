"""A chat endpoint on loopback that says what a test tells it to, and remembers what it was asked."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web


@dataclass
class Say:
    """One response: the message's content, or a raw body, with everything that can go wrong around it."""

    content: str | None = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    trickle_s: float = 0.0
    body: str | None = None
    finish_reason: str = "stop"
    refusal: str | None = None
    usage: Any = field(default_factory=lambda: {"prompt_tokens": 400, "completion_tokens": 50, "total_tokens": 450})

    def text(self) -> str:
        if self.body is not None:
            return self.body
        if self.status != 200:
            return json.dumps({"error": {"message": f"status {self.status} on purpose", "type": "test"}})
        message = {"role": "assistant", "content": self.content, "refusal": self.refusal}
        choice = {"index": 0, "message": message, "finish_reason": self.finish_reason}
        body: dict[str, Any] = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        return json.dumps(body if self.usage is None else body | {"usage": self.usage})


@dataclass
class ChatServer:
    """Says the answers in turn, the last one for ever; or what the function makes of each request."""

    answers: list[Say] | Callable[[dict[str, Any]], Say]
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    most_in_flight: int = 0
    _in_flight: int = 0

    async def handle(self, request: web.Request) -> web.StreamResponse:
        asked = await request.json()
        self.requests.append(asked)
        self.keys.append(request.headers.get("Authorization"))
        self._in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self._in_flight)
        try:
            return await self._reply(request, asked)
        finally:
            self._in_flight -= 1

    async def _reply(self, request: web.Request, asked: dict[str, Any]) -> web.StreamResponse:
        if callable(self.answers):
            say = self.answers(asked)
        else:
            say = self.answers[min(len(self.requests), len(self.answers)) - 1]
        await asyncio.sleep(say.delay_s)
        if say.trickle_s:
            response = web.StreamResponse(headers={"Content-Type": "application/json"})
            await response.prepare(request)
            for character in say.text():
                await response.write(character.encode())
                await asyncio.sleep(say.trickle_s)
            return response
        return web.Response(text=say.text(), status=say.status, content_type="application/json", headers=say.headers)


@asynccontextmanager
async def serve(answers: list[Say] | Callable[[dict[str, Any]], Say], port: int = 0) -> AsyncIterator[ChatServer]:
    server = ChatServer(answers)
    app = web.Application(client_max_size=64 * 1024 * 1024)
    app.router.add_post("/v1/chat/completions", server.handle)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", port)
        await site.start()
        host, port = runner.addresses[0][:2]
        server.url = f"http://{host}:{port}/v1"
        yield server
    finally:
        await runner.cleanup()
