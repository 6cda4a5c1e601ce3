"""Ids as names inside addresses: readable where they can be, short always, and never the same for two ids."""

from __future__ import annotations

from hashlib import blake2b
from urllib.parse import quote

_LONGEST = 120
_KEPT = 16


def id_name(key: str) -> str:
    """Percent-encode an id (RFC 3986, section 2.1, over UTF-8); a long one is its beginning, ``~`` and a digest of it."""
    raw = key.encode("utf-8", "surrogatepass")
    readable = quote(raw, safe="")
    if len(readable) <= _LONGEST:
        return readable
    return f"{quote(key[:_KEPT].encode('utf-8', 'replace'), safe='')}~{blake2b(raw, digest_size=8).hexdigest()}"
