"""Read a page: JSON-LD before Highwire tags before Open Graph before its title and its times."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from showable.read.html_tags import MOST_ATTRIBUTES, is_crowded
from showable.records import Person
from showable.registries.pages.addresses import resolved
from showable.registries.pages.bylines import people, person
from showable.registries.pages.json_ld import Graph, Node
from showable.registries.pages.page import Page
from showable.registries.web.asking import OddReplyError
from showable.rubrics.metadata.days import day_in

_LONGEST_TEXT = 20_000
_LONGEST_FIELD = 1_000
_UNSEEN = frozenset({"script", "style", "noscript", "template", "svg", "head", "iframe", "object"})
_SUFFIX = re.compile(r"\s+[|\-–—·•:»]+\s+")
_LINK = re.compile(r"<([^<>]{1,2000})>([^<>]{0,500})")
_REFRESH = re.compile(r"\s*\d{1,4}(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"'<>\s]{1,2000})", re.IGNORECASE)
_PUBLISHED = ("article:published_time", "og:article:published_time", "datepublished", "parsely-pub-date", "dc.date.issued",
              "dcterms.issued", "dc.date", "date")  # fmt: skip
_HIGHWIRE_DATES = ("citation_publication_date", "citation_online_date", "citation_date", "citation_year")
_HIGHWIRE_IDS = (("doi", "citation_doi"), ("pmid", "citation_pmid"), ("isbn", "citation_isbn"), ("issn", "citation_issn"),
                 ("arxiv", "citation_arxiv_id"))  # fmt: skip
_HIGHWIRE_NUMBERS = (("volume", "citation_volume"), ("issue", "citation_issue"), ("first_page", "citation_firstpage"),
                     ("last_page", "citation_lastpage"))  # fmt: skip
_HIGHWIRE_OUTLETS = (
    "citation_journal_title",
    "citation_conference_title",
    "citation_inbook_title",
    "citation_publisher",
)


def read_page(html: str, url: str, headers: Mapping[str, str] | None = None) -> Page:
    """Read the metadata and the first words of a page. `headers` is searched for a `link`.

    Raises OddReplyError where a tag has more attributes than are read, and nothing else, whatever a page holds.
    """
    root = _root(html)
    if root is None:
        return Page()
    tags = _Tags(root, url, headers or {})
    graph = Graph(tags.scripts)
    article = _article(graph, url, tags)
    titles = _titles(article, tags)
    day, origin = _day(article, tags)
    return Page(
        titles=titles,
        authors=_authors(graph, article, tags),
        date=day,
        date_from=origin,
        modified=day_in(_text(article.get("dateModified"))) or day_in(tags.first("article:modified_time")),
        outlets=_outlets(graph, article, tags),
        canonical=tags.canonical,
        og_url=tags.og_url,
        refresh=tags.refresh,
        ids={kind: value for kind, name in _HIGHWIRE_IDS if (value := tags.first(name))},
        numbers={kind: value for kind, name in _HIGHWIRE_NUMBERS if (value := tags.first(name))},
        paywalled=graph.tolls() or tags.first("article:content_tier") in {"locked", "metered"},
        described=bool(article.get("headline") or tags.first("citation_title") or tags.first("article:published_time")),
        broken_scripts=graph.broken,
        tab=tags.tab,
        heading=tags.heading,
        text=tags.text,
    )


def _root(html: str) -> Any:
    etree = import_module("lxml.etree")  # late: it takes long to load
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True)
    data = html.encode("utf-8", "replace")
    if is_crowded(data):
        raise OddReplyError(f"a tag of the page has more than {MOST_ATTRIBUTES} attributes: it is not read")
    try:
        return etree.fromstring(data, parser)
    except (etree.LxmlError, ValueError):
        return None


class _Tags:
    """What the elements of a page say, read in one pass over them."""

    def __init__(self, root: Any, url: str, headers: Mapping[str, str]) -> None:
        self._meta: dict[str, list[str]] = {}
        self.scripts: list[str] = []
        self.canonical = next((resolved(link, url) for link in _canonical_links(headers.get("link", ""))), None)
        self.og_url: str | None = None
        self.refresh: str | None = None
        self.tab: str | None = None
        self.heading: str | None = None
        self.time: str | None = None
        self._url = url
        for element in root.iter("meta", "link", "title", "h1", "time", "script"):
            getattr(self, f"_read_{element.tag}")(element)
        self.og_url = resolved(self.first("og:url") or "", url) if self.first("og:url") else None
        self.text = _seen_text(root)

    def all(self, name: str) -> list[str]:
        """Return the contents of every meta element of a name."""
        return self._meta.get(name, [])

    def first(self, name: str) -> str | None:
        """Return the content of the first meta element of a name."""
        return next(iter(self.all(name)), None)

    def _read_meta(self, element: Any) -> None:
        content = _text(element.get("content"))
        if content is None:
            return
        if (element.get("http-equiv") or "").strip().lower() == "refresh" and (match := _REFRESH.match(content)):
            self.refresh = self.refresh or resolved(match[1], self._url)
        names = {(element.get(key) or "").strip().lower() for key in ("name", "property", "itemprop")} - {""}
        for name in names:
            self._meta.setdefault(name, []).append(content)

    def _read_link(self, element: Any) -> None:
        if "canonical" in (element.get("rel") or "").lower().split() and self.canonical is None:
            self.canonical = resolved(element.get("href") or "", self._url)

    def _read_title(self, element: Any) -> None:
        parent = element.getparent()
        if self.tab is None and (parent is None or parent.tag in {"head", "html", "body"}):  # a drawing has titles, too
            self.tab = _text("".join(element.itertext()))

    def _read_h1(self, element: Any) -> None:
        if (
            self.heading is None and next(element.iterancestors("h1"), None) is None
        ):  # what was in the outer one was read
            self.heading = _text("".join(element.itertext()))

    def _read_time(self, element: Any) -> None:
        published = (element.get("itemprop") or "").lower() == "datepublished" or element.get("pubdate") is not None
        if published or self.time is None:
            self.time = _text(element.get("datetime")) or self.time

    def _read_script(self, element: Any) -> None:
        if (element.get("type") or "").strip().lower().partition(";")[0] == "application/ld+json":
            self.scripts.append(element.text or "")


def _canonical_links(header: str) -> Iterator[str]:
    """RFC 8288: the targets of a `Link` header whose relation is canonical."""
    for match in _LINK.finditer(header[:10_000]):
        if re.search(r"rel\s*=\s*\"?[\w\s-]*\bcanonical\b", match[2], re.IGNORECASE):
            yield match[1]


def _seen_text(root: Any) -> str:
    pieces: list[str] = []
    length, hidden = 0, 0
    walk = import_module("lxml.etree").iterwalk(root, events=("start", "end"))
    for event, element in walk:
        if element.tag in _UNSEEN:
            hidden += 1 if event == "start" else -1
        piece = element.tail if event == "end" else element.text
        if piece and not hidden:
            pieces.append(piece)
            length += len(piece)
            if length > _LONGEST_TEXT:
                break
    return " ".join("".join(pieces)[:_LONGEST_TEXT].split())


def _article(graph: Graph, url: str, tags: _Tags) -> Node:
    """Pick the article that a page is: the one of its address, else the first with a headline."""
    articles = graph.articles()
    here = {address for address in (url, tags.canonical, tags.og_url) if address}
    for node in articles:
        named = [node.get("url"), node.get("@id"), node.get("mainEntityOfPage")]
        named += [one.get("@id") for one in named if isinstance(one, dict)]
        if any(isinstance(one, str) and resolved(one, url) in here for one in named) and node.get("headline"):
            return node
    return next((node for node in articles if node.get("headline")), articles[0] if articles else {})


def _titles(article: Node, tags: _Tags) -> tuple[str, ...]:
    said = [article.get("headline"), article.get("alternativeHeadline"), tags.first("citation_title"), tags.first("og:title"),
            tags.first("twitter:title"), tags.heading, _bare_title(tags)]  # fmt: skip
    if not article.get("headline"):
        said.insert(0, article.get("name"))
    return tuple(dict.fromkeys(text for one in said if (text := _text(one))))


def _bare_title(tags: _Tags) -> str | None:
    """Take the name of the site off the title: what stands after the last bar or dash, unless that is the longer part."""
    if not tags.tab:
        return None
    cuts = list(_SUFFIX.finditer(tags.tab))
    if not cuts:
        return tags.tab
    before, after = tags.tab[: cuts[-1].start()], tags.tab[cuts[-1].end() :]
    return before if len(before) >= len(after) else tags.tab


def _authors(graph: Graph, article: Node, tags: _Tags) -> tuple[Person, ...]:
    told = graph.names(article.get("author")) or graph.names(article.get("creator"))
    groups = [person(name, group=True) for name, group in told if group and "://" not in name]
    named = people(name for name, group in told if not group)
    if named or groups:
        return (*named, *groups)
    for name in ("citation_author", "citation_authors"):
        if tags.all(name):
            return people(text for line in tags.all(name)[:100] for text in line.split(";"))
    return next((found for name in ("author", "article:author", "parsely-author", "dc.creator", "byl")
                 if (found := people(tags.all(name)[:20]))), ())  # fmt: skip


def _day(article: Node, tags: _Tags) -> tuple[str | None, str | None]:
    said = [("json-ld", _text(article.get("datePublished"))), *(("highwire", tags.first(name)) for name in _HIGHWIRE_DATES),
            *(("meta", tags.first(name)) for name in _PUBLISHED), ("time", tags.time)]  # fmt: skip
    return next(((day, origin) for origin, text in said if (day := day_in(text))), (None, None))


def _outlets(graph: Graph, article: Node, tags: _Tags) -> tuple[str, ...]:
    names = [name for name, _ in graph.names(article.get("publisher"))]
    names += [text for name in (*_HIGHWIRE_OUTLETS, "og:site_name", "application-name") if (text := tags.first(name))]
    return tuple(dict.fromkeys(text for name in names if (text := _text(name))))[:10]


def _text(value: Any) -> str | None:
    if isinstance(value, list):
        value = next((one for one in value if isinstance(one, str)), None)
    if isinstance(value, dict):  # {"@value": "…", "@language": "en"}
        value = value.get("@value")
    return " ".join(value[:_LONGEST_FIELD].split()) or None if isinstance(value, str) else None
