"""How a page of ours is reached: host names, the token and the cookie that it is exchanged for, the headers of every answer."""

from __future__ import annotations

import hmac
import ipaddress
import re
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

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
    """Check whether an address to bind to can be reached from this machine alone."""
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
        """Return the door of an address, with a fresh token unless it is loopback."""
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
        return f"showable_{self.port}"

    @property
    def pass_cookie(self) -> str:
        """The name of the cookie that a token is exchanged for."""
        return f"showable_pass_{self.port}"

    def answers_to(self, host: str) -> bool:
        """Check whether a Host header names this server: another name that leads here is how DNS rebinding gets in.

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
        """Check whether a browser has shown the token before."""
        return self.token is None or same_secret(cookies.get(self.pass_cookie, ""), self._pass)

    def takes(self, token: str | None) -> bool:
        """Check whether this is the token."""
        return self.token is not None and same_secret(token or "", self.token)

    def pass_set(self) -> str:
        """Write the Set-Cookie header that a token is exchanged for."""
        return _cookie(self.pass_cookie, self._pass)

    def session_set(self, key: str) -> str:
        """Write the Set-Cookie header of a session; an empty key ends it."""
        return _cookie(self.session_cookie, key)


def _cookie(name: str, value: str) -> str:
    """Keep a cookie from scripts, and from requests that other sites make. It ends with the browser, or at once if empty."""
    return f"{name}={value}; Path=/; HttpOnly; SameSite=Strict" + ("" if value else "; Max-Age=0")


def same_secret(one: str, other: str) -> bool:
    """Compare in a time that tells nothing of where they differ."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode())


def _host_name(host: str) -> str | None:
    """Return the name in a Host header; None where more stands in it than a name and a port.

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
