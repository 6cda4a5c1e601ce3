"""A URL taken apart by the letter, without any of the repairs that browsers and libraries make in silence."""

from __future__ import annotations

from dataclasses import dataclass

from showable.read.scan.finding import Span
from showable.records.regex import regex

_SCHEME = regex(r"([A-Za-z][A-Za-z0-9+.\-]*):")
_AUTHORITY_ENDS = regex(r"[/?#\\]")
_BARE_WWW = regex(r"(?i)www\.")


@dataclass(frozen=True, slots=True)
class UrlParts:
    """The parts of a URL as they are written, each with its place. `scheme` is None where there is none.

    `userinfo` and `port` are None where their mark (``@``, ``:``) is missing, and may be empty where it is there.
    """

    scheme: str | None
    userinfo: str | None
    host: str
    port: str | None
    authority: Span
    host_at: Span
    rest: int


def take_apart(url: str) -> UrlParts:
    """Take a URL apart. ``www.example.org/x`` is read as a web address whose scheme was left out."""
    scheme = None
    start = 0
    if not _BARE_WWW.match(url):
        found = _SCHEME.match(url)
        if found is None or not url.startswith("//", found.end()):
            end = found.end() if found else 0
            return UrlParts(found[1].lower() if found else None, None, "", None, (end, end), (end, end), end)
        scheme, start = found[1].lower(), found.end() + 2
    else:
        scheme = "https"
    ended = _AUTHORITY_ENDS.search(url, start)
    end = ended.start() if ended else len(url)
    at = url.rfind("@", start, end)
    userinfo = url[start:at] if at >= 0 else None
    host_start = at + 1 if at >= 0 else start
    host, port = _host_and_port(url[host_start:end])
    return UrlParts(scheme, userinfo, host, port, (start, end), (host_start, host_start + len(host)), end)


def _host_and_port(text: str) -> tuple[str, str | None]:
    if text.startswith("["):
        close = text.find("]:")
        return (text[: close + 1], text[close + 2 :]) if close >= 0 else (text, None)
    host, colon, port = text.rpartition(":")
    return (host, port) if colon else (text, None)
