"""What a registry may ask of the network, and what it gets back. Troubles are exceptions here and statuses one step on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast one service may be asked: requests a second (evenly spaced), and how many at a time."""

    per_second: float
    at_once: int = 1


@dataclass(frozen=True, slots=True)
class Reply:
    """An HTTP answer, whatever its status. `url` is where it came from after redirects, `hops` the addresses on the way."""

    status: int
    url: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    hops: tuple[str, ...] = ()

    def json(self) -> Any:
        """Read the body as JSON. Raises OddReplyError where it is none, or nested deeper than can be read."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            raise OddReplyError(f"status {self.status}, and the body is no JSON") from None

    def text(self) -> str:
        """Read the body as UTF-8, with what does not decode replaced."""
        return self.body.decode("utf-8", "replace")


class TroubleError(Exception):
    """Why nothing was learned; the message says it in one line."""


class UnreachableError(TroubleError):
    """No answer: offline, no such host, refused, timed out, too large, too many redirects, or a server's own failure (5xx)."""


class NoSuchHostError(UnreachableError):
    """The name service says that there is no such host (NXDOMAIN, or no address). One resolver's word, not a proof."""


class RateLimitedError(TroubleError):
    """The service asks to be left alone for longer than this lookup may take."""


class BlockedError(TroubleError):
    """The address is one that may not be asked (scheme, private network, look-alike host)."""


class OddReplyError(TroubleError):
    """The service answered in a shape that is not the documented one. Nothing is concluded from it."""


Method = Literal["GET", "HEAD", "POST", "PUT", "PATCH"]


class Web(Protocol):
    """The only way out. Each registry gets one bound to its own pace; a test gets one bound to loopback."""

    async def ask(
        self,
        method: Method,
        url: str,
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        form: Mapping[str, str] | None = None,
        json: Mapping[str, Any] | None = None,
        redirects_to: frozenset[str] | None = None,
        retry: bool = True,
        largest: int = 2_000_000,
    ) -> Reply:
        """Ask, and give the answer whatever its status, following redirects (each vetted anew).

        `redirects_to` limits the hosts that a redirect may lead to; None allows any public one, and an
        empty set follows none (the 3xx answer itself is given back). Retries 408, 425, 429, 500, 502, 503 and 504, with Retry-After
        or the body's `wait_until` honoured while the deadline allows. `largest` caps the body, in bytes
        after decompression. Raises a TroubleError where there is no answer.
        """
        ...
