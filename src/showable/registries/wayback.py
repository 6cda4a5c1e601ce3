"""The Wayback Machine: copies of pages that the Internet Archive has kept."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit, urlunsplit

from showable.records import Entry, Found, Reference
from showable.registries.answers import found, ill_formed, missed, trouble
from showable.registries.pages.addresses import page_url
from showable.registries.pages.charset import decoded
from showable.registries.pages.entries import archived_entry, header
from showable.registries.pages.missing import says_barred, says_not_there
from showable.registries.pages.page import Page
from showable.registries.pages.reading import read_page
from showable.registries.settings import Settings
from showable.registries.shapes import table_of, text_of
from showable.registries.web.asking import OddReplyError, Pace, Reply, TroubleError, UnreachableError, Web
from showable.rubrics.metadata.days import day_in

_OK = 200
_STAMP = re.compile(r"\d{14}")
_WHOLE_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_LARGEST_PAGE = 5_000_000


@dataclass(frozen=True, slots=True)
class Kept:
    """A copy of a page: when it was taken, where it is, what it says (None where it could not be read)."""

    at: str
    address: str
    page: Page | None
    reply: Reply


class Wayback:
    """The availability service of ``archive.org`` and, where it knows of nothing, the index of ``web.archive.org`` (CDX).

    The first often forgets, and may name a copy of an error or of a redirect; only a copy that was taken with status 200 counts.
    An archive that has no copy proves nothing. About one request a second. See archive.org/help/wayback_api.php.
    """

    name = "wayback"
    kinds = frozenset({"url", "news"})
    proves: frozenset[str] = frozenset()
    pace = Pace(per_second=1)
    known = Reference(kind="url", text="http://example.com/", fields={"url": "http://example.com/"})

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._address = settings.address(self.name, "https://archive.org")
        self._copies = settings.address("wayback_copies", "https://web.archive.org")

    def not_configured(self) -> str | None:
        """Nothing is needed."""
        return None

    def key(self, reference: Reference) -> str | None:
        """Return the address of the page, and the day it is cited for, near which a copy is wanted."""
        url = page_url(reference.fields.get("url", ""))
        return f"{url} {cited_day(reference)}".strip() if url else None

    async def find(self, reference: Reference) -> Found:
        """Look for a copy of a page, and read it."""
        url = page_url(reference.fields.get("url", ""))
        if url is None:
            return ill_formed(self.name, "no address of a page")
        try:
            kept, reply = await self.kept(url, cited_day(reference))
        except TroubleError as error:
            return trouble(self.name, error)
        if kept is None:
            return missed(self.name, self.proves, reference.kind, reply, "no copy was kept of this address")
        return found(self.name, [kept_entry(kept, url)], kept.reply)

    async def kept(self, url: str, day: str = "") -> tuple[Kept | None, Reply]:
        """Find the copy closest to a day (YYYYMMDD) and read it. A copy of a page that says it is not there is none."""
        try:
            params = {"url": url} | ({"timestamp": day} if day else {})
            reply = await self._web.ask("GET", f"{self._address}/wayback/available", params=params)
            at = _closest(reply)
        except (UnreachableError, OddReplyError):
            at = None
        if at is None:
            reply = await self._web.ask("GET", f"{self._copies}/cdx/search/cdx", params=_cdx(url))
            at = _indexed(reply)
        if at is None:
            return None, reply
        url = settled(url)
        page = await self._read(url, at)
        if page is not None and (says_not_there(page) or says_barred(page)):
            return None, reply
        return Kept(at, f"{self._copies}/web/{at}/{url}", page, reply), reply

    async def _read(self, url: str, at: str) -> Page | None:
        try:
            # With `id_` the copy comes as it was, without the archive's own banner and links.
            copy = await self._web.ask("GET", f"{self._copies}/web/{at}id_/{url}", largest=_LARGEST_PAGE)
            kind = header(copy.headers, "content-type")
            if copy.status != _OK or (kind and "html" not in kind.lower()):
                return None
            return await asyncio.to_thread(lambda: read_page(decoded(copy.body, kind), url))
        except TroubleError:
            return None


def kept_entry(kept: Kept, url: str, **facts: str | None) -> Entry:
    """Describe a copy as an entry."""
    return archived_entry(kept.page or Page(), url, kept.at, kept.address, **facts)


def cited_day(reference: Reference) -> str:
    """Return the day that a reference names, as YYYYMMDD; empty where it names none."""
    day = day_in(reference.fields.get("date"))
    return day.replace("-", "") if day and _WHOLE_DAY.fullmatch(day) else ""


def settled(url: str) -> str:
    """Return an address without its ``.`` and ``..`` (RFC 3986, 5.2.4), which would climb out of the copy's own address."""
    parts = urlsplit(url)
    kept: list[str] = []
    step = ""
    for step in parts.path.split("/")[1:]:
        if unquote(step) not in {".", ".."}:
            kept.append(step)
        elif unquote(step) == ".." and kept:
            kept.pop()
    ending = [""] if unquote(step) in {".", ".."} else []
    return urlunsplit(parts._replace(path="/" + "/".join(kept + ending)))


def _cdx(url: str) -> dict[str, str]:
    return {"url": url, "output": "json", "limit": "1", "filter": "statuscode:200"}


def _closest(reply: Reply) -> str | None:
    said = reply.json()
    if reply.status != _OK or not isinstance(said, dict) or "archived_snapshots" not in said:
        raise OddReplyError(f"status {reply.status}: no word about snapshots")
    closest = table_of(said, "archived_snapshots", "closest")
    at = text_of(closest.get("timestamp"))
    kept = closest.get("available") is True and text_of(closest.get("status")) == str(_OK)
    return at if at and kept and _STAMP.fullmatch(at) else None


def _indexed(reply: Reply) -> str | None:
    """Read the index's table: a row of names, then rows of values. It is `[]`, or nothing at all, where there is none."""
    if reply.status == _OK and not reply.body.strip():
        return None
    rows = reply.json()
    if reply.status != _OK or not isinstance(rows, list):
        raise OddReplyError(f"status {reply.status}: no index")
    for row in rows[1:]:
        values = dict(zip(rows[0], row, strict=False)) if isinstance(row, list) and isinstance(rows[0], list) else {}
        at = text_of(values.get("timestamp"))
        if at and _STAMP.fullmatch(at) and values.get("statuscode") == str(_OK):
            return at
    return None
