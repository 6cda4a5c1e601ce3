"""arXiv: preprints by their ids, with version and withdrawal."""

from __future__ import annotations

import re

from showable.read.references.identifier_checks import arxiv_fault
from showable.records import Found, Reference
from showable.registries.answers import found, ill_formed, missed, trouble
from showable.registries.arxiv_feed import arxiv_id, bad_id, entries_in, entry_of, version_of
from showable.registries.scholarly import search_key, search_words
from showable.registries.settings import Settings
from showable.registries.web.asking import OddReplyError, Pace, TroubleError, Web

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
        """Give the id with the version that is cited, or the words of the search."""
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
    """Give the version that is cited, from its own field or from the end of the id."""
    said = reference.fields.get("version", "").strip().lower().removeprefix("v")
    written = _WRITTEN_VERSION.search(reference.fields.get("arxiv", "").strip())
    if said.isascii() and said.isdecimal():
        return int(said[:5])
    return int(written[1]) if written else None
