"""Addresses in a text, with the words that a link puts in their place."""

from __future__ import annotations

import html
from dataclasses import dataclass
from functools import lru_cache

from showable.read.links import find_links, find_urls
from showable.read.references.found import Span
from showable.records.regex import regex

_SCHEME = regex(r"(?i)[a-z][a-z0-9+.-]{1,20}:")
_TAG = regex(r"<[^<>]{0,300}>")
_HOST_AND_PATH = regex(
    r"(?i)(?<![\w@./:-])(?:[a-z0-9](?:[a-z0-9-]{0,40}[a-z0-9])?\.){1,4}(?:com|org|net|gov|edu|int|mil|uk|eu|de|fr|ca|au|io|info|news)"
    r"/[^\s<>\"`{}|\\^\[\]（）【】，。；、：」』”’»()]*(?:\([^\s()<>\[\]]{0,80}\)[^\s<>\"`{}|\\^\[\]()，。；、：」』”’»]*)*"
)
_ENDS = ".,;:!?'*_~"


@dataclass(frozen=True, slots=True)
class Link:
    """One address: as a client would ask for it, where it stands, where the whole link stands, the link's words."""

    url: str
    span: Span
    full: Span
    label: str = ""


@lru_cache(maxsize=4)
def links_in(text: str) -> tuple[Link, ...]:
    """Find Markdown and HTML links, ``<https://…>``, plain addresses, and ``host.org/path`` without a scheme.

    Links within the text itself (``#section``), to a mail address or to a file beside it lead to nothing
    outside and are left out, and so are images.
    """
    known: frozenset[str] = frozenset()
    linked = find_links(text, known)
    links = [
        link
        for marker in linked.markers
        if marker.url and (link := _link(text, (marker.start, marker.end), marker.url)) is not None
    ]
    plain = [(marker.start, marker.end, marker.url) for marker in find_urls(text, known).markers if marker.url]
    taken = _apart([*(link.full for link in links), *linked.settled])
    links += [_plain(text, *one) for one in plain if not _within(one[:2], taken)]
    taken = _apart([*(link.full for link in links), *linked.settled])
    if "/" in text:
        for match in _HOST_AND_PATH.finditer(text):
            end = match.start() + len(match[0].rstrip(_ENDS))
            if not _within((match.start(), end), taken):
                links.append(Link(f"https://{text[match.start() : end]}", (match.start(), end), (match.start(), end)))
    return tuple(sorted(links, key=lambda link: link.full))


def _apart(spans: list[Span]) -> list[Span]:
    """Sort spans and join those that overlap."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _within(span: Span, taken: list[Span]) -> bool:
    """Check whether a span overlaps one of those taken, which are sorted and apart."""
    low, high = 0, len(taken)
    while low < high:
        middle = (low + high) // 2
        if taken[middle][1] <= span[0]:
            low = middle + 1
        else:
            high = middle
    return low < len(taken) and taken[low][0] < span[1]


def _link(text: str, full: Span, url: str) -> Link | None:
    start = text.rfind(url, *full)
    span = (start, start + len(url)) if start >= 0 else full
    address = html.unescape(url)
    if address.lower().startswith("www."):
        address = f"https://{address}"
    if not _SCHEME.match(address):
        return None
    return Link(address, span, full, _label(text[full[0] : full[1]]))


def _label(raw: str) -> str:
    """Return the words of a Markdown or an HTML link, without marks of emphasis."""
    words = raw[1 : raw.rfind("](")] if raw.startswith("[") else _TAG.sub("", raw)
    return html.unescape(" ".join(words.split())).strip("*_`~ ")


def _plain(text: str, start: int, end: int, url: str) -> Link:
    at = text.find(url, start, end)
    span = (at, at + len(url)) if at >= 0 else (start, end)
    return Link(url if "://" in url else f"https://{url}", span, span)
