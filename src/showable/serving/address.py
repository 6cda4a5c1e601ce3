"""Where a server can be reached from, and who may reach it: loopback or not, host names, tokens."""

from __future__ import annotations

import hmac
import ipaddress
import re
import socket

from showable.errors import SettingError

_HOST = re.compile(r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?")
SHORTEST_TOKEN = 16
_EVERYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, not bound to


def is_loopback(host: str) -> bool:
    """Check whether an address to bind to can be reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_token(option: str, variable: str, token: str | None) -> None:
    """Raise SettingError where a token is given that can be guessed."""
    if token is not None and len(token) < SHORTEST_TOKEN:
        raise SettingError(
            f"{option}: expected at least {SHORTEST_TOKEN} characters, got {len(token)}; `openssl rand -hex 16` makes one,"
            f" and {variable} keeps it out of the list of processes"
        )


def need_token(option: str, host: str, token: str | None) -> None:
    """Raise SettingError where others can reach an address and no token is asked of them."""
    if not token and not is_loopback(host):
        raise SettingError(
            f"{option} {host}: others can reach that address; give a token that exporters and readers must show,"
            " or an address of this machine alone (127.0.0.1)"
        )


def names_loopback(header: str) -> bool:
    """Check whether a Host header names this machine itself: another name that leads here is how DNS rebinding gets in."""
    found = _HOST.fullmatch(header)
    return found is not None and is_loopback(found[1].strip("[]").lower())


def is_own_origin(origin: str, host: str) -> bool:
    """Return True if an Origin header names the very site that the Host header does: a page of another port is another site."""
    return origin.lower() in {f"http://{host.lower()}", f"https://{host.lower()}"} and _HOST.fullmatch(host) is not None


def shows_token(header: str | None, token: str | None) -> bool:
    """Check whether an Authorization header carries the token (RFC 6750); True where none is asked for."""
    if token is None:
        return True
    scheme, _, given = (header or "").partition(" ")
    same = hmac.compare_digest(given.strip().encode("utf-8", "replace"), token.encode())
    return same and scheme.lower() == "bearer"


def url_of(host: str, port: int) -> str:
    """Return the address to open or to export to; of a server that listens everywhere, with this machine's name."""
    shown = socket.gethostname() if host in _EVERYWHERE else host
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"
