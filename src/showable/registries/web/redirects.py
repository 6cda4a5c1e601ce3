"""Follows redirects one by one, so that every hop is vetted, paced and counted like a request of its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from showable.registries.answers import without_secrets
from showable.registries.web.addresses import shown
from showable.registries.web.asking import Reply, UnreachableError
from showable.registries.web.request import Asking
from showable.registries.web.waiting import header

_REDIRECTS = frozenset({301, 302, 303, 307, 308})


async def followed(
    asking: Asking,
    exchange: Callable[[Asking], Awaitable[Reply]],
    redirects_to: frozenset[str] | None,
    most: int,
) -> Reply:
    """Ask, and follow at most `most` redirects; see `Web.ask` for `redirects_to`.

    Raises UnreachableError where they go round in a circle, are too many, or lead to a host or down to a scheme
    that a registry of record does not answer from.
    """
    hops: list[str] = []
    while True:
        reply = await exchange(asking)
        location = header(reply.headers, "location")
        if reply.status not in _REDIRECTS or not location or redirects_to == frozenset():
            return replace(reply, hops=tuple(hops))
        hops.append(str(asking.url))
        following = asking.to(location, reply.status)
        if redirects_to is not None:
            _stay_within(asking, following, redirects_to)
        if str(following.url) in hops and following.method == asking.method:
            raise UnreachableError(f"redirected in a circle, to {shown(without_secrets(str(following.url)))}")
        if len(hops) > most:
            raise UnreachableError(f"redirected more than {most} times")
        asking = following


def _stay_within(asking: Asking, following: Asking, hosts: frozenset[str]) -> None:
    if following.host != asking.host and following.host not in hosts:
        raise UnreachableError(f"redirected to {shown(following.host)}, which does not answer for it")
    if asking.url.scheme == "https" and following.url.scheme != "https":
        raise UnreachableError("redirected from https to http")
