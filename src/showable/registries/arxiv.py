"""arXiv: preprints by their ids, with version and withdrawal."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from showable.read.references.identifier_checks import arxiv_fault
from showable.records import Entry, Found, Notice, Reference
from showable.registries.answers import found, ill_formed, missed, trouble
from showable.registries.scholarly import given_first, plain_doi, search_key, search_words
from showable.registries.settings import Settings
from showable.registries.shapes import told, years_in
from showable.registries.web.asking import OddReplyError, Pace, RateLimitedError, Reply, TroubleError, Web

_ROWS = 5
_MOST_WORDS = 24
_WRITTEN_VERSION = re.compile(r"(?<=\d)v(\d{1,4})$", re.IGNORECASE)


class ArXiv:
    """The API of arXiv, ``export.arxiv.org/api/query``, in Atom; one request in three seconds, one at a time.

    It is the authority for arXiv ids. A miss is a feed that counts no entry and has none; an error is an entry called Error, with status
    200. The feed has the latest version: a version past it never was. An older one is no fault, and its number stands in
    the entry's facts. That a paper was withdrawn is said in the comment or the abstract of the latest version
    alone. See info.arxiv.org/help/api/user-manual.
    """

    name = "arxiv"
    kinds = frozenset({"arxiv", "bibliographic"})
    proves = frozenset({"arxiv"})
    pace = Pace(per_second=1 / 3)
    known = Reference(
        kind="arxiv",
        text="arXiv:1706.03762",
        fields={
            "arxiv": "1706.03762",
            "title": "Attention Is All You Need",
            "authors": "Ashish Vaswani",
            "et_al": "yes",
        },
    )

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._address = settings.address(self.name, "https://export.arxiv.org")

    def not_configured(self) -> str | None:
        """Nothing is needed."""
        return None

    def key(self, reference: Reference) -> str | None:
        """Return the id with the version that is cited, or the words of the search."""
        if reference.kind != "arxiv":
            return search_key(reference.fields)
        number = arxiv_id(reference.fields.get("arxiv", ""))
        version = _version(reference)
        return f"{number}v{version}" if number and version else number or None

    async def find(self, reference: Reference) -> Found:
        """Look a preprint up, or search for a title."""
        try:
            return await (self._one(reference) if reference.kind == "arxiv" else self._search(reference))
        except TroubleError as error:
            return trouble(self.name, error)

    async def _one(self, reference: Reference) -> Found:
        number = arxiv_id(reference.fields.get("arxiv", ""))
        if fault := arxiv_fault(number):
            return ill_formed(self.name, fault)
        reply = await self._web.ask("GET", f"{self._address}/api/query", params={"id_list": number, "max_results": "1"})
        rows = entries_in(reply)
        if rows and (why := bad_id(rows[0])):
            return ill_formed(self.name, why, reply)
        entries = [entry for row in rows if (entry := entry_of(row)).ids.get("arxiv") == number]
        if rows and not entries:
            raise OddReplyError(f"status {reply.status}, and no entry in the feed is readable as {number}")
        if not entries:
            return missed(self.name, self.proves, "arxiv", reply, f"arXiv has no {number}")
        cited, latest = _version(reference), version_of(entries[0])
        if cited and latest and not 1 <= cited <= latest:
            reason = f"arXiv has {number} up to version {latest}, there is no version {cited}"
            return missed(self.name, self.proves, "arxiv", reply, reason, near=entries)
        return found(self.name, entries, reply)

    async def _search(self, reference: Reference) -> Found:
        words = search_words(reference.fields, "title").split()[:_MOST_WORDS]
        if not words:
            return missed(self.name, self.proves, reference.kind, None, "no title to search for")
        params = {"search_query": f'ti:"{" ".join(words)}"', "max_results": str(_ROWS)}
        reply = await self._web.ask("GET", f"{self._address}/api/query", params=params)
        rows = [row for row in entries_in(reply) if not bad_id(row)]
        entries = [entry_of(row) for row in rows if row.id and row.title]
        if rows and not entries:
            raise OddReplyError(f"status {reply.status}, and no entry in the feed has an id and a title")
        if not entries:
            return missed(self.name, self.proves, reference.kind, reply, "arXiv finds no title with these words")
        return found(self.name, entries[:_ROWS], reply)


def _version(reference: Reference) -> int | None:
    """Return the version that is cited, from its own field or from the end of the id."""
    said = reference.fields.get("version", "").strip().lower().removeprefix("v")
    written = _WRITTEN_VERSION.search(reference.fields.get("arxiv", "").strip())
    if said.isascii() and said.isdecimal():
        return int(said[:5])
    return int(written[1]) if written else None


# Atom feeds of arXiv as entries: hard-wrapped titles, versions, withdrawals, and errors that look like papers.


_OK, _BAD_REQUEST, _TOO_MANY = 200, 400, 429
_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_LEAD = re.compile(r"^(?:https?://)?(?:www\.|export\.)?(?:arxiv\.org/(?:abs|pdf)/|arxiv:\s*)", re.IGNORECASE)
_VERSION = re.compile(r"v(\d{1,4})$", re.IGNORECASE)
_CLASS = re.compile(r"^([a-z-]+)\.[A-Za-z]{2}/")
_WITHDRAWN = re.compile(r"\bwithdrawn\b", re.IGNORECASE)
_PAPER_WITHDRAWN = re.compile(
    r"\b(?:paper|article|submission|manuscript|preprint|work)\s+(?:\w+\s+){0,4}withdrawn\b|\bwithdrawn\s+by\s+(?:the\s+)?(?:author|arxiv)",
    re.IGNORECASE,
)
_LONGEST_SUMMARY = 3_000
_TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"


@dataclass(frozen=True, slots=True)
class Row:
    """An entry of a feed, as text."""

    id: str
    title: str
    authors: tuple[str, ...] = ()
    texts: dict[str, str] = field(default_factory=dict)


def arxiv_id(text: str) -> str:
    """Return an id without ``arXiv:``, address, version and, for old ids, the subject class: ``math.GT/0309136v1`` is ``math/0309136``."""
    plain = _VERSION.sub("", _LEAD.sub("", text.strip()).removesuffix(".pdf"))
    return _CLASS.sub(r"\1/", plain.lower()) if "/" in plain else plain


def entries_in(reply: Reply) -> list[Row]:
    """Read the entries of a feed: none where it says that nothing matches, in status and in number, and not otherwise.

    Raises RateLimitedError for ``Rate exceeded.``, OddReplyError for what is no feed, or is one that does not count what it found,
    or has nothing of what it counted.
    """
    if reply.status == _TOO_MANY or reply.body.strip()[:20].lower().startswith(b"rate exceeded"):
        raise RateLimitedError("arXiv asks for one request in three seconds")
    if reply.status not in {_OK, _BAD_REQUEST}:
        raise OddReplyError(f"status {reply.status}, and no feed")
    from lxml import etree  # noqa: PLC0415 - takes 0.05 s

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        feed = etree.fromstring(reply.body, parser)
    except (etree.XMLSyntaxError, ValueError):
        raise OddReplyError(f"status {reply.status}, and the body is no Atom feed") from None
    if feed.tag != f"{_ATOM}feed":
        raise OddReplyError(f"status {reply.status}, and the body is no Atom feed")
    rows = [_row(node) for node in feed.findall(f"{_ATOM}entry")]
    total = (feed.findtext(_TOTAL) or "").strip()
    if not any(map(_is_error, rows)) and (
        reply.status != _OK or not re.fullmatch(r"[0-9]{1,9}", total) or bool(int(total)) != bool(rows)
    ):
        raise OddReplyError(
            f"status {reply.status}, and a feed of {len(rows)} entries that counts {total[:9] or 'none'}"
        )
    return rows


def bad_id(row: Row) -> str | None:
    """Return what arXiv finds wrong with an id; None for an entry that is a paper. Raises OddReplyError for any other error."""
    if not _is_error(row):
        return None
    said = row.texts.get("summary", "an error")
    if "incorrect id format" in said:
        return said
    raise OddReplyError(f"arXiv answers with an error: {said}")


def entry_of(row: Row) -> Entry:
    """Make an entry of a paper. `latest_version` is among its facts; its DOI is that of the journal, if it has one."""
    number = arxiv_id(row.id)
    version = _VERSION.search(row.id)
    texts = row.texts
    doi = plain_doi(texts.get("doi"))
    return Entry(
        title=row.title or None,
        authors=tuple(given_first(name) for name in row.authors),
        years=tuple(dict.fromkeys(years_in(texts.get("published"))[:1] + years_in(texts.get("updated"))[:1])),
        date=texts.get("published", "")[:10] or None,
        containers=("arXiv", *([texts["journal_ref"]] if "journal_ref" in texts else [])),
        ids={"arxiv": number, **told(doi=doi)},
        notices=tuple(_withdrawn(texts)),
        url=f"https://arxiv.org/abs/{number}",
        facts=told(
            type="preprint",
            latest_version=version[1] if version else None,
            comment=texts.get("comment"),
            published_in=texts.get("journal_ref"),
        ),
    )


def version_of(entry: Entry) -> int | None:
    """Return the number of the latest version."""
    text = entry.facts.get("latest_version")
    return int(text) if text else None


def _is_error(row: Row) -> bool:
    return "/api/errors" in row.id or row.title == "Error"


def _row(node: object) -> Row:
    find = node.findtext  # type: ignore[attr-defined]
    names = {
        "summary": _ATOM,
        "published": _ATOM,
        "updated": _ATOM,
        "comment": _ARXIV,
        "journal_ref": _ARXIV,
        "doi": _ARXIV,
    }
    texts = {name: " ".join((find(f"{space}{name}") or "").split()) for name, space in names.items()}
    people = node.findall(f"{_ATOM}author/{_ATOM}name")  # type: ignore[attr-defined]
    return Row(
        id=(find(f"{_ATOM}id") or "").strip(),
        title=" ".join((find(f"{_ATOM}title") or "").split()),
        authors=tuple(name for one in people if (name := " ".join((one.text or "").split()))),
        texts={name: text for name, text in texts.items() if text},
    )


def _withdrawn(texts: dict[str, str]) -> list[Notice]:
    comment, summary = texts.get("comment", ""), texts.get("summary", "")[:_LONGEST_SUMMARY]
    if _WITHDRAWN.search(comment):
        return [
            Notice(
                kind="withdrawn",
                reason=f"the comment on arXiv says: {comment}",
                date=texts.get("updated", "")[:10] or None,
            )
        ]
    if _PAPER_WITHDRAWN.search(summary):
        return [
            Notice(
                kind="withdrawn",
                reason="the abstract on arXiv says that it is withdrawn",
                date=texts.get("updated", "")[:10] or None,
            )
        ]
    return []
