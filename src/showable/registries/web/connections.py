"""Pools of connections below HTTP, over the pinned network and verified TLS.

httpcore is used directly, under httpx's URLs and encodings: so there is no cookie jar, no proxy or certificate
from the environment, no user from .netrc, no redirect and no unpacking but those written here. (httpx-secure was
weighed and left: it opens a probing connection to a name's address before it vets that, vets the one address it
reached and not all, keeps its choice for minutes, takes no resolver, and rests on private parts of both libraries.)
"""

from __future__ import annotations

import ssl
from functools import cache

import httpcore
import httpx

from showable.registries.web.addresses import Allowed
from showable.registries.web.limits import Limits
from showable.registries.web.pinning import PinnedBackend, Resolver, system_resolver

_IDLE_S = 10.0


def make_pool(
    allow: Allowed, resolver: Resolver | None, limits: Limits, *, keep_alive: bool
) -> httpcore.AsyncConnectionPool:
    """Make a pool for one event loop and one allow-list. Each new connection is resolved, vetted and pinned."""
    return httpcore.AsyncConnectionPool(
        ssl_context=_verified(),
        max_connections=limits.connections,  # how many are used at once is not its business
        max_keepalive_connections=limits.connections if keep_alive else 0,
        keepalive_expiry=_IDLE_S,
        network_backend=PinnedBackend(allow, resolver or system_resolver),
    )


@cache
def _verified() -> ssl.SSLContext:
    return httpx.create_ssl_context(verify=True, trust_env=False)
