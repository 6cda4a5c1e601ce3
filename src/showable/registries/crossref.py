"""Crossref: the metadata of most journals, proceedings and preprints, and what has been retracted or corrected since."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from showable import __version__
from showable.records import Entry, Found, Reference
from showable.registries.answers import found, missed, odd
from showable.registries.csl import entry_of
from showable.registries.scholarly import first_author, search_words
from showable.registries.settings import Settings
from showable.registries.shapes import rows_of, table_of
from showable.registries.web.asking import OddReplyError, Pace, Reply, Web
from showable.registries.works_by_doi import WorksByDoi

_OK = 200
_ROWS = 5
_SELECT = (
    "DOI,title,subtitle,short-title,original-title,author,editor,issued,published,published-print,published-online,posted"
    ",container-title,short-container-title,event,group-title,volume,issue,page,article-number,type,ISSN,publisher,URL"
    ",update-to,updated-by,relation"
)


class Crossref(WorksByDoi):
    """The REST API of Crossref, ``api.crossref.org/works``; five requests a second in the public pool, one at a time.

    A miss is ``not_covered``: the DOI may be another agency's, and not every work has one. A retraction is an item of
    `updated-by`; `update-to` is what a notice updates. Its 404 is text, not JSON. `SHOWABLE_MAILTO` asks for the
    polite pool, `SHOWABLE_CROSSREF_PLUS_TOKEN` for Metadata Plus. See www.crossref.org/documentation/retrieve-metadata/rest-api.
    """

    name, title, path = "crossref", "Crossref", "/works/"
    pace = Pace(per_second=5)
    known = Reference(
        kind="doi",
        text="10.1038/nature12373",
        fields={"doi": "10.1038/nature12373", "title": "Nanometre-scale thermometry in a living cell", "year": "2013"},
    )

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web, self._mailto = web, settings.mailto
        self._address = settings.address(self.name, "https://api.crossref.org")
        self._token = settings.secret("SHOWABLE_CROSSREF_PLUS_TOKEN")

    async def _search(self, reference: Reference) -> Found:
        fields = {**reference.fields, "author": first_author(reference.fields)}
        words = search_words(fields, "title", "author", "year", "container")
        if self.key(reference) is None:
            return missed(self.name, self.proves, reference.kind, None, "no title to search for")
        reply = await self._ask("/works", {"query.bibliographic": words, "rows": str(_ROWS), "select": _SELECT})
        if reply.status != _OK:
            return odd(self.name, reply)
        items = _message(reply, "work-list").get("items")
        if not isinstance(items, list):
            raise OddReplyError("an answer without a list of works")
        entries = [entry_of(row) for row in rows_of(items)[:_ROWS]]
        if not entries:
            return missed(self.name, self.proves, reference.kind, reply, "Crossref finds no work")
        return found(self.name, entries, reply)

    def _read(self, reply: Reply) -> Entry:
        return entry_of(_message(reply, "work"))

    async def _ask(self, path: str, params: Mapping[str, str]) -> Reply:
        about = f" (mailto:{self._mailto})" if self._mailto else ""
        headers = {"User-Agent": f"showable/{__version__}{about}"}
        if self._token:
            headers["Crossref-Plus-API-Token"] = f"Bearer {self._token}"
        polite = {"mailto": self._mailto} if self._mailto else {}
        return await self._web.ask("GET", f"{self._address}{path}", params={**params, **polite}, headers=headers)


def _message(reply: Reply, kind: str) -> dict[str, Any]:
    said = reply.json()
    if table_of(said).get("message-type") != kind or not table_of(said, "message"):
        raise OddReplyError(f"status {reply.status}, and no message of type {kind}")
    return table_of(said, "message")
