"""What every request has to pass, and what every answer carries: host names, the way in, cross-site posts, sizes, headers."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from showable.review.door import HEADERS, Door, is_loopback, same_secret
from showable.review.refusals import Refusal, refusal_page
from showable.review.sessions import Session

MOST_BYTES = 64 * 1024
"""A longer body is refused; a label with the longest comment takes less than half of it."""
READ_S = 30.0
"""Seconds that a browser has for its body."""
__all__ = ["MOST_BYTES", "Door", "Guard", "check_change", "is_loopback", "once_more", "read_body"]


class Guard:
    """Stands before the application: refuses wrong hosts and visitors without the token, adds the headers to all answers."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self.app, self.door = app, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":  # no websockets here
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        request = Request(scope)
        try:
            answer = self._stop(request)
        except Refusal as refusal:
            answer = refusal_page(request, refusal)
        await (self.app if answer is None else answer)(scope, receive, with_headers)

    def _stop(self, request: Request) -> ASGIApp | None:
        """Return the answer to a request that goes no further, or None."""
        hosts = request.headers.getlist("host")
        if len(hosts) != 1 or not self.door.answers_to(hosts[0]):
            raise Refusal(421, "this server does not answer to that host name; open the address that it printed")
        path = request.scope["path"]  # what leads to an endpoint; request.url is put together from what was sent
        if path == "/healthz" or path.startswith("/static/"):
            return None  # the same for everybody, and nothing of the run is in it
        if self.door.token is not None and request.method == "GET" and "token" in request.query_params:
            if not self.door.takes(request.query_params["token"]):
                raise Refusal(403, "the token in the address is not this server's; open the address that it printed")
            return RedirectResponse("/", 303, {"Set-Cookie": self.door.pass_set()})
        if not self.door.lets_in(request.cookies):
            if (again := once_more(request)) is not None:
                return again
            raise Refusal(403, "open the address that the server printed, with its token")
        return None


def once_more(request: Request) -> Response | None:
    """Have a page that another site linked to asked for once more by a page of ours; None where it was asked for by one.

    Our cookies are for our own pages alone: the first request of such a link comes without them.
    """
    if request.method != "GET" or request.headers.get("sec-fetch-site") != "cross-site":
        return None
    return HTMLResponse("<!DOCTYPE html><title>…</title><meta http-equiv='refresh' content='0'>")


def check_change(request: Request, session: Session | None) -> Session:
    """Let a request that changes something pass only where it comes from one of our own pages, for this very session."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refusal(403, "expected the content type application/json")
    if not _from_here(request.headers):
        raise Refusal(403, "this came from another site")
    if session is None:
        raise Refusal(401, "nobody has entered here, or the server was started again; open the start page")
    if not same_secret(request.headers.get("x-showable", ""), session.token):
        raise Refusal(403, "the page is of another session; load it again")
    return session


def _from_here(headers: Headers) -> bool:
    """Check whether Origin and Sec-Fetch-Site, of which one must be there, both name this very site."""
    origin, fetched = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is None and fetched is None:
        return False
    if fetched is not None and fetched != "same-origin":
        return False
    return origin is None or _site_of(origin) == headers.get("host", "").lower()


def _site_of(origin: str) -> str:
    """Return host and port of an Origin header; empty for ``null`` and for what is none."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return ""
    return parts.netloc.lower() if parts.scheme in {"http", "https"} else ""


async def read_body(request: Request) -> bytes:
    """Read a body of at most `MOST_BYTES`, however its length is stated, or not stated at all."""
    stated = request.headers.get("content-length", "0")
    if stated.isdecimal() and int(stated) > MOST_BYTES:
        raise _too_long()
    body = bytearray()
    try:
        async with asyncio.timeout(READ_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MOST_BYTES:
                    raise _too_long()
    except TimeoutError:
        raise Refusal(408, f"the body took longer than {READ_S:.0f} s", close=True) from None
    except ClientDisconnect:  # a phone that lost its network; nobody is there to be told
        raise Refusal(400, "the body ended too early", close=True) from None
    return bytes(body)


def _too_long() -> Refusal:
    return Refusal(413, f"a body may be {MOST_BYTES // 1024} KiB long", close=True)
