"""What every request has to pass, and what every answer carries: host names, the way in, cross-site posts, sizes, headers."""

from __future__ import annotations

import hmac
import ipaddress
import re
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from probative.review.refusals import Refusal, refusal_page
from probative.review.sessions import Session

MOST_BYTES = 64 * 1024
"""A longer body is refused; a label with the longest comment takes less than half of it."""
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
_LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
_HOST = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?")
_EVERYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, not bound to


def is_loopback(host: str) -> bool:
    """Say whether an address to bind to can be reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Door:
    """How the server is reached: the address it is bound to, and the token that is asked for where others can reach it."""

    host: str
    port: int
    token: str | None = None
    _pass: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    @classmethod
    def at(cls, host: str, port: int) -> Door:
        """Give the door of an address, with a fresh token unless it is loopback."""
        return cls(host, port, None if is_loopback(host) else secrets.token_urlsafe(24))

    @property
    def url(self) -> str:
        """The address to open, with the token where one is asked for."""
        shown = socket.gethostname() if self.host in _EVERYWHERE else self.host
        name = f"[{shown}]" if ":" in shown else shown
        return f"http://{name}:{self.port}/" + (f"?token={self.token}" if self.token else "")

    @property
    def session_cookie(self) -> str:
        """The cookie's name. Browsers keep cookies by host, not by port: two servers must not share one."""
        return f"probative_{self.port}"

    @property
    def pass_cookie(self) -> str:
        """The name of the cookie that a token is exchanged for."""
        return f"probative_pass_{self.port}"

    def answers_to(self, host: str) -> bool:
        """Say whether a Host header names this server: another name that leads here is how DNS rebinding gets in.

        The port is left out: a tunnel may lead here from another one.
        """
        name = _host_name(host)
        if name is None:
            return False
        if name in _LOOPBACK_NAMES or name == self.host.lower():
            return True
        if self.host not in _EVERYWHERE:
            return False
        return _is_address(name) or name in {socket.gethostname().lower(), socket.getfqdn().lower()}

    def lets_in(self, cookies: Mapping[str, str]) -> bool:
        """Say whether a browser has shown the token before."""
        return self.token is None or _same(cookies.get(self.pass_cookie, ""), self._pass)

    def takes(self, token: str | None) -> bool:
        """Say whether this is the token."""
        return self.token is not None and _same(token or "", self.token)

    def pass_set(self) -> str:
        """Write the Set-Cookie header that a token is exchanged for."""
        return _cookie(self.pass_cookie, self._pass)

    def session_set(self, key: str) -> str:
        """Write the Set-Cookie header of a session; an empty key ends it."""
        return _cookie(self.session_cookie, key)


def _cookie(name: str, value: str) -> str:
    """Keep a cookie from scripts, and from requests that other sites make. It ends with the browser, or at once if empty."""
    return f"{name}={value}; Path=/; HttpOnly; SameSite=Strict" + ("" if value else "; Max-Age=0")


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode())


def _host_name(host: str) -> str | None:
    """Give the name in a Host header; None where more stands in it than a name and a port.

    A path in it (``localhost/static/?``) is how a request is made to look, to some readers, like one for another page.
    """
    if not _HOST.fullmatch(host):
        return None
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


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
        """Give the answer to a request that goes no further, or None."""
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
    if not _same(request.headers.get("x-probative", ""), session.token):
        raise Refusal(403, "the page is of another session; load it again")
    return session


def _from_here(headers: Headers) -> bool:
    """Say whether Origin and Sec-Fetch-Site, of which one must be there, both name this very site."""
    origin, fetched = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is None and fetched is None:
        return False
    if fetched is not None and fetched != "same-origin":
        return False
    return origin is None or _site_of(origin) == headers.get("host", "").lower()


def _site_of(origin: str) -> str:
    """Give host and port of an Origin header; empty for ``null`` and for what is none."""
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
        async for chunk in request.stream():
            body += chunk
            if len(body) > MOST_BYTES:
                raise _too_long()
    except ClientDisconnect:  # a phone that lost its network; nobody is there to be told
        raise Refusal(400, "the body ended too early", close=True) from None
    return bytes(body)


def _too_long() -> Refusal:
    return Refusal(413, f"a body may be {MOST_BYTES // 1024} KiB long", close=True)
