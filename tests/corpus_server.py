"""A server on loopback that publishes files as a test wants them, in a thread of its own, and counts what it was asked."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from aiohttp import web

from showable.registries.web.asking import Pace
from showable.registries.web.client import SafeNetwork
from showable.registries.web.limits import Limits


@dataclass
class Serving:
    """One path's answer. `promised` is a Content-Length larger than the body: the connection closes before it is kept."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    promised: int | None = None


@dataclass
class CorpusServer:
    """What is published, and what was asked."""

    answers: dict[str, Serving]
    port: int = 0
    asked: list[str] = field(default_factory=list)

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def way(self, *, tries: int = 1):
        """The safe way out, allowed to this server alone of all that is not public."""
        network = SafeNetwork(
            allow=frozenset({("127.0.0.1", self.port)}), limits=Limits(tries=tries), keep_alive=False, agent="test"
        )
        return network.bind("corpus", Pace(per_second=1000))

    async def handle(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request.path)
        serving = self.answers.get(request.path, Serving(status=404))
        if serving.promised is None:
            return web.Response(body=serving.body, status=serving.status, headers=serving.headers)
        response = web.StreamResponse(headers={"Content-Length": str(serving.promised)})
        await response.prepare(request)
        await response.write(serving.body)
        request.transport.close()
        return response


@contextmanager
def publish(answers: dict[str, Serving]) -> Iterator[CorpusServer]:
    server, ready = CorpusServer(answers), threading.Event()
    loop = asyncio.new_event_loop()

    async def start() -> web.AppRunner:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", server.handle)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        server.port = site._server.sockets[0].getsockname()[1]
        return runner

    def run() -> None:
        runner = loop.run_until_complete(start())
        ready.set()
        loop.run_forever()
        loop.run_until_complete(runner.cleanup())
        loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    ready.wait()
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
