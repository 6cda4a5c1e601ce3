"""Whether an address that an answer gives is that of the source it cites: equal, another, or another name of one work."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from showable.read.references.id_urls import id_in
from showable.read.resolve import doi_in, normalise_url
from showable.read.source_names import named_source
from showable.records.record import Source
from showable.records.regex import regex

_DOI_HOSTS = frozenset({"doi.org", "dx.doi.org", "www.doi.org"})


_RELATIVE = regex(r"(?i)(?!localhost\b|\d+(?:[/:?#]|$)|0x)(?:\.{0,2}/(?![/\\])|[\w~-]+/)[^:\\\s]*")
"""A path within a site or a folder: ``docs/lease.pdf``, ``../lease.md#s2``, ``/pricing``; not ``//host/x``, ``localhost/x``, ``c:x``."""


def is_relative(url: str) -> bool:
    """Return True for a path, which names a file or a page beside the answer and no host."""
    return _RELATIVE.fullmatch(url) is not None


def is_address_of(url: str, source: Source) -> bool:
    """Return True for an address that the log gives a source: its own, its DOI's, or its id where that is one or a file.

    The case of a path and the order of a query, which may tell two sources apart, tell no two addresses of one apart.
    """
    if _host(url) in _DOI_HOSTS and (doi := doi_in(url)):
        return doi in {doi_in(given) for given in (source.doi, source.url, source.source_id) if given}
    if "://" not in url and named_source(url, frozenset({source.source_id})):
        return True
    folded = _folded(url)
    return folded is not None and folded in {_folded(given) for given in known_addresses(source)}


def known_addresses(source: Source) -> list[str]:
    """Return the addresses that the log gives a source."""
    return [given for given in (source.url, source.source_id) if given and "://" in given]


def is_another(url: str, known: str) -> bool:
    """Return True for two addresses that are not of one work.

    A publisher's page and PubMed's have one paper: an id that only one of them carries, or two of unlike kinds, tell nothing.
    """
    ours, theirs = _id(url), _id(known)
    if ours is None and theirs is None:
        return True
    return ours is not None and theirs is not None and ours[0] == theirs[0] and ours != theirs


def _id(url: str) -> tuple[str, str] | None:
    if doi := doi_in(url):
        return "doi", doi
    carried = id_in(url)
    return None if carried is None else (carried[0], carried[1].get(carried[0], url))


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _folded(url: str) -> str | None:
    plain = normalise_url(url)
    if plain is None:
        return None
    page, _, query = unquote(plain).lower().partition("?")
    return f"{page}?{'&'.join(sorted(query.split('&')))}"
