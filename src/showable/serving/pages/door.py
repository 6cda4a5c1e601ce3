"""What every request has to pass, and what every answer carries: the host's name, the token, the headers."""

from __future__ import annotations

import asyncio

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from showable.review.door import HEADERS, Door
from showable.serving.guesses import TOO_MANY, Guesses
from showable.serving.pages.rendering import render

MOST_FORM = 4_096
ENTER = "/enter"
HOOKS = "/feed/hooks/"
READ_S = 10.0
"""Seconds that a browser has for what it sends."""


def guarding(door: Door) -> Middleware:
    """Make what stands before all handlers."""

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            answer = _stopped(request, door) or await handler(request)
        except web.HTTPException as refused:
            answer = _refused(refused)
        for name, value in HEADERS.items():
            answer.headers[name] = value
        answer.headers.setdefault("Cache-Control", "no-store")
        return answer

    return guard


def _stopped(request: web.Request, door: Door) -> web.StreamResponse | None:
    """Return the answer to a request that goes no further, or None."""
    if request.path.startswith(HOOKS) and request.method == "POST":
        return None  # a ticket system knows another name of this host, and no token: its signature lets it in
    hosts = request.headers.getall("Host", [])
    if len(hosts) != 1 or not door.answers_to(hosts[0]):
        return refusal(421, "This server does not answer to that host name; open the address that it printed")
    if request.path == "/healthz" or request.path.startswith("/static/") or request.path == ENTER:
        return None  # the same for everybody, and nothing of the traces is in it
    if door.lets_in(request.cookies):
        return None
    if request.headers.get("Sec-Fetch-Site") == "cross-site" and request.method == "GET":
        # the cookie is for our own pages alone: the first request of a link from elsewhere comes without it
        text = "<!DOCTYPE html><title>…</title><meta http-equiv='refresh' content='0'>"
        return web.Response(text=text, content_type="text/html")
    return enter_page(status=401)


async def enter(request: web.Request, door: Door, guesses: Guesses) -> web.StreamResponse:
    """Take the token that somebody entered, and hand out the cookie for it."""
    if request.method == "GET":
        return enter_page()
    if (request.content_length or 0) > MOST_FORM:
        return refusal(413, "That is too long for a token")
    try:
        async with asyncio.timeout(READ_S):
            form = await request.post()
    except TimeoutError:
        return refusal(408, "The token took too long to come")
    given, address = form.get("token"), request.remote or ""
    if guesses.bars(address):
        return refusal(429, f"{TOO_MANY[0].upper()}{TOO_MANY[1:]}")
    right = door.takes(given if isinstance(given, str) else None)
    guesses.note(address, right=right)
    if not right:
        return enter_page(status=403, wrong=True)
    return web.Response(status=303, headers={"Location": "/", "Set-Cookie": door.pass_set()})


def enter_page(*, status: int = 200, wrong: bool = False) -> web.Response:
    """Ask for the token."""
    return web.Response(text=render("enter.html.j2", wrong=wrong), status=status, content_type="text/html")


def refusal(status: int, said: str) -> web.Response:
    """Say on a page why a request is not answered as asked."""
    return web.Response(
        text=render("refused.html.j2", said=said, status=status), status=status, content_type="text/html"
    )


def _refused(refused: web.HTTPException) -> web.StreamResponse:
    said = {404: "There is nothing at this address", 405: "That is not taken here"}
    if refused.status < 400:  # noqa: PLR2004 - a redirect is no refusal
        return refused
    answer = refusal(refused.status, said.get(refused.status, "This cannot be answered"))
    if allow := refused.headers.get("Allow"):
        answer.headers["Allow"] = allow
    return answer
