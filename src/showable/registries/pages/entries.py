"""A page that was read, as an entry that citations can be held against."""

from __future__ import annotations

from collections.abc import Mapping

from showable.records import Entry
from showable.registries.pages.addresses import is_home, resolved, site_of, slug_words
from showable.registries.pages.page import Page
from showable.registries.shapes import told, years_in
from showable.registries.web.asking import Reply

_OTHERS = 8


def page_entry(page: Page, reply: Reply, **facts: str | None) -> Entry:
    """Describe a page that was read. `publisher` is its registrable domain."""
    asked = reply.hops[0] if reply.hops else reply.url
    moved = reply.url if reply.hops else None
    return _entry(page, asked, reply.url, {**facts, "redirected_to": moved})


def file_entry(reply: Reply, kind: str) -> Entry:
    """Describe something that is no page of HTML: that it is there is all that is known of it."""
    return Entry(
        publisher=site_of(reply.url) or None,
        url=reply.url,
        facts=told(state="live", content_type=kind, redirected_to=reply.url if reply.hops else None),
    )


def archived_entry(page: Page, url: str, at: str, copy: str, **facts: str | None) -> Entry:
    """Describe an archived copy of a page: what it said on the day (YYYYMMDD…) on which it was kept."""
    return _entry(page, url, url, {**facts, "archived": f"{at[:4]}-{at[4:6]}-{at[6:8]}", "archived_copy": copy})


def header(headers: Mapping[str, str], name: str) -> str:
    """Return a header by its lower-case name, whatever case it came in; empty where it is missing."""
    return next((value for key, value in headers.items() if key.lower() == name), "")


def _entry(page: Page, asked: str, url: str, facts: Mapping[str, str | None]) -> Entry:
    canonical, why_not = _canonical(page, url)
    return Entry(
        title=page.titles[0] if page.titles else None,
        other_titles=page.titles[1:_OTHERS],
        authors=page.authors,
        years=years_in(page.date),
        date=page.date,
        containers=page.outlets,
        volume=page.numbers.get("volume"),
        issue=page.numbers.get("issue"),
        first_page=page.numbers.get("first_page"),
        last_page=page.numbers.get("last_page"),
        publisher=site_of(url) or None,
        ids=page.ids,
        url=canonical or url,
        facts=told(
            **facts,
            date_from=page.date_from,
            modified=page.modified,
            access="behind a paywall" if page.paywalled else None,
            slug=" ".join(slug_words(canonical)) if canonical else None,
            slug_differs=_slug_differs(asked, page),
            canonical_ignored=why_not,
            broken_json_ld=str(page.broken_scripts) if page.broken_scripts else None,
        ),
    )


def _canonical(page: Page, url: str) -> tuple[str | None, str | None]:
    """Believe the address that a page calls its own, unless it is another site's or its front page's."""
    named = page.canonical or page.og_url
    link = resolved(named, url) if named else None
    if link is None:
        return None, None
    if is_home(link) and not is_home(url):
        return None, f"{link} is the front page"
    elsewhere = site_of(link) != site_of(url)
    if elsewhere and not (page.og_url and page.canonical and site_of(page.og_url) == site_of(page.canonical)):
        return None, f"{link} is another site"
    return link, None


def _slug_differs(asked: str, page: Page) -> str | None:
    """Flag an address whose words have nothing in common with any title. Words of another script are not compared."""
    words = slug_words(asked)
    titles = " ".join(page.titles).casefold()
    if not words or not any(char.isascii() and char.isalpha() for char in titles) or not page.titles:
        return None
    if not all(word.isascii() for word in words) or any(_stem(word) in titles for word in words):
        return None
    return f"no word of {' '.join(words[:8])} is in its title"


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 4 and word.endswith("s") else word  # noqa: PLR2004 - "news" keeps its s
