"""One request as it goes out: an address that is one, no user or password in it, and headers that may go there."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import httpx

from showable.registries.answers import without_secrets
from showable.registries.web.addresses import Allowed, shown
from showable.registries.web.asking import BlockedError, OddReplyError

_SCHEMES = {"http": 80, "https": 443}
_NOT_IN_A_FIELD = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]|^\s|\s$")
"""RFC 9110 section 5.5."""
_GO_ANYWHERE = frozenset({"accept", "accept-language", "user-agent"})
"""Headers that follow a redirect to another origin. A credential can hide under any other name."""


class Posted(NamedTuple):
    """What is posted: a form, or a JSON document, or nothing."""

    form: Mapping[str, str] | None = None
    json: Mapping[str, Any] | None = None

    def __bool__(self) -> bool:
        return self.form is not None or self.json is not None


NOTHING = Posted()


@dataclass(frozen=True, slots=True)
class Asking:
    """A method, an address and what goes with it. `first` is false once it has been redirected."""

    method: str
    url: httpx.URL
    headers: Mapping[str, str]
    posted: Posted = NOTHING
    first: bool = True

    @property
    def host(self) -> str:
        """The host as it is resolved: ASCII, lower case, an IPv6 address without brackets."""
        return self.url.raw_host.decode("ascii", "replace").strip("[]")

    @property
    def port(self) -> int:
        """The port, of the scheme where none is written."""
        return self.url.port or _SCHEMES.get(self.url.scheme, 0)

    def vet(self, vet_url: Callable[[str], str | None] | None, allow: Allowed) -> None:
        """Refuse an address that may not be asked. What its name leads to is vetted when it is connected to.

        Raises BlockedError.
        """
        if self.url.scheme not in _SCHEMES:
            raise BlockedError(f"{shown(self.url.scheme) or 'no'} scheme; only http and https are asked")
        if self.url.userinfo:
            raise BlockedError("an address with a user or a password in it")
        if not self.host:
            raise BlockedError("an address without a host")
        if vet_url is not None and (self.host, self.port) not in allow and (why := vet_url(str(self.url))):
            raise BlockedError(why)

    def to(self, location: str, status: int) -> Asking:
        """Return the request that a redirect asks for. Raises BlockedError or OddReplyError where it cannot be followed."""
        try:
            url = _readable(self.url.join(location))
        except (httpx.InvalidURL, ValueError):
            raise OddReplyError(f"redirected to what is no address: {shown(location)}") from None
        method, posted = self.method, self.posted
        if status == 303 or (status in {301, 302} and method == "POST"):  # noqa: PLR2004 - RFC 9110 section 15.4
            method, posted = ("HEAD" if method == "HEAD" else "GET"), Posted()
        headers = self.headers
        if _origin(url) != _origin(self.url):
            if posted:
                raise BlockedError(f"redirected with what was posted to another host, {shown(url.host)}")
            headers = {name: value for name, value in headers.items() if name.lower() in _GO_ANYWHERE}
        return replace(self, method=method, url=url, headers=headers, posted=posted, first=False)

    def built(self) -> httpx.Request:
        """Return it in HTTP's terms. Only gzip is offered, for that is what can be unpacked with a cap.

        Raises ValueError where something cannot be written so, before anybody is connected to.
        """
        headers = {"Accept": "*/*", **self.headers, "Accept-Encoding": "gzip"}
        form, json = self.posted
        request = httpx.Request(self.method, self.url, headers=headers, data=dict(form) if form else None, json=json)
        if any(_NOT_IN_A_FIELD.search(value) for _, value in request.headers.raw):
            raise ValueError("a header with a line break in it")
        return request


def first_asking(
    method: str, url: str, params: Mapping[str, str] | None, headers: Mapping[str, str], posted: Posted = NOTHING
) -> Asking:
    """Make the request that a registry asks for; `params` are added to those the URL has. Raises BlockedError."""
    try:
        parsed = _readable(httpx.URL(url))
        if params:
            parsed = parsed.copy_merge_params(dict(params))
    except (httpx.InvalidURL, ValueError) as error:
        raise BlockedError(f"no address: {shown(without_secrets(url))} ({error})") from None
    return Asking(method, parsed, headers, posted)


def _readable(url: httpx.URL) -> httpx.URL:
    """Leave the fragment out. Raises ValueError for a host that httpx finds out to be none only when it is read (``xn--a``)."""
    if url.raw_host and not url.host:
        raise ValueError("a host that cannot be read")
    return url.copy_with(fragment=None)


def _origin(url: httpx.URL) -> tuple[str, bytes, int]:
    return url.scheme, url.raw_host, url.port or _SCHEMES.get(url.scheme, 0)
