"""Pages on the web that a text points to: plain addresses, links, and news articles with their byline."""

from __future__ import annotations

from showable.read.references.dois import doi_in
from showable.read.references.found import FoundReference
from showable.read.references.id_urls import id_in
from showable.read.references.links_in_text import links_in
from showable.read.references.news import find_news
from showable.read.references.placed import placed, without_overlaps


def find_web(text: str) -> list[FoundReference]:
    """Find addresses and news articles, in order of place.

    Kinds `url` {url, title: the words of the link} and `news` {title, author, outlet, date, url}. An address that
    carries an identifier (doi.org, arxiv.org, PubMed …) is left to `find_identifiers`; one without a scheme is
    given ``https://``, as a browser would.
    """
    if "." not in text and not any(map(str.isdigit, text)):
        return []
    news = without_overlaps(find_news(text))
    taken = [one.full for one in news]
    found = [*news]
    for link in links_in(text):
        if any(start < link.full[1] and link.full[0] < end for start, end in taken):
            continue
        if id_in(link.url) is None and doi_in(link.url) is None:
            title = link.label if " " in link.label and "://" not in link.label else ""
            found.append(placed(text, "url", link.span, {"url": link.url, "title": title}, link.full))
    return sorted(found, key=lambda one: one.span)
