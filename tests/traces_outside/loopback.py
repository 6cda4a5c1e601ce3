"""What the loops talk to: a chat model that always says the same, and a receiver that keeps what exporters send it."""

import asyncio
import contextlib
import threading
from dataclasses import dataclass, field

import chat_server
from aiohttp import web


@dataclass
class Received:
    """The requests of each case: path, content type, encoding and body, as they came."""

    requests: dict = field(default_factory=dict)

    async def keep(self, request):
        case, path = request.match_info["case"], request.match_info["path"]
        # The body as it is on the wire: aiohttp would unpack it, and unpacking is ours to do.
        body = await request.read()
        self.requests.setdefault(case, []).append((path, request.headers, body))
        return web.Response(content_type="application/x-protobuf")


async def _serve(answer, received, ready, stop):
    app = web.Application(client_max_size=2**26)
    app.router.add_post("/{case}/v1/{path}", received.keep)
    runner = web.AppRunner(app, auto_decompress=False)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    async with chat_server.serve([chat_server.Say(answer)]) as chat:
        ready(chat.url, "http://{}:{}".format(*runner.addresses[0][:2]))
        await stop.wait()
    await runner.cleanup()


@contextlib.contextmanager
def loopback(answer):
    """Give the addresses of the model and of the receiver, and what the receiver got."""
    received, urls, started = Received(), [], threading.Event()
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()

    def ready(*found):
        urls.extend(found)
        started.set()

    thread = threading.Thread(target=loop.run_until_complete, args=(_serve(answer, received, ready, stop),))
    thread.start()
    started.wait(10)
    try:
        yield *urls, received
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()
