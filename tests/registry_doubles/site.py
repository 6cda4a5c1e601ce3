"""A site with pages, and with the ways in which servers answer oddly."""

import asyncio
from dataclasses import dataclass, field

from aiohttp import web


@dataclass
class Answer:
    """What is answered at a path. `head` is the status for HEAD, where that differs; `slow` sends a byte and then waits."""

    body: str | bytes = ""
    status: int = 200
    type: str | None = "text/html; charset=utf-8"
    headers: dict = field(default_factory=dict)
    head: int | None = None
    slow: bool = False


def site(answers, asked=None, *, otherwise=None):
    """Serve `answers` by path; `otherwise` is answered for any other, else a 404. `asked` gets (method, path, agent)."""
    asked = [] if asked is None else asked
    missing = otherwise or Answer("<title>Not Found</title>", status=404)

    async def answer(request):
        asked.append((request.method, request.raw_path, request.headers.get("User-Agent", "")))
        found = answers.get(request.raw_path, Answer(status=404) if request.path == "/robots.txt" else missing)
        if found.slow:
            return await _slowly(request)
        body = found.body.encode() if isinstance(found.body, str) else found.body
        headers = {**({"Content-Type": found.type} if found.type else {}), **found.headers}
        if request.method == "HEAD":
            return web.Response(status=found.head or found.status, headers=headers)
        return web.Response(status=found.status, body=body, headers=headers)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    return app


def moved(to, status=302):
    return Answer(status=status, headers={"Location": to})


async def _slowly(request):
    response = web.StreamResponse(headers={"Content-Type": "text/html"})
    await response.prepare(request)
    while True:
        await response.write(b"<")
        await asyncio.sleep(0.05)
