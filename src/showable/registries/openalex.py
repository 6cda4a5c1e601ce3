"""OpenAlex: an aggregator of works, asked about retractions and ids beside the registries it is made from."""

from __future__ import annotations

from typing import Any

from showable.records import Entry, Found, Notice, Reference
from showable.registries.answers import found, ill_formed, missed, odd, trouble, unset
from showable.registries.scholarly import given_first, in_path, plain_doi, search_key, search_words
from showable.registries.settings import Settings
from showable.registries.shapes import rows_of, table_of, text_of, texts_of, told
from showable.registries.web.asking import OddReplyError, Pace, Reply, TroubleError, Web

_OK, _UNAUTHORISED, _NOT_FOUND = 200, 401, 404
_ROWS = 5
_VARIABLE = "SHOWABLE_OPENALEX_KEY"
_FIELDS = "id,doi,ids,title,display_name,publication_year,publication_date,type,is_retracted,authorships,biblio,primary_location"


class OpenAlex:
    """The works of OpenAlex, ``api.openalex.org/works``; a free key is required, single records cost nothing.

    It proves nothing by absence: arXiv's own DOIs, for one, are unknown to it. Entities that were merged redirect (301).
    See developers.openalex.org.
    """

    name = "openalex"
    kinds = frozenset({"doi", "pmid", "pmcid", "bibliographic"})
    proves: frozenset[str] = frozenset()
    pace = Pace(per_second=10, at_once=2)
    known = Reference(
        kind="doi",
        text="10.7717/peerj.4375",
        fields={"doi": "10.7717/peerj.4375", "year": "2018"},
    )

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._address = settings.address(self.name, "https://api.openalex.org")
        self._key = settings.secret(_VARIABLE)

    def not_configured(self) -> str | None:
        """Report that the key is missing."""
        return None if self._key else f"OpenAlex needs a key: set {_VARIABLE}"

    def key(self, reference: Reference) -> str | None:
        """Return the id with its namespace, or the words of the search."""
        if reference.kind == "bibliographic":
            return search_key(reference.fields)
        value = reference.fields.get(reference.kind, "").strip()
        if reference.kind == "doi":
            doi = plain_doi(value)
            return f"doi:{doi}" if doi else None
        digits = value.upper().removeprefix("PMC")
        if not (digits.isascii() and digits.isdecimal()):
            return None
        return f"pmid:{digits}" if reference.kind == "pmid" else f"pmcid:PMC{digits}"

    async def find(self, reference: Reference) -> Found:
        """Look a work up by DOI, PMID or PMCID, or search for a title."""
        if missing := self.not_configured():
            return unset(self.name, missing)
        key = self.key(reference)
        if key is None:
            return ill_formed(self.name, f"no {reference.kind.upper()} to ask for")
        try:
            return await (self._search(reference) if reference.kind == "bibliographic" else self._one(reference, key))
        except TroubleError as error:
            return trouble(self.name, error)

    async def _one(self, reference: Reference, key: str) -> Found:
        space, _, number = key.partition(":")
        reply = await self._ask(f"/works/{space}:{in_path(number)}", {})
        if reply.status == _NOT_FOUND:
            return missed(self.name, self.proves, reference.kind, reply, f"OpenAlex has no {key}")
        if reply.status != _OK:
            return self._refused(reply)
        record = table_of(reply.json())
        if not record.get("id"):
            raise OddReplyError("an answer without a work")
        return found(self.name, [_entry(record)], reply)

    async def _search(self, reference: Reference) -> Found:
        words = search_words(reference.fields, "title")
        reply = await self._ask("/works", {"filter": f"title.search:{words}", "per-page": str(_ROWS)})
        if reply.status != _OK:
            return self._refused(reply)
        rows = table_of(reply.json()).get("results")
        if not isinstance(rows, list):
            raise OddReplyError("an answer without a list of works")
        entries = [_entry(row) for row in rows_of(rows)[:_ROWS]]
        if not entries:
            return missed(self.name, self.proves, reference.kind, reply, "OpenAlex finds no work")
        return found(self.name, entries, reply)

    async def _ask(self, path: str, params: dict[str, str]) -> Reply:
        return await self._web.ask(
            "GET", f"{self._address}{path}", params={**params, "select": _FIELDS, "api_key": self._key or ""}
        )

    def _refused(self, reply: Reply) -> Found:
        if reply.status == _UNAUTHORISED:
            return unset(self.name, f"OpenAlex does not take the key in {_VARIABLE}")
        return odd(self.name, reply)


def _entry(record: dict[str, Any]) -> Entry:
    biblio, source = table_of(record, "biblio"), table_of(record, "primary_location", "source")
    retracted = Notice(kind="retracted", reason="OpenAlex says that it is retracted")
    year = text_of(record.get("publication_year")) or ""
    return Entry(
        title=text_of(record.get("title")) or text_of(record.get("display_name")),
        authors=tuple(
            given_first(name)
            for row in rows_of(record.get("authorships"))
            if (name := text_of(table_of(row, "author").get("display_name")))
        ),
        years=(int(year),) if year.isdecimal() else (),
        date=text_of(record.get("publication_date")),
        containers=tuple(
            name for name in (text_of(source.get("display_name")), text_of(source.get("abbreviated_title"))) if name
        ),
        volume=text_of(biblio.get("volume")),
        issue=text_of(biblio.get("issue")),
        first_page=text_of(biblio.get("first_page")),
        last_page=text_of(biblio.get("last_page")),
        ids=_ids(record),
        notices=(retracted,) if record.get("is_retracted") is True else (),
        url=text_of(record.get("id")),
        facts=told(type=text_of(record.get("type")), issn="; ".join(texts_of(source.get("issn")))),
    )


def _ids(record: dict[str, Any]) -> dict[str, str]:
    ids = table_of(record, "ids")
    doi = plain_doi(text_of(record.get("doi")) or text_of(ids.get("doi")))
    pmid = (text_of(ids.get("pmid")) or "").rpartition("/")[2]
    pmcid = (text_of(ids.get("pmcid")) or "").rpartition("/")[2]
    return told(doi=doi, pmid=pmid or None, pmcid=f"PMC{pmcid.removeprefix('PMC')}" if pmcid else None)
