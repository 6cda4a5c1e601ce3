"""What is known of the hosts of pages: what they ask of robots, and what they answer to an address that cannot be."""

from __future__ import annotations

import asyncio
import secrets

from showable import __version__
from showable.registries.pages.addresses import host_of
from showable.registries.pages.charset import decoded
from showable.registries.pages.entries import header
from showable.registries.pages.once import Once
from showable.registries.pages.page import Page
from showable.registries.pages.reading import read_page
from showable.registries.pages.robots import Robots, read_robots
from showable.registries.web.asking import Reply, TroubleError, Web

HEADERS = {
    "User-Agent": f"showable/{__version__} (checks citations, one page at a time)",
    "Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5",
}
HTML = ("text/html", "application/xhtml+xml")
LARGEST_PAGE = 5_000_000
OK = range(200, 300)
_LARGEST_ROBOTS = 512_000  # RFC 9309, section 2.5: at least 500 KiB are to be read
_LONGEST_DELAY_S = 10.0
_UNSAID = frozenset({"", "application/octet-stream", "text/plain", "unknown/unknown"})


class Hosts:
    """Asks each host once for its robots.txt, and at most once for a page that it cannot have."""

    def __init__(self, web: Web) -> None:
        self._web = web
        self._robots: Once[Robots] = Once()
        self._nowhere: Once[Page | None] = Once()

    async def robots(self, url: str) -> Robots:
        """Give the rules of a page's host, after the pause that it asks for."""
        robots = await self._robots.get(host_of(url), lambda: self._ask_robots(url))
        if robots.delay_s:
            await asyncio.sleep(min(robots.delay_s, _LONGEST_DELAY_S))
        return robots

    async def nowhere(self, url: str) -> Page | None:
        """Give the page that the host serves at an address which nobody can have made; None where it rightly serves none."""
        return await self._nowhere.get(host_of(url), lambda: self._ask_nowhere(url))

    async def _ask_robots(self, url: str) -> Robots:
        """Read robots.txt. Where there is none all is allowed; where it cannot be had, asking for the page will tell."""
        try:
            reply = await self._web.ask(
                "GET", f"{_root(url)}/robots.txt", headers=HEADERS, retry=False, largest=_LARGEST_ROBOTS
            )
        except TroubleError:
            return Robots()
        return read_robots(reply.text()) if reply.status in OK else Robots()

    async def _ask_nowhere(self, url: str) -> Page | None:
        nowhere = f"{_root(url)}/{secrets.token_hex(10)}"
        try:
            reply = await self._web.ask("GET", nowhere, headers=HEADERS, retry=False, largest=LARGEST_PAGE)
            return await page_of(reply) if reply.status in OK and kind_of(reply) in HTML else None
        except TroubleError:
            return None


async def page_of(reply: Reply) -> Page:
    """Read the page in an answer, in a thread: other look-ups and the deadline go on. Raises OddReplyError as `read_page` does."""
    headers = {name.lower(): value for name, value in reply.headers.items()}
    return await asyncio.to_thread(
        lambda: read_page(decoded(reply.body, headers.get("content-type", "")), reply.url, headers)
    )


def kind_of(reply: Reply) -> str:
    """Give the media type of an answer, judged by its first bytes where it says none, or one that says nothing."""
    kind = header(reply.headers, "content-type").partition(";")[0].strip().lower()
    if kind not in _UNSAID:
        return kind
    start = reply.body[:512].lstrip().lower()
    return HTML[0] if start.startswith((b"<!doctype html", b"<html", b"<head")) else kind or "unknown"


def _root(url: str) -> str:
    return f"{url.partition(':')[0]}://{host_of(url)}"
