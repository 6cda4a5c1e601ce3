"""DataCite: the metadata of datasets, software, arXiv preprints and theses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from showable.records import Entry, Found, Person, Reference
from showable.registries.answers import found, missed, odd
from showable.registries.scholarly import (
    given_first,
    gone_by_title,
    plain_doi,
    search_words,
)
from showable.registries.settings import Settings
from showable.registries.shapes import rows_of, table_of, text_of, texts_of, told, years_in
from showable.registries.web.asking import OddReplyError, Pace, Reply, Web
from showable.registries.works_by_doi import WorksByDoi

_OK = 200
_ROWS = 5
_YEARS = frozenset({"Issued", "Available", "Submitted"})
_ARXIV = "10.48550/arxiv."


class DataCite(WorksByDoi):
    """The REST API of DataCite, ``api.datacite.org/dois``; 500 requests in five minutes for who does not say who asks.

    Answers are JSON:API documents, a miss too (404 with `errors`); it is ``not_covered``, since the DOI may be another
    agency's. `publisher` is a string or an object. See support.datacite.org/docs/api-get-doi.
    """

    name, title, path = "datacite", "DataCite", "/dois/"
    pace = Pace(per_second=1.5)
    known = Reference(
        kind="doi",
        text="10.48550/arXiv.1706.03762",
        fields={"doi": "10.48550/arxiv.1706.03762", "title": "Attention Is All You Need"},
    )

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web, self._mailto = web, settings.mailto
        self._address = settings.address(self.name, "https://api.datacite.org")

    async def _search(self, reference: Reference) -> Found:
        title = search_words(reference.fields, "title")
        if not title:
            return missed(self.name, self.proves, reference.kind, None, "no title to search for")
        reply = await self._ask("/dois", {"query": f'titles.title:"{title}"', "page[size]": str(_ROWS)})
        if reply.status != _OK:
            return odd(self.name, reply)
        rows = table_of(reply.json()).get("data")
        if not isinstance(rows, list):
            raise OddReplyError("an answer without a list of records")
        entries = [_entry(table_of(row, "attributes")) for row in rows_of(rows)[:_ROWS]]
        if not entries:
            return missed(self.name, self.proves, reference.kind, reply, "DataCite finds no work")
        return found(self.name, entries, reply)

    def _read(self, reply: Reply) -> Entry:
        attributes = table_of(reply.json(), "data", "attributes")
        if not attributes:
            raise OddReplyError("an answer without a record")
        return _entry(attributes)

    async def _ask(self, path: str, params: Mapping[str, str]) -> Reply:
        polite = {"mailto": self._mailto} if self._mailto else {}
        return await self._web.ask("GET", f"{self._address}{path}", params={**params, **polite})


def _entry(record: dict[str, Any]) -> Entry:
    titles = texts_of(rows_of(record.get("titles")), "title")
    doi = plain_doi(text_of(record.get("doi")))
    publisher = text_of(record.get("publisher")) or text_of(table_of(record, "publisher").get("name"))
    container = table_of(record, "container")
    ids = {"doi": doi} if doi else {}
    if doi and doi.startswith(_ARXIV):
        ids["arxiv"] = doi.removeprefix(_ARXIV)
    return Entry(
        title=titles[0] if titles else None,
        other_titles=titles[1:],
        authors=tuple(_person(row) for row in rows_of(record.get("creators"))),
        years=tuple(_years(record)),
        containers=tuple(name for name in (text_of(container.get("title")), publisher) if name),
        volume=text_of(container.get("volume")),
        issue=text_of(container.get("issue")),
        first_page=text_of(container.get("firstPage")),
        last_page=text_of(container.get("lastPage")),
        publisher=publisher,
        ids=ids,
        notices=gone_by_title(titles[0] if titles else None),
        url=text_of(record.get("url")),
        facts=told(
            type=(text_of(table_of(record, "types").get("resourceTypeGeneral")) or "").lower(),
            version=text_of(record.get("version")),
            state=text_of(record.get("state")),
            published_as=_published_as(record),
        ),
    )


def _person(row: dict[str, Any]) -> Person:
    family, given, name = (text_of(row.get(key)) for key in ("familyName", "givenName", "name"))
    if family:
        return Person(family=family, given=given or "")
    if row.get("nameType") == "Organizational":
        return Person(family=name or "")
    return given_first(name or "")


def _years(record: dict[str, Any]) -> list[int]:
    dates = [text_of(row.get("date")) for row in rows_of(record.get("dates")) if row.get("dateType") in _YEARS]
    named = [text_of(record.get("publicationYear")), *dates]
    return list(dict.fromkeys(year for text in named for year in years_in(text)[:1]))


def _published_as(record: dict[str, Any]) -> str | None:
    related = rows_of(record.get("relatedIdentifiers"))
    dois = [text_of(row.get("relatedIdentifier")) for row in related if row.get("relationType") == "IsPreprintOf"]
    return next((doi for text in dois if (doi := plain_doi(text))), None)
