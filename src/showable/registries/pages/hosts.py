"""What is known of the hosts of pages: what they ask of robots, and what they answer to an address that cannot be."""

from __future__ import annotations

import asyncio
import math
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import quote, urlsplit

from showable import __version__
from showable.registries.pages.addresses import host_of
from showable.registries.pages.charset import decoded
from showable.registries.pages.entries import header
from showable.registries.pages.page import Page
from showable.registries.pages.reading import read_page
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
        """Return the rules of a page's host, after the pause that it asks for."""
        robots = await self._robots.get(host_of(url), lambda: self._ask_robots(url))
        if robots.delay_s:
            await asyncio.sleep(min(robots.delay_s, _LONGEST_DELAY_S))
        return robots

    async def nowhere(self, url: str) -> Page | None:
        """Return the page that the host serves at an address which nobody can have made; None where it rightly serves none."""
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
    """Return the media type of an answer, judged by its first bytes where it says none, or one that says nothing."""
    kind = header(reply.headers, "content-type").partition(";")[0].strip().lower()
    if kind not in _UNSAID:
        return kind
    start = reply.body[:512].lstrip().lower()
    return HTML[0] if start.startswith((b"<!doctype html", b"<html", b"<head")) else kind or "unknown"


def _root(url: str) -> str:
    return f"{url.partition(':')[0]}://{host_of(url)}"


# Things asked once for each host, however many of its pages are looked at together.


T = TypeVar("T")
_MOST = 10_000


class Once(Generic[T]):
    """Remembers what came of asking; who asks while an answer is under way waits for that one."""

    def __init__(self) -> None:
        self._known: dict[str, T] = {}
        self._asking: dict[str, asyncio.Task[T]] = {}

    async def get(self, key: str, ask: Callable[[], Awaitable[T]]) -> T:
        """Return what is known under a key, asking where nothing is. One who gives up waiting does not stop the others."""
        if key in self._known:
            return self._known[key]
        task = self._asking.get(key)
        if task is None or task.get_loop() is not asyncio.get_running_loop() or task.done():
            task = self._asking[key] = asyncio.ensure_future(self._ask(key, ask))
        return await asyncio.shield(task)

    async def _ask(self, key: str, ask: Callable[[], Awaitable[T]]) -> T:
        try:
            answer = await ask()
        finally:
            self._asking.pop(key, None)
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[key] = answer
        return answer


# What a host asks of robots, by RFC 9309: the longest rule that matches a path decides, `*` and `$` in it understood.


AGENT = "showable"
_MOST_LINES = 5_000
_LONGEST_RULE = 500
_SAFE = "/%?=&;:@!$'()*+,~-._"


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules of one host for us, and the seconds it asks to let pass between requests."""

    rules: tuple[tuple[str, bool], ...] = ()
    delay_s: float = 0.0

    def allows(self, url: str) -> bool:
        """Check whether an address may be fetched. Where two rules are of one length, the one that allows holds."""
        parts = urlsplit(url)
        path = quote(parts.path or "/", safe=_SAFE) + (f"?{quote(parts.query, safe=_SAFE)}" if parts.query else "")
        holding = [(len(rule), allow) for rule, allow in self.rules if _matches(rule, path)]
        return max(holding, default=(0, True))[1]


def read_robots(text: str) -> Robots:
    """Read the group of rules that names us, or the one for everybody. Nonsense in the file is passed over."""
    groups: dict[str, list[tuple[str, str]]] = {}
    agents: list[str] = []
    heading = False
    for line in text.lstrip("\ufeff").splitlines()[:_MOST_LINES]:
        field, colon, value = line.partition("#")[0].partition(":")
        field, value = field.strip().lower(), value.strip()
        if not colon:
            continue
        if field == "user-agent":
            agents = [*agents, value.lower()] if heading else [value.lower()]
            heading = True
            groups.setdefault(value.lower(), [])
        elif field in {"allow", "disallow", "crawl-delay"}:
            heading = False
            for agent in set(agents):
                groups[agent].append((field, value))
    ours = groups.get(AGENT, groups.get("*", []))
    rules = tuple((_normal(value), field == "allow") for field, value in ours if field != "crawl-delay" and value)
    return Robots(rules, max((_seconds(value) for field, value in ours if field == "crawl-delay"), default=0.0))


def _normal(rule: str) -> str:
    return quote(rule[:_LONGEST_RULE], safe=_SAFE)


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        return 0.0
    return seconds if math.isfinite(seconds) and seconds > 0 else 0.0


def _matches(rule: str, path: str) -> bool:
    """Match from the start, each piece between stars at its first place after the one before: linear for each piece."""
    ends = rule.endswith("$")
    first, *rest = rule.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    at = len(first)
    for n, piece in enumerate(rest):
        if ends and n == len(rest) - 1:
            return len(path) - len(piece) >= at and path.endswith(piece)
        at = path.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return not ends or at == len(path)
