"""What can be held against a URL before anybody is asked: the whole of its letters, in the order of reading."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from showable.read.scan.finding import Span
from showable.read.scan.invisible import scan_invisible
from showable.read.scan.urls.finding import UrlFinding
from showable.read.scan.urls.hosts import LONGEST_HOST, HostFault, mapped_faults, written_faults
from showable.read.scan.urls.look_alikes import look_alike_faults
from showable.read.scan.urls.names import NoNameError, both_forms, folds_to_ascii, is_international, script_faults
from showable.read.scan.urls.parts import take_apart
from showable.records.regex import regex

SCHEMES = frozenset({"http", "https"})
PORTS = frozenset({"80", "443"})
LONGEST_URL = 8192
_SHOWN = 60

_CONTROLS_AND_BLANKS = regex(r"[\x00-\x20\x7f-\x9f\s]+")


def scan_url(url: str, *, ports: frozenset[str] = PORTS) -> list[UrlFinding]:
    """Return what is wrong with a URL by its letters, in order of place; an empty list where nothing is.

    Refused (``error``): another scheme than http and https, a user before an @, blanks, controls and
    backslashes, no host or one that is too long, an address instead of a name in any of its forms, a port
    not in `ports`, a trailing dot, names of private networks, an encoded host, foreign dots, invisible
    characters, a word that mixes scripts which look alike, and names that pass for a protected one.
    ``warning`` is for names that only come near one. Asks nobody and never raises. UTS 39, UTS 46, RFC
    3986, RFC 6761.
    """
    text = url[: LONGEST_URL + 1]
    return sorted(_findings(text, ports), key=lambda finding: (finding.where, finding.code))


def vet_url(url: str, *, ports: frozenset[str] = PORTS) -> str | None:
    """Return the first reason why a URL must not be asked; None where none is known."""
    return next((finding.reason for finding in scan_url(url, ports=ports) if finding.severity == "error"), None)


def _findings(url: str, ports: frozenset[str]) -> Iterator[UrlFinding]:
    if len(url) > LONGEST_URL:
        yield UrlFinding("long_url", f"longer than {LONGEST_URL} characters", (LONGEST_URL, LONGEST_URL + 1))
    yield from _characters(url)
    parts = take_apart(url)
    if parts.scheme is None:
        yield UrlFinding("no_scheme", "no scheme: expected http:// or https://", (0, min(len(url), _SHOWN)))
        return
    if parts.scheme not in SCHEMES:
        said = f"the scheme {parts.scheme[:_SHOWN]} is neither http nor https"
        yield UrlFinding("scheme", said, (0, len(parts.scheme)))
        return
    if parts.userinfo is not None:
        said = "a user name stands before the host, and may pass for it"
        yield UrlFinding("userinfo", said, (parts.authority[0], parts.host_at[0]))
    if parts.port is not None and parts.port not in ports:
        said = f"the port {parts.port[:_SHOWN] or '(empty)'} is not among {', '.join(sorted(ports, key=len))}"
        yield UrlFinding("port", said, (parts.host_at[1], parts.authority[1]))
    for code, reason, severity in _host_faults(parts.host):
        yield UrlFinding(code, reason, parts.host_at, severity)


def _characters(url: str) -> Iterator[UrlFinding]:
    for match in _CONTROLS_AND_BLANKS.finditer(url):
        yield UrlFinding("blank_or_control", f"a blank or a control character ({_code(match[0])})", match.span())
    at = url.find("\\")
    if at >= 0:
        yield UrlFinding("backslash", "a backslash, which some programs read as a slash", (at, at + 1))
    if url.isascii():
        return
    for found in scan_invisible(url, "prose"):  # the words of a path may need a joiner
        if found.severity != "low" and not _is_control(url, found.where):
            yield UrlFinding("invisible", f"{found.name}: {found.reason}", found.where)


def _is_control(url: str, where: Span) -> bool:
    return _CONTROLS_AND_BLANKS.fullmatch(url[slice(*where)]) is not None


def _code(char: str) -> str:
    return f"U+{ord(char[0]):04X}"


@lru_cache(maxsize=2048)
def _host_faults(host: str) -> tuple[HostFault, ...]:
    """Judge a host once: a text that links at all mostly links to few."""
    return tuple(_host(host))


def _host(host: str) -> Iterator[HostFault]:
    written = list(written_faults(host))
    yield from written
    if not host or ("%" in host and not host.startswith("[")):
        return
    if not host.isascii() and scan_invisible(host, "token"):
        yield "invisible_host", "the host has characters that cannot be seen", "error"
        return
    if len(host) > 4 * LONGEST_HOST:
        yield "long_host", f"the host has more than {LONGEST_HOST} characters", "error"
        return
    if not is_international(host):
        yield from _name(host.lower(), host.lower())
        return
    try:
        mapped, shown = both_forms(host.lower())
    except NoNameError as error:
        if not written:
            yield "bad_host", f"the host is no valid name ({error})", "error"
        return
    if folds_to_ascii(host):
        yield "styled_letters", f"the host is {mapped} in styled or fullwidth letters", "error"
    yield from _name(mapped, shown)


def _name(mapped: str, shown: str) -> Iterator[HostFault]:
    """Judge a name in ASCII, beside the form in which it is shown."""
    faults = list(mapped_faults(mapped))
    yield from faults
    if faults:
        return
    if mapped != shown:
        yield from script_faults(shown, f"{shown} ({mapped})")
    yield from look_alike_faults(mapped, shown)
