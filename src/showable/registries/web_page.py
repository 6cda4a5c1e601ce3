"""The page itself: whether an address leads to one, and what that page says that it is."""

from __future__ import annotations

from showable.records import Entry, Found, Reference
from showable.registries.answers import found, ill_formed, missed, odd, trouble, without_secrets
from showable.registries.pages.addresses import (
    LONGEST_URL,
    host_of,
    is_deep,
    is_door,
    is_home,
    leads_to_section,
    other_scheme,
    page_url,
    site_of,
)
from showable.registries.pages.entries import file_entry, page_entry
from showable.registries.pages.hosts import HEADERS, HTML, LARGEST_PAGE, OK, Hosts, kind_of, page_of
from showable.registries.pages.missing import same_page, says_barred, says_not_there
from showable.registries.pages.page import Page
from showable.registries.settings import Settings
from showable.registries.wayback import Wayback, cited_day, kept_entry
from showable.registries.web.asking import (
    BlockedError,
    NoSuchHostError,
    OddReplyError,
    Pace,
    Reply,
    TroubleError,
    UnreachableError,
    Web,
)

_PAYMENT, _NOT_FOUND, _GONE = 402, 404, 410
_BARS = frozenset({401, 403, 407, 423, 429, 451, 503})


class WebPage:
    """A page asked for at its own address: robots.txt, HEAD, and GET unless HEAD says that it is no HTML.

    Only 404, 410 and a host that does not exist say that there is no such page, and only where no copy was archived
    (for the host, where the archive says so). A page with a copy is ``found``, and told to be gone. A page that says with
    status 200 that it is not there, a redirect to the front page, and a host that answers every address alike prove
    nothing: ``not_covered``, with what was read. Refusals (401, 403, 429, 451, 503, a test for robots, a sign-in) are
    ``unreachable``. A paywall is no refusal: what a page says of itself is read. `obeys_robots` False is for those
    who may ask anyway.
    """

    name = "web_page"
    kinds = frozenset({"url", "news"})
    proves = frozenset({"url", "news"})
    pace = Pace(per_second=2, at_once=2)
    known = Reference(
        kind="url",
        text="https://www.rfc-editor.org/rfc/rfc9309.html",
        fields={"url": "https://www.rfc-editor.org/rfc/rfc9309.html"},
    )

    def __init__(self, web: Web, settings: Settings, *, obeys_robots: bool = True) -> None:
        self._web, self._obeys = web, obeys_robots
        self._hosts, self._archive = Hosts(web), Wayback(web, settings)

    def not_configured(self) -> str | None:
        """Nothing is needed."""
        return None

    def key(self, reference: Reference) -> str | None:
        """Return the address without its fragment, or what is written instead; None where no address is given."""
        written = reference.fields.get("url", "").strip()
        return page_url(written) or written[:LONGEST_URL] or None

    async def find(self, reference: Reference) -> Found:
        """Ask for a page, and read what it says that it is."""
        written = reference.fields.get("url", "")
        url = page_url(written)
        if url is None:
            if scheme := other_scheme(written):
                return trouble(self.name, BlockedError(f"an address of the scheme {scheme}, which is not asked"))
            return ill_formed(self.name, "no address of a page: it begins with http:// or https:// and names a host")
        try:
            unhurried = await self._allowed(url)
            return await self._asked(url, reference, sparing=unhurried)
        except NoSuchHostError as error:
            return await self._gone(url, reference, None, str(error))
        except TroubleError as error:
            return trouble(self.name, error)

    async def _allowed(self, url: str) -> bool:
        """Check whether the host asks for pauses, so that it is asked for no more than the page. Raises where it forbids the page."""
        if not self._obeys:
            return False
        robots = await self._hosts.robots(url)
        if not robots.allows(url):
            raise UnreachableError(f"{host_of(url)} asks robots not to fetch this (robots.txt)")
        return robots.delay_s > 0

    async def _asked(self, url: str, reference: Reference, *, sparing: bool) -> Found:
        if not sparing and (file := await self._file(url)):
            return file
        reply = await self._web.ask("GET", url, headers=HEADERS, largest=LARGEST_PAGE)
        if reply.status in {_NOT_FOUND, _GONE}:
            return await self._gone(url, reference, reply, f"the server answers {reply.status}")
        if reply.status in _BARS:
            return odd(self.name, reply, "the server does not let it be read")
        if reply.status not in OK and reply.status != _PAYMENT:
            raise OddReplyError(f"the server answers {reply.status}")
        if _is_barred(url, reply.url):
            return odd(self.name, reply, f"it leads to where one signs in or consents: {without_secrets(reply.url)}")
        kind = kind_of(reply)
        if kind not in HTML:
            return found(self.name, [file_entry(reply, kind)], reply)
        return await self._judged(url, reference, reply, await page_of(reply), sparing=sparing)

    async def _judged(self, url: str, reference: Reference, reply: Reply, page: Page, *, sparing: bool) -> Found:
        if said := says_barred(page):
            return odd(self.name, reply, f"a page to get past, not the page asked for: {said}")
        state, why = _why_not_there(url, reply, page)
        if not why and not sparing and await self._like_anything(url, page):
            state, why = "soft_404", "the host answers an address that cannot be in the same way"
        if why:
            return await self._soft(url, reference, reply, page_entry(page, reply, state=state), f"{state}: {why}")
        if reply.status == _PAYMENT and not page.titles:
            return odd(self.name, reply, "behind a paywall, and it does not say what it is")
        if page.paywalled or reply.status == _PAYMENT:
            state = "paywalled"
        return found(self.name, [page_entry(page, reply, state=state)], reply)

    async def _file(self, url: str) -> Found | None:
        """Ask for the head alone, which is enough for a file. Many servers refuse it, for live pages and dead ones alike."""
        try:
            reply = await self._web.ask("HEAD", url, headers=HEADERS, retry=False)
        except (BlockedError, NoSuchHostError):
            raise
        except TroubleError:
            return None
        kind = kind_of(reply)
        if reply.status not in OK or kind in HTML or kind == "unknown" or kind.startswith("text/"):
            return None
        if _is_barred(url, reply.url) or (is_deep(url) and is_home(reply.url)):
            return None
        return found(self.name, [file_entry(reply, kind)], reply)

    async def _like_anything(self, url: str, page: Page) -> bool:
        """Hold a page that describes no article against what its host answers to an address that cannot be."""
        if page.described or is_home(url):
            return False
        other = await self._hosts.nowhere(url)
        return other is not None and same_page(page, other)

    async def _gone(self, url: str, reference: Reference, reply: Reply | None, why: str) -> Found:
        """Report that there is no such page, unless a copy of it was kept. A missing host needs the archive's word besides."""
        try:
            kept, _ = await self._archive.kept(url, cited_day(reference))
        except TroubleError as error:
            if reply is None:
                return trouble(self.name, UnreachableError(f"{why}; the archive could not be asked ({error})"))
            return missed(self.name, self.proves, reference.kind, reply, f"{why}; the archive could not be asked")
        if kept is None:
            return missed(self.name, self.proves, reference.kind, reply, f"{why}, and no copy of it was archived")
        return found(self.name, [kept_entry(kept, url, state="gone", gone=why)], reply or kept.reply)

    async def _soft(self, url: str, reference: Reference, reply: Reply, near: Entry, why: str) -> Found:
        """Return what seems to be the matter; that proves nothing, but an archived copy may show that there was such a page."""
        try:
            kept, _ = await self._archive.kept(url, cited_day(reference))
        except TroubleError:
            kept = None
        if kept and kept.page and kept.page.titles and kept.page.titles[0] != near.title:
            return found(self.name, [kept_entry(kept, url, state=near.facts["state"], gone=why)], reply)
        return missed(self.name, frozenset(), reference.kind, reply, why, near=[near])


def _is_barred(url: str, final: str) -> bool:
    return is_door(final) and not is_door(url)


def _why_not_there(url: str, reply: Reply, page: Page) -> tuple[str, str | None]:
    """Return the state of a page, and why it seems not to be the one that was asked for, if it does."""
    if said := says_not_there(page):
        return "soft_404", f"it says with status {reply.status} that it is not there: {said}"
    if is_deep(url):
        if reply.hops and is_home(reply.url):
            return "redirected_home", f"it leads to the front page of {site_of(reply.url)}"
        if reply.hops and not page.described and leads_to_section(url, reply.url):
            return "redirected_home", f"it leads to the section {without_secrets(reply.url)}"
        if page.refresh and is_home(page.refresh):
            return "redirected_home", f"it sends its readers on to the front page of {site_of(page.refresh)}"
    return "redirected_same_content" if reply.hops else "live", None
